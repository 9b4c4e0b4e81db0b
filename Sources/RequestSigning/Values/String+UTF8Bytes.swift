// SPDX-License-Identifier: Apache-2.0
// Where texts become bytes, and bytes texts: the corridor itself knows bytes only.

nonisolated extension String {
  /// The bytes of the text in UTF-8.
  var utf8Bytes: [UInt8] {
    // Safety: the bytes are copied before the closure ends.
    unsafe withUTF8Bytes { unsafe [UInt8]($0) }
  }

  /// The size of the text in UTF-8.
  var utf8ByteCount: Int {
    // Safety: no byte is read.
    unsafe withUTF8Bytes { $0.count }
  }

  /// Calls `body` with the bytes of the text in UTF-8, which stay valid in `body` only. Nothing is
  /// copied, but for texts that Foundation keeps in a form of its own.
  @inline(__always)
  func withUTF8Bytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var result: Result?
    // Safety: handed on as it came. The closure has been called once when `visitUTF8Bytes` returns.
    unsafe visitUTF8Bytes { unsafe result = body($0) }
    return unsafe result.unsafelyUnwrapped
  }

  /// Calls `body` once. In Embedded Swift there is one copy of this for all callers, and not one for
  /// each, because size is what counts there; elsewhere a copy for each saves 80 ns a signature.
  #if hasFeature(Embedded)
    @_optimize(none) @inline(never)
  #else
    @inline(__always)
  #endif
  private func visitUTF8Bytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    // Safety: handed on as it came.
    let done: Void? = unsafe utf8.withContiguousStorageIfAvailable {
      unsafe body(UnsafeRawBufferPointer($0))
    }
    if done == nil {
      #if hasFeature(Embedded)
        let copy: [UInt8] = []  // never: every text is contiguous there
      #else
        let copy = Array(utf8)
      #endif
      unsafe copy.withUnsafeBytes { unsafe body($0) }
    }
  }
}

nonisolated extension UnsafeRawBufferPointer {
  /// The text that the bytes are in UTF-8, which they have to be.
  var utf8Text: String {
    // Safety: the bytes are copied.
    #if hasFeature(Embedded)
      // Repairing what is no UTF-8, as is done below, takes 18 KB of code.
      unsafe withMemoryRebound(to: UInt8.self) {
        unsafe String(validating: $0, as: UTF8.self) ?? ""
      }
    #else
      unsafe withMemoryRebound(to: UInt8.self) { unsafe String(decoding: $0, as: UTF8.self) }
    #endif
  }
}

nonisolated extension [UInt8] {
  /// The text that the bytes are in UTF-8, which they have to be.
  var utf8Text: String { self[...].utf8Text }
}

nonisolated extension ArraySlice<UInt8> {
  /// The text that the bytes are in UTF-8, which they have to be.
  var utf8Text: String {
    // Safety: the bytes are copied before the closure ends.
    unsafe withUnsafeBytes { unsafe $0.utf8Text }
  }

  /// Whether the bytes are those of a text.
  @inline(never)
  func spells(_ other: StaticString) -> Bool {
    // Safety: both are read only.
    unsafe withUnsafeBytes { unsafe SigV4.ByteOrder.compare($0, other.bytes) == 0 }
  }

  /// Whether the bytes are those of a text but for the case of ASCII letters.
  func spellsIgnoringCase(_ other: StaticString) -> Bool {
    // Safety: both are read only.
    unsafe withUnsafeBytes { unsafe SigV4.ASCII.equalIgnoringCase($0, other.bytes) }
  }
}

nonisolated extension StaticString {
  /// The bytes of the text in UTF-8.
  @inline(__always)
  var bytes: UnsafeRawBufferPointer {
    // Safety: a static string has so many bytes for ever.
    unsafe UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}
