// SPDX-License-Identifier: Apache-2.0
// The keyed-hash message authentication code, over any hash function; a key prepared once, and the code.

/// HMAC of FIPS 198-1 and RFC 2104, spelled as in CryptoKit.
///
/// A value is a computation: it can be copied in mid-stream, and ``finalize()`` leaves it as it is.
/// It lives wherever the caller puts it and uses no heap. For many messages under one key make a
/// ``PreparedKey``, which saves two blocks of hashing a message.
@frozen
public struct HMAC<H: HashFunction>: BitwiseCopyable, Sendable {
  /// The type of keys, as CryptoKit names it.
  public typealias Key = SymmetricKey

  @usableFromInline var inner: H
  @usableFromInline var outer: H

  /// Starts an empty message under a key of any size; 32 bytes are best for SHA-256.
  @inlinable
  public init(key: SymmetricKey) {
    self = unsafe key.withUnsafeBytes { unsafe HMAC(keyBytes: $0) }
  }

  /// Starts an empty message under a key that was prepared once.
  @inlinable
  public init(key: PreparedKey) {
    defer { withExtendedLifetime(key.memory) {} }
    self = unsafe key.start.pointee
  }

  /// Starts an empty message under a key in the caller's memory. This form uses no heap.
  @inlinable
  public init(keyBytes: Swift.Span<UInt8>) {
    self = unsafe keyBytes.withUnsafeBytes { unsafe HMAC(keyBytes: $0) }
  }

  /// Starts an empty message under a key in the caller's memory. This form uses no heap.
  @inlinable
  public init(keyBytes: UnsafeRawBufferPointer) {
    unsafe self.init(keyBytes: keyBytes, empty: H())
  }

  /// Starts from an empty message of the hash function, which may have been told how to compute.
  @inlinable
  init(keyBytes: UnsafeRawBufferPointer, empty: H) {
    var inner = empty
    var outer = empty
    // Safety: the block has the size that the padding fills, and does not leave the closure.
    unsafe withUnsafeTemporaryAllocation(byteCount: H.blockByteCount, alignment: 16) { block in
      unsafe Self.pad(keyBytes, into: block)
      unsafe Self.combine(block, with: 0x36)  // FIPS 198-1, 4, step 4: K0 xor ipad
      unsafe inner.update(bufferPointer: UnsafeRawBufferPointer(block))
      unsafe Self.combine(block, with: 0x36 ^ 0x5C)  // step 7: from K0 xor ipad to K0 xor opad
      unsafe outer.update(bufferPointer: UnsafeRawBufferPointer(block))
      unsafe ConstantTime.wipe(block)  // Secret: the padded key
    }
    self.inner = inner
    self.outer = outer
  }

  /// Appends bytes to the message.
  @inlinable
  public mutating func update(data: some Collection<UInt8>) {
    inner.update(data: data)
  }

  /// Appends bytes to the message.
  @inlinable
  public mutating func update(data: Swift.Span<UInt8>) {
    inner.update(data: data)
  }

  /// Appends bytes to the message.
  @inlinable
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    unsafe inner.update(bufferPointer: bufferPointer)
  }

  /// The code of the message so far. The computation stays as it is and can be continued.
  @inlinable
  public func finalize() -> MAC {
    // FIPS 198-1, 4, steps 6, 8 and 9
    MAC(digest: outer.finalize(appending: inner.finalize()))
  }

  /// The code of the message so far with these bytes after it. The computation stays as it is.
  @inlinable
  public func finalize(appending data: some Collection<UInt8>) -> MAC {
    MAC(digest: outer.finalize(appending: inner.finalize(appending: data)))
  }

  /// The code of the message so far with these bytes after it. The computation stays as it is.
  @inlinable
  public func finalize(appending data: Swift.Span<UInt8>) -> MAC {
    unsafe data.withUnsafeBytes { unsafe finalize(appending: $0) }
  }

  /// FIPS 198-1, 4, steps 1 to 3: K0 is the key, or the digest of a long one, and zeros.
  @inlinable
  static func pad(_ key: UnsafeRawBufferPointer, into block: UnsafeMutableRawBufferPointer) {
    // Safety: every position is below block.count.
    for index in block.indices { unsafe block[index] = 0 }
    if key.count <= block.count {
      unsafe block.copyMemory(from: key)
    } else {
      var digest = unsafe H.hash(bufferPointer: key)
      for (index, byte) in digest.enumerated() where index < block.count {
        unsafe block[index] = byte
      }
      // Secret: in place of the key
      unsafe withUnsafeMutableBytes(of: &digest) { unsafe ConstantTime.wipe($0) }
    }
  }

  @inlinable
  static func combine(_ block: UnsafeMutableRawBufferPointer, with byte: UInt8) {
    // Safety: only positions of the buffer are touched.
    for index in block.indices { unsafe block[index] ^= byte }
  }
}

