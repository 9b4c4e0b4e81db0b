// SPDX-License-Identifier: Apache-2.0
// Many independent messages of any lengths: two lanes, and a lane that is free gets the next one.

extension SHA256 {
  /// The digests of many messages, in their order, hashed two at a time.
  ///
  /// The messages may differ in length: as soon as one is done, the next one takes its lane. A message
  /// has to stay the same while it is hashed.
  @inlinable
  public static func hashBatch<Message: Collection<UInt8>>(_ messages: [Message]) -> [Digest] {
    finalizeBatch(SHA256(), appending: messages, outer: nil)
  }

  /// The digests of one beginning with each of many messages after it; with `outer`, each digest is
  /// in turn appended to that.
  @inlinable
  static func finalizeBatch<Message: Collection<UInt8>>(
    _ start: SHA256, appending messages: [Message], outer: SHA256?
  ) -> [Digest] {
    // Safety: the buffers are used only inside the closures.
    let areContiguous = messages.allSatisfy { message in
      message.withContiguousStorageIfAvailable { _ in } != nil
    }
    if !areContiguous {
      return finalizeBatch(start, appending: messages.map { Array($0) }, outer: outer)
    }
    var batch = Batch(count: messages.count, start: start, outer: outer)
    unsafe batch.run { index, body in
      _ = messages[index].withContiguousStorageIfAvailable {
        unsafe body(UnsafeRawBufferPointer($0))
      }
    }
    return batch.digests
  }

  /// Two lanes, and the messages that wait for one.
  @usableFromInline
  struct Batch {
    /// Calls a function with the bytes of a message, the same bytes every time.
    @usableFromInline
    typealias Reader = (_ index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Void

    @usableFromInline var digests: [Digest]
    let start: SHA256
    let outer: SHA256?
    var next = 0

    @usableFromInline
    init(count: Int, start: SHA256, outer: SHA256?) {
      self.start = start
      self.outer = outer
      digests = Array(repeating: Digest(state: SHA256.initialState), count: count)
    }

    /// Hashes all messages.
    @usableFromInline
    mutating func run(_ read: Reader) {
      // Safety: nothing escapes. But closures are nested below, which the compiler allows only where
      // they could.
      unsafe withoutActuallyEscaping(read) { read in unsafe fillLanes(read) }
    }

    mutating func fillLanes(_ read: @escaping Reader) {
      // Safety: the reader is handed on as it came.
      var first = unsafe nextLane(read)
      var second = unsafe nextLane(read)
      while let one = first, let other = second {
        (first, second) = unsafe compressPair(one, other, read)
        if let lane = first, lane.isDone { first = unsafe finish(lane) ?? nextLane(read) }
        if let lane = second, lane.isDone { second = unsafe finish(lane) ?? nextLane(read) }
      }
      var last = first ?? second
      while let lane = last {
        let compressed = unsafe compress(lane, read)
        last = compressed.isDone ? finish(compressed) : compressed
      }
    }

    /// The next message that waits, or nil.
    mutating func nextLane(_ read: @escaping Reader) -> BatchLane? {
      if next == digests.count { return nil }
      defer { next &+= 1 }
      // Safety: the reader is handed on as it came.
      return unsafe BatchLane(index: next, start, read)
    }

    /// A message that is done leaves its digest; or becomes the end of the outer message.
    mutating func finish(_ lane: BatchLane) -> BatchLane? {
      let digest = Digest(state: lane.state)
      if let outer, !lane.isOuter { return BatchLane(lane.index, outer, ending: digest) }
      digests[lane.index] = digest
      return nil
    }

    /// As many blocks as both lanes have at hand.
    func compressPair(
      _ first: BatchLane, _ second: BatchLane, _ read: @escaping Reader
    ) -> (BatchLane, BatchLane) {
      var (state, otherState) = (first.state, second.state)
      var common = 0
      // Safety: each lane has at least `common` blocks, which live as long as the closures run.
      unsafe first.withBlocks(read) { blocks, count in
        unsafe second.withBlocks(read) { otherBlocks, otherCount in
          common = Swift.min(count, otherCount)
          unsafe SHA256.compressPair(
            &state, blocks, &otherState, otherBlocks, common, start.implementation)
        }
      }
      return (first.advanced(by: common, state), second.advanced(by: common, otherState))
    }

    /// All blocks that a lane has at hand.
    func compress(_ lane: BatchLane, _ read: @escaping Reader) -> BatchLane {
      var state = lane.state
      var blockCount = 0
      // Safety: the lane has `count` blocks, which live as long as the closure runs.
      unsafe lane.withBlocks(read) { blocks, count in
        blockCount = count
        unsafe SHA256.compress(&state, blocks, count, start.implementation)
      }
      return lane.advanced(by: blockCount, state)
    }
  }

  /// A message on its way through a lane: blocks of its own bytes first, then its padded tail.
  struct BatchLane {
    let index: Int
    let isOuter: Bool
    var state: State
    var bodyBlockCount: Int
    var bodyPosition = 0
    var tail: PaddedTail
    var tailPosition = 0

    /// A message from its first byte on.
    init(index: Int, _ start: SHA256, _ read: @escaping Batch.Reader) {
      var wholeBlocks = 0
      var tail: PaddedTail?
      // Safety: the tail copies what it takes at once.
      unsafe read(index) { bytes in
        wholeBlocks = bytes.count / 64
        tail = unsafe PaddedTail(endOf: bytes, afterByteCount: start.messageByteCount)
      }
      self.index = index
      isOuter = false
      state = start.state
      bodyBlockCount = wholeBlocks
      self.tail = unsafe tail ?? PaddedTail(nil, 0, messageByteCount: start.messageByteCount)
    }

    /// The end of an outer message: the digest of the inner one.
    init(_ index: Int, _ outer: SHA256, ending digest: Digest) {
      self.index = index
      isOuter = true
      state = outer.state
      bodyBlockCount = 0
      // Safety: the tail copies the 32 bytes at once.
      tail = unsafe digest.withUnsafeBytes { bytes in
        unsafe PaddedTail(endOf: bytes, afterByteCount: outer.messageByteCount)
      }
    }

    var isDone: Bool { tailPosition == tail.blockCount }

    /// Calls `body` with the blocks that are at hand, and how many there are.
    func withBlocks(_ read: @escaping Batch.Reader, _ body: (UnsafeRawPointer, Int) -> Void) {
      // Safety: both positions are below the count of their blocks.
      if bodyPosition < bodyBlockCount {
        unsafe read(index) { bytes in
          // As in the standard library, a collection that changes while it is read stops the program.
          guard let start = bytes.baseAddress, bytes.count / 64 == bodyBlockCount else {
            preconditionFailure("a message changed while it was hashed")
          }
          unsafe body(start + bodyPosition &* 64, bodyBlockCount &- bodyPosition)
        }
      } else {
        unsafe tail.withBlocks { blocks in
          unsafe body(blocks + tailPosition &* 64, tail.blockCount &- tailPosition)
        }
      }
    }

    /// The lane after so many of the blocks that were at hand.
    func advanced(by blockCount: Int, _ state: State) -> BatchLane {
      var lane = self
      lane.state = state
      if bodyPosition < bodyBlockCount {
        lane.bodyPosition &+= blockCount
      } else {
        lane.tailPosition &+= blockCount
      }
      return lane
    }
  }
}
