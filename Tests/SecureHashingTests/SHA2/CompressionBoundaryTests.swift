// SPDX-License-Identifier: Apache-2.0
// The bare compression functions, with blocks and states next to unreadable pages.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

/// The expected states come from the portable kernel on plain arrays, which the vectors check.
@Suite("Page boundaries of the compression functions")
struct CompressionBoundaryTests {
  static let blockCounts = 0...5

  @Test(
    "One message: blocks at every offset of 0 to 63 from either page, states at both ends",
    arguments: SHA256.Implementation.available)
  func single(_ implementation: SHA256.Implementation) throws {
    let (blockPages, statePages) = try (#require(GuardedPages()), #require(GuardedPages()))
    var wrong: [String] = []
    for count in Self.blockCounts {
      let input = CompressionInput(seed: 0x51, blockCount: count)
      let expected = input.expectedState()
      for stateOffset in CompressionInput.stateOffsets(in: statePages) {
        // Safety: the blocks and the state lie in their pages.
        try unsafe blockPages.forEachPlace(of: input.blocks, distances: 0...63) { blocks in
          let state = try unsafe input.placeState(in: statePages, at: stateOffset)
          unsafe implementation.compress(state, try #require(blocks.baseAddress), count)
          if unsafe CompressionInput.words(state) != expected {
            wrong.append("\(count) blocks, state at \(stateOffset)")
          }
        }
      }
    }
    #expect(wrong == [])
  }

  @Test(
    "Two messages: blocks of either at every offset of 0 to 63, states at both ends",
    arguments: SHA256.Implementation.available)
  func pair(_ implementation: SHA256.Implementation) throws {
    let (pages, otherPages) = try (#require(GuardedPages()), #require(GuardedPages()))
    let (statePages, otherStatePages) = try (#require(GuardedPages()), #require(GuardedPages()))
    let offsets = CompressionInput.stateOffsets(in: statePages)
    var wrong: [String] = []
    for count in Self.blockCounts {
      let input = CompressionInput(seed: 0x52, blockCount: count)
      let other = CompressionInput(seed: 0x53, blockCount: count)
      let expected = [input.expectedState(), other.expectedState()]
      for distance in 0...63 {
        for (offset, otherOffset) in zip(offsets, offsets.reversed()) {
          // Safety: the blocks and the states lie in their pages.
          let state = try unsafe input.placeState(in: statePages, at: offset)
          let otherState = try unsafe other.placeState(in: otherStatePages, at: otherOffset)
          let blocks = unsafe pages.place(input.blocks, beforeEnd: distance).baseAddress
          let otherBlocks = unsafe otherPages.place(other.blocks, afterStart: 63 - distance)
            .baseAddress
          unsafe implementation.compressPair(
            state, try #require(blocks), otherState, try #require(otherBlocks), count)
          let results = unsafe [CompressionInput.words(state), CompressionInput.words(otherState)]
          if results != expected { wrong.append("\(count) blocks, distance \(distance)") }
        }
      }
    }
    #expect(wrong == [])
  }

  @Test(
    "Two messages that swap their ends: the first at the start of its page, the second at the end",
    arguments: SHA256.Implementation.available)
  func swappedPair(_ implementation: SHA256.Implementation) throws {
    let (pages, otherPages) = try (#require(GuardedPages()), #require(GuardedPages()))
    for count in Self.blockCounts {
      let input = CompressionInput(seed: 0x54, blockCount: count)
      let other = CompressionInput(seed: 0x55, blockCount: count)
      var (state, otherState) = (input.state, other.state)
      // Safety: the blocks lie in their pages, and there are eight words of state.
      let blocks = unsafe pages.place(input.blocks, afterStart: 0).baseAddress
      let otherBlocks = unsafe otherPages.place(other.blocks, beforeEnd: 0).baseAddress
      unsafe implementation.compressPair(
        &state, try #require(blocks), &otherState, try #require(otherBlocks), count)
      #expect(state == input.expectedState() && otherState == other.expectedState())
    }
  }
}

/// A generated state and generated blocks.
struct CompressionInput {
  let state: [UInt32]
  let blocks: [UInt8]

  init(seed: UInt64, blockCount: Int) {
    var generator = Xorshift64(seed: seed)
    state = (0..<8).map { _ in UInt32(truncatingIfNeeded: generator.next()) }
    blocks = generator.bytes(64 * blockCount)
  }

  func expectedState() -> [UInt32] {
    var state = state
    // Safety: there are eight words of state, and all blocks are there.
    unsafe blocks.withUnsafeBytes { blocks in
      guard let start = blocks.baseAddress else { return }
      unsafe SHA256.Implementation.portable.compress(&state, start, blocks.count / 64)
    }
    return state
  }

  /// Where a state of 32 bytes may lie: words are aligned to 4 bytes, and to no more.
  static func stateOffsets(in pages: GuardedPages) -> [Int] {
    [
      0, 4, 8, 12, pages.pageSize - 44, pages.pageSize - 40, pages.pageSize - 36,
      pages.pageSize - 32,
    ]
  }

  func placeState(in pages: GuardedPages, at offset: Int) throws -> UnsafeMutablePointer<UInt32> {
    // Safety: slicing checks that the state fits into the page; the offset is a multiple of 4.
    let words = unsafe UnsafeMutableRawBufferPointer(rebasing: pages.page[offset..<offset + 32])
      .bindMemory(to: UInt32.self)
    for (index, word) in state.enumerated() { unsafe words[index] = word }
    return try unsafe #require(words.baseAddress)
  }

  static func words(_ state: UnsafeMutablePointer<UInt32>) -> [UInt32] {
    // Safety: a state has 8 words.
    (0..<8).map { unsafe state[$0] }
  }
}
