// SPDX-License-Identifier: Apache-2.0
// SHA-256 of one long message: the schedules of several of its blocks in parallel in a vector, and
// the rounds one after the other in integers. Like SHA256Lanes, this is source that each kernel
// module compiles.

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
