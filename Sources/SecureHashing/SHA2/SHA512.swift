// SPDX-License-Identifier: Apache-2.0
// SHA-512 and SHA-384: one computation with two initial states and two digests.

/// SHA-512 of FIPS 180-4: a 64-byte digest, 128-byte blocks.
///
/// Messages can be up to 2^64 - 1 bytes long. You can copy a value mid-stream, and ``finalize()``
/// doesn't change the state. Nothing is allocated on the heap.
public struct SHA512: HashFunction {
  /// The block size in bytes: 128.
  public static var blockByteCount: Int { 128 }

  /// The digest size in bytes: 64.
  public static var byteCount: Int { Digest.byteCount }

  var computation: SHA512Computation

  /// Creates a hash function with an empty message.
  public init() {
    self.init(implementation: .current)
  }

  /// Creates a hash function that uses the given implementation.
  package init(implementation: SHA512Implementation) {
    computation = SHA512Computation(
      SHA512Computation.initialStateOfSHA512, implementation: implementation)
  }

  /// Appends bytes to the message.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    unsafe computation.update(bufferPointer)
  }

  /// Returns the digest of the message so far. You can keep updating it afterward.
  public func finalize() -> Digest {
    Digest(storage: computation.finish())
  }

  /// A SHA-512 digest: 64 bytes.
  public struct Digest: HashDigest {
    /// The digest size in bytes: 64.
    @inlinable public static var byteCount: Int { 64 }

    /// The bytes in memory order, always accessed like those of `SHA256.Digest`.
    var storage: SHA512Computation.State

    init(storage: SHA512Computation.State) {
      self.storage = storage
    }

    /// Creates a digest that was computed earlier or elsewhere. Returns nil unless there are
    /// exactly 64 bytes.
    public init?(bytes: some Collection<UInt8>) {
      storage = (0, 0, 0, 0, 0, 0, 0, 0)
      if !fill(&self, with: bytes) { return nil }
    }

    /// Creates a digest from 128 hexadecimal digits, uppercase or lowercase.
    ///
    /// - Throws: `wrongLength` unless there are 128 characters, and `invalidCharacter` if one of
    ///   them isn't a hexadecimal digit.
    public init(hexString text: String) throws(Hexadecimal.DecodingError) {
      storage = (0, 0, 0, 0, 0, 0, 0, 0)
      try fill(&self, withHexadecimal: text, "a SHA-512 digest")
    }

    /// Calls `body` with the 64 bytes.
    public func withUnsafeBytes<Result, Failure: Swift.Error>(
      _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try unsafe Swift.withUnsafeBytes(of: self, body)
    }
  }
}

/// SHA-384 of FIPS 180-4: a 48-byte digest, 128-byte blocks.
///
/// Messages can be up to 2^64 - 1 bytes long. You can copy a value mid-stream, and ``finalize()``
/// doesn't change the state. Nothing is allocated on the heap.
public struct SHA384: HashFunction {
  /// The block size in bytes: 128.
  public static var blockByteCount: Int { 128 }

  /// The digest size in bytes: 48.
  public static var byteCount: Int { Digest.byteCount }

  var computation = SHA512Computation(SHA512Computation.initialStateOfSHA384)

  /// Creates a hash function with an empty message.
  public init() {}

  /// Appends bytes to the message.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    unsafe computation.update(bufferPointer)
  }

  /// Returns the digest of the message so far. You can keep updating it afterward.
  public func finalize() -> Digest {
    // FIPS 180-4, 6.5: the leftmost words.
    let words = computation.finish()
    return Digest(storage: (words.0, words.1, words.2, words.3, words.4, words.5))
  }

  /// A SHA-384 digest: 48 bytes.
  public struct Digest: HashDigest {
    /// The digest size in bytes: 48.
    @inlinable public static var byteCount: Int { 48 }

    /// The bytes in memory order, always accessed like those of `SHA256.Digest`.
    var storage: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    init(storage: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)) {
      self.storage = storage
    }

    /// Creates a digest that was computed earlier or elsewhere. Returns nil unless there are
    /// exactly 48 bytes.
    public init?(bytes: some Collection<UInt8>) {
      storage = (0, 0, 0, 0, 0, 0)
      if !fill(&self, with: bytes) { return nil }
    }

    /// Creates a digest from 96 hexadecimal digits, uppercase or lowercase.
    ///
    /// - Throws: `wrongLength` unless there are 96 characters, and `invalidCharacter` if one of
    ///   them isn't a hexadecimal digit.
    public init(hexString text: String) throws(Hexadecimal.DecodingError) {
      storage = (0, 0, 0, 0, 0, 0)
      try fill(&self, withHexadecimal: text, "a SHA-384 digest")
    }

    /// Calls `body` with the 48 bytes.
    public func withUnsafeBytes<Result, Failure: Swift.Error>(
      _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try unsafe Swift.withUnsafeBytes(of: self, body)
    }
  }
}

