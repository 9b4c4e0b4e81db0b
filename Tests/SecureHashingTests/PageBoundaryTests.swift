// SPDX-License-Identifier: Apache-2.0
// No kernel reads outside of its buffers, which are next to unreadable pages.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Page boundaries")
struct PageBoundaryTests {
  @Test("A byte after the page, and a byte before it, stop the program")
  func forbiddenBytes() async {
    await #expect(processExitsWith: .failure) {
      let pages = try #require(GuardedPages())
      // Safety: none, on purpose.
      print(
        unsafe pages.page.baseAddress?.load(fromByteOffset: pages.pageSize, as: UInt8.self) ?? 0)
    }
    await #expect(processExitsWith: .failure) {
      let pages = try #require(GuardedPages())
      // Safety: none, on purpose.
      print(unsafe pages.page.baseAddress?.load(fromByteOffset: -1, as: UInt8.self) ?? 0)
    }
    await #expect(processExitsWith: .success) {
      let pages = try #require(GuardedPages())
      // Safety: the first and the last byte of the page are readable.
      print(unsafe pages.page[0] + pages.page[pages.pageSize - 1])
    }
  }

  @Test(
    "One message of 0 to 300 bytes, at every offset of 0 to 63 from either page",
    arguments: SHA256.Implementation.available)
  func single(_ implementation: SHA256.Implementation) throws {
    let ladder = try MessageLadder.left()
    let pages = try #require(GuardedPages())
    let empty = SHA256(implementation: implementation)
    var wrong: [String] = []
    for (length, message) in ladder.messages.enumerated() {
      let digest = ladder.digests[length]
      // Safety: the bytes lie in the page.
      unsafe pages.forEachPlace(of: message, distances: 0...63) { bytes in
        if unsafe empty.finalize(appending: bytes) != digest { wrong.append("\(length), one-shot") }
        var portions = empty
        unsafe portions.update(bufferPointer: bytes)
        if portions.finalize() != digest { wrong.append("\(length), appended") }
      }
    }
    #expect(wrong == [])
  }

  @Test(
    "One message of 0 to 300 bytes, cut in two, the second part after pending bytes",
    arguments: SHA256.Implementation.available)
  func portions(_ implementation: SHA256.Implementation) throws {
    let ladder = try MessageLadder.left()
    let pages = try #require(GuardedPages())
    var wrong: [String] = []
    for (length, message) in ladder.messages.enumerated() {
      for cut in [1, 31, 63, 64, 65, 130] where cut <= length {
        var start = SHA256(implementation: implementation)
        start.update(data: message[..<cut])
        // Safety: the bytes lie in the page.
        unsafe pages.forEachPlace(of: Array(message[cut...]), distances: [0, 1]) { bytes in
          let digest = unsafe start.finalize(appending: bytes)
          let pair = unsafe SHA256.finalizePair(start, appending: bytes, start, appending: bytes)
          if digest != ladder.digests[length] || pair != (digest, digest) {
            wrong.append("\(length) bytes cut at \(cut)")
          }
        }
      }
    }
    #expect(wrong == [])
  }

  @Test(
    "Two messages of 0 to 300 bytes, in all combinations, each at the end and at the start",
    arguments: SHA256.Implementation.available)
  func pairs(_ implementation: SHA256.Implementation) throws {
    let (left, right) = try (MessageLadder.left(), MessageLadder.right())
    let (pages, otherPages) = try (#require(GuardedPages()), #require(GuardedPages()))
    let empty = SHA256(implementation: implementation)
    var wrong: [String] = []
    for (first, message) in left.messages.enumerated() {
      for (second, other) in right.messages.enumerated() {
        // Safety: the bytes lie in the pages.
        let atEnds = unsafe SHA256.finalizePair(
          empty, appending: pages.place(message, beforeEnd: 0),
          empty, appending: otherPages.place(other, beforeEnd: 0))
        let atStarts = unsafe SHA256.finalizePair(
          empty, appending: pages.place(message, afterStart: 0),
          empty, appending: otherPages.place(other, afterStart: 0))
        let expected = (left.digests[first], right.digests[second])
        if atEnds != expected || atStarts != expected {
          wrong.append("\(first) and \(second) bytes")
        }
      }
    }
    #expect(wrong == [])
  }

  @Test(
    "Two messages at all combinations of the offsets 0 to 63",
    arguments: SHA256.Implementation.available)
  func pairOffsets(_ implementation: SHA256.Implementation) throws {
    let (left, right) = try (MessageLadder.left(), MessageLadder.right())
    let (pages, otherPages) = try (#require(GuardedPages()), #require(GuardedPages()))
    let empty = SHA256(implementation: implementation)
    var wrong: [String] = []
    for (first, second) in [(64, 300), (300, 64), (120, 119), (129, 257), (300, 300)] {
      for offset in 0...63 {
        for otherOffset in 0...63 {
          // Safety: the bytes lie in the pages.
          let digests = unsafe SHA256.finalizePair(
            empty, appending: pages.place(left.messages[first], beforeEnd: offset),
            empty, appending: otherPages.place(right.messages[second], afterStart: otherOffset))
          if digests != (left.digests[first], right.digests[second]) {
            wrong.append("\(first) bytes at \(offset), \(second) bytes at \(otherOffset)")
          }
        }
      }
    }
    #expect(wrong == [])
  }

  @Test(
    "A key and a message of HMAC at both ends of a page",
    arguments: SHA256.Implementation.available)
  func keys(_ implementation: SHA256.Implementation) throws {
    let (left, right) = try (MessageLadder.left(), MessageLadder.right())
    let (pages, otherPages) = try (#require(GuardedPages()), #require(GuardedPages()))
    let empty = SHA256(implementation: implementation)
    for length in 0...200 {
      // The same in memory without pages around it; Python checks that in HMACTests.
      let key = SymmetricKey(data: left.messages[length])
      let expected = HMAC.code(for: right.messages[length], using: key, by: .portable)
      // Safety: the bytes lie in the pages.
      unsafe pages.forEachPlace(of: left.messages[length], distances: 0...2) { key in
        let start = unsafe HMAC(keyBytes: key, empty: empty)
        unsafe otherPages.forEachPlace(of: right.messages[length], distances: [0]) { message in
          var computation = start
          unsafe computation.update(bufferPointer: message)
          unsafe #expect(start.finalize(appending: message) == expected)
          #expect(computation.finalize() == expected)
        }
      }
    }
  }
}
