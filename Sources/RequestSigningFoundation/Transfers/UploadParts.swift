// SPDX-License-Identifier: Apache-2.0
// The parts of an upload, and their progress.

internal import Foundation
internal import RequestSigning
internal import S3Signing

/// The bytes of a part, in memory or in a file.
enum PartBody: Sendable {
  case data(Data)
  case range(of: URL, Range<Int>)

  var byteCount: Int {
    switch self {
    case .data(let data): data.count
    case .range(_, let range): range.count
    }
  }

  var content: UploadBody.Content {
    switch self {
    case .data(let data): .data(data)
    case .range(let file, let range): .range(of: file, range)
    }
  }

  func checksum(_ algorithm: SigV4.Checksum.Algorithm) throws -> SigV4.Checksum {
    switch self {
    case .data(let data): SigV4.Checksum(algorithm, of: data)
    case .range(let file, let range): try SigV4.Checksum(algorithm, of: file, range)
    }
  }
}

/// A source that is split into parts of one size.
protocol PartSource {
  associatedtype Part: Sendable

  /// Returns the next part, or nil after the last one. Only the last part is smaller than
  /// requested.
  @concurrent mutating func next(_ byteCount: Int) async throws -> Part?
}

/// The parts of a file. They aren't in memory.
struct FileParts: PartSource {
  let file: URL
  let byteCount: Int
  private var position = 0

  init(file: URL, byteCount: Int) {
    self.file = file
    self.byteCount = byteCount
  }

  mutating func next(_ partByteCount: Int) throws -> PartBody? {
    let range = position..<position + min(partByteCount, byteCount - position)
    position = range.upperBound
    if position == byteCount, try FileReader.byteCount(of: file) != byteCount {
      throw try FileReader(file).changed
    }
    return range.isEmpty ? nil : .range(of: file, range)
  }
}

/// The parts of bytes in memory.
struct MemoryParts: PartSource {
  let data: Data
  private var position: Data.Index

  init(data: Data) {
    self.data = data
    position = data.startIndex
  }

  mutating func next(_ partByteCount: Int) -> PartBody? {
    let part = data[position...].prefix(partByteCount)
    position = part.endIndex
    return part.isEmpty ? nil : .data(part)
  }
}

/// The parts of an asynchronous sequence.
struct SequenceParts<Pieces: AsyncIteratorProtocol>: PartSource
where Pieces.Element: Collection<UInt8> {
  private var pieces: Pieces
  /// The rest of the last buffer.
  private var rest: Pieces.Element.SubSequence?
  private var isFinished = false

  init(pieces: Pieces) { self.pieces = pieces }

  @concurrent mutating func next(_ byteCount: Int) async throws -> PartBody? {
    if isFinished { return nil }
    var part = try PartMemory(byteCount: byteCount)
    while part.byteCount < byteCount {
      if rest == nil { rest = try await pieces.next()?[...] }
      guard let piece = rest else { break }
      let head = piece.prefix(byteCount - part.byteCount)
      part.append(head)
      rest = head.endIndex == piece.endIndex ? nil : piece[head.endIndex...]
    }
    isFinished = part.byteCount < byteCount
    return part.byteCount == 0 ? nil : .data(part.data())
  }
}

#if canImport(FoundationNetworking)
  /// The memory of a part, which is returned to the system when the part is released. (The malloc
  /// of glibc retains freed blocks of this size in each of its arenas: 160 MB for parts of 8 MiB.)
  @safe private struct PartMemory: ~Copyable {
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
  private struct PartMemory: ~Copyable {
    private var bytes = Data()

    var byteCount: Int { bytes.count }

    init(byteCount: Int) throws {}

    mutating func append(_ piece: some Collection<UInt8>) { bytes.append(contentsOf: piece) }

    consuming func data() -> Data { bytes }
  }
#endif

/// The progress of an upload, from the progress of its parts.
final class PartProgress: Sendable {
  private let total: Int64?
  private let meter: ProgressMeter?
  private let counts = Guarded<[Int: Int64]>([:])

  init(total: Int64?, _ report: (@Sendable (TransferProgress) -> Void)?) {
    self.total = total
    meter = report.map(ProgressMeter.init)
  }

  /// Updates the progress of a part. It never decreases, even if the part is retried.
  func advance(part: Int, to byteCount: Int64) {
    guard let meter else { return }
    let sum = counts.withLock { counts in
      counts[part] = max(counts[part] ?? 0, byteCount)
      return counts.values.reduce(0, +)
    }
    meter.advance(to: sum, of: total)
  }

  /// Reports that all parts are uploaded.
  func finish(at byteCount: Int? = nil) {
    let sum = counts.withLock { $0.values.reduce(0, +) }
    meter?.finish(at: byteCount.map(Int64.init) ?? sum)
  }
}
