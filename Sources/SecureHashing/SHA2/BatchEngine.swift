// SPDX-License-Identifier: Apache-2.0
// Hashing many messages in lanes: a lane starts the next message as soon as it finishes one.

/// The lanes of an implementation, and the current work of each.
@safe
struct BatchEngine {
  /// A message in progress.
  @unsafe
  struct Lane {
    /// The index of the job, or -1 if there are no more.
    var job: Int

    /// The next blocks to compress.
    var blocks: UnsafeRawPointer
    var blockCount: Int

    /// The kind of these blocks.
    var step: Step
  }

  enum Step {
    case message
    case tail
    case outer
  }

  /// The working memory of 16 lanes: for each, two blocks, a state, a message in progress and an
  /// address. Secret: it includes states derived from keys.
  typealias Memory = (Part, Part, Part, Part, Part, Part, SIMD16<UInt64>)
  typealias Part = SIMD64<UInt64>

  /// The implementation for all lanes together.
  let together: SHA256.Implementation
  let laneCount: Int

  /// The implementation for the last messages, in pairs. Up to this count, it's faster than mostly
  /// idle lanes.
  let alone: SHA256.Implementation
  let countBetterAlone: Int

  let jobs: UnsafeMutableBufferPointer<SHA256.BatchJob>
  let states: UnsafeMutablePointer<SHA256.State>
  let tails: UnsafeMutablePointer<SHA256.PaddedTail.Blocks>
  let lanes: UnsafeMutablePointer<Lane>
  let blocks: UnsafeMutablePointer<UnsafeRawPointer>

  var nextJob = 0
  var activeCount = 0

  /// The caller must wipe the memory.
  init(
    _ jobs: UnsafeMutableBufferPointer<SHA256.BatchJob>, _ together: SHA256.Implementation,
    _ alone: SHA256.Implementation, _ memory: UnsafeMutablePointer<Memory>
  ) {
    self.alone = alone
    self.together = together
    laneCount = together.kernel.laneCount
    countBetterAlone =
      switch (alone.kernel, together.kernel) {
      case (.instructions, .avx512): 4
      case (.instructions, .wideAVX512): 9
      case (_, .vectors), (_, .avx2): 2
      default: 1
      }
    unsafe self.jobs = jobs
    // Safety: 16 times 128, 32, 32 and 8 bytes are the 3,200 bytes of the memory.
    let start = UnsafeMutableRawPointer(memory)
    unsafe tails = start.bindMemory(to: SHA256.PaddedTail.Blocks.self, capacity: 16)
    unsafe states = (start + 2048).bindMemory(to: SHA256.State.self, capacity: 16)
    unsafe lanes = (start + 2560).bindMemory(to: Lane.self, capacity: 16)
    unsafe blocks = (start + 3072).bindMemory(to: UnsafeRawPointer.self, capacity: 16)
  }

  mutating func run() {
    for lane in 0..<laneCount {
      // Safety: `lane` is below the number of lanes.
      unsafe (lanes + lane).initialize(
        to: Lane(job: -1, blocks: UnsafeRawPointer(tails), blockCount: 0, step: .message))
      takeJob(lane)
    }
    while activeCount > 0 {
      if activeCount > countBetterAlone {
        compressTogether()
      } else {
        compressInPairs()
      }
      for lane in 0..<laneCount {
        // Safety: `lane` is below the number of lanes.
        if unsafe lanes[lane].job >= 0 && lanes[lane].blockCount == 0 { takeStep(lane) }
      }
    }
  }

  /// Compresses as many blocks of each lane as the shortest one has.
  private func compressTogether() {
    var count = Int.max
    // Safety: indices are below the number of lanes. A lane without a message repeats another
    // lane's blocks.
    var spare = 0
    for lane in 0..<laneCount where unsafe lanes[lane].job >= 0 {
      count = Swift.min(count, unsafe lanes[lane].blockCount)
      unsafe blocks[lane] = lanes[lane].blocks
      spare = lane
    }
    for lane in 0..<laneCount {
      if unsafe lanes[lane].job >= 0 {
        advance(lane, count)
      } else {
        unsafe blocks[lane] = blocks[spare]
      }
    }
    unsafe UnsafeMutableRawPointer(states).withMemoryRebound(
      to: UInt32.self, capacity: laneCount &* 8
    ) {
      unsafe together.compressLanes($0, blocks, count)
    }
  }

