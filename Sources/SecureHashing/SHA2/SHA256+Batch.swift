// SPDX-License-Identifier: Apache-2.0
// Many messages in one call, as many in parallel as the implementation has lanes.

extension SHA256 {
  /// The number of messages worth passing at once, for example to ``hashBatch(_:)``. More do no
  /// harm.
  public static var preferredBatchCount: Int { 4 * Implementation.current.laneCount }

  /// Hashes many messages in parallel and returns their digests in order.
  ///
  ///     let digests = SHA256.hashBatch(parts)
  ///
  /// Messages of similar size benefit most. Processors with SHA instructions hash two at a time,
  /// those with vectors four, eight or sixteen. The first eight messages are read twice, which
  /// matters if a lazy collection creates them.
  @inlinable
  public static func hashBatch<Message: Collection<UInt8>>(
    _ messages: some Collection<Message>
  ) -> [Digest] {
    hashBatch(messages, implementation: .current)
  }

  /// Hashes many messages with the given implementation and returns their digests in order.
  @inlinable
  package static func hashBatch<Message: Collection<UInt8>>(
    _ messages: some Collection<Message>, implementation: Implementation
  ) -> [Digest] {
    var digests: [Digest] = []
    digests.reserveCapacity(messages.count)
    if implementation.hashesInPairs(
      messages.count, averageByteCount: sampledByteCount(of: messages, { messages[$0].count }))
    {
      // If there are SHA instructions, they are the current implementation.
      forEachPair(of: messages) { index, next in
        guard let next else { return digests.append(hash(data: messages[index])) }
        let (digest, nextDigest) = hashPair(messages[index], messages[next])
        digests.append(digest)
        digests.append(nextDigest)
      }
      return digests
    }
    unsafe BatchJob.run(messages, implementation, { messages[$0] }, { _ in nil }) {
      for index in $0.indices { unsafe digests.append($0[index].digest) }
    }
    return digests
  }

  /// Returns the average length of the first eight items, which stand for all.
  @inlinable
  static func sampledByteCount<Items: Collection>(
    of items: Items, _ byteCount: (Items.Index) -> Int
  ) -> Int {
    let sample = items.indices.prefix(8)
    return sample.isEmpty ? 0 : sample.reduce(0) { $0 &+ byteCount($1) } / sample.count
  }

  /// Calls `body` with the indices of two items at a time, then with the index of a single last
  /// one.
  @inlinable
  static func forEachPair<Items: Collection>(
    of items: Items, _ body: (Items.Index, _ next: Items.Index?) -> Void
  ) {
    var index = items.startIndex
    while index != items.endIndex {
      let next = items.index(after: index)
      if next == items.endIndex { return body(index, nil) }
      body(index, next)
      index = items.index(after: next)
    }
  }

  /// Hashes until every job is done, with the implementation of the first.
  @usableFromInline
  static func run(_ jobs: UnsafeMutableBufferPointer<BatchJob>) {
    guard let implementation = unsafe jobs.first?.implementation else { return }
    let byteCount = unsafe jobs.reduce(0) { unsafe $0 &+ $1.bytes.count }
    let together = implementation.forMany(
      jobs.count, averageByteCount: byteCount / jobs.count)
    if Implementation.hasLaneKernels && jobs.count > 1 && together.kernel.laneCount > 2 {
      unsafe runInLanes(jobs, together, implementation)
    } else {
      unsafe runInPairs(jobs, implementation)
    }
  }

  private static func runInPairs(
    _ jobs: UnsafeMutableBufferPointer<BatchJob>, _ implementation: Implementation
  ) {
    // Safety: both are indices of jobs.
    var waiting: Int?
    for index in jobs.indices where unsafe !jobs[index].isDone {
      if let first = waiting {
        unsafe BatchJob.finish(&jobs[first], &jobs[index], implementation)
        waiting = nil
      } else {
        waiting = index
      }
    }
    if let last = waiting { unsafe jobs[last].finish(implementation) }
    ConstantTime.wipeStack()
  }

  private static func runInLanes(
    _ jobs: UnsafeMutableBufferPointer<BatchJob>, _ together: Implementation,
    _ alone: Implementation
  ) {
    var memory: BatchEngine.Memory = (.zero, .zero, .zero, .zero, .zero, .zero, .zero)
    // Safety: the memory outlives the closure.
    unsafe withUnsafeMutablePointer(to: &memory) { memory in
      var engine = unsafe BatchEngine(jobs, together, alone, memory)
      engine.run()
    }
    // Secret: states derived from keys, here and on the stack below.
    unsafe withUnsafeMutableBytes(of: &memory) { unsafe ConstantTime.wipe($0) }
    ConstantTime.wipeStack()
  }
}

