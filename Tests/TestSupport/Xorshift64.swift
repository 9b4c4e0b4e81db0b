// SPDX-License-Identifier: Apache-2.0
// Generated inputs that Python can generate, too: the same seed, the same bytes.

/// Marsaglia's xorshift (Journal of Statistical Software 8, 14), shifts 13, 7 and 17.
///
/// `Tests/Vectors/accumulated-digests.py` holds the same generator. It is for tests only.
public struct Xorshift64: RandomNumberGenerator {
  var state: UInt64

  /// Starts with a seed, which may not be zero.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next word.
  public mutating func next() -> UInt64 {
    state ^= state &<< 13
    state ^= state &>> 7
    state ^= state &<< 17
    return state
  }

  /// The words drawn one after the other, little-endian; the last one may be cut.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    var words: [UInt64] = []
    for _ in 0..<(count + 7) / 8 { words.append(next().littleEndian) }
    // Safety: the words hold at least count bytes.
    return unsafe words.withUnsafeBytes { words in
      unsafe Array(UnsafeRawBufferPointer(rebasing: words[..<count]))
    }
  }

  /// A size of 0 to `largest`.
  public mutating func size(upTo largest: UInt64) -> Int {
    Int(next() % (largest + 1))
  }
}
