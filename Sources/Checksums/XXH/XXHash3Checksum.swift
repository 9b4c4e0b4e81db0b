// SPDX-License-Identifier: Apache-2.0
// XXH3 as two checksums: 64 and 128 bits.

internal import SecureHashing

/// XXH3 of the xxHash specification with seed 0: a 64-bit checksum.
///
/// Amazon S3 uses it for `x-amz-checksum-xxhash3`.
public struct XXHash3Checksum: ChecksumFunction {
  /// The type of the checksum.
  public typealias Checksum = UInt64

  var stream: XXHash3.Stream

  /// Creates a computation with an empty message.
  public init() {
    self.init(implementation: .current)
  }

  /// Creates a computation that uses the given implementation.
  package init(implementation: XXHash3Implementation) {
    stream = XXHash3.Stream(implementation)
  }

  /// Appends bytes to the message.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    unsafe stream.update(bufferPointer)
  }

  /// Returns the checksum of the message so far. You can keep updating it afterward.
  public func finalize() -> UInt64 {
    // Safety: guaranteed by the stream.
    unsafe stream.finish(
      short: { $0.checksum64 }, long: { unsafe XXHash3.merge($0, stream.byteCount, $1) })
  }

  /// Computes the checksum of a whole message.
  public static func checksum(bufferPointer: UnsafeRawBufferPointer) -> UInt64 {
    unsafe checksum(bufferPointer: bufferPointer, implementation: .current)
  }

  /// Computes the checksum of a whole message with the given implementation.
  @inline(__always)
  package static func checksum(
    bufferPointer bytes: UnsafeRawBufferPointer,
    implementation: @autoclosure () -> XXHash3Implementation
  ) -> UInt64 {
    // Safety: `bytes` holds that many bytes.
    unsafe XXHash3.withWhole(
      bytes, implementation(), short: { $0.checksum64 },
      long: { unsafe XXHash3.merge($0, UInt64(truncatingIfNeeded: bytes.count), $1) })
  }
}

extension XXHash3Checksum: CustomStringConvertible {
  /// The kind of computation, never its state. The message may be secret.
  public var description: String { "XXH3 computation" }
}

/// XXH3 of the xxHash specification with seed 0: a 128-bit checksum, also called XXH128.
///
/// Amazon S3 uses it for `x-amz-checksum-xxhash128`.
public struct XXHash128Checksum: ChecksumFunction {
  var stream: XXHash3.Stream

  /// Creates a computation with an empty message.
  public init() {
    self.init(implementation: .current)
  }

  /// Creates a computation that uses the given implementation.
  package init(implementation: XXHash3Implementation) {
    stream = XXHash3.Stream(implementation)
  }

  /// Appends bytes to the message.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    unsafe stream.update(bufferPointer)
  }

  /// Returns the checksum of the message so far. You can keep updating it afterward.
  public func finalize() -> Checksum {
    // Safety: guaranteed by the stream.
    unsafe stream.finish(
      short: { $0.checksum128 }, long: { unsafe Checksum($0, stream.byteCount, $1) })
  }

  /// Computes the checksum of a whole message.
  public static func checksum(bufferPointer: UnsafeRawBufferPointer) -> Checksum {
    unsafe checksum(bufferPointer: bufferPointer, implementation: .current)
  }

  /// Computes the checksum of a whole message with the given implementation.
  @inline(__always)
  package static func checksum(
    bufferPointer bytes: UnsafeRawBufferPointer,
    implementation: @autoclosure () -> XXHash3Implementation
  ) -> Checksum {
    // Safety: `bytes` holds that many bytes.
    unsafe XXHash3.withWhole(
      bytes, implementation(), short: { $0.checksum128 },
      long: { unsafe Checksum($0, UInt64(truncatingIfNeeded: bytes.count), $1) })
  }

  /// Returns the 16 bytes of a checksum, most significant first.
  public static func bigEndianBytes(of checksum: Checksum) -> [UInt8] {
    XXHash3Checksum.bigEndianBytes(of: checksum.high)
      + XXHash3Checksum.bigEndianBytes(of: checksum.low)
  }

  /// 128 bits as two 64-bit numbers.
  public struct Checksum: Hashable, BitwiseCopyable, Sendable {
    /// The upper half.
    public let high: UInt64

    /// The lower half, which equals the 64-bit checksum for messages longer than 240 bytes.
    public let low: UInt64

    init(high: UInt64, low: UInt64) {
      self.high = high
      self.low = low
    }

    init(_ accumulators: UnsafeRawPointer, _ byteCount: UInt64, _ secret: UnsafeRawPointer) {
      // Safety: guaranteed by the callers.
      high = unsafe XXHash3.mergeUpperHalf(accumulators, byteCount, secret)
      low = unsafe XXHash3.merge(accumulators, byteCount, secret)
    }
  }
}

extension XXHash128Checksum: CustomStringConvertible {
  /// The kind of computation, never its state. The message may be secret.
  public var description: String { "XXH3 computation" }
}

extension XXHash3 {
  /// Calls `body` with a message of at most 240 bytes, or with the accumulators of a longer one and
  /// the secret.
  @inline(__always)
  static func withWhole<Result>(
    _ bytes: UnsafeRawBufferPointer, _ implementation: @autoclosure () -> XXHash3Implementation,
    short: (ShortMessage) -> Result, long: (UnsafeRawPointer, UnsafeRawPointer) -> Result
  ) -> Result {
    // Safety: `bytes` holds that many bytes. If it has none, the secret's address is passed and
    // never read.
    unsafe withSecret { secret in
      let start = unsafe bytes.baseAddress ?? secret
      if bytes.count <= 240 {
        return unsafe short(ShortMessage(bytes: start, count: bytes.count, secret: secret))
      }
      return unsafe withLong(start, bytes.count, secret, implementation(), long)
    }
  }

  /// Not inlined, so that short messages don't wait while this function saves registers on the
  /// stack.
  @inline(never)
  private static func withLong<Result>(
    _ bytes: UnsafeRawPointer, _ byteCount: Int, _ secret: UnsafeRawPointer,
    _ implementation: XXHash3Implementation, _ body: (UnsafeRawPointer, UnsafeRawPointer) -> Result
  ) -> Result {
    var accumulators = SIMD8<UInt64>.zero
    // Safety: the accumulators are 64 bytes long. The caller guarantees the rest.
    return unsafe withUnsafeMutablePointer(to: &accumulators) { accumulators in
      let accumulators = UnsafeMutableRawPointer(accumulators)
      unsafe implementation.accumulate(whole: bytes, byteCount, secret, into: accumulators)
      return unsafe body(accumulators, secret)
    }
  }
}
