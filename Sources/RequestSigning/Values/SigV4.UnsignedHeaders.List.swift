// SPDX-License-Identifier: Apache-2.0
// How a name is looked up in the list of headers that stay unsigned.

nonisolated extension SigV4.UnsignedHeaders {
  /// The names and prefixes, prepared for looking up.
  final class List: Sendable {
    /// Lowercase names, and prefixes that end in '*'.
    let patterns: [String]

    /// The bytes of the patterns, without the '*'.
    let texts: [[UInt8]]

    /// What the first eight bytes of a name in the list are, for each pattern.
    let beginnings: [Beginning]

    /// A bit for the first byte of each pattern, by its last six bits.
    let initials: UInt64

    init(_ patterns: [String]) {
      self.patterns = patterns
      texts = patterns.map { pattern in
        var text = Array(pattern.utf8)
        if text.last == SigV4.UnsignedHeaders.wildcard { text.removeLast() }
        return text
      }
      beginnings = zip(patterns, texts).map { pattern, text in
        Beginning(text, isPrefix: pattern.utf8.count != text.count)
      }
      initials = beginnings.reduce(0) { $0 | $1.initial }
    }

    /// Whether a name, in lowercase bytes, is in the list. Most names are told apart by their first
    /// byte, nearly all others by their first eight.
    @inline(__always)
    func contains(_ name: UnsafeRawBufferPointer) -> Bool {
      // Safety: handed on as it came.
      let beginning = unsafe Beginning.word(name)
      if initials & Beginning.initial(of: beginning) == 0 { return false }
      return unsafe contains(name, beginning)
    }

    func contains(_ name: UnsafeRawBufferPointer, _ beginning: UInt64) -> Bool {
      for (index, pattern) in beginnings.enumerated() where beginning & pattern.mask == pattern.word
      {
        let text = texts[index]
        let isPrefix = patterns[index].utf8.count != text.count
        if name.count < text.count || !isPrefix && name.count > text.count { continue }
        // Safety: the name is read only, and is not shorter than the text.
        if unsafe UnsafeRawBufferPointer(rebasing: name[..<text.count]).elementsEqual(text) {
          return true
        }
      }
      return false
    }
  }

  /// The first eight bytes of the names that a pattern stands for, as a number.
  struct Beginning: BitwiseCopyable, Sendable {
    let word: UInt64
    let mask: UInt64

    init(_ text: [UInt8], isPrefix: Bool) {
      // Safety: the array lives as long as the closure runs.
      word = unsafe text.withUnsafeBytes { unsafe Self.word($0) }
      let free = UInt64(truncatingIfNeeded: 64 &- 8 &* Swift.min(text.count, 8))
      mask = isPrefix ? (free < 64 ? UInt64.max &<< free : 0) : .max
    }

    var initial: UInt64 { Self.initial(of: word) }

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
