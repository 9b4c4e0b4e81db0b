// SPDX-License-Identifier: Apache-2.0
// EMSA-PSS, with as many bytes of salt as the digest has.

internal import SecureHashing

/// EMSA-PSS of RFC 8017, 9.1, with MGF1 (B.2.1) and the same hash function everywhere, for moduli
/// of whole bytes: an encoded message is as long as the modulus, and its highest bit is zero.
enum PSSPadding<Hash: HashFunction> {
  private static var digestCount: Int { Hash.Digest.byteCount }
  private static var trailer: UInt8 { 0xBC }

  /// The size of DB: the salt, the byte 1 and zeros.
  private static func blockCount(_ byteCount: Int) -> Int { byteCount - digestCount - 1 }

  /// Returns random bytes for a salt.
  static func salt(_ random: () -> UInt64) -> [UInt8] {
    var salt: [UInt8] = []
    while salt.count < digestCount {
      let word = random()
      for shift in 0..<8 { salt.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift))) }
    }
    return salt
  }

  /// Encodes a digest and a salt in as many bytes as the modulus has: 256 or more (9.1.1).
  static func encoded(_ digest: Hash.Digest, salt: [UInt8], byteCount: Int) -> [UInt8] {
    let hash = hash(digest, salt)
    let zeros = [UInt8](repeating: 0, count: blockCount(byteCount) - salt.count - 1)
    var block = zeros + [1] + salt
    mask(&block, by: hash)
    block[0] &= 0x7F
    return block + hash + [trailer]
  }

  /// Returns whether an encoded message, as long as the modulus, belongs to a digest (9.1.2).
  static func isValid(_ encoded: [UInt8], for digest: Hash.Digest) -> Bool {
    let count = blockCount(encoded.count)
    guard encoded.last == trailer, let first = encoded.first, first < 0x80 else { return false }
    var block = Array(encoded[..<count])
    let hash = encoded[count...].dropLast()
    mask(&block, by: hash)
    block[0] &= 0x7F
    let zeroCount = count - digestCount - 1
    let salt = block[(zeroCount + 1)...]
    return block[..<zeroCount].allSatisfy { $0 == 0 } && block[zeroCount] == 1
      && self.hash(digest, salt).elementsEqual(hash)
  }

  /// H: the hash of 8 zeros, the digest and the salt.
  private static func hash(_ digest: Hash.Digest, _ salt: some Collection<UInt8>) -> Hash.Digest {
    var function = Hash()
    function.update(data: repeatElement(0, count: 8))
    function.update(data: digest)
    return function.finalize(appending: salt)
  }

  /// Combines a block with MGF1 of a seed: the hashes of the seed and a counter.
  private static func mask(_ block: inout [UInt8], by seed: some Collection<UInt8>) {
    var function = Hash()
    function.update(data: seed)
    for start in stride(from: 0, to: block.count, by: digestCount) {
      let counter = UInt32(truncatingIfNeeded: start / digestCount)
      let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: counter >> UInt32($0)) }
      for (index, byte) in zip(start..<block.count, function.finalize(appending: bytes)) {
        block[index] ^= byte
      }
    }
  }
}
