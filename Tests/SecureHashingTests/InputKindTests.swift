// SPDX-License-Identifier: Apache-2.0
// The functions that hash bytes: every kind of input has the same digest.

internal import Dispatch
internal import Foundation
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Kinds of input")
struct InputKindTests {
  /// Around the buffer of 256 bytes for scattered collections.
  static let lengths = [0, 1, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1_000]

  @Test("Every collection of the same bytes has the same digest", arguments: lengths)
  func collections(_ length: Int) {
    let (bytes, around) = Self.message(length)
    let digest = SHA256.hash(data: bytes)
    expect(digest, of: around[5..<5 + length])
    expect(digest, of: ContiguousArray(bytes))
    expect(digest, of: Data(bytes))
    expect(digest, of: Data(around)[5..<5 + length])
    expect(digest, of: bytes.lazy.map { $0 })
    expect(digest, of: Array(bytes.reversed()).reversed() as ReversedCollection)
    expect(digest, of: Pieces(bytes, each: 7))
    expect(digest, of: Pieces(bytes, each: 300))
    expect(digest, of: AnyCollection(bytes))
    var scattered = DispatchData.empty
    for piece in Pieces(bytes, each: 50).pieces {
      // Safety: the bytes are copied in the call.
      unsafe piece.withUnsafeBytes { unsafe scattered.append($0) }
    }
    expect(digest, of: scattered)
  }

  @Test("A string has the digest of its UTF-8 bytes", arguments: lengths)
  func text(_ length: Int) {
    let bytes = Self.message(length).bytes.map { $0 & 0x7F }
    let digest = SHA256.hash(data: bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    expect(digest, of: text.utf8)
    expect(digest, of: ("->" + text + "<-").dropFirst(2).dropLast(2).utf8)
    #expect(SHA256.hash(data: "é".utf8) == SHA256.hash(data: [0xC3, 0xA9] as [UInt8]))
  }

  @Test("Pointers and spans of the same bytes have the same digest", arguments: lengths)
  func pointers(_ length: Int) {
    let (bytes, around) = Self.message(length)
    let digest = SHA256.hash(data: bytes)
    // Safety: the buffers end before the array does.
    unsafe around.withUnsafeBufferPointer { around in
      let buffer = unsafe UnsafeBufferPointer(rebasing: around[5..<5 + length])
      unsafe expect(digest, of: buffer)
      unsafe expect(digest, of: UnsafeRawBufferPointer(buffer))
      unsafe #expect(SHA256.hash(bufferPointer: UnsafeRawBufferPointer(buffer)) == digest)
      unsafe #expect(SHA256.hash(data: buffer.span) == digest)
      var computation = SHA256()
      unsafe computation.update(data: buffer.span)
      #expect(computation.finalize() == digest)
      let key = HMAC<SHA256>.PreparedKey(SymmetricKey(data: bytes))
      unsafe #expect(
        HMAC<SHA256>.authenticationCode(for: buffer.span, using: key)
          == HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    }
  }

  @Test("Contiguous collections reach the hash function at their own address, in one portion")
  func contiguousIsNotCopied() {
    let bytes = Self.message(1_000).bytes
    expectOnePortion(of: bytes)
    expectOnePortion(of: bytes[100..<900])
    expectOnePortion(of: ContiguousArray(bytes))
    expectOnePortion(of: Data(bytes))
    expectOnePortion(of: Data(bytes)[100..<900])
    expectOnePortion(of: String(repeating: "contiguous text ", count: 20).utf8)
  }

  @Test("A collection with contiguous storage is never read element by element")
  func contiguousIsNotIterated() {
    let bytes = Self.message(1_000).bytes
    let watched = WatchedBytes(bytes)
    #expect(SHA256.hash(data: watched) == SHA256.hash(data: bytes))
    let key = SymmetricKey(data: [1, 2, 3] as [UInt8])
    #expect(
      HMAC<SHA256>.authenticationCode(for: watched, using: key)
        == HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    #expect(watched.accessCount == 0)
    // A plain iteration, to show that allocations are counted.
    #expect(watched.reduce(0) { $0 + Int($1) } > 0)
    #expect(watched.accessCount == bytes.count)
  }

  @Test("Scattered collections pass in portions of at most 256 bytes", arguments: lengths)
  func scatteredPortions(_ length: Int) {
    let digest = PortionRecorder.hash(data: Pieces(Self.message(length).bytes, each: 7))
    #expect(digest.byteCount == length)
    #expect(digest.largestPortion <= 256)
  }

  func expect(
    _ digest: SHA256.Digest, of data: some Collection<UInt8>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(SHA256.hash(data: data) == digest, sourceLocation: sourceLocation)
    var computation = SHA256()
    computation.update(data: data)
    #expect(computation.finalize() == digest, sourceLocation: sourceLocation)
  }

  func expectOnePortion(
    of data: some Collection<UInt8>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    // The address is only compared.
    let address = data.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) }
    let digest = PortionRecorder.hash(data: data)
    #expect(digest.address == address, sourceLocation: sourceLocation)
    #expect(digest.largestPortion == data.count, sourceLocation: sourceLocation)
  }

  /// Generated bytes, and the same bytes between five others on either side.
  static func message(_ length: Int) -> (bytes: [UInt8], around: [UInt8]) {
    var generator = Xorshift64(seed: 0x0DD_B17E5)
    let around = generator.bytes(length + 10)
    return (Array(around[5..<5 + length]), around)
  }
}
