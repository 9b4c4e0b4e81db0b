// SPDX-License-Identifier: Apache-2.0
// The memory of a part, which returns to the system when the part has been sent.

internal import Foundation

#if canImport(FoundationNetworking)
  /// The memory of a part, which is returned to the system when the part is released. (The malloc
  /// of glibc retains freed blocks of this size in each of its arenas: 160 MB for parts of 8 MiB.)
  @safe struct PartMemory: ~Copyable {
    private(set) var byteCount = 0
    private var bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) throws {
      let memory = unsafe mmap(
        nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      if unsafe memory == MAP_FAILED { throw POSIXError(.ENOMEM) }
      unsafe bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    }

    deinit { unsafe munmap(bytes.baseAddress, bytes.count) }

    /// Appends bytes. There must be space for them.
    mutating func append(_ piece: some Collection<UInt8>) {
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[byteCount...]).copyBytes(from: piece)
      byteCount += piece.count
    }

    /// Returns the bytes without a copy.
    consuming func data() -> Data {
      let (memory, capacity, byteCount) = unsafe (bytes.baseAddress, bytes.count, byteCount)
      discard self
      guard let start = unsafe memory else { return Data() }
      // Safety: the data owns the memory now, and unmaps it.
      return unsafe Data(
        bytesNoCopy: start, count: byteCount,
        deallocator: .custom { start, _ in unsafe munmap(start, capacity) })
    }
  }
#else
  /// The memory of a part.
  struct PartMemory: ~Copyable {
    private var bytes = Data()

    var byteCount: Int { bytes.count }

    init(byteCount: Int) throws {}

    mutating func append(_ piece: some Collection<UInt8>) { bytes.append(contentsOf: piece) }

    consuming func data() -> Data { bytes }
  }
#endif
