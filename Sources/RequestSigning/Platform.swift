// SPDX-License-Identifier: Apache-2.0
// The platform differences of the signing and verifying layers: locks, vectors, strings.

internal import SecureHashing

#if !hasFeature(Embedded)
  #if canImport(os)
    public import os
  #else
    public import Synchronization
  #endif
#endif

// MARK: - Locks

#if hasFeature(Embedded)
  /// A value for one thread at a time. Embedded Swift has no locks, so the value never changes, and
  /// `withLockIfAvailable` always returns nil.
  package final class Guarded<Value: Sendable>: Sendable {
    private let value: Value

    package init(_ value: Value) { self.value = value }

    package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
      var copy = value
      return body(&copy)
    }

    package func withLockIfAvailable<Result: Sendable>(_ body: (inout Value) -> Result) -> Result? {
      nil
    }
  }
#else
  /// A value for one thread at a time.
  @usableFromInline package final class Guarded<Value: Sendable>: Sendable {
    #if canImport(os)
      // Mutex requires macOS 15 and iOS 18.
      @usableFromInline let lock: OSAllocatedUnfairLock<Value>

      /// Creates a lock around a value.
      package init(_ value: Value) { lock = OSAllocatedUnfairLock(initialState: value) }
    #else
      @usableFromInline let lock: Mutex<Value>

      /// Creates a lock around a value.
      package init(_ value: Value) { lock = Mutex(value) }
    #endif

    /// Calls `body` with the value. `body` must not use the lock itself.
    @inlinable package func withLock<Result: Sendable>(
      _ body: @Sendable (inout Value) throws -> Result
    ) rethrows -> Result {
      try lock.withLock { value in try body(&value) }
    }

    /// Calls `body` with the value, or immediately returns nil if another thread is using it.
    @inlinable package func withLockIfAvailable<Result: Sendable>(
      _ body: @Sendable (inout Value) throws -> Result
    ) rethrows -> Result? {
      try lock.withLockIfAvailable { value in try body(&value) }
    }
  }
#endif

// MARK: - Vectors

#if arch(x86_64) || arch(arm64) || arch(arm64_32)
  /// Sixteen bytes in parallel.
  typealias ByteVector = SIMD16<UInt8>

  extension ByteVector {
    /// The bytes as two numbers.
    @inline(__always)
    var halves: (UInt64, UInt64) {
      // Safety: both types are sixteen bytes.
      let halves = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
      return (halves[0], halves[1])
    }
  }
#else
  /// Sixteen bytes in parallel, in two numbers.
  struct ByteVector: BitwiseCopyable {
    let halves: (UInt64, UInt64)

    @inline(__always)
    init(repeating byte: UInt8) {
      self.init(EightBytes.ones &* UInt64(byte), EightBytes.ones &* UInt64(byte))
    }

    @inline(__always)
    private init(_ first: UInt64, _ second: UInt64) { halves = (first, second) }

    @inline(__always)
    static func | (left: Self, right: Self) -> Self {
      Self(left.halves.0 | right.halves.0, left.halves.1 | right.halves.1)
    }

    @inline(__always)
    static func & (left: Self, right: Self) -> Self {
      Self(left.halves.0 & right.halves.0, left.halves.1 & right.halves.1)
    }

    @inline(__always)
    static func ^ (left: Self, right: Self) -> Self {
      Self(left.halves.0 ^ right.halves.0, left.halves.1 ^ right.halves.1)
    }

    @inline(__always)
    static prefix func ~ (value: Self) -> Self { Self(~value.halves.0, ~value.halves.1) }

    /// Returns the bytes shifted right.
    @inline(__always)
    static func &>> (value: Self, count: UInt64) -> Self {
      let kept = EightBytes.ones &* (0xFF &>> count)
      return Self(value.halves.0 &>> count & kept, value.halves.1 &>> count & kept)
    }

    /// Returns the sums of the bytes, without carries.
    @inline(__always)
    static func &+ (left: Self, right: Self) -> Self {
      Self(
        sum(left.halves.0, right.halves.0), sum(left.halves.1, right.halves.1))
    }

    @inline(__always)
    private static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
      let high = EightBytes.highBits
      return (left & ~high) &+ (right & ~high) ^ (left ^ right) & high
    }
  }
#endif

// MARK: - Strings

extension String {
  #if hasFeature(Embedded)
    /// Calls `body` once. All callers share one copy of this function, because size matters here.
    @inline(never) @usableFromInline
    func visitBytesInUTF8(_ body: (UnsafeRawBufferPointer) -> Void) {
      let utf8 = utf8
      unsafe utf8.span.withUnsafeBytes { unsafe body($0) }
    }
  #else
    /// Calls `body` once. A copy for each caller saves 80 ns per signature.
    @inlinable @inline(__always)
    func visitBytesInUTF8(_ body: (UnsafeRawBufferPointer) -> Void) {
      let done: Void? = unsafe utf8.withContiguousStorageIfAvailable {
        unsafe body(UnsafeRawBufferPointer($0))
      }
      if done == nil { unsafe visitCopiedBytes(body) }
    }

    @inline(never) @usableFromInline
    func visitCopiedBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
      var copy = Array(utf8)
      unsafe copy.withUnsafeMutableBytes { copy in
        unsafe body(UnsafeRawBufferPointer(copy))
        unsafe ConstantTime.wipe(copy)  // Secret: the string may be one.
      }
    }
  #endif
}

extension UnsafeRawBufferPointer {
  /// The bytes as a UTF-8 string. Invalid bytes become U+FFFD. In Embedded Swift, an invalid string
  /// is empty.
  package var textInUTF8: String {
    #if hasFeature(Embedded)
      // Repairing invalid UTF-8, as below, adds 10 KB of code.
      unsafe withMemoryRebound(to: UInt8.self) {
        unsafe String(validating: $0, as: UTF8.self) ?? ""
      }
    #else
      unsafe withMemoryRebound(to: UInt8.self) { unsafe String(decoding: $0, as: UTF8.self) }
    #endif
  }
}