extension HMAC where H == SHA256 {
  /// Computes the codes of many messages under one key, in parallel, and returns them in order.
  @inlinable
  public static func authenticationCodeBatch<Message: Collection<UInt8>>(
    for messages: some Collection<Message>, using key: PreparedKey
  ) -> [MAC] {
    codes(messages, { messages[$0] }, { _ in key })
  }

  /// Computes the codes of many messages, each under its own key, in parallel, and returns them in
  /// order.
  @inlinable
  public static func authenticationCodeBatch<Message: Collection<UInt8>>(
    for messages: some Collection<(message: Message, key: PreparedKey)>
  ) -> [MAC] {
    codes(messages, { messages[$0].message }, { messages[$0].key })
  }

  @inlinable
  static func codes<Message: Collection<UInt8>, Items: Collection>(
    _ items: Items, _ message: (Items.Index) -> Message, _ key: (Items.Index) -> PreparedKey
  ) -> [MAC] {
    var codes: [MAC] = []
    codes.reserveCapacity(items.count)
    if let first = items.indices.first,
      key(first).implementation.hashesInPairs(
        items.count,
        averageByteCount: SHA256.sampledByteCount(of: items, { message($0).count }))
    {
      SHA256.forEachPair(of: items) { index, next in
        guard let next else {
          return codes.append(authenticationCode(for: message(index), using: key(index)))
        }
        let (code, nextCode) = pair(message(index), key(index), message(next), key(next))
        codes.append(code)
        codes.append(nextCode)
      }
      return codes
    }
    unsafe SHA256.BatchJob.run(items, .current, message, { key($0) }) {
      for index in $0.indices { unsafe codes.append(MAC(digest: $0[index].digest)) }
    }
    return codes
  }
}

extension SHA256 {
  /// The maximum number of jobs that `BatchJob.run(_:_:)` does at once: the lanes of the widest
  /// implementation.
  package static var jobCapacity: Int { 16 }

