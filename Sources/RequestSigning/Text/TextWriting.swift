// SPDX-License-Identifier: Apache-2.0
// Appends text to existing text. Every write checks its bounds.

package import SecureHashing

/// Reusable memory for text.
///
/// A writer first reserves an upper bound. It then writes through a span, with `text` and its end
/// position, which every `append` advances.
package struct TextMemory: Sendable {
  package var bytes: ContiguousArray<UInt8> = []

  package init() {}

  /// Creates memory that starts with a text and has space for a number of further bytes.
  package init(_ text: Swift.Span<UInt8>, adding byteCount: Int) {
    reserve(text.count &+ byteCount)
    var output = bytes.mutableSpan
    var end = 0
    output.append(text, &end)
  }

  /// The number of bytes after the end of a text that are overwritten and read. Short texts are
  /// copied in whole words, and checked sixteen bytes at a time.
  static var margin: Int { 32 }

  /// Reserves a number of bytes and retains the contents.
  package mutating func reserve(_ byteCount: Int) {
    let missing = byteCount &+ Self.margin &- bytes.count
    if missing > 0 { grow(by: missing) }
  }

  @inline(never)
  private mutating func grow(by byteCount: Int) {
    bytes.append(addingCapacity: byteCount) { $0.append(repeating: 0, count: byteCount) }
  }
}

extension TextOutput {
  @inline(__always)
  package func byte(at position: Int) -> UInt8 { self[position] }

  @inline(__always)
  package func fullWord(at position: Int) -> UInt64 { span.fullWord(at: position) }

  @inline(__always)
  func sixteen(at position: Int) -> SixteenBytes { span.sixteen(at: position) }

  @inline(__always)
  package mutating func set(_ byte: UInt8, at position: Int) { self[position] = byte }

  /// Writes eight bytes, the first one lowest.
  @inline(__always)
  package mutating func set(word: UInt64, at position: Int) {
    store(word.littleEndian, at: position)
  }

  @inline(__always)
  mutating func set(_ sixteen: SixteenBytes, at position: Int) {
    store(sixteen.bytes, at: position)
  }

  /// Writes the bytes of a number, a vector or a field.
  @inline(__always)
  mutating func store<Value: BitwiseCopyable>(_ value: Value, at position: Int) {
    // Safety: these values consist only of their bytes.
    var memory = unsafe mutableBytes
    memory.storeBytes(of: value, toByteOffset: position, as: Value.self)
  }
}

extension TextOutput {
  /// Appends a byte.
  @inline(__always)
  package mutating func append(_ byte: UInt8, _ end: inout Int) {
    set(byte, at: end)
    end &+= 1
  }

  /// Appends eight bytes, the first one lowest.
  @inline(__always)
  package mutating func append(word: UInt64, _ end: inout Int) {
    set(word: word, at: end)
    end &+= 8
  }

  /// Appends bytes of another text. Up to seven bytes after a short one are overwritten.
  package mutating func append(_ text: TextSpan, _ end: inout Int) {
    let count = text.count
    if count > 16 {
      copy(text, to: end)
    } else if count >= 8 {
      set(word: text.fullWord(at: 0), at: end)
      set(word: text.fullWord(at: count &- 8), at: end &+ count &- 8)
    } else if count > 0 {
      set(word: text.lastWord(at: 0), at: end)
    }
    end &+= count
  }

  private mutating func copy(_ text: TextSpan, to position: Int) {
    precondition(position >= 0 && text.count <= count &- position)
    unsafe text.withUnsafeBytes { source in
      unsafe withUnsafeMutableBytes { memory in
        // Safety: the precondition checks the size.
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[position...]).copyMemory(from: source)
      }
    }
  }

  /// Appends a range of the same memory, which ends before `end`.
  package mutating func append(_ range: Range<Int>, _ end: inout Int) {
    let size = range.count
    if size > 16 {
      precondition(range.lowerBound >= 0 && range.upperBound <= end && size <= count &- end)
      unsafe withUnsafeMutableBytes { memory in
        // Safety: both ranges are in the memory and don't overlap.
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[end...])
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[range]))
      }
    } else {
      set(word: fullWord(at: range.lowerBound), at: end)
      if size > 8 { set(word: fullWord(at: range.upperBound &- 8), at: end &+ size &- 8) }
    }
    end &+= size
  }

  package mutating func append(_ text: StaticString, _ end: inout Int) {
    text.withUTF8Buffer { unsafe append($0.span, &end) }
  }

  /// Appends a nonnegative number in decimal digits.
  package mutating func append(decimal number: Int, _ end: inout Int) {
    if number >= 10 { append(decimal: number / 10, &end) }
    append(UInt8(truncatingIfNeeded: number % 10) &+ 0x30, &end)
  }

  /// Appends a hash in 64 lowercase hexadecimal digits.
  package mutating func append(_ digest: SHA256.Digest, _ end: inout Int) {
    let digits = end..<end &+ 2 &* SHA256.byteCount
    unsafe digest.withUnsafeBytes { digest in
      unsafe withUnsafeMutableBytes { memory in
        // Safety: slicing checks the range.
        unsafe Hexadecimal.encode(
          digest, into: UnsafeMutableRawBufferPointer(rebasing: memory[digits]))
      }
    }
    end = digits.upperBound
  }

  /// Returns the SHA-256 hash of part of the text.
  package func digest(of range: Range<Int>) -> SHA256.Digest {
    unsafe span.withUnsafeBytes {
      unsafe SHA256.hash(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[range]))
    }
  }
}
