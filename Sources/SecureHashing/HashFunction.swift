// SPDX-License-Identifier: Apache-2.0
// The interface that all hash functions share, and the ways to pass them bytes.

/// A cryptographic hash function, spelled as in CryptoKit.
///
/// A conforming type is a plain value: a copy made mid-stream is an independent computation, and
/// finalizing doesn't consume the state.
public protocol HashFunction: BitwiseCopyable, Sendable {
  /// The digest type, which has a fixed number of bytes.
  associatedtype Digest: HashDigest

  /// The block size in bytes, at least 1 (64 for SHA-256). HMAC pads its key to this size.
  static var blockByteCount: Int { get }

  /// Creates a hash function with an empty message.
  init()

  /// Appends bytes to the message.
  mutating func update(bufferPointer: UnsafeRawBufferPointer)

  /// Returns the digest of the message so far. You can keep updating it afterward.
  func finalize() -> Digest

  /// Returns the digest of the message so far followed by these bytes. The state doesn't change.
  func finalize(appending bufferPointer: UnsafeRawBufferPointer) -> Digest

  /// Hashes a whole message.
  static func hash(bufferPointer: UnsafeRawBufferPointer) -> Digest
}

extension HashFunction {
  /// Hashes a whole message.
  ///
  /// Contiguous collections (`[UInt8]`, `ArraySlice`, `String.utf8`, `Data`) aren't copied.
  @inlinable
  @specialized(where Self == SHA256, Bytes == [UInt8])
  public static func hash<Bytes: Collection<UInt8>>(data: Bytes) -> Digest {
    let digest = data.withContiguousStorageIfAvailable {
      unsafe hash(bufferPointer: UnsafeRawBufferPointer($0))
    }
    return digest ?? Self().finalize(appending: data)
  }

  /// Hashes a whole message.
  @inlinable
  public static func hash(data: Swift.Span<UInt8>) -> Digest {
    unsafe data.withUnsafeBytes { unsafe hash(bufferPointer: $0) }
  }

  /// Hashes a whole message.
  @inlinable
  public static func hash(bufferPointer: UnsafeRawBufferPointer) -> Digest {
    unsafe Self().finalize(appending: bufferPointer)
  }

  /// Returns the digest of the message so far followed by these bytes. The state doesn't change.
  @inlinable
  public func finalize(appending data: some Collection<UInt8>) -> Digest {
    let digest = data.withContiguousStorageIfAvailable {
      unsafe finalize(appending: UnsafeRawBufferPointer($0))
    }
    if let digest { return digest }
    var function = self
    function.update(data: data)
    return function.finalize()
  }

  /// Returns the digest of the message so far followed by these bytes. The state doesn't change.
  @inlinable
  public func finalize(appending bufferPointer: UnsafeRawBufferPointer) -> Digest {
    var function = self
    unsafe function.update(bufferPointer: bufferPointer)
    return function.finalize()
  }

  /// Appends bytes to the message.
  ///
  /// Contiguous collections aren't copied. Others are copied through a 256-byte buffer.
  @inlinable
  public mutating func update(data: some Collection<UInt8>) {
    unsafe withPortions(of: data) { unsafe update(bufferPointer: $0) }
  }

  /// Appends bytes to the message.
  @inlinable
  public mutating func update(data: Swift.Span<UInt8>) {
    unsafe data.withUnsafeBytes { unsafe update(bufferPointer: $0) }
  }
}

/// Calls `body` with the bytes of a collection, in order: all at once if they are contiguous,
/// otherwise in buffers of up to 256 bytes.
@inlinable
package func withPortions(
  of data: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) -> Void
) {
  let done: Void? = data.withContiguousStorageIfAvailable {
    unsafe body(UnsafeRawBufferPointer($0))
  }
  if done != nil { return }
  // Safety: at every write, `filled` is below 256, the size of the buffer.
  unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { portion in
    var filled = 0
    for byte in data {
      unsafe portion[filled] = byte
      filled += 1
      if filled == 256 {
        unsafe body(UnsafeRawBufferPointer(portion))
        filled = 0
      }
    }
    unsafe body(UnsafeRawBufferPointer(rebasing: portion[..<filled]))
  }
}
