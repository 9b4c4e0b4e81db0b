// SPDX-License-Identifier: Apache-2.0
// A secret as a type: wiped when released, printed as its size only, compared in constant time.

/// A secret key of any size.
///
/// Copies share one piece of memory, which is overwritten when the last copy is released.
public struct SymmetricKey: Sendable {
  let storage: SecretStorage

  /// A key with these bytes: an array, a digest, an authentication code, `Data`.
  public init(data: some Collection<UInt8>) {
    // Safety: the storage copies the bytes before the closure ends.
    let copy = data.withContiguousStorageIfAvailable { bytes in
      unsafe SecretStorage(UnsafeRawBufferPointer(bytes))
    }
    storage = copy ?? SecretStorage(elementsOf: data)
  }

  /// A key with these bytes.
  public init(data: Swift.Span<UInt8>) {
    // Safety: the storage copies the bytes before the span ends.
    storage = unsafe data.withUnsafeBytes { unsafe SecretStorage($0) }
  }

  /// A new random key from the system's generator.
  public init(size: Size) {
    var generator = SystemRandomNumberGenerator()
    self.init(size: size, using: &generator)
  }

  /// A new random key from a generator of the caller's, which has to be a cryptographic one.
  public init(size: Size, using generator: inout some RandomNumberGenerator) {
    storage = SecretStorage(byteCount: size.byteCount)
    // Safety: the storage has just been made, and nobody else knows it.
    let bytes = unsafe UnsafeMutableRawBufferPointer(
      start: storage.bytes, count: storage.byteCount)
    for index in bytes.indices {
      unsafe bytes[index] = UInt8(truncatingIfNeeded: generator.next())
    }
  }

  /// The size of the key in bits.
  public var bitCount: Int { byteCount &* 8 }

  /// The size of the key in bytes.
  public var byteCount: Int { storage.byteCount }

  /// Calls `body` with the bytes of the key, which are secret and stay valid in `body` only.
  public func withUnsafeBytes<Result, Failure: Swift.Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Safety: `storage` is kept alive until the closure has ended.
    defer { withExtendedLifetime(storage) {} }
    return try unsafe body(UnsafeRawBufferPointer(start: storage.bytes, count: storage.byteCount))
  }
}

extension SymmetricKey {
  /// The size of a random key: 1 to 8,192 bytes.
  public struct Size: Sendable {
    /// The size in bits.
    public var bitCount: Int { byteCount &* 8 }

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
      if bitCount < 8 || bitCount > 65_536 || bitCount & 7 != 0 {
        throw InvalidSize(bitCount: bitCount)
      }
      self.init(byteCount: bitCount / 8)
    }

    init(byteCount: Int) {
      self.byteCount = byteCount
    }
  }

  /// A number of bits that no key can have.
  public struct InvalidSize: Swift.Error, Sendable, CustomStringConvertible {
    /// The number that was asked for.
    public let bitCount: Int

    /// What is wrong, and what to do, for people.
    public var message: String {
      "a key of \(bitCount) bits cannot be made; ask for a multiple of 8 from 8 to 65536, "
        + "for HMAC-SHA-256 best 256"
    }

    /// The message.
    public var description: String { message }
  }
}

extension SymmetricKey: Equatable, CustomStringConvertible {
  /// Whether two keys have the same bytes, in constant time for keys of the same size.
  public static func == (left: Self, right: Self) -> Bool {
    // Safety: the bytes are used only inside the closures.
    unsafe left.withUnsafeBytes { leftBytes in
      unsafe right.withUnsafeBytes { rightBytes in
        unsafe ConstantTime.equal(leftBytes, rightBytes)
      }
    }
  }

  /// The size of the key, never its bytes.
  public var description: String { "SymmetricKey(\(bitCount) bits)" }
}

#if !hasFeature(Embedded)
  extension SymmetricKey: CustomReflectable {
    /// Nothing: not even where the key lies.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif

extension SymmetricKey {
  /// The memory of a secret. Only the initialisers write it, so it may be shared between threads.
  @safe
  final class SecretStorage: @unchecked Sendable {
    let bytes: UnsafeMutableRawPointer
    let byteCount: Int

    init(byteCount: Int) {
      self.byteCount = byteCount
      // Safety: the memory has at least byteCount bytes; the deinitialiser gives it back.
      unsafe bytes = .allocate(byteCount: Swift.max(byteCount, 1), alignment: 16)
      unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    }

    convenience init(_ bytes: UnsafeRawBufferPointer) {
      self.init(byteCount: bytes.count)
      // Safety: the memory has as many bytes.
      unsafe UnsafeMutableRawBufferPointer(start: self.bytes, count: byteCount)
        .copyMemory(from: bytes)
    }

    /// Copies one by one the bytes of a collection that does not keep them side by side.
    convenience init(elementsOf data: some Collection<UInt8>) {
      let count = data.count
      self.init(byteCount: count)
      // Safety: the write stays below count.
      let target = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
      var index = 0
      for byte in data where index < count {
        unsafe target[index] = byte
        index &+= 1
      }
    }

    deinit {
      // Safety: nobody holds the memory any more. Secret: erased before it is given back.
      unsafe ConstantTime.wipe(UnsafeMutableRawBufferPointer(start: bytes, count: byteCount))
      unsafe bytes.deallocate()
    }
  }
}
