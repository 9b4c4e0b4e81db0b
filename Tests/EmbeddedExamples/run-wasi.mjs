// SPDX-License-Identifier: Apache-2.0
// Runs a program for wasm under node: `node run-wasi.mjs PROGRAM`.

import { readFile } from "node:fs/promises";
import { argv } from "node:process";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1" });
const bytes = await readFile(argv[2]);
const { instance } = await WebAssembly.instantiate(bytes, wasi.getImportObject());
wasi.start(instance);