extension HMAC {
  /// The code of a whole message.
  @inlinable
  @specialized(where H == SHA256, Bytes == [UInt8])
  public static func authenticationCode<Bytes: Collection<UInt8>>(
    for data: Bytes, using key: SymmetricKey
  ) -> MAC {
    HMAC(key: key).finalize(appending: data)
  }

  /// The code of a whole message under a prepared key.
  @inlinable
  @specialized(where H == SHA256, Bytes == [UInt8])
  public static func authenticationCode<Bytes: Collection<UInt8>>(
    for data: Bytes, using key: PreparedKey
  ) -> MAC {
    defer { withExtendedLifetime(key.memory) {} }
    return unsafe key.start.pointee.finalize(appending: data)
  }

  /// The code of a whole message.
  @inlinable
  public static func authenticationCode(for data: Swift.Span<UInt8>, using key: SymmetricKey) -> MAC
  {
    HMAC(key: key).finalize(appending: data)
  }

  /// The code of a whole message under a prepared key.
  @inlinable
  public static func authenticationCode(for data: Swift.Span<UInt8>, using key: PreparedKey) -> MAC
  {
    HMAC(key: key).finalize(appending: data)
  }

  /// Whether a code belongs to a message. The comparison takes constant time.
  @inlinable
  public static func isValidAuthenticationCode(
    _ authenticationCode: some Collection<UInt8>, authenticating data: some Collection<UInt8>,
    using key: SymmetricKey
  ) -> Bool {
    ConstantTime.equal(self.authenticationCode(for: data, using: key), authenticationCode)
  }

  /// Whether a code belongs to a message under a prepared key. The comparison takes constant time.
  @inlinable
  public static func isValidAuthenticationCode(
    _ authenticationCode: some Collection<UInt8>, authenticating data: some Collection<UInt8>,
    using key: PreparedKey
  ) -> Bool {
    ConstantTime.equal(self.authenticationCode(for: data, using: key), authenticationCode)
  }
}

extension HMAC where H == SHA256 {
  /// Starts an empty message that is to be hashed by a certain implementation.
  public init(key: SymmetricKey, implementation: SHA256.Implementation) {
    self = unsafe key.withUnsafeBytes {
      unsafe HMAC(keyBytes: $0, empty: SHA256(implementation: implementation))
    }
  }

  /// A known answer test, for programs that must run one at start: true when this build passes it.
  ///
  /// Test case 2 of RFC 4231, section 4.3.
  public static func selfTest() -> Bool {
    let code = authenticationCode(
      for: "what do ya want for nothing?".utf8, using: SymmetricKey(data: "Jefe".utf8))
    return ConstantTime.equal(
      code.hexString.utf8,
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843".utf8)
  }
}

extension HMAC {
  /// A key whose padded block has been hashed once, for any number of messages.
  ///
  /// Copies share one piece of memory, which is overwritten when the last copy is released.
  @frozen
  public struct PreparedKey: Sendable, Redacted {
    @usableFromInline let memory: SecretMemory

    /// Prepares a key.
    @inlinable
    public init(_ key: SymmetricKey) {
      self.init(HMAC(key: key))
    }

