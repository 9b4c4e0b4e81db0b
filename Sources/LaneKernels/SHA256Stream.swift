// SPDX-License-Identifier: Apache-2.0
// SHA-256 of one long message: the schedules of several of its blocks in parallel in a vector, and
// the rounds one after the other in integers. Like SHA256Lanes, this is source that each kernel
// module compiles.

/// The working variables of one message, for processors whose rotations don't overwrite their
/// operand.
@frozen
@usableFromInline struct StreamVariables: BitwiseCopyable {
  @usableFromInline var a, b, c, d, e, f, g, h: UInt32

  /// The sum still to be added to `a`. Adding it a round later avoids waiting for it.
  @usableFromInline var sum0: UInt32

  /// FIPS 180-4, 6.2.2, step 2.
  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ state: UnsafeMutablePointer<UInt32>) {
    // Safety: a state is 8 words long.
    unsafe (a, b, c, d) = (state[0], state[1], state[2], state[3])
    unsafe (e, f, g, h) = (state[4], state[5], state[6], state[7])
    sum0 = 0
  }

  /// Step 3 for one `t`.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func round(_ constantPlusWord: UInt32) {
    // FIPS 180-4, 4.1.2 (4.2) to (4.5). The order of these lines is worth 8% of the speed.
    a = a &+ sum0
    let ch = ((f ^ g) & e) ^ g
    let t1 = ((h &+ constantPlusWord) &+ ch) &+ e.sigma(rotations: 6, 11, 25)
    let maj = ((a ^ b) & (b ^ c)) ^ b
    sum0 = a.sigma(rotations: 2, 13, 22)
    (h, g, f, e) = (g, f, e, d &+ t1)
    (d, c, b, a) = (c, b, a, t1 &+ maj)
  }

  /// Sixteen rounds, each with the next word of a schedule in memory.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func sixteenRounds(_ words: UnsafePointer<UInt32>, stride: Int) {
    // Safety: 16 words are readable at this stride.
    unsafe round(words[0])
    unsafe round(words[stride])
    unsafe round(words[2 &* stride])
    unsafe round(words[3 &* stride])
    unsafe round(words[4 &* stride])
    unsafe round(words[5 &* stride])
    unsafe round(words[6 &* stride])
    unsafe round(words[7 &* stride])
    unsafe round(words[8 &* stride])
    unsafe round(words[9 &* stride])
    unsafe round(words[10 &* stride])
    unsafe round(words[11 &* stride])
    unsafe round(words[12 &* stride])
    unsafe round(words[13 &* stride])
    unsafe round(words[14 &* stride])
    unsafe round(words[15 &* stride])
  }

  /// Step 4.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func add(_ other: Self) {
    (a, b, c, d) = (a &+ sum0 &+ other.a, b &+ other.b, c &+ other.c, d &+ other.d)
    (e, f, g, h) = (e &+ other.e, f &+ other.f, g &+ other.g, h &+ other.h)
    sum0 = 0
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func store(in state: UnsafeMutablePointer<UInt32>) {
    // Safety: a state is 8 words long.
    unsafe (state[0], state[1], state[2], state[3]) = (a, b, c, d)
    unsafe (state[4], state[5], state[6], state[7]) = (e, f, g, h)
  }
}

/// Compresses `blockCount` blocks of 64 bytes into `state` (8 words), one after the other.
@_alwaysEmitIntoClient
@inline(__always)
package func compressBlocks(
  _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int,
  _ k: UnsafePointer<UInt32>
) {
  // Safety: `state` is 8 words long, `blocks` is `blockCount` blocks, and `k` 64 words.
  var v = unsafe StreamVariables(state)
  var block = unsafe blocks
  for _ in 0..<blockCount {
    let start = v
    var w = unsafe LaneSchedule<UInt32>(&block, 0)
    var t = 0
    while t < 48 {
      unsafe w.sixteen(k + t, into: &v) { $0.round($1) }
      t &+= 16
    }
    // Outside the loop, no words are computed for later rounds.
    unsafe w.sixteen(k + 48, into: &v) { $0.round($1) }
    v.add(start)
    unsafe block += 64
  }
  unsafe v.store(in: state)
}

/// Points each lane to one of `count` consecutive blocks. Lanes without a block repeat the last
/// one.
///
/// This is a function call, so that the compiler doesn't know the lanes' positions. With AVX-512,
/// it would otherwise load the addresses into 512-bit vectors and gather single words.
@inline(never)
#if compiler(>=6.3) && !hasFeature(Embedded)
  @export(interface)
#endif
public func placeLanes(
  _ pointers: UnsafeMutablePointer<UnsafeRawPointer>, _ laneCount: Int,
  _ blocks: UnsafeRawPointer, _ count: Int
) {
  for lane in 0..<laneCount {
    // Safety: there is a pointer for each lane, and there are `count` blocks of 64 bytes.
    unsafe pointers[lane] = blocks + Swift.min(lane, count &- 1) &* 64
  }
}

/// Compresses blocks of one message into `state`, as many at once as there are lanes, as long as at
/// least `least` are left. Returns the number of compressed blocks.
///
/// `schedule` has 64 words for each lane, and `pointers` has one element for each lane. The caller
/// must wipe `schedule`, which depends on the message.
@_alwaysEmitIntoClient
@inline(__always)
package func compressStream<Word: LaneWord>(
  _ lanes: Word.Type, _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer,
  _ blockCount: Int, least: Int, _ k: UnsafePointer<UInt32>,
  _ schedule: UnsafeMutablePointer<UInt32>, _ pointers: UnsafeMutablePointer<UnsafeRawPointer>
) -> Int {
  // Safety: `state` is 8 words long, `blocks` is `blockCount` blocks, `k` 64 words. Each lane has a
  // schedule and a pointer.
  var v = unsafe StreamVariables(state)
  var done = 0
  while blockCount &- done >= least {
    let count = Swift.min(Word.laneCount, blockCount &- done)
    unsafe placeLanes(pointers, Word.laneCount, blocks + done &* 64, count)
    var w = unsafe LaneSchedule<Word>(pointers, 0)
    var next = unsafe schedule
    var t = 0
    while t < 64 {
      unsafe w.sixteen(k + t, into: &next) {
        unsafe $1.store(in: $0)
        unsafe $0 += Word.laneCount
      }
      t &+= 16
    }
    for lane in 0..<count {
      let start = v
      for sixteen in 0..<4 {
        unsafe v.sixteenRounds(
          schedule + (sixteen &* 16 &* Word.laneCount &+ lane), stride: Word.laneCount)
      }
      v.add(start)
    }
    done &+= count
  }
  unsafe v.store(in: state)
  return done
}
