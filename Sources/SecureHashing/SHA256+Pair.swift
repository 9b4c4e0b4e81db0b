// SPDX-License-Identifier: Apache-2.0
// Two independent messages side by side: while one waits for an instruction, the other works.

nonisolated extension SHA256 {
  /// The digests of two messages, hashed side by side.
  ///
  /// On a processor with SHA instructions this takes much less time than one after the other. The
  /// messages may differ in length; what is longer is finished alone.
  @inlinable
  public static func hashPair(
    _ first: some Collection<UInt8>, _ second: some Collection<UInt8>
  ) -> (Digest, Digest) {
    let empty = SHA256()
    return finalizePair(empty, appending: first, empty, appending: second)
  }

  /// The digests of two messages so far, each with these bytes after it. The states stay as they are.
  @inlinable
  public static func finalizePair(
    _ first: SHA256, appending firstBytes: some Collection<UInt8>,
    _ second: SHA256, appending secondBytes: some Collection<UInt8>
  ) -> (Digest, Digest) {
    // Safety: the buffers are used only inside the closures.
    let digests = firstBytes.withContiguousStorageIfAvailable { firstBuffer in
      secondBytes.withContiguousStorageIfAvailable { secondBuffer in
        unsafe finalizePair(
          first, appending: UnsafeRawBufferPointer(firstBuffer),
          second, appending: UnsafeRawBufferPointer(secondBuffer))
      }
    }
    if let digests = digests ?? nil { return digests }
    return (first.finalize(appending: firstBytes), second.finalize(appending: secondBytes))
  }

  /// The digests of two messages so far, each with these bytes after it. The states stay as they are.
  public static func finalizePair(
    _ first: SHA256, appending firstBytes: UnsafeRawBufferPointer,
    _ second: SHA256, appending secondBytes: UnsafeRawBufferPointer
  ) -> (Digest, Digest) {
    // Safety: handed on as it came.
    if first.pendingByteCount > 0 || second.pendingByteCount > 0
      || first.implementation != second.implementation
    {
      return unsafe (
        first.finalize(appending: firstBytes), second.finalize(appending: secondBytes)
      )
    }
    var (one, other) = unsafe (Lane(first, firstBytes), Lane(second, secondBytes))
    Lane.compress(&one, &other, first.implementation)
    let (tail, otherTail) = (one.tail(), other.tail())
    // Safety: the tails live as long as the closures run.
    unsafe tail.withBlocks { blocks in
      unsafe otherTail.withBlocks { otherBlocks in
        unsafe one.set(blocks, tail.blockCount)
        unsafe other.set(otherBlocks, otherTail.blockCount)
        Lane.compress(&one, &other, first.implementation)
      }
    }
    return (Digest(state: one.state), Digest(state: other.state))
  }
}
