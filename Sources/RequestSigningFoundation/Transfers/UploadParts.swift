// SPDX-License-Identifier: Apache-2.0
// The parts of an upload, and their progress.

internal import Foundation
internal import RequestSigning

/// A source that is split into parts of one size.
protocol PartSource {
  associatedtype Part: Sendable

  /// Returns the next part, or nil after the last one. Only the last part is smaller than
  /// requested.
  @concurrent mutating func next(_ byteCount: Int) async throws -> Part?
}

/// The parts of bytes in memory, or of a file.
struct BodyParts: PartSource {
  private let body: Body
  private let byteCount: Int
  private var position = 0

  init(_ body: Body) {
    self.body = body
    byteCount = body.byteCount ?? 0
  }

  mutating func next(_ partByteCount: Int) throws -> Body? {
    let range = position..<position + min(partByteCount, byteCount - position)
    position = range.upperBound
    if position == byteCount { try body.checkFile() }
    return range.isEmpty ? nil : body.part(range)
  }
}

/// The parts of an asynchronous sequence.
struct SequenceParts<Pieces: AsyncIteratorProtocol>: PartSource
where Pieces.Element: Collection<UInt8> {
  private var pieces: Pieces
  /// The rest of the last buffer.
  private var rest: Pieces.Element.SubSequence?
  private var isFinished = false
  /// The size of the sequence that the caller knows, or nil.
  private let contentLength: Int64?
  private var position: Int64 = 0

  init(pieces: Pieces, contentLength: Int64?) {
    self.pieces = pieces
    self.contentLength = contentLength
  }

  @concurrent mutating func next(_ byteCount: Int) async throws -> Body? {
    if isFinished { return nil }
    var part = try PartMemory(byteCount: byteCount)
    while part.byteCount < byteCount {
      guard let piece = try await piece() else { break }
      let head = piece.prefix(byteCount - part.byteCount)
      part.append(head)
      rest = piece[head.endIndex...]
    }
    isFinished = part.byteCount < byteCount
    position += Int64(part.byteCount)
    if let contentLength { try await check(contentLength) }
    return part.byteCount == 0 ? nil : Body(part.data())
  }

  /// Returns the rest of the last buffer, or the next one that isn't empty. Returns nil at the end.
  @concurrent private mutating func piece() async throws -> Pieces.Element.SubSequence? {
    while rest?.isEmpty != false {
      guard let next = try await pieces.next() else { return nil }
      rest = next[...]
    }
    return rest
  }

  /// Throws if the sequence ends before its length, or continues after it.
  @concurrent private mutating func check(_ contentLength: Int64) async throws {
    var continues = false
    if position == contentLength && !isFinished { continues = try await piece() != nil }
    if position > contentLength || continues || isFinished && position < contentLength {
      throw TransferError(
        .invalidFile,
        "The sequence has \(continues ? "more than " : "")\(position) bytes, but its "
          + "contentLength is \(contentLength).",
        fix: "Pass the sequence's exact size, or nil.")
    }
  }
}

/// The progress of an upload, from the progress of its parts.
final class PartProgress: Sendable {
  private let total: Int64?
  private let meter: ProgressMeter?
  private let counts = Guarded<[Int: Int64]>([:])

  init(total: Int64?, _ report: (@Sendable (TransferProgress) -> Void)?) {
    self.total = total
    meter = report.map(ProgressMeter.init)
  }

  /// Updates the progress of a part.
  func advance(part: Int, to byteCount: Int64) { advance([part: byteCount]) }

  /// Updates the progress of parts, by number. It never decreases, even if a part is retried.
  func advance(_ byteCounts: [Int: Int64]) {
    guard let meter else { return }
    let sum = counts.withLock { counts in
      counts.merge(byteCounts) { max($0, $1) }
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
