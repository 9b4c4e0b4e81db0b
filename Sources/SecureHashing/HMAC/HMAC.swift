// SPDX-License-Identifier: Apache-2.0
// HMAC over any hash function, with prepared keys and codes.

/// HMAC of FIPS 198-1 and RFC 2104, spelled as in CryptoKit.
///
/// A value is a computation. You can copy it mid-stream, and ``finalize()`` doesn't change it. It
/// uses no heap. For many messages under one key, create a ``PreparedKey``, which saves hashing two
/// blocks per message.
@frozen
public struct HMAC<H: HashFunction>: BitwiseCopyable, Sendable {
  /// The key type, as CryptoKit names it.
  public typealias Key = SymmetricKey

  @usableFromInline var inner: H
  @usableFromInline var outer: H

  /// Creates a computation under a key of any size. 32 bytes are best for SHA-256.
  @inlinable
  public init(key: SymmetricKey) {
    self = unsafe key.withUnsafeBytes { unsafe HMAC(keyBytes: $0) }
  }

  /// Creates a computation under a prepared key.
  @inlinable
  public init(key: PreparedKey) {
    defer { withExtendedLifetime(key.memory) {} }
    self = unsafe key.start.pointee
  }

  /// Creates a computation under a key in the caller's memory. This initializer uses no heap.
  @inlinable
  public init(keyBytes: Swift.Span<UInt8>) {
    self = unsafe keyBytes.withUnsafeBytes { unsafe HMAC(keyBytes: $0) }
  }

  /// Creates a computation under a key in the caller's memory. This initializer uses no heap.
  @inlinable
  public init(keyBytes: UnsafeRawBufferPointer) {
    unsafe self.init(keyBytes: keyBytes, empty: H())
  }

  /// Creates a computation from an empty hash function, which may use a specific implementation.
  @inlinable
  init(keyBytes: UnsafeRawBufferPointer, empty: H) {
    var inner = empty
    var outer = empty
    // Safety: the block has the size that the padding fills, and it doesn't escape the closure.
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

  /// Returns the code of the message so far. You can keep updating the computation afterward.
  @inlinable
  public func finalize() -> MAC {
    // FIPS 198-1, 4, steps 6, 8 and 9
    MAC(digest: outer.finalize(appending: inner.finalize()))
  }

  /// Returns the code of the message so far followed by these bytes. The computation doesn't
  /// change.
  @inlinable
  public func finalize(appending data: some Collection<UInt8>) -> MAC {
    MAC(digest: outer.finalize(appending: inner.finalize(appending: data)))
  }

  /// Returns the code of the message so far followed by these bytes. The computation doesn't
  /// change.
  @inlinable
  public func finalize(appending data: Swift.Span<UInt8>) -> MAC {
    unsafe data.withUnsafeBytes { unsafe finalize(appending: $0) }
  }

  /// FIPS 198-1, 4, steps 1 to 3: K0 is the key, or the digest of a long one, followed by zeros.
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
      // Secret: the digest is used as the key.
      unsafe withUnsafeMutableBytes(of: &digest) { unsafe ConstantTime.wipe($0) }
    }
  }

  @inlinable
  static func combine(_ block: UnsafeMutableRawBufferPointer, with byte: UInt8) {
    // Safety: only positions of the buffer are accessed.
    for index in block.indices { unsafe block[index] ^= byte }
  }
}

extension HMAC {
  /// Computes the code of a whole message.
  @inlinable
  @specialized(where H == SHA256, Bytes == [UInt8])
  public static func authenticationCode<Bytes: Collection<UInt8>>(
    for data: Bytes, using key: SymmetricKey
  ) -> MAC {
    wipingStack { HMAC(key: key).finalize(appending: data) }
  }

  /// Computes the code of a whole message under a prepared key.
  @inlinable
  @specialized(where H == SHA256, Bytes == [UInt8])
  public static func authenticationCode<Bytes: Collection<UInt8>>(
    for data: Bytes, using key: PreparedKey
  ) -> MAC {
    defer { withExtendedLifetime(key.memory) {} }
    return wipingStack { unsafe key.start.pointee.finalize(appending: data) }
  }

  /// Computes the code of a whole message.
  @inlinable
  public static func authenticationCode(for data: Swift.Span<UInt8>, using key: SymmetricKey) -> MAC
  {
    unsafe data.withUnsafeBytes { bytes in
      wipingStack { unsafe HMAC(key: key).finalize(appending: bytes) }
    }
  }

  /// Computes the code of a whole message under a prepared key.
  @inlinable
  public static func authenticationCode(for data: Swift.Span<UInt8>, using key: PreparedKey) -> MAC
  {
    defer { withExtendedLifetime(key.memory) {} }
    return unsafe data.withUnsafeBytes { bytes in
      wipingStack { unsafe key.start.pointee.finalize(appending: bytes) }
    }
  }

  /// Returns whether a code belongs to a message. Compares in constant time.
  @inlinable
  public static func isValidAuthenticationCode(
    _ authenticationCode: some Collection<UInt8>, authenticating data: some Collection<UInt8>,
    using key: SymmetricKey
  ) -> Bool {
    ConstantTime.equal(self.authenticationCode(for: data, using: key), authenticationCode)
  }

