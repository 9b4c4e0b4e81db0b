// SPDX-License-Identifier: Apache-2.0
// The output of SHA-256 as a value.

extension SHA256 {
  /// A SHA-256 digest: 32 bytes.
  ///
  /// Digests are compared in constant time. As with every collection, an index outside 0 to 31 is a
  /// programming error and traps.
  public struct Digest: HashDigest {
    /// The digest size in bytes: 32.
    @inlinable public static var byteCount: Int { 32 }

    /// The bytes in memory order. They are always accessed through the whole digest: when only the
    /// beginning of a tuple is read, the Swift 6.3 optimizer drops the write to it.
    @usableFromInline var storage: (UInt64, UInt64, UInt64, UInt64)

    /// FIPS 180-4, 6.2.2, end: the words of the state, each big-endian.
    init(state: SHA256.State) {
      storage = (
        Self.bytes(of: state.0, state.1), Self.bytes(of: state.2, state.3),
        Self.bytes(of: state.4, state.5), Self.bytes(of: state.6, state.7)
      )
    }

    /// Creates a digest that was computed earlier or elsewhere. Returns nil unless there are
    /// exactly 32 bytes.
    @specialized(where Bytes == [UInt8])
    public init?<Bytes: Collection<UInt8>>(bytes: Bytes) {
      storage = (0, 0, 0, 0)
      var count = 0
      // Safety: the write stays below 32.
      let fits = unsafe withUnsafeMutableBytes(of: &self) { target in
        for byte in bytes {
          if count == Self.byteCount { return false }
          unsafe target[count] = byte
          count &+= 1
        }
        return count == Self.byteCount
      }
      if !fits { return nil }
    }

    /// Creates a digest from the first 32 bytes of another hash function's digest. A shorter digest
    /// is padded with leading zeros.
    package init(leftmostBitsOf digest: some HashDigest) {
      storage = (0, 0, 0, 0)
      // Safety: there are at most 32 bytes, at the end of 32.
      unsafe withUnsafeMutableBytes(of: &self) { target in
        let bytes = digest.prefix(Self.byteCount)
        for (position, byte) in bytes.enumerated() {
          unsafe target[Self.byteCount &- bytes.count &+ position] = byte
        }
      }
    }

    /// Creates a digest from 64 hexadecimal digits, uppercase or lowercase.
    ///
    ///     let expected = try SHA256.Digest(hexString: String(line.prefix(64)))
    ///     if SHA256.hash(data: file) != expected { throw Corrupted() }
    ///
    /// - Throws: `wrongLength` unless there are 64 characters, and `invalidCharacter` if one of
    ///   them isn't a hexadecimal digit.
    public init(hexString text: String) throws(Hexadecimal.DecodingError) {
      let count = text.utf8.count
      let bytes = count == 2 * Self.byteCount ? try Hexadecimal.decode(text) : []
      guard let digest = Self(bytes: bytes) else {
        throw .wrongLength(count, of: "a SHA-256 digest", expected: 2 * Self.byteCount)
      }
      self = digest
    }

    /// Returns whether a text is the digest in 64 lowercase hexadecimal digits, in constant time
    /// for a text of this size.
    package func isSpelled(by text: UnsafeRawBufferPointer) -> Bool {
      if text.count != 2 * Self.byteCount { return false }
      var difference: UInt64 = 0
      // Safety: there are two digits for each of the 32 bytes, in words of eight digits.
      unsafe withUnsafeBytes { bytes in
        for position in stride(from: 0, to: Self.byteCount, by: 4) {
          let four = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
          let eight = unsafe text.loadUnaligned(fromByteOffset: 2 &* position, as: UInt64.self)
          let digits = Hexadecimal.encodeLowercase(UInt32(littleEndian: four))
          difference |= digits ^ UInt64(littleEndian: eight)
        }
      }
      difference |= difference &>> 32
      difference |= difference &>> 16
      return ConstantTime.isZero(UInt8(truncatingIfNeeded: difference | difference &>> 8))
    }

    /// The digest as 64 lowercase hexadecimal digits.
    public var hexString: String { Hexadecimal.encode(self) }

    /// Calls `body` with the 32 bytes.
    @inlinable
    public func withUnsafeBytes<Result, Failure: Swift.Error>(
      _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try unsafe Swift.withUnsafeBytes(of: self, body)
    }

    static func bytes(of first: UInt32, _ second: UInt32) -> UInt64 {
      (UInt64(first) &<< 32 | UInt64(second)).bigEndian
    }
  }
}

extension SHA256.Digest {
  /// The position of the first byte: 0.
  @inlinable public var startIndex: Int { 0 }

  /// The position after the last byte: 32.
  @inlinable public var endIndex: Int { Self.byteCount }

  /// The byte at a position from 0 to 31.
  @inlinable public subscript(position: Int) -> UInt8 {
    Swift.precondition(
      position >= 0 && position < Self.byteCount, "the index must be 0 to 31")
    // Safety: the line above checks the position.
    return unsafe Swift.withUnsafeBytes(of: self) { unsafe $0[position] }
  }

  /// Compares two digests in constant time.
  public static func == (left: Self, right: Self) -> Bool {
    let difference =
      (left.storage.0 ^ right.storage.0) | (left.storage.1 ^ right.storage.1)
      | (left.storage.2 ^ right.storage.2) | (left.storage.3 ^ right.storage.3)
    return difference == 0
  }

  /// Compares a digest with the bytes of a collection, in constant time for 32 bytes.
  public static func == (left: Self, right: some Collection<UInt8>) -> Bool {
    ConstantTime.equal(left, right)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage.0)
    hasher.combine(storage.1)
    hasher.combine(storage.2)
    hasher.combine(storage.3)
  }
}

extension SHA256.Digest: CustomStringConvertible {
  /// The name of the hash function and the digest in hexadecimal, as CryptoKit prints them.
  public var description: String { "SHA256 digest: " + hexString }
}

extension SHA256.Digest {
  /// Calls `body` with the 32 bytes, which are always contiguous.
  @inlinable
  public func withContiguousStorageIfAvailable<Result, Failure: Swift.Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    // Safety: bytes can be read as UInt8, and the digest outlives the closure.
    try unsafe Swift.withUnsafeBytes(of: self) { bytes throws(Failure) in
      try unsafe bytes.withMemoryRebound(to: UInt8.self, body)
    }
  }
}
