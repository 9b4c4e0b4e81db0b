// SPDX-License-Identifier: Apache-2.0
// The library as wasm: texts in, named texts out (PageFields.swift).
"use strict";

// What one call may hold: the module has a memory of 8 MiB, and copies what it is given.
const MAXIMUM_BYTES = 1 << 19;

// The module stands in the page as base64. It imports random bytes alone, for its hash tables.
const compiled = (() => {
  const digits = atob(document.getElementById("module").textContent.trim());
  return WebAssembly.compile(Uint8Array.from(digits, (digit) => digit.charCodeAt(0)));
})();

// What a function of the module answers to these texts. Each call has a memory of its own, so that no
// secret stays behind in one.
async function ask(name, texts) {
  const random = (place, count) => {
    crypto.getRandomValues(new Uint8Array(exports.memory.buffer, place, count));
  };
  const { exports } = await WebAssembly.instantiate(await compiled, { host: { random } });
  const fields = texts.map((text) => new TextEncoder().encode(text));
  const byteCount = fields.reduce((sum, field) => sum + 4 + field.length, 0);
  if (byteCount > MAXIMUM_BYTES) {
    throw new Error(`This page accepts at most ${MAXIMUM_BYTES} bytes. For more, use the command sigv4.`);
  }
  const place = exports.allocate(byteCount);
  write(fields, exports.memory.buffer, place);
  const answer = read(exports.memory.buffer, exports[name](place, byteCount));
  new Uint8Array(exports.memory.buffer).fill(0);
  return answer;
}

function write(fields, buffer, place) {
  const view = new DataView(buffer);
  for (const field of fields) {
    view.setUint32(place, field.length, true);
    new Uint8Array(buffer).set(field, place + 4);
    place += 4 + field.length;
  }
}

// A map from names to lists of texts.
function read(buffer, place) {
  const view = new DataView(buffer);
  const end = place + 4 + view.getUint32(place, true);
  const texts = [];
  for (let next = place + 4; next < end; ) {
    const size = view.getUint32(next, true);
    texts.push(new TextDecoder().decode(new Uint8Array(buffer, next + 4, size)));
    next += 4 + size;
  }
  const answer = new Map();
  for (let index = 0; index < texts.length; index += 2) {
    answer.set(texts[index], [...(answer.get(texts[index]) ?? []), texts[index + 1]]);
  }
  return answer;
}
