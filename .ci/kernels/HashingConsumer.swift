// SPDX-License-Identifier: Apache-2.0
// A program of somebody else's: a digest, a code, a checksum, and which implementation is used.

import Checksums
import SecureHashing

let message = "abc".utf8
let prepared = HMAC<SHA256>.PreparedKey(SymmetricKey(data: "Jefe".utf8))
let digests = SHA256.hashBatch([Array(message), Array(message)])
let code = HMAC<SHA256>.authenticationCode(
  for: "what do ya want for nothing?".utf8, using: prepared)
print(digests[0].hexString)
print(digests[0] == digests[1])
print(code.hexString)
print(CRC32.base64(of: CRC32.checksum(of: "123456789".utf8)))
print(SHA256.implementationName)
