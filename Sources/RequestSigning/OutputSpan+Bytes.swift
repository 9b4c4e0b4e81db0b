// SPDX-License-Identifier: Apache-2.0
// How signing writes: whole pieces into memory that was made ready once. Here, and not in the module
// below, because package functions are not inlined into other modules.

internal import SigningSupport

extension [UInt8] {
  /// Appends what `body` writes, which is `capacity` bytes at most: memory is looked after once for all of
  /// it, which is several times as fast as many appends. (Embedded Swift has one copy for all callers.)
  #if hasFeature(Embedded)  // where size counts
    @_optimize(none) @inline(never)
  #else
    @inline(__always)
  #endif
  package mutating func append(
    upTo capacity: Int, _ body: (inout OutputSpan<UInt8>) -> Void
  ) {
    append(addingCapacity: capacity, initializingWith: body)
  }
}

extension OutputSpan<UInt8> {
  /// Appends bytes. Traps unless the span has the capacity.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #else
    @inline(__always)
  #endif
  package mutating func append(bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count <= freeCapacity)
    // Safety: so many bytes are free.
    unsafe withUnsafeMutableBufferPointer { memory, count in
      let free = unsafe UnsafeMutableBufferPointer(rebasing: memory[count...])
      unsafe UnsafeMutableRawBufferPointer(free).copyMemory(from: bytes)
      count += bytes.count
    }
  }

  /// Appends bytes.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  package mutating func append(bytes: [UInt8]) {
    // Safety: the array lives as long as the closure runs.
    unsafe bytes.withUnsafeBytes { unsafe append(bytes: $0) }
  }

  /// Appends a part of some bytes.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  package mutating func append(_ range: Range<Int>, of bytes: [UInt8]) {
    // Safety: the array lives as long as the closure runs.
    unsafe bytes.withUnsafeBytes { unsafe append(bytes: $0.part(range)) }
  }

  /// Appends one byte; in Embedded Swift by one function for all places.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  mutating func append(byte: UInt8) { append(byte) }

  /// Appends a text in UTF-8.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  mutating func appendUTF8(_ text: StaticString) {
    unsafe append(bytes: text.bytesInUTF8)
  }

  /// Appends a text in UTF-8.
  mutating func appendUTF8(_ text: String) {
    // Safety: the text lives as long as the closure runs. (`text.utf8` would take 7 KB more of code.)
    unsafe text.withBytesInUTF8 { unsafe append(bytes: $0) }
  }

  /// Appends eight characters, the first one lowest.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  mutating func append(characters: UInt64) {
    unsafe Swift.withUnsafeBytes(of: characters.littleEndian) { unsafe append(bytes: $0) }
  }

  /// Appends a number of 0 or more in decimal digits, 19 at most.
  mutating func append(decimal number: Int) {
    let rest = number / 10
    if rest > 0 { append(decimal: rest) }
    append(UInt8(truncatingIfNeeded: number % 10) + 0x30)
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes of a range; those of them that exist.
  package func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    // Safety: the range is cut to the bytes that are there.
    unsafe UnsafeRawBufferPointer(rebasing: self[range.clamped(to: 0..<count)])
  }
}