extension SHA512: Redacted {
  /// The kind of computation, never its state. The message may be secret.
  public var description: String { "SHA512 computation" }
}

extension SHA384: Redacted {
  /// The kind of computation, never its state. The message may be secret.
  public var description: String { "SHA384 computation" }
}

extension SHA512.Digest: CustomStringConvertible {
  /// The name of the hash function and the digest in hexadecimal, as CryptoKit prints them.
  public var description: String { "SHA512 digest: " + hexString }
}

extension SHA384.Digest: CustomStringConvertible {
  /// The name of the hash function and the digest in hexadecimal, as CryptoKit prints them.
  public var description: String { "SHA384 digest: " + hexString }
}

// MARK: - Helpers

/// Overwrites a digest with bytes. Returns false unless there are exactly as many as the digest
/// has.
private func fill<Digest: HashDigest>(
  _ digest: inout Digest, with bytes: some Collection<UInt8>
) -> Bool {
  var count = 0
  // Safety: the write stays below the size.
  return unsafe withUnsafeMutableBytes(of: &digest) { target in
    for byte in bytes {
      if count == Digest.byteCount { return false }
      unsafe target[count] = byte
      count &+= 1
    }
    return count == Digest.byteCount
  }
}

/// Overwrites a digest with decoded hexadecimal digits.
private func fill<Digest: HashDigest>(
  _ digest: inout Digest, withHexadecimal text: String, _ name: String
) throws(Hexadecimal.DecodingError) {
  let count = text.utf8.count
  let bytes = count == 2 * Digest.byteCount ? try Hexadecimal.decode(text) : []
  if !fill(&digest, with: bytes) {
    throw .wrongLength(count, of: name, expected: 2 * Digest.byteCount)
  }
}

/// The computation of SHA-512 and SHA-384, which differ in the initial state.
struct SHA512Computation: Sendable, BitwiseCopyable {
  /// H: eight words.
  typealias State = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// 128 bytes in memory order.
  typealias Block = (State, State)

  var state: State
  var buffer: BlockBuffer<Block>
  let implementation: SHA512Implementation

  /// Continues after a number of whole blocks.
  init(
    _ state: State, afterByteCount byteCount: UInt64 = 0,
    implementation: SHA512Implementation = .current
  ) {
    let zeros: State = (0, 0, 0, 0, 0, 0, 0, 0)
    self.state = state
    self.implementation = implementation
    buffer = BlockBuffer(pending: (zeros, zeros), messageByteCount: byteCount)
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var state = state
    let implementation = implementation
    // Safety: the buffer passes whole blocks.
    unsafe buffer.append(bytes) { unsafe Self.compress(&state, $0, $1, implementation) }
    self.state = state
  }

  /// Returns the words of the final state as they appear in memory, each big-endian.
  func finish() -> State {
    let zeros: State = (0, 0, 0, 0, 0, 0, 0, 0)
    var tail: (Block, Block) = (buffer.pending, (zeros, zeros))
    var state = state
    let count = buffer.pendingByteCount
    // FIPS 180-4, 5.1.2: a one bit, zeros, and the number of bits as a 128-bit number.
    let byteCount = count < 112 ? 128 : 256
    let bitCount = (buffer.messageByteCount &>> 61, buffer.messageByteCount &<< 3)
    // Safety: the tail is 256 bytes long, and fewer than 128 of them are pending.
    unsafe withUnsafeMutableBytes(of: &tail) { tail in
      guard let start = tail.baseAddress else { return }
      // Bytes of an earlier block follow the pending ones.
      unsafe (start + count).initializeMemory(as: UInt8.self, repeating: 0, count: 128 &- count)
      unsafe tail[count] = 0x80
      unsafe tail.storeBytes(
        of: bitCount.0.bigEndian, toByteOffset: byteCount &- 16, as: UInt64.self)
      unsafe tail.storeBytes(
        of: bitCount.1.bigEndian, toByteOffset: byteCount &- 8, as: UInt64.self)
      unsafe Self.compress(&state, start, byteCount / 128, implementation)
    }
    return (
      state.0.bigEndian, state.1.bigEndian, state.2.bigEndian, state.3.bigEndian,
      state.4.bigEndian, state.5.bigEndian, state.6.bigEndian, state.7.bigEndian
    )
  }

  static func compress(
    _ state: inout State, _ blocks: UnsafeRawPointer, _ blockCount: Int,
    _ implementation: SHA512Implementation
  ) {
    // Safety: a state is 8 consecutive words.
    unsafe withUnsafeMutablePointer(to: &state) { state in
      unsafe state.withMemoryRebound(to: UInt64.self, capacity: 8) { words in
        unsafe implementation.compress(words, blocks, blockCount)
      }
    }
  }
}
