// SPDX-License-Identifier: Apache-2.0
// A secret as a type: wiped when released, printed as its size only, compared in constant time.

/// A secret key of any size.
///
/// Copies share one piece of memory, which is overwritten when the last copy is released.
@frozen
public struct SymmetricKey: Sendable {
  @usableFromInline let memory: SecretMemory

  /// A key with these bytes: an array, a digest, an authentication code, `Data`.
  @inlinable
  public init(data: some Collection<UInt8>) {
    // Safety: the bytes are copied before the closure ends.
    let copy = data.withContiguousStorageIfAvailable { bytes in
      unsafe SecretMemory(copying: UnsafeRawBufferPointer(bytes))
    }
    memory = copy ?? SecretMemory(elementsOf: data)
  }

  /// A key with these bytes.
  public init(data: Swift.Span<UInt8>) {
    // Safety: the bytes are copied before the closure ends.
    memory = unsafe data.withUnsafeBytes { unsafe SecretMemory(copying: $0) }
  }

  /// A new random key from the system's generator.
  public init(size: Size) {
    var generator = SystemRandomNumberGenerator()
    self.init(size: size, using: &generator)
  }

  /// A new random key from a generator of the caller's, which has to be cryptographically secure.
  public init(size: Size, using generator: inout some RandomNumberGenerator) {
    memory = SecretMemory(byteCount: size.byteCount)
    // Safety: the memory has so many bytes, and nothing else knows it yet.
    for index in 0..<size.byteCount {
      let byte = UInt8(truncatingIfNeeded: generator.next())
      unsafe memory.start.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }

  /// The size of the key in bits.
  public var bitCount: Int { byteCount * 8 }

  /// The size of the key in bytes.
  public var byteCount: Int { memory.byteCount }

  /// Calls `body` with the bytes of the key, which are secret and stay valid in `body` only.
  public func withUnsafeBytes<Result, Failure: Swift.Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Safety: the memory is kept alive until the closure has ended.
    defer { withExtendedLifetime(memory) {} }
    return try unsafe body(UnsafeRawBufferPointer(start: memory.start, count: memory.byteCount))
  }
}

extension SymmetricKey {
  /// The size of a random key: 1 to 8,192 bytes.
  public struct Size: Hashable, Sendable {
    /// The size in bits.
    public var bitCount: Int { byteCount * 8 }

    let byteCount: Int

    /// 128 bits, 16 bytes.
    public static var bits128: Size { Size(byteCount: 16) }
    /// 192 bits, 24 bytes.
    public static var bits192: Size { Size(byteCount: 24) }
    /// 256 bits, 32 bytes.
    public static var bits256: Size { Size(byteCount: 32) }

    /// A size in bits: a multiple of 8, from 8 to 65,536.
    ///
    /// Throws ``SymmetricKey/InvalidSize`` for any other number.
    public init(bitCount: Int) throws(InvalidSize) {
      if bitCount < 8 || bitCount > 65_536 || !bitCount.isMultiple(of: 8) {
        throw InvalidSize(bitCount: bitCount)
      }
      self.init(byteCount: bitCount / 8)
    }

    init(byteCount: Int) {
      self.byteCount = byteCount
    }
  }

  /// The requested key size isn't supported.
  public struct InvalidSize: Swift.Error, Hashable, Sendable, CustomStringConvertible {
    /// The requested size in bits.
    public let bitCount: Int

    /// What is wrong.
    public var problem: String { "A key can't have \(bitCount) bits." }

    /// How to fix it.
    public var fix: String {
      "Use a multiple of 8 from 8 to 65536. For HMAC-SHA-256, 256 is best."
    }

    /// The problem and its fix.
    public var message: String { problem + " " + fix }

    /// The message.
    public var description: String { message }
  }
}

extension SymmetricKey: Equatable, Redacted {
  /// Whether two keys have the same bytes, in constant time for keys of the same size.
  public static func == (left: Self, right: Self) -> Bool {
    unsafe left.withUnsafeBytes { leftBytes in
      unsafe right.withUnsafeBytes { rightBytes in
        unsafe ConstantTime.equal(leftBytes, rightBytes)
      }
    }
  }

  /// The size of the key, never its bytes.
  public var description: String { "SymmetricKey(\(bitCount) bits)" }
}
