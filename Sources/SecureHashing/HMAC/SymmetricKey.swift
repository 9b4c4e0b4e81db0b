// SPDX-License-Identifier: Apache-2.0
// A secret key as a type: wiped when released, printed as its size only, compared in constant time.

/// A secret key of any size.
///
/// Copies share one block of memory, which is wiped when the last copy is released.
@frozen
public struct SymmetricKey: Sendable {
  @usableFromInline let memory: SecretMemory

  /// Creates a key from bytes: an array, a digest, an authentication code or `Data`.
  @inlinable
  public init(data: some Collection<UInt8>) {
    // Safety: the bytes are copied before the closure ends.
    let copy = data.withContiguousStorageIfAvailable { bytes in
      unsafe SecretMemory(copying: UnsafeRawBufferPointer(bytes))
    }
    memory = copy ?? SecretMemory(elementsOf: data)
  }

  /// Creates a key from bytes.
  public init(data: Swift.Span<UInt8>) {
    // Safety: the bytes are copied before the closure ends.
    memory = unsafe data.withUnsafeBytes { unsafe SecretMemory(copying: $0) }
  }

  /// Creates a random key with the system's generator.
  public init(size: Size) {
    // Not with the system's generator as a variable: it has no bytes, so its address is arbitrary,
    // and the thread sanitizer would report a race on it.
    self.init(size: size) { .random(in: 0 ... .max) }
  }

  /// Creates a random key with your generator, which must be cryptographically secure.
  public init(size: Size, using generator: inout some RandomNumberGenerator) {
    self.init(size: size) { generator.next() }
  }

  private init(size: Size, _ random: () -> UInt64) {
    memory = SecretMemory(byteCount: size.byteCount)
    // Safety: the memory is `size.byteCount` bytes long and isn't shared yet.
    for index in 0..<size.byteCount {
      let byte = UInt8(truncatingIfNeeded: random())
      unsafe memory.start.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }

  /// The key size in bits.
  public var bitCount: Int { byteCount * 8 }

  /// The key size in bytes.
  public var byteCount: Int { memory.byteCount }

  /// Calls `body` with the key's bytes, which are secret and valid only in `body`.
  public func withUnsafeBytes<Result, Failure: Swift.Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Safety: the memory stays alive until the closure has ended.
    defer { withExtendedLifetime(memory) {} }
    return try unsafe body(UnsafeRawBufferPointer(start: memory.start, count: memory.byteCount))
  }
}

extension SymmetricKey {
  /// The size of a random key. For other sizes, use ``init(data:)-(Collection<UInt8>)``.
  public struct Size: Hashable, Sendable {
    /// The size in bits.
    public var bitCount: Int { byteCount * 8 }

    let byteCount: Int

    /// 128 bits (16 bytes).
    public static var bits128: Size { Size(byteCount: 16) }
    /// 192 bits (24 bytes).
    public static var bits192: Size { Size(byteCount: 24) }
    /// 256 bits (32 bytes).
    public static var bits256: Size { Size(byteCount: 32) }

    init(byteCount: Int) {
      self.byteCount = byteCount
    }
  }
}

extension SymmetricKey: Equatable, Redacted {
  /// Compares two keys, in constant time if they have the same size.
  public static func == (left: Self, right: Self) -> Bool {
    unsafe left.withUnsafeBytes { leftBytes in
      unsafe right.withUnsafeBytes { rightBytes in
        unsafe ConstantTime.equal(leftBytes, rightBytes)
      }
    }
  }

  /// The key size, never its bytes.
  public var description: String { "SymmetricKey(\(bitCount) bits)" }
}
