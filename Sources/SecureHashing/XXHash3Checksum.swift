// SPDX-License-Identifier: Apache-2.0
// XXH3 as two checksums: of 64 bits and of 128.

/// XXH3 of the xxHash specification with the seed 0: a checksum of 64 bits.
///
/// It is `x-amz-checksum-xxhash3` of Amazon S3.
public struct XXHash3Checksum: ChecksumFunction {
  /// The output.
  public typealias Checksum = UInt64

  /// How checksums are computed.
  public typealias Implementation = XXHash3Implementation

  var stream: XXHash3.Stream

  /// Starts an empty message.
  public init() {
    self.init(implementation: .current)
  }

  /// Starts an empty message whose checksum a certain implementation computes.
  public init(implementation: Implementation) {
    stream = XXHash3.Stream(implementation)
  }

  /// Appends bytes to the message.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    unsafe stream.update(bufferPointer)
  }

  /// The checksum of the message so far. The state stays as it is and can be continued.
  public func finalize() -> UInt64 {
    // Safety: what the stream hands out.
    unsafe stream.finish(
      short: { $0.checksum64 }, long: { unsafe XXHash3.merge($0, stream.byteCount, $1) })
  }

  /// The checksum of a whole message.
  public static func checksum(bufferPointer: UnsafeRawBufferPointer) -> UInt64 {
    unsafe checksum(bufferPointer: bufferPointer, implementation: .current)
  }

  /// The checksum of a whole message by a certain implementation.
  @inline(__always)
  @_spi(Implementations) public static func checksum(
    bufferPointer bytes: UnsafeRawBufferPointer, implementation: @autoclosure () -> Implementation
  ) -> UInt64 {
    // Safety: there are so many bytes.
    unsafe XXHash3.withWhole(
      bytes, implementation(), short: { $0.checksum64 },
      long: { unsafe XXHash3.merge($0, UInt64(truncatingIfNeeded: bytes.count), $1) })
  }
}

extension XXHash3Checksum: CustomStringConvertible {
  /// What this is, never its state: the message may be secret.
  public var description: String { "XXH3 computation" }
}

/// XXH3 of the xxHash specification with the seed 0: a checksum of 128 bits, which is also called XXH128.
///
/// It is `x-amz-checksum-xxhash128` of Amazon S3.
public struct XXHash128Checksum: ChecksumFunction {
  /// How checksums are computed.
  public typealias Implementation = XXHash3Implementation

  var stream: XXHash3.Stream

  /// Starts an empty message.
  public init() {
    self.init(implementation: .current)
  }

  /// Starts an empty message whose checksum a certain implementation computes.
  public init(implementation: Implementation) {
    stream = XXHash3.Stream(implementation)
  }

  /// Appends bytes to the message.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    unsafe stream.update(bufferPointer)
  }

  /// The checksum of the message so far. The state stays as it is and can be continued.
  public func finalize() -> Checksum {
    // Safety: what the stream hands out.
    unsafe stream.finish(
      short: { $0.checksum128 }, long: { unsafe Checksum($0, stream.byteCount, $1) })
  }

  /// The checksum of a whole message.
  public static func checksum(bufferPointer: UnsafeRawBufferPointer) -> Checksum {
    unsafe checksum(bufferPointer: bufferPointer, implementation: .current)
  }

  /// The checksum of a whole message by a certain implementation.
  @inline(__always)
  @_spi(Implementations) public static func checksum(
    bufferPointer bytes: UnsafeRawBufferPointer, implementation: @autoclosure () -> Implementation
  ) -> Checksum {
    // Safety: there are so many bytes.
    unsafe XXHash3.withWhole(
      bytes, implementation(), short: { $0.checksum128 },
      long: { unsafe Checksum($0, UInt64(truncatingIfNeeded: bytes.count), $1) })
  }

  /// The bytes of a checksum, the highest first: 16.
  public static func bigEndianBytes(of checksum: Checksum) -> [UInt8] {
    XXHash3Checksum.bigEndianBytes(of: checksum.high)
      + XXHash3Checksum.bigEndianBytes(of: checksum.low)
  }

  /// 128 bits, as two numbers of 64.
  public struct Checksum: Hashable, BitwiseCopyable, Sendable {
    /// The upper half.
    public let high: UInt64

    /// The lower half, which is the checksum of 64 bits for messages of more than 240 bytes.
    public let low: UInt64

    init(high: UInt64, low: UInt64) {
      self.high = high
      self.low = low
    }

    init(_ accumulators: UnsafeRawPointer, _ byteCount: UInt64, _ secret: UnsafeRawPointer) {
      // Safety: what the callers hand in.
      high = unsafe XXHash3.mergeUpperHalf(accumulators, byteCount, secret)
      low = unsafe XXHash3.merge(accumulators, byteCount, secret)
    }
  }
}

extension XXHash128Checksum: CustomStringConvertible {
  /// What this is, never its state: the message may be secret.
  public var description: String { "XXH3 computation" }
}

extension XXHash3 {
  /// Calls `body` with a message, when it has no more than 240 bytes, or else with its accumulators and the secret.
  @inline(__always)
  static func withWhole<Result>(
    _ bytes: UnsafeRawBufferPointer, _ implementation: @autoclosure () -> XXHash3Implementation,
    short: (ShortMessage) -> Result, long: (UnsafeRawPointer, UnsafeRawPointer) -> Result
  ) -> Result {
    // Safety: there are so many bytes. Without any, the secret is what is not read.
    unsafe withSecret { secret in
      let start = unsafe bytes.baseAddress ?? secret
      if bytes.count <= 240 {
        return unsafe short(ShortMessage(bytes: start, count: bytes.count, secret: secret))
      }
      return unsafe withLong(start, bytes.count, secret, implementation(), long)
    }
  }

  /// Not inlined, so that a short message does not wait for what this one saves on the stack.
  @inline(never)
  private static func withLong<Result>(
    _ bytes: UnsafeRawPointer, _ byteCount: Int, _ secret: UnsafeRawPointer,
    _ implementation: XXHash3Implementation, _ body: (UnsafeRawPointer, UnsafeRawPointer) -> Result
  ) -> Result {
    var accumulators = SIMD8<UInt64>.zero
    // Safety: there are 64 bytes of accumulators, and what the caller hands in.
    return unsafe withUnsafeMutablePointer(to: &accumulators) { accumulators in
      let accumulators = UnsafeMutableRawPointer(accumulators)
      unsafe implementation.accumulate(whole: bytes, byteCount, secret, into: accumulators)
      return unsafe body(accumulators, secret)
    }
  }
}
