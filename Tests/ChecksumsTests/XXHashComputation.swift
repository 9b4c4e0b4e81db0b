// SPDX-License-Identifier: Apache-2.0
// XXH64 and XXH3 by each implementation, as the tests use them, and the messages of xxhash-checksums.txt.

@testable internal import Checksums
internal import SecureHashing
internal import TestSupport
internal import Testing

/// A checksum of the xxHash family and the way to compute it. Digests are in hexadecimal digits.
struct XXHashComputation: Sendable, CustomTestStringConvertible {
  /// The name in the table.
  let name: String
  let implementation: XXHash3Implementation?

  var testDescription: String { name + (implementation.map { ", \($0)" } ?? "") }

  static var all: [Self] {
    [Self(name: "xxh64", implementation: nil)]
      + XXHash3Implementation.available.flatMap { implementation in
        ["xxh3", "xxh128"].map { Self(name: $0, implementation: implementation) }
      }
  }

  /// The digest of a whole message by the function for whole ones.
  func whole(_ bytes: UnsafeRawBufferPointer) -> String {
    // Safety: the caller's pointer.
    switch (name, implementation) {
    case ("xxh3", let implementation?):
      return hexadecimal(
        XXHash3Checksum.self,
        unsafe XXHash3Checksum.checksum(bufferPointer: bytes, implementation: implementation))
    case ("xxh128", let implementation?):
      return hexadecimal(
        XXHash128Checksum.self,
        unsafe XXHash128Checksum.checksum(bufferPointer: bytes, implementation: implementation))
    default:
      return hexadecimal(
        XXHash64Checksum.self, unsafe XXHash64Checksum.checksum(bufferPointer: bytes))
    }
  }

  func digest(of message: ArraySlice<UInt8>) -> String {
    unsafe message.withUnsafeBytes { unsafe whole($0) }
  }

  func digest(of message: [UInt8], portion: Int? = nil) -> String {
    guard let portion else { return digest(of: message[...]) }
    return unsafe message.withUnsafeBytes { bytes in
      unsafe digest(of: bytes, portions: Array(repeating: portion, count: bytes.count))
    }
  }

  /// The digest of a message in random portions up to this size.
  func digest(
    of message: ArraySlice<UInt8>, inPortionsUpTo largest: UInt64, _ generator: inout Xorshift64
  ) -> String {
    var portions: [Int] = []
    var count = 0
    while count < message.count {
      let portion = generator.size(upTo: largest)
      portions.append(portion)
      count += portion
    }
    return unsafe message.withUnsafeBytes { unsafe digest(of: $0, portions: portions) }
  }

  /// The digest of a message in portions. The last one may be shortened.
  ///
  /// `reading` reads the digest after each portion, and continues with a copy.
  func digest(of bytes: UnsafeRawBufferPointer, portions: [Int], reading: Bool = false) -> String {
    // Safety: the caller's pointer.
    switch (name, implementation) {
    case ("xxh3", let implementation?):
      unsafe digest(of: bytes, portions, XXHash3Checksum(implementation: implementation), reading)
    case ("xxh128", let implementation?):
      unsafe digest(of: bytes, portions, XXHash128Checksum(implementation: implementation), reading)
    default: unsafe digest(of: bytes, portions, XXHash64Checksum(), reading)
    }
  }

  private func digest<Check: ChecksumFunction>(
    of bytes: UnsafeRawBufferPointer, _ portions: [Int], _ empty: Check, _ reading: Bool
  ) -> String {
    var check = empty
    var position = 0
    for portion in portions {
      let end = min(position + portion, bytes.count)
      // Safety: the portion lies in the message.
      unsafe check.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[position..<end]))
      position = end
      if reading {
        let (copy, sum) = (check, check.finalize())
        check.update(data: [1, 2, 3])
        check = copy
        #expect(check.finalize() == sum)
      }
    }
    return hexadecimal(Check.self, check.finalize())
  }

  private func hexadecimal<Check: ChecksumFunction>(
    _ check: Check.Type, _ checksum: Check.Checksum
  ) -> String {
    Hexadecimal.encode(Check.bigEndianBytes(of: checksum))
  }
}

/// Prefixes of a generated message, with the results of the package xxhash.
struct XXHashLadder {
  let whole: [UInt8]

  /// Of 0 to 300 bytes.
  let digests: [String]

  /// The SHA-256 digest of the digests of 0 to 3,000 bytes.
  let accumulated: String

  let large: [(Int, String)]

  init(_ name: String) throws {
    let vector = try VectorTable(named: "xxhash-checksums.txt").record(
      named: "\(name), every length")
    digests = try vector.texts("digest")
    accumulated = try vector.text("sha256 of the digests of 0 to 3000 bytes")
    let lengths = try vector.texts("large").map { try #require(Int($0)) }
    large = try Array(zip(lengths, vector.texts("large digest")))
    var generator = try Xorshift64(seed: vector.seed)
    whole = generator.bytes(lengths.last ?? 0)
  }
}