    /// Keeps a computation in mid-stream, for any number of messages that begin with the same bytes.
    @inlinable
    public init(continuing start: HMAC) {
      self.init(start)
    }

    @inlinable
    init(_ start: consuming HMAC) {
      memory = .moving(start)
    }

    /// The two mid-states, as secret as the key: they are enough to sign. The pointer is valid while
    /// the key is alive.
    @inlinable
    var start: UnsafePointer<HMAC> {
      // Safety: the initialiser made the memory of an HMAC.
      unsafe memory.value(as: HMAC.self)
    }

    /// What this is, never the key.
    public var description: String { "HMAC.PreparedKey" }
  }

  /// An authentication code: as many bytes as the digest (32 for SHA-256).
  ///
  /// Two codes are compared in constant time.
  public struct MAC: RandomAccessCollection, Hashable, Sendable, BitwiseCopyable {
    /// The code as an output of the hash function, which it is.
    public let digest: H.Digest

    @usableFromInline
    package init(digest: H.Digest) {
      self.digest = digest
    }

    /// The size of a code in bytes.
    public var byteCount: Int { digest.count }

    /// Calls `body` with the bytes.
    public func withUnsafeBytes<Result, Failure: Swift.Error>(
      _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      // Safety: a digest is plain bytes, and lives as long as the closure runs.
      try unsafe Swift.withUnsafeBytes(of: digest, body)
    }

    /// The code in lowercase hexadecimal digits.
    public var hexString: String { Hexadecimal.encode(digest) }

    /// The position of the first byte.
    public var startIndex: Int { digest.startIndex }

    /// The position after the last byte.
    public var endIndex: Int { digest.endIndex }

    /// The byte at a position from 0 on and below the size.
    public subscript(position: Int) -> UInt8 { digest[position] }

    /// Whether two codes are equal, in constant time.
    public static func == (left: Self, right: Self) -> Bool {
      ConstantTime.equal(left, right)
    }

    /// Whether a code has the same bytes as a collection, in constant time for the same size.
    public static func == (left: Self, right: some Collection<UInt8>) -> Bool {
      ConstantTime.equal(left, right)
    }
  }
}

extension HMAC.PreparedKey where H == SHA256 {
  /// The code of a message after whole blocks. What is computed with is a state that the result replaces, so
  /// that no copy of a mid-state stays on the stack. (In Embedded Swift, where size counts, copies may stay.)
  package func code(of message: UnsafeRawBufferPointer) -> HMAC.MAC {
    #if hasFeature(Embedded)
      return unsafe HMAC(key: self).finalize(appending: message)
    #else
      defer { withExtendedLifetime(memory) {} }
      let (byteCount, implementation) = unsafe (
        start.pointee.inner.buffer.messageByteCount, start.pointee.inner.implementation
      )
      if byteCount % 64 != 0 { return unsafe HMAC(key: self).finalize(appending: message) }
      // FIPS 198-1, 4, steps 6, 8 and 9
      let digest = unsafe SHA256.finish(
        start.pointee.inner.state, message, afterByteCount: byteCount, implementation)
      let code = unsafe withUnsafeBytes(of: digest) {
        unsafe SHA256.finish(
          start.pointee.outer.state, $0, afterByteCount: 64, implementation)
      }
      // The other kernels keep the state that they start from on the stack.
      if implementation.kernel != .instructions { ConstantTime.wipeStack() }
      return HMAC.MAC(digest: code)
    #endif
  }
}

extension HMAC: Redacted {
  /// What this is, never its state, which is as secret as the key.
  public var description: String { "HMAC computation" }
}

#if !hasFeature(Embedded)
  extension HMAC.MAC {
    /// Calls `body` with the bytes; they are contiguous where those of the digest are.
    @inlinable
    public func withContiguousStorageIfAvailable<Result>(
      _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
      try digest.withContiguousStorageIfAvailable(body)
    }
  }
#endif

extension HMAC.MAC: CustomStringConvertible {
  /// The code in hexadecimal.
  public var description: String { "HMAC code: " + hexString }
}
