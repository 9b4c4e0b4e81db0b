// SPDX-License-Identifier: Apache-2.0
// XXH3 of a message that arrives in parts: its accumulators, and the pending bytes.

extension XXHash3 {
  /// The message so far. A stripe of 64 bytes is accumulated only after another byte follows it,
  /// because the last stripe is computed differently, and so are short messages.
  struct Stream: BitwiseCopyable, Sendable {
    typealias Bytes = (SIMD8<UInt64>, SIMD8<UInt64>, SIMD8<UInt64>, SIMD8<UInt64>)

    var accumulators = XXHash3.initialAccumulators

    /// The pending bytes, from the start. If there are fewer than 64, the end contains the 64 bytes
    /// before them.
    var buffer: Bytes = (.zero, .zero, .zero, .zero)
    var pendingCount = 0
    var byteCount: UInt64 = 0
    let implementation: XXHash3Implementation

    init(_ implementation: XXHash3Implementation) {
      self.implementation = implementation
    }

    static var capacity: Int { 256 }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      guard let start = bytes.baseAddress, bytes.count > 0 else { return }
      // Safety: every copy and every stripe stays below bytes.count and within the buffer.
      let free = Self.capacity &- pendingCount
      if bytes.count <= free {
        unsafe copy(start, bytes.count, to: pendingCount)
        pendingCount &+= bytes.count
        byteCount &+= UInt64(truncatingIfNeeded: bytes.count)
        return
      }
      unsafe XXHash3.withSecret { secret in
        var position = 0
        if pendingCount > 0 {
          unsafe copy(start, free, to: pendingCount)
          position = free
          unsafe accumulateBuffer(secret)
        }
        let left = bytes.count &- position
        if left > Self.capacity {
          let stripes = (left &- 1) / 64
          unsafe accumulate(start + position, stripes, secret)
          position &+= stripes &* 64
          unsafe copy(start + (position &- 64), 64, to: Self.capacity &- 64)
        }
        pendingCount = bytes.count &- position
        unsafe copy(start + position, pendingCount, to: 0)
        byteCount &+= UInt64(truncatingIfNeeded: pendingCount)
      }
    }

    /// Calls `body` with a message of at most 240 bytes, or with the accumulators of a longer one.
    @inline(__always)
    func finish<Result>(
      short: (ShortMessage) -> Result, long: (UnsafeRawPointer, UnsafeRawPointer) -> Result
    ) -> Result {
      unsafe XXHash3.withSecret { secret in
        var end = self
        // Safety: messages of up to 240 bytes are in the buffer.
        return unsafe end.withBuffer { buffer, accumulators in
          if byteCount <= 240 {
            return unsafe short(
              ShortMessage(bytes: buffer, count: Int(byteCount), secret: secret))
          }
          unsafe implementation.accumulate(
            accumulators, buffer, (pendingCount &- 1) / 64, position, secret)
          unsafe accumulateLast(buffer, accumulators, secret)
          return unsafe long(accumulators, secret)
        }
      }
    }

    // MARK: - Helpers

    /// The number of stripes of the block accumulated so far: 0 to 15.
    private var position: Int {
      Int(truncatingIfNeeded: (byteCount &- UInt64(truncatingIfNeeded: pendingCount)) / 64 & 15)
    }

    /// Large inputs, step 3, end: accumulates the last 64 bytes, whether or not they were a stripe.
    private func accumulateLast(
      _ buffer: UnsafeMutableRawPointer, _ accumulators: UnsafeMutableRawPointer,
      _ secret: UnsafeRawPointer
    ) {
      var last = SIMD8<UInt64>.zero
      // Safety: the buffer is 256 bytes long, and the last stripe 64.
      unsafe withUnsafeMutableBytes(of: &last) { last in
        guard let start = last.baseAddress else { return }
        let earlier = Swift.max(64 &- pendingCount, 0)
        unsafe start.copyMemory(from: buffer + (Self.capacity &- earlier), byteCount: earlier)
        unsafe (start + earlier).copyMemory(
          from: buffer + (pendingCount &- (64 &- earlier)), byteCount: 64 &- earlier)
        unsafe implementation.accumulate(accumulators, start, 1, 0, secret + 121)
      }
    }

    /// Accumulates the whole buffer, which is followed by more bytes.
    private mutating func accumulateBuffer(_ secret: UnsafeRawPointer) {
      byteCount &+= UInt64(truncatingIfNeeded: Self.capacity &- pendingCount)
      pendingCount = Self.capacity
      let (position, implementation) = (position, implementation)
      // Safety: the buffer contains four stripes.
      unsafe withBuffer { buffer, accumulators in
        unsafe implementation.accumulate(accumulators, buffer, 4, position, secret)
      }
      pendingCount = 0
    }

    /// Accumulates stripes of the message while no bytes are pending.
    private mutating func accumulate(
      _ stripes: UnsafeRawPointer, _ count: Int, _ secret: UnsafeRawPointer
    ) {
      let (position, implementation) = (position, implementation)
      // Safety: there are `count` stripes.
      unsafe withBuffer { _, accumulators in
        unsafe implementation.accumulate(accumulators, stripes, count, position, secret)
      }
      byteCount &+= UInt64(truncatingIfNeeded: count) &* 64
    }

    @inline(__always)
    private mutating func withBuffer<Result>(
      _ body: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Result
    ) -> Result {
      // Safety: both outlive the closure.
      unsafe withUnsafeMutablePointer(to: &buffer) { buffer in
        unsafe withUnsafeMutablePointer(to: &accumulators) { accumulators in
          unsafe body(UnsafeMutableRawPointer(buffer), UnsafeMutableRawPointer(accumulators))
        }
      }
    }

    @inline(__always)
    private mutating func copy(_ bytes: UnsafeRawPointer, _ count: Int, to offset: Int) {
      // Safety: offset + count <= 256.
      unsafe withBuffer { buffer, _ in
        unsafe (buffer + offset).copyMemory(from: bytes, byteCount: count)
      }
    }
  }
}
