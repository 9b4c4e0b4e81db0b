// SPDX-License-Identifier: Apache-2.0
// Interleaved hashing of independent messages: while one waits for an instruction, the other
// proceeds. Digests come first, then codes: under one prepared key, and in chains of keys.

extension SHA256 {
  /// Hashes two messages, interleaved.
  ///
  /// With SHA instructions, this is faster than hashing one after the other. The messages may
  /// differ in length. The rest of the longer one is hashed alone.
  @inlinable
  package static func hashPair(
    _ first: some Collection<UInt8>, _ second: some Collection<UInt8>
  ) -> (Digest, Digest) {
    let digests = first.withContiguousStorageIfAvailable { firstBuffer in
      second.withContiguousStorageIfAvailable { secondBuffer in
        unsafe hashPair(
          UnsafeRawBufferPointer(firstBuffer), UnsafeRawBufferPointer(secondBuffer))
      }
    }
    return (digests ?? nil) ?? (hash(data: first), hash(data: second))
  }

  /// Hashes two messages, interleaved.
  @usableFromInline
  package static func hashPair(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
  ) -> (Digest, Digest) {
    unsafe finishPair(
      Midstate(state: initialState, byteCount: 0), first,
      Midstate(state: initialState, byteCount: 0), second, .current)
  }

  /// Returns the digests of two messages so far, each followed by these bytes. The states don't
  /// change.
  @inlinable
  package static func finalizePair(
    _ first: SHA256, appending firstBytes: some Collection<UInt8>,
    _ second: SHA256, appending secondBytes: some Collection<UInt8>
  ) -> (Digest, Digest) {
    let digests = firstBytes.withContiguousStorageIfAvailable { firstBuffer in
      secondBytes.withContiguousStorageIfAvailable { secondBuffer in
        unsafe finalizePair(
          first, appending: UnsafeRawBufferPointer(firstBuffer),
          second, appending: UnsafeRawBufferPointer(secondBuffer))
      }
    }
    return (digests ?? nil)
      ?? (first.finalize(appending: firstBytes), second.finalize(appending: secondBytes))
  }

  /// Returns the digests of two messages so far, each followed by these bytes. The states don't
  /// change.
  @usableFromInline
  package static func finalizePair(
    _ first: SHA256, appending firstBytes: UnsafeRawBufferPointer,
    _ second: SHA256, appending secondBytes: UnsafeRawBufferPointer
  ) -> (Digest, Digest) {
    if first.buffer.pendingByteCount > 0 || second.buffer.pendingByteCount > 0
      || first.implementation != second.implementation
    {
      return unsafe (
        first.finalize(appending: firstBytes), second.finalize(appending: secondBytes)
      )
    }
    return unsafe finishPair(
      Midstate(state: first.state, byteCount: first.buffer.messageByteCount), firstBytes,
      Midstate(state: second.state, byteCount: second.buffer.messageByteCount), secondBytes,
      first.implementation)
  }

  /// The state after a number of whole blocks.
  struct Midstate {
    var state: State
    let byteCount: UInt64
  }

  /// Compresses the blocks that both have in pairs and the rest of the longer one alone, then does
  /// the same for the two tails.
  @inline(__always)
  static func finishPair(
    _ first: Midstate, _ bytes: UnsafeRawBufferPointer,
    _ second: Midstate, _ otherBytes: UnsafeRawBufferPointer, _ implementation: Implementation
  ) -> (Digest, Digest) {
    var (state, otherState) = (first.state, second.state)
    // Safety: each message has that many blocks, and each tail holds the rest of its message.
    if let blocks = bytes.baseAddress, let otherBlocks = otherBytes.baseAddress {
      unsafe compressBoth(
        &state, blocks, bytes.count / 64, &otherState, otherBlocks, otherBytes.count / 64,
        implementation)
    } else {
      unsafe compressWholeBlocks(&state, bytes, implementation)
      unsafe compressWholeBlocks(&otherState, otherBytes, implementation)
    }
    let tail = unsafe PaddedTail(endOf: bytes, afterByteCount: first.byteCount)
    let otherTail = unsafe PaddedTail(endOf: otherBytes, afterByteCount: second.byteCount)
    unsafe tail.withBlocks { blocks in
      unsafe otherTail.withBlocks { otherBlocks in
        unsafe compressBoth(
          &state, blocks, tail.blockCount, &otherState, otherBlocks, otherTail.blockCount,
          implementation)
      }
    }
    return (Digest(state: state), Digest(state: otherState))
  }

  @inline(__always)
  static func compressWholeBlocks(
    _ state: inout State, _ bytes: UnsafeRawBufferPointer, _ implementation: Implementation
  ) {
    if bytes.count < 64 { return }
    // Safety: there are that many blocks.
    guard let blocks = bytes.baseAddress else { return }
    unsafe compress(&state, blocks, bytes.count / 64, implementation)
  }

