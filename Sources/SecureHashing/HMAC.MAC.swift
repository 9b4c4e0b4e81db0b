// SPDX-License-Identifier: Apache-2.0
// What HMAC takes and gives as values: a key prepared once, and the code.

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
    public var hexadecimal: String { Hexadecimal.encode(digest) }

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
  public var description: String { "HMAC code: " + hexadecimal }
}
