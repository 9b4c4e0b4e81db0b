// SPDX-License-Identifier: Apache-2.0
// Where the parts of an upload come from, and how far all of them are.

internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningSupport

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

/// Gives a body in parts of one size.
protocol PartSource {
  /// The next part, which is smaller than asked for, or empty, at the end only.
  @concurrent mutating func next(_ byteCount: Int) async throws -> PartBody
}

/// The parts of a file, none of which is in memory.
struct FileParts: PartSource {
  let file: URL
  let byteCount: Int
  private var position = 0

  init(file: URL, byteCount: Int) {
    self.file = file
    self.byteCount = byteCount
  }

  mutating func next(_ partByteCount: Int) throws -> PartBody {
    let range = position..<min(position + partByteCount, byteCount)
    position = range.upperBound
    if position == byteCount, try FileReader.byteCount(of: file) != byteCount {
      throw try FileReader(file).changed
    }
    return .range(of: file, range)
  }
}

/// The parts of pieces that come one after the other.
struct SequenceParts<Pieces: AsyncIteratorProtocol>: PartSource
where Pieces.Element: Collection<UInt8> {
  private var pieces: Pieces
  /// What is left of the last piece.
  private var rest: Pieces.Element.SubSequence?

  init(pieces: Pieces) { self.pieces = pieces }

  @concurrent mutating func next(_ byteCount: Int) async throws -> PartBody {
    var part = Data()
    while part.count < byteCount {
      if rest == nil { rest = try await pieces.next()?[...] }
      guard let piece = rest else { break }
      let head = piece.prefix(byteCount - part.count)
      part.append(contentsOf: head)
      rest = head.endIndex == piece.endIndex ? nil : piece[head.endIndex...]
    }
    return .data(part)
  }
}

/// How far an upload is, from how far its parts are.
final class PartProgress: Sendable {
  private let total: Int64?
  private let meter: ProgressMeter?
  private let counts = Guarded<[Int: Int64]>([:])

  init(total: Int64?, _ report: (@Sendable (TransferProgress) -> Void)?) {
    self.total = total
    meter = report.map(ProgressMeter.init)
  }

  /// Notes how far a part is, which may be sent twice.
  func advance(part: Int, to byteCount: Int64) {
    guard let meter else { return }
    let sum = counts.withLock { counts in
      counts[part] = max(counts[part] ?? 0, byteCount)
      return counts.values.reduce(0, +)
    }
    meter.advance(to: sum, of: total)
  }

  /// All parts have arrived.
  func finish(at byteCount: Int? = nil) {
    let sum = counts.withLock { $0.values.reduce(0, +) }
    meter?.finish(at: byteCount.map(Int64.init) ?? sum)
  }
}
