// SPDX-License-Identifier: Apache-2.0
// What the hash functions have in common, and the forms in which they take bytes.

/// A cryptographic hash function, spelled as in CryptoKit.
///
/// A conforming type is a plain value: copying it in mid-stream gives two independent
/// computations, and taking the output does not consume the state.
public protocol HashFunction: BitwiseCopyable, Sendable {
  /// The output: a fixed number of bytes.
  associatedtype Digest: RandomAccessCollection, Hashable, Sendable, BitwiseCopyable
  where Digest.Element == UInt8, Digest.Index == Int

  /// The size of a block in bytes, at least 1 (for SHA-256: 64). HMAC pads its key to this size.
  static var blockByteCount: Int { get }

  /// Starts an empty message.
  init()

  /// Appends bytes to the message.
  mutating func update(bufferPointer: UnsafeRawBufferPointer)

  /// The digest of the message so far. The state stays as it is and can be continued.
  func finalize() -> Digest

  /// The digest of the message so far with these bytes after it. The state stays as it is.
  func finalize(appending bufferPointer: UnsafeRawBufferPointer) -> Digest

  /// The digest of a whole message.
  static func hash(bufferPointer: UnsafeRawBufferPointer) -> Digest
}

extension HashFunction {
  /// The digest of a whole message.
  ///
  /// Contiguous collections (`[UInt8]`, `ArraySlice`, `String.utf8`, `Data`) are not copied.
  @inlinable
  @specialized(where Self == SHA256, Bytes == [UInt8])
  public static func hash<Bytes: Collection<UInt8>>(data: Bytes) -> Digest {
    let digest = data.withContiguousStorageIfAvailable {
      unsafe hash(bufferPointer: UnsafeRawBufferPointer($0))
    }
    return digest ?? Self().finalize(appending: data)
  }

  /// The digest of a whole message.
  @inlinable
  public static func hash(data: Swift.Span<UInt8>) -> Digest {
    unsafe data.withUnsafeBytes { unsafe hash(bufferPointer: $0) }
  }

  /// The digest of a whole message.
  @inlinable
  public static func hash(bufferPointer: UnsafeRawBufferPointer) -> Digest {
    unsafe Self().finalize(appending: bufferPointer)
  }

  /// The digest of the message so far with these bytes after it. The state stays as it is.
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

  /// The digest of the message so far with these bytes after it. The state stays as it is.
  @inlinable
  public func finalize(appending bufferPointer: UnsafeRawBufferPointer) -> Digest {
    var function = self
    unsafe function.update(bufferPointer: bufferPointer)
    return function.finalize()
  }

  /// Appends bytes to the message.
  ///
  /// Contiguous collections are not copied; others pass through a buffer of 256 bytes.
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

/// Calls `body` with the bytes of a collection in their order: all at once when they are contiguous,
/// otherwise in portions of up to 256 bytes.
@inlinable
func withPortions(of data: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) -> Void) {
  let done: Void? = data.withContiguousStorageIfAvailable {
    unsafe body(UnsafeRawBufferPointer($0))
  }
  if done != nil { return }
  // Safety: `filled` is below 256, the size of the portion, at every write.
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
