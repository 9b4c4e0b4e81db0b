// SPDX-License-Identifier: Apache-2.0
// A program for arm64 that compares the kernels of its instructions with the portable ones.

import Checksums
import SecureHashing

@main
enum ArmDriver {
  static let longest = 1_100

  static func main() {
    print("current \(SHA256.Implementation.current.name)")
    for implementation in SHA256.Implementation.available {
      let name = implementation.name
      print("\(name) abc \(knownDigest(by: implementation))")
      print("\(name) messages \(messages(by: implementation))")
      print("\(name) keyed messages \(keyedMessages(by: implementation))")
      compare(implementation, with: .portable)
    }
    print("self-tests \(SHA256.selfTest()) \(HMAC<SHA256>.selfTest())")
    print("current \(CRCImplementation.current.name)")
    for implementation in CRCImplementation.available { check(implementation) }
  }

  /// The example of one block that NIST publishes beside FIPS 180-4.
  static func knownDigest(by implementation: SHA256.Implementation) -> Bool {
    let digest = SHA256(implementation: implementation).finalize(appending: "abc".utf8)
    let known: StaticString = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    return known.withUTF8Buffer { digest.hexString.utf8.elementsEqual($0) }
  }

  /// The record "messages" of accumulated-digests.txt, which hashlib computes.
  static func messages(by implementation: SHA256.Implementation) -> String {
    var generator = Xorshift64(seed: 0x9E37_79B9_7F4A_7C16)
    var accumulated = SHA256(implementation: implementation)
    for _ in 0..<100_000 {
      let message = generator.bytes(generator.size(upTo: 300))
      accumulated.update(
        data: SHA256(implementation: implementation).finalize(appending: message))
    }
    return accumulated.finalize().hexString
  }

  /// The record "keyed messages" of accumulated-digests.txt, which hmac of Python computes.
  static func keyedMessages(by implementation: SHA256.Implementation) -> String {
    var generator = Xorshift64(seed: 0x9E37_79B9_7F4A_7C17)
    var accumulated = SHA256(implementation: implementation)
    for _ in 0..<100_000 {
      let key = SymmetricKey(data: generator.bytes(generator.size(upTo: 200)))
      let message = generator.bytes(generator.size(upTo: 300))
      accumulated.update(
        data: HMAC(key: key, implementation: implementation).finalize(appending: message))
    }
    return accumulated.finalize().hexString
  }

  /// Every length, alone, as either half of a pair, in one batch, and beside forbidden pages.
  static func compare(_ one: SHA256.Implementation, with other: SHA256.Implementation) {
    var generator = Xorshift64(seed: 1)
    let messages = (0...longest).map { generator.bytes($0) }
    let expected = messages.map { SHA256(implementation: other).finalize(appending: $0) }
    let empty = SHA256(implementation: one)
    var failures = 0
    for length in 0...longest {
      let rest = longest - length
      if empty.finalize(appending: messages[length]) != expected[length] { failures += 1 }
      let pair = SHA256.finalizePair(
        empty, appending: messages[length], empty, appending: messages[rest])
      if pair.0 != expected[length] || pair.1 != expected[rest] { failures += 1 }
      let near = SHA256.finalizePair(
        empty, appending: messages[length][...], empty, appending: messages[length / 2])
      if near.0 != expected[length] || near.1 != expected[length / 2] { failures += 1 }
      if !offsetsAgree(messages[length], expected[length], empty) { failures += 1 }
    }
    if SHA256.hashBatch(messages, implementation: one) != expected { failures += 1 }
    print("\(one.name) compared: \(longest + 1) lengths, \(failures) failures")
  }

  /// The same bytes at every offset of 0 to 15 from either end of a page between forbidden ones,
  /// and as a pair with themselves.
  static func offsetsAgree(_ message: [UInt8], _ digest: SHA256.Digest, _ empty: SHA256) -> Bool {
    for offset in 0..<16 {
      let atStart = place(message, at: offset)
      if empty.finalize(appending: atStart) != digest { return false }
      let atEnd = place(message, at: 4_096 - offset - message.count)
      if empty.finalize(appending: atEnd) != digest { return false }
      let pair = SHA256.finalizePair(empty, appending: atEnd, empty, appending: atEnd)
      if pair != (digest, digest) { return false }
    }
    return true
  }

  /// The published check values, and every length at every offset of 0 to 15 from either end of the
  /// page, compared with the portable implementation.
  static func check(_ one: CRCImplementation) {
    var failures = 0
    var generator = Xorshift64(seed: 2)
    for length in 0...longest {
      let message = generator.bytes(length)
      let expected = checksums(of: message, by: .portable)
      for offset in 0..<16 {
        for place in [offset, 4_096 - offset - length] {
          if checksums(of: Self.place(message, at: place), by: one) != expected { failures += 1 }
        }
      }
    }
    // ISO 3309; RFC 3720, appendix B.4; NVM Command Set Specification, 5.2.1.3.4
    let values = checksums(of: "123456789".utf8, by: one)
    let (crc32, crc32c) = (values.0 == 0xcbf4_3926, values.1 == 0xe306_9283)
    print("\(one.name) check values \(crc32) \(crc32c) \(values.2 == 0xae8b_1486_0a79_9888)")
    print("\(one.name) compared: \(longest + 1) lengths, \(failures) failures")
  }

  static func checksums(
    of message: some Collection<UInt8>, by implementation: CRCImplementation
  ) -> (UInt32, UInt32, UInt64) {
    var crc32 = CRC32(implementation: implementation)
    var crc32c = CRC32C(implementation: implementation)
    var crc64nvme = CRC64NVME(implementation: implementation)
    crc32.update(data: message)
    crc32c.update(data: message)
    crc64nvme.update(data: message)
    return (crc32.finalize(), crc32c.finalize(), crc64nvme.finalize())
  }

  static func place(_ message: [UInt8], at offset: Int) -> UnsafeRawBufferPointer {
    for index in message.indices {
      page.storeBytes(of: message[index], toByteOffset: offset + index, as: UInt8.self)
    }
    return UnsafeRawBufferPointer(start: page + offset, count: message.count)
  }

  /// 4,096 bytes; the bytes before and after them may not be read.
  static var page: UnsafeMutableRawPointer { guardedPage() }
}

@_silgen_name("guarded_page")
func guardedPage() -> UnsafeMutableRawPointer
