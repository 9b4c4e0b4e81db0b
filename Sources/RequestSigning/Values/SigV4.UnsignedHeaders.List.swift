// SPDX-License-Identifier: Apache-2.0
// How a name is looked up in the list of headers that stay unsigned.

internal import SigningSupport

extension SigV4.UnsignedHeaders {
  /// The names and prefixes, prepared for looking up.
  final class List: Sendable {
    /// Lowercase names, and prefixes that end in '*', with spaces between them.
    let bytes: [UInt8]

    let patterns: [Pattern]

    /// A bit for the first byte of each pattern, by its last six bits.
    let initials: UInt64

    init(_ bytes: [UInt8]) {
      var patterns: [Pattern] = []
      var initials: UInt64 = 0
      var start = 0
      for end in 0...bytes.count where end == bytes.count || bytes[end] == ASCIIByte.space {
        if end > start {
          let pattern = Pattern(bytes, start..<end)
          patterns.append(pattern)
          initials |= Pattern.initial(of: pattern.word)
        }
        start = end &+ 1
      }
      self.bytes = bytes
      self.patterns = patterns
      self.initials = initials
    }

    /// Whether a name, in lowercase bytes, is in the list. Most names are told apart by their first
    /// byte, nearly all others by their first eight.
    @inline(__always)
    func contains(_ name: UnsafeRawBufferPointer) -> Bool {
      // Safety: handed on as it came.
      let beginning = unsafe Pattern.word(name)
      if initials & Pattern.initial(of: beginning) == 0 { return false }
      return unsafe contains(name, beginning)
    }

    func contains(_ name: UnsafeRawBufferPointer, _ beginning: UInt64) -> Bool {
      for pattern in patterns where beginning & pattern.mask == pattern.word {
        let count = pattern.isPrefix ? pattern.text.count : name.count
        // Safety: both texts are cut to what is there.
        let isFound = unsafe bytes.withUnsafeBytes { bytes in
          unsafe BytewiseOrder.compare(name.part(0..<count), bytes.part(pattern.text)) == 0
        }
        if isFound { return true }
      }
      return false
    }
  }

  /// The names that stay unsigned by one entry of the list.
  struct Pattern: BitwiseCopyable, Sendable {
    /// Where the name or prefix stands, without the '*'.
    var text: Range<Int> { start..<end }
    let start: Int
    let end: Int
    let isPrefix: Bool

    /// The first eight bytes of the names, as a number, and which of them are given.
    let word: UInt64
    let mask: UInt64

    init(_ bytes: [UInt8], _ range: Range<Int>) {
      isPrefix = bytes[range].last == SigV4.UnsignedHeaders.wildcard
      let text = isPrefix ? range.lowerBound..<range.upperBound &- 1 : range
      // Safety: the array lives as long as the closure runs.
      word = unsafe bytes.withUnsafeBytes { unsafe Self.word($0.part(text)) }
      let free = UInt64(truncatingIfNeeded: 64 &- 8 &* Swift.min(text.count, 8))
      mask = isPrefix ? (free < 64 ? UInt64.max &<< free : 0) : .max
      (start, end) = (text.lowerBound, text.upperBound)
    }

    static func initial(of word: UInt64) -> UInt64 { 1 &<< (word &>> 56 & 63) }

    @inline(__always)
    static func word(_ name: UnsafeRawBufferPointer) -> UInt64 {
      var word: UInt64 = 0
      // Safety: only bytes of the name are read.
      if name.count >= 8 { return unsafe name.loadUnaligned(as: UInt64.self).bigEndian }
      for index in 0..<name.count {
        word |= unsafe UInt64(name[index]) &<< UInt64(truncatingIfNeeded: 56 &- 8 &* index)
      }
      return word
    }
  }
}