  /// One message of a batch, from a state after whole blocks to its digest or code.
  @unsafe
  @usableFromInline
  package struct BatchJob {
    /// The digest or the code, once the job is done.
    @usableFromInline package var digest = Digest(state: initialState)

    /// The number of message bytes before these.
    let byteCount: UInt64

    let implementation: Implementation

    /// The bytes to append. They don't move until the job is done.
    package let bytes: UnsafeRawBufferPointer

    /// The key of a code: its inner state precedes these bytes, and its outer state hashes their
    /// digest.
    let key: UnsafePointer<HMAC<SHA256>>?

    /// Whether the job is done. It may already be done when it's created.
    var isDone = false

    /// Creates a job that hashes a message.
    @usableFromInline
    package init(
      hashing bytes: UnsafeRawBufferPointer, by implementation: Implementation = .current
    ) {
      unsafe (key, self.bytes) = (nil, bytes)
      unsafe (byteCount, self.implementation) = (0, implementation)
    }

    /// Creates a job that computes the code of a message beginning with what the key was prepared
    /// with.
    @usableFromInline
    package init(_ key: borrowing HMAC<SHA256>.PreparedKey, appending bytes: UnsafeRawBufferPointer)
    {
      // Safety: the caller keeps the key alive.
      let start = unsafe key.start
      unsafe (self.key, self.bytes) = (start, bytes)
      unsafe (byteCount, implementation) = (
        start.pointee.inner.buffer.messageByteCount, start.pointee.inner.implementation
      )
      if unsafe byteCount % 64 != 0 {
        // The prepared bytes aren't whole blocks: finish right away, alone.
        unsafe finish(with: start.pointee.finalize(appending: bytes).digest)
      }
    }

    /// The state before these bytes. Secret if there is a key.
    var state: State { unsafe key?.pointee.inner.state ?? initialState }

    private mutating func finish(with digest: Digest) {
      unsafe self.digest = digest
      unsafe isDone = true
    }

    /// Finishes one job alone.
    mutating func finish(_ implementation: Implementation) {
      let inner = unsafe SHA256.finish(
        state, bytes, afterByteCount: byteCount, implementation)
      unsafe finish(with: key?.pointee.outer.finalize(appending: inner) ?? inner)
    }

    /// Finishes two jobs, interleaved.
    static func finish(
      _ first: inout BatchJob, _ second: inout BatchJob, _ implementation: Implementation
    ) {
      let (digest, otherDigest) = unsafe finishPair(
        Midstate(state: first.state, byteCount: first.byteCount), first.bytes,
        Midstate(state: second.state, byteCount: second.byteCount), second.bytes, implementation)
      if let key = unsafe first.key, let otherKey = unsafe second.key {
        // FIPS 198-1, 4, steps 8 and 9
        let (code, otherCode) = unsafe finalizePair(
          key.pointee.outer, appending: digest,
          otherKey.pointee.outer, appending: otherDigest)
        unsafe first.finish(with: code)
        unsafe second.finish(with: otherCode)
      } else {
        unsafe first.finish(with: digest)
        unsafe second.finish(with: otherDigest)
      }
    }

    private typealias Part = SIMD64<UInt64>

    /// Does up to ``jobCapacity`` jobs in parallel, one for each value that `next` returns before
    /// nil, and calls `body` with each in order.
    package static func run(_ next: () -> BatchJob?, _ body: (BatchJob) -> Void) {
      // 2,048 bytes on the stack. A temporary allocation of this size would use the heap.
      var memory: (Part, Part, Part, Part) = (.zero, .zero, .zero, .zero)
      // Safety: there are never more jobs than the memory holds, and every created job is done.
      unsafe withUnsafeMutableBytes(of: &memory) { memory in
        let memory = unsafe memory.bindMemory(to: BatchJob.self)
        precondition(memory.count >= jobCapacity)
        var count = 0
        while count < jobCapacity, let job = unsafe next() {
          unsafe memory.initializeElement(at: count, to: job)
          count += 1
        }
        let jobs = unsafe UnsafeMutableBufferPointer(rebasing: memory[..<count])
        unsafe SHA256.run(jobs)
        for index in jobs.indices { unsafe body(jobs[index]) }
      }
    }

    /// Creates a job for each item, up to 32 at a time, does them, and calls `body` with the
    /// finished ones.
    @inlinable
    static func run<Message: Collection<UInt8>, Items: Collection>(
      _ items: Items, _ implementation: Implementation, _ message: (Items.Index) -> Message,
      _ key: (Items.Index) -> HMAC<SHA256>.PreparedKey?,
      _ body: (UnsafeMutableBufferPointer<BatchJob>) -> Void
    ) {
      var index = items.startIndex
      // Safety: there are never more jobs than the memory holds, and every created job is done.
      unsafe withUnsafeTemporaryAllocation(of: BatchJob.self, capacity: 32) { memory in
        while index != items.endIndex {
          let end = items.index(index, offsetBy: 32, limitedBy: items.endIndex) ?? items.endIndex
          unsafe runSome(memory, items, index, end, implementation, message, key, body)
          index = end
        }
      }
    }

    /// Does the items from `index` to `end`, at most 32. Not inlined into the loop around it, which
    /// would add three seconds to the compilation of each caller.
    @inlinable
    @inline(never)
    static func runSome<Message: Collection<UInt8>, Items: Collection>(
      _ jobs: UnsafeMutableBufferPointer<BatchJob>, _ items: Items, _ index: Items.Index,
      _ end: Items.Index, _ implementation: Implementation, _ message: (Items.Index) -> Message,
      _ key: (Items.Index) -> HMAC<SHA256>.PreparedKey?,
      _ body: (UnsafeMutableBufferPointer<BatchJob>) -> Void
    ) {
      unsafe fill(jobs, 0, items, index, end, implementation, message, key) {
        let made = unsafe UnsafeMutableBufferPointer(rebasing: jobs[..<$0])
        unsafe SHA256.run(made)
        unsafe body(made)
      }
    }

    /// Creates a job for the item at an index, then recursively for the others, while its message
    /// stays in place and its key stays alive. Finally calls `run` with the number of jobs.
    @inlinable
    static func fill<Message: Collection<UInt8>, Items: Collection>(
      _ jobs: UnsafeMutableBufferPointer<BatchJob>, _ count: Int,
      _ items: Items, _ index: Items.Index, _ end: Items.Index,
      _ implementation: Implementation, _ message: (Items.Index) -> Message,
      _ key: (Items.Index) -> HMAC<SHA256>.PreparedKey?, _ run: (Int) -> Void
    ) {
      if index == end || count == jobs.count { return run(count) }
      let ownKey = key(index)
      func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        // Safety: `count` is below 32, and the bytes don't move while the closure runs.
        let bytes = UnsafeRawBufferPointer(bytes)
        let job =
          if let ownKey {
            unsafe BatchJob(ownKey, appending: bytes)
          } else {
            unsafe BatchJob(hashing: bytes, by: implementation)
          }
        unsafe jobs.initializeElement(at: count, to: job)
        unsafe fill(
          jobs, count + 1, items, items.index(after: index), end, implementation, message, key, run)
      }
      let bytes = message(index)
      if bytes.withContiguousStorageIfAvailable({ unsafe add($0) }) == nil {
        unsafe Array(bytes).withUnsafeBufferPointer { unsafe add($0) }
      }
      withExtendedLifetime(ownKey) {}
    }
  }
}
