// SPDX-License-Identifier: Apache-2.0
// Collections and a hash function that watch how bytes are handed over.

internal import SecureHashing

/// A collection without contiguous storage and with a wrong `count`.
struct Miscounted: Collection {
  let bytes: [UInt8]
  let count: Int

  var startIndex: Int { 0 }
  var endIndex: Int { bytes.count }
  subscript(position: Int) -> UInt8 { bytes[position] }
  func index(after index: Int) -> Int { index + 1 }
}

/// A collection with contiguous storage that counts accesses of single elements.
final class WatchedBytes: Collection {
  let bytes: [UInt8]
  var accessCount = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var startIndex: Int { 0 }
  var endIndex: Int { bytes.count }

  subscript(position: Int) -> UInt8 {
    accessCount += 1
    return bytes[position]
  }

  func index(after index: Int) -> Int { index + 1 }

  func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    try unsafe bytes.withContiguousStorageIfAvailable(body)
  }
}

/// A "hash function" whose digest shows the sources and sizes of the message's portions.
struct PortionRecorder: HashFunction {
  struct Digest: HashDigest {
    static var byteCount: Int { 1 }
    var address: UInt = 0
    var largestPortion = 0
    var byteCount = 0

    subscript(position: Int) -> UInt8 { UInt8(truncatingIfNeeded: byteCount) }

    func withUnsafeBytes<Result, Failure: Error>(
      _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result { try unsafe Swift.withUnsafeBytes(of: self[0], body) }
  }

  static var blockByteCount: Int { 1 }
  var digest = Digest()

  mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    // The address is only compared.
    digest.address = UInt(bitPattern: bufferPointer.baseAddress)
    digest.largestPortion = max(digest.largestPortion, bufferPointer.count)
    digest.byteCount += bufferPointer.count
  }

  func finalize() -> Digest { digest }
}

/// A collection that has contiguous storage, or has none: a list may hold both.
struct MaybeContiguous: Collection {
  let bytes: [UInt8]
  let isContiguous: Bool

  init(_ bytes: [UInt8], _ isContiguous: Bool) {
    self.bytes = bytes
    self.isContiguous = isContiguous
  }

  var startIndex: Int { 0 }
  var endIndex: Int { bytes.count }
  subscript(position: Int) -> UInt8 { bytes[position] }
  func index(after index: Int) -> Int { index + 1 }

  func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    isContiguous ? try unsafe bytes.withContiguousStorageIfAvailable(body) : nil
  }
}
