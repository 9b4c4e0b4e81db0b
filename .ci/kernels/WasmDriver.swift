// SPDX-License-Identifier: Apache-2.0
// A program for wasm without a system: it traps unless what it hashes has the published digests.

import Checksums
import SecureHashing

@main
enum WasmDriver {
  static func main() {
    #if WebAssemblySIMD
      precondition(SHA256.Implementation.current.name == "vectors")
    #else
      precondition(SHA256.Implementation.current == .portable)
    #endif
    precondition(SHA256.selfTest() && HMAC<SHA256>.selfTest())
    precondition(oneBlock(SHA256.hash(data: "abc".utf8)))
    let pair = SHA256.hashPair("abc".utf8, "abc".utf8)
    precondition(oneBlock(pair.0) && oneBlock(pair.1))
    let messages = [String](repeating: "abc", count: 7).map { $0.utf8 }
    precondition(SHA256.hashBatch(messages).allSatisfy(oneBlock))
    // The check value of ISO 3309's polynomial.
    precondition(CRCImplementation.current == .portable)
    precondition(CRC32.checksum(of: "123456789".utf8) == 0xcbf4_3926)
  }

  /// The example of one block that NIST publishes beside FIPS 180-4.
  static func oneBlock(_ digest: SHA256.Digest) -> Bool {
    let known: StaticString = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    return known.withUTF8Buffer { digest.hexString.utf8.elementsEqual($0) }
  }
}