  /// Returns whether a code belongs to a message under a prepared key. Compares in constant time.
  @inlinable
  public static func isValidAuthenticationCode(
    _ authenticationCode: some Collection<UInt8>, authenticating data: some Collection<UInt8>,
    using key: PreparedKey
  ) -> Bool {
    ConstantTime.equal(self.authenticationCode(for: data, using: key), authenticationCode)
  }

  /// Calls `body`, then wipes the stack that it used. With SHA-256, it only calls `body`, because
  /// the functions that sign wipe the stack once at their end.
  @inlinable
  static func wipingStack<Result>(_ body: () -> Result) -> Result {
    if H.blockByteCount <= SHA256.blockByteCount { return body() }
    defer { ConstantTime.wipeLargeStack() }
    return callApart(body)
  }

  @inlinable
  @inline(never)
  static func callApart<Result>(_ body: () -> Result) -> Result { body() }
}

extension HMAC where H == SHA256 {
  /// Creates a computation that uses the given implementation.
  package init(key: SymmetricKey, implementation: SHA256.Implementation) {
    self = unsafe key.withUnsafeBytes {
      unsafe HMAC(keyBytes: $0, empty: SHA256(implementation: implementation))
    }
  }

  /// Runs a known-answer test, for programs that must run one at startup. Returns true if this
  /// build passes.
  ///
  /// The test is case 2 of RFC 4231, section 4.3.
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
  /// Copies share one block of memory, which is wiped when the last copy is released.
  @frozen
  public struct PreparedKey: Sendable, Redacted {
    @usableFromInline let memory: SecretMemory

    /// Prepares a key.
    @inlinable
    public init(_ key: SymmetricKey) {
      memory = HMAC.wipingStack { .moving(HMAC(key: key)) }
    }

    /// Prepares a computation mid-stream, for any number of messages that begin with the same
    /// bytes.
    @inlinable
    public init(continuing start: HMAC) {
      self.init(start)
    }

    @inlinable
    init(_ start: consuming HMAC) {
      memory = .moving(start)
    }

    /// The two midstates, as secret as the key: they are enough to sign. The pointer is valid while
    /// the key is alive.
    @inlinable
    var start: UnsafePointer<HMAC> {
      // Safety: the initializer created this memory from an HMAC.
      unsafe memory.value(as: HMAC.self)
    }

    /// The kind of value, never the key.
    public var description: String { "HMAC.PreparedKey" }
  }

  /// An authentication code, as long as the digest (32 bytes for SHA-256).
  ///
  /// Codes are compared in constant time.
  public struct MAC: RandomAccessCollection, Hashable, Sendable, BitwiseCopyable {
    /// The code as an output of the hash function.
    public let digest: H.Digest

    @usableFromInline
    package init(digest: H.Digest) {
      self.digest = digest
    }

    /// The code size in bytes.
    public var byteCount: Int { digest.count }

    /// Calls `body` with the bytes.
    public func withUnsafeBytes<Result, Failure: Swift.Error>(
      _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try unsafe digest.withUnsafeBytes(body)
    }

    /// The code as a lowercase hexadecimal string.
    public var hexString: String { Hexadecimal.encode(digest) }

    /// The position of the first byte.
    public var startIndex: Int { digest.startIndex }

    /// The position after the last byte.
    public var endIndex: Int { digest.endIndex }

    /// The byte at a position, from 0 to the size minus 1.
    public subscript(position: Int) -> UInt8 { digest[position] }

    /// Compares two codes in constant time.
    public static func == (left: Self, right: Self) -> Bool {
      ConstantTime.equal(left, right)
    }

    /// Compares a code with the bytes of a collection, in constant time for the same size.
    public static func == (left: Self, right: some Collection<UInt8>) -> Bool {
      ConstantTime.equal(left, right)
    }
  }
}

extension HMAC.PreparedKey where H == SHA256 {
  /// Returns the code of a message that follows whole blocks. The result replaces the state that
  /// it's computed in, so that no copy of a midstate stays on the stack. (In Embedded Swift, which
  /// optimizes for size, copies may stay.)
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
      // The other kernels store their initial state on the stack.
      if implementation.kernel != .instructions { ConstantTime.wipeStack() }
      return HMAC.MAC(digest: code)
    #endif
  }
}

extension HMAC: Redacted {
  /// The kind of computation, never its state, which is as secret as the key.
  public var description: String { "HMAC computation" }
}

#if !hasFeature(Embedded)
  extension HMAC.MAC {
    /// Calls `body` with the bytes, which are contiguous if those of the digest are.
    @inlinable
    public func withContiguousStorageIfAvailable<Result>(
      _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
      try digest.withContiguousStorageIfAvailable(body)
    }
  }
#endif

extension HMAC.MAC: CustomStringConvertible {
  /// "HMAC code: " and the code in hexadecimal.
  public var description: String { "HMAC code: " + hexString }
}
