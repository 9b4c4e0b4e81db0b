// SPDX-License-Identifier: Apache-2.0
// SHA-256 in portions: however a message is cut, the digest is that of the whole.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("SHA-256 in portions")
struct SHA256StreamingTests {
  @Test(
    "Every length up to 260 bytes, split in two at every index, has the whole message's digest",
    arguments: SHA256.Implementation.available)
  func twoPortions(_ implementation: SHA256.Implementation) throws {
    // The digests of the wholes are checked by one digest over all of them, made by hashlib.
    let vector = try VectorTable(named: "accumulated-digests.txt").record(named: "every length")
    var generator = try Xorshift64(seed: vector.seed)
    var accumulated = SHA256(implementation: implementation)
    for length in 0...260 {
      let message = generator.bytes(length)
      let whole = SHA256.hash(message, by: implementation)
      accumulated.update(data: whole)
      for cut in 0...length {
        var portions = SHA256(implementation: implementation)
        portions.update(data: message[..<cut])
        portions.update(data: message[cut...])
        try #require(portions.finalize() == whole, "\(length) bytes cut at \(cut)")
      }
    }
    #expect(try Array(accumulated.finalize()) == vector.hexadecimal("digest"))
  }

  @Test(
    "A message split in three at any two indices has the whole message's digest",
    arguments: SHA256.Implementation.available, [1, 2, 63, 64, 65, 119, 127, 128, 129, 193])
  func threePortions(_ implementation: SHA256.Implementation, _ length: Int) throws {
    var generator = Xorshift64(seed: UInt64(length))
    let message = generator.bytes(length)
    let whole = SHA256.hash(message, by: implementation)
    for first in 0...length {
      var beginning = SHA256(implementation: implementation)
      beginning.update(data: message[..<first])
      for second in first...length {
        var portions = beginning
        portions.update(data: message[first..<second])
        portions.update(data: message[second...])
        try #require(portions.finalize() == whole, "cut at \(first) and \(second)")
      }
    }
  }

  @Test(
    "A message that arrives byte by byte has the whole message's digest",
    arguments: SHA256.Implementation.available)
  func singleBytes(_ implementation: SHA256.Implementation) throws {
    let vector = try #require(try VectorTable(named: "cavp-sha256-long.txt").records.last)
    var portions = SHA256(implementation: implementation)
    for byte in try vector.hexadecimal("message") { portions.update(data: CollectionOfOne(byte)) }
    #expect(try Array(portions.finalize()) == vector.hexadecimal("digest"))
  }

  @Test(
    "A copy in mid-stream is a separate computation",
    arguments: SHA256.Implementation.available, [0, 1, 55, 64, 100])
  func copies(_ implementation: SHA256.Implementation, _ length: Int) {
    var generator = Xorshift64(seed: 0xC0FFEE)
    let (beginning, left, right) = (
      generator.bytes(length), generator.bytes(70), generator.bytes(9)
    )
    var original = SHA256(implementation: implementation)
    original.update(data: beginning)
    var copy = original
    original.update(data: left)
    copy.update(data: right)
    #expect(original.finalize() == SHA256.hash(beginning + left, by: implementation))
    #expect(copy.finalize() == SHA256.hash(beginning + right, by: implementation))
  }

  @Test(
    "Computing the digest changes nothing: it can be repeated, and the message continued",
    arguments: SHA256.Implementation.available)
  func finalizeTwice(_ implementation: SHA256.Implementation) {
    var generator = Xorshift64(seed: 0xC0FFEE)
    let message = generator.bytes(300)
    var computation = SHA256(implementation: implementation)
    for count in 0...300 {
      let digest = computation.finalize()
      #expect(digest == SHA256.hash(message[..<count], by: implementation))
      #expect(computation.finalize() == digest)
      if count < 300 { computation.update(data: message[count...count]) }
    }
  }

  @Test(
    "Empty portions change nothing, wherever they come",
    arguments: SHA256.Implementation.available, [0, 1, 63, 64, 65])
  func emptyPortions(_ implementation: SHA256.Implementation, _ length: Int) {
    var generator = Xorshift64(seed: 0xC0FFEE)
    let message = generator.bytes(length)
    var computation = SHA256(implementation: implementation)
    appendNothing(to: &computation)
    computation.update(data: message)
    appendNothing(to: &computation)
    #expect(computation.finalize() == SHA256.hash(message, by: implementation))
  }

  func appendNothing(to computation: inout SHA256) {
    computation.update(data: [UInt8]())
    computation.update(data: "".utf8)
    computation.update(data: EmptyCollection<UInt8>())
    // Safety: a buffer without a base address holds nothing that could be read.
    unsafe computation.update(bufferPointer: UnsafeRawBufferPointer(start: nil, count: 0))
    unsafe computation.update(data: UnsafeBufferPointer<UInt8>(start: nil, count: 0).span)
    let byte: [UInt8] = [1]
    unsafe byte.withUnsafeBytes { bytes in
      unsafe computation.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[..<0]))
    }
  }
}