  @inline(__always)
  static func compressBoth(
    _ state: inout State, _ blocks: UnsafeRawPointer, _ blockCount: Int,
    _ otherState: inout State, _ otherBlocks: UnsafeRawPointer, _ otherBlockCount: Int,
    _ implementation: Implementation
  ) {
    let common = Swift.min(blockCount, otherBlockCount)
    // Safety: `common` is at most either count.
    if common > 0 {
      unsafe compressPair(&state, blocks, &otherState, otherBlocks, common, implementation)
    }
    if blockCount > common {
      unsafe compress(
        &state, blocks + common * 64, blockCount - common, implementation)
    }
    if otherBlockCount > common {
      unsafe compress(
        &otherState, otherBlocks + common * 64, otherBlockCount - common, implementation)
    }
  }

  @inline(__always)
  static func compressPair(
    _ state: inout State, _ blocks: UnsafeRawPointer,
    _ otherState: inout State, _ otherBlocks: UnsafeRawPointer, _ blockCount: Int,
    _ implementation: Implementation
  ) {
    // Safety: a state is 8 consecutive words.
    unsafe withUnsafeMutablePointer(to: &state) { state in
      unsafe withUnsafeMutablePointer(to: &otherState) { otherState in
        unsafe state.withMemoryRebound(to: UInt32.self, capacity: 8) { words in
          unsafe otherState.withMemoryRebound(to: UInt32.self, capacity: 8) { otherWords in
            unsafe implementation.compressPair(words, blocks, otherWords, otherBlocks, blockCount)
          }
        }
      }
    }
  }
}

extension HMAC where H == SHA256 {
  /// Computes the codes of two messages under a prepared key, interleaved.
  @inlinable
  package static func authenticationCodePair(
    for first: some Collection<UInt8>, _ second: some Collection<UInt8>, using key: PreparedKey
  ) -> (MAC, MAC) {
    pair(first, key, second, key)
  }

  @inlinable
  static func pair(
    _ first: some Collection<UInt8>, _ key: PreparedKey,
    _ second: some Collection<UInt8>, _ otherKey: PreparedKey
  ) -> (MAC, MAC) {
    // FIPS 198-1, 4, steps 6, 8 and 9, for each message.
    defer { withExtendedLifetime((key.memory, otherKey.memory)) {} }
    let (digest, otherDigest) = unsafe SHA256.finalizePair(
      key.start.pointee.inner, appending: first, otherKey.start.pointee.inner, appending: second)
    let (code, otherCode) = unsafe SHA256.finalizePair(
      key.start.pointee.outer, appending: digest,
      otherKey.start.pointee.outer, appending: otherDigest)
    return (MAC(digest: code), MAC(digest: otherCode))
  }
}

extension HMAC where H == SHA256 {
  /// Creates a computation under a 32-byte key that is itself a code, as in a chain of keys.
  ///
  /// The key's two blocks are hashed in parallel. This initializer uses no heap.
  public init(key code: MAC) {
    #if hasFeature(Embedded)  // optimizes for size and hashes no blocks in parallel
      self = unsafe code.digest.withUnsafeBytes { unsafe HMAC(keyBytes: $0) }
    #else
      let (k0, k1, k2, k3) = code.digest.storage
      let (ipad, opad): (UInt64, UInt64) = (0x3636_3636_3636_3636, 0x5C5C_5C5C_5C5C_5C5C)
      // FIPS 198-1, 4, steps 4 and 7: K0 xor ipad, then K0 xor opad, in whole vectors.
      var blocks = (
        SIMD8<UInt64>(k0, k1, k2, k3, 0, 0, 0, 0) ^ SIMD8(repeating: ipad),
        SIMD8<UInt64>(k0, k1, k2, k3, 0, 0, 0, 0) ^ SIMD8(repeating: opad)
      )
      var (innerState, outerState) = (SHA256.initialState, SHA256.initialState)
      // Safety: the blocks are 64 bytes each and contiguous.
      unsafe withUnsafeMutableBytes(of: &blocks) { blocks in
        if let start = UnsafeRawPointer(blocks.baseAddress) {
          unsafe SHA256.compressPair(&innerState, start, &outerState, start + 64, 1, .current)
        }
        unsafe ConstantTime.wipe(blocks)  // Secret: the padded key
      }
      inner = SHA256(resuming: innerState, afterByteCount: 64)
      outer = SHA256(resuming: outerState, afterByteCount: 64)
    #endif
  }
}

extension HMAC.PreparedKey where H == SHA256 {
  /// Prepares a key for the given implementation.
  package init(_ key: SymmetricKey, implementation: SHA256.Implementation) {
    self.init(HMAC(key: key, implementation: implementation))
  }

  @usableFromInline var implementation: SHA256.Implementation {
    unsafe start.pointee.inner.implementation
  }
}
