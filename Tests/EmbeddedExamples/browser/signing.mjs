// SPDX-License-Identifier: Apache-2.0
// The wasm module as two functions of JavaScript: `sign` and `presign`.

// Loads the module, which imports nothing.
export async function load(url) {
  const { instance } = await WebAssembly.instantiate(await (await fetch(url)).arrayBuffer());
  return new Signing(instance.exports);
}

class Signing {
  constructor(exports) {
    this.exports = exports;
  }

  // The headers that have to be added to the request, as pairs of name and value.
  sign(request) {
    const lines = this.call("sign_request", request).split("\n").filter((line) => line);
    return lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1)];
    });
  }

  // The URL, good for so many seconds. Treat it as a secret.
  presign(request, seconds) {
    return this.call("presign_url", request, seconds);
  }

  // Throws an Error with the message of the library.
  call(name, request, ...options) {
    const lines = [
      request.accessKeyID, request.secretAccessKey, request.sessionToken ?? "", request.region,
      request.service, request.time, request.method, request.url,
      ...Object.entries(request.headers ?? {}).map(([name, value]) => `${name}:${value}`),
    ];
    if (lines.some((line) => line.includes("\n"))) throw new Error("a value has a line end");
    const input = new TextEncoder().encode(lines.join("\n"));
    const capacity = 16384;
    const { memory, allocate, release } = this.exports;
    const place = allocate(input.length + capacity);
    new Uint8Array(memory.buffer).set(input, place);
    const output = place + input.length;
    const count = this.exports[name](place, input.length, ...options, output, capacity);
    const bytes = new Uint8Array(memory.buffer, output, Math.abs(count));
    const text = new TextDecoder().decode(bytes);
    new Uint8Array(memory.buffer, place, input.length + capacity).fill(0);
    release(place);
    if (count < 0) throw new Error(text);
    return text;
  }
}