  /// Compresses two lanes at a time, as many blocks as both have. Compresses all blocks of a single
  /// last lane.
  private func compressInPairs() {
    var waiting: Int?
    // Safety: `lane` is below the number of lanes.
    for lane in 0..<laneCount where unsafe lanes[lane].job >= 0 {
      guard let first = waiting else {
        waiting = lane
        continue
      }
      let count = unsafe Swift.min(lanes[first].blockCount, lanes[lane].blockCount)
      unsafe SHA256.compressPair(
        &states[first], lanes[first].blocks, &states[lane], lanes[lane].blocks, count, alone)
      advance(first, count)
      advance(lane, count)
      waiting = nil
    }
    guard let last = waiting else { return }
    let count = unsafe lanes[last].blockCount
    unsafe SHA256.compress(&states[last], lanes[last].blocks, count, alone)
    advance(last, count)
  }

  private func advance(_ lane: Int, _ count: Int) {
    // Safety: the lane has that many blocks.
    unsafe lanes[lane].blocks += count &* 64
    unsafe lanes[lane].blockCount &-= count
  }

  /// Starts the next message in a lane, if there is one.
  private mutating func takeJob(_ lane: Int) {
    // Safety: indices are below the number of lanes and jobs.
    while unsafe nextJob < jobs.count {
      let index = nextJob
      nextJob &+= 1
      if unsafe jobs[index].isDone { continue }
      if unsafe lanes[lane].job < 0 { activeCount &+= 1 }
      let bytes = unsafe jobs[index].bytes
      unsafe states[lane] = jobs[index].state
      unsafe lanes[lane] = Lane(
        job: index, blocks: bytes.baseAddress ?? UnsafeRawPointer(tails),
        blockCount: bytes.count / 64, step: .message)
      if bytes.count < 64 { takeStep(lane) }
      return
    }
    if unsafe lanes[lane].job >= 0 { activeCount &-= 1 }
    unsafe lanes[lane].job = -1
  }

  /// Continues with the padded tail, HMAC's outer hash, or the next message.
  private mutating func takeStep(_ lane: Int) {
    // Safety: `lane` is below the number of lanes, and the lane has a job.
    let index = unsafe lanes[lane].job
    let key = unsafe jobs[index].key
    switch unsafe lanes[lane].step {
    case .message:
      setTail(
        lane,
        unsafe SHA256.PaddedTail(endOf: jobs[index].bytes, afterByteCount: jobs[index].byteCount),
        .tail)
    case .tail where unsafe key != nil:
      // FIPS 198-1, 4, steps 8 and 9: the digest is the message of the outer hash.
      guard let outer = unsafe key?.pointee.outer else { return }
      let digest = unsafe SHA256.Digest(state: states[lane])
      unsafe states[lane] = outer.state
      setTail(
        lane,
        unsafe digest.withUnsafeBytes {
          unsafe SHA256.PaddedTail(endOf: $0, afterByteCount: outer.buffer.messageByteCount)
        }, .outer)
    case .tail, .outer:
      unsafe jobs[index].digest = SHA256.Digest(state: states[lane])
      takeJob(lane)
    }
  }

  private func setTail(_ lane: Int, _ tail: SHA256.PaddedTail, _ step: Step) {
    // Safety: `lane` is below the number of lanes.
    unsafe (tails + lane).initialize(to: tail.storage)
    unsafe lanes[lane].blocks = UnsafeRawPointer(tails + lane)
    unsafe lanes[lane].blockCount = tail.blockCount
    unsafe lanes[lane].step = step
  }
}
