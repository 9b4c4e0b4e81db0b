// SPDX-License-Identifier: Apache-2.0
// Where the parts of an upload come from, and how far all of them are.

internal import Foundation
internal import SigningSupport

/// Gives a body in parts of one size.
protocol PartSource {
  /// The next part, which is smaller than asked for, or empty, at the end only.
  @concurrent mutating func next(_ byteCount: Int) async throws -> Data
}

/// The parts of a file.
struct FileParts: PartSource {
  var file: FileReader

  mutating func next(_ byteCount: Int) throws -> Data {
    // As a rule all of it, without a copy.
    var part = try file.next(atMost: byteCount) ?? Data()
    while part.count < byteCount, let portion = try file.next(atMost: byteCount - part.count) {
      part.append(portion)
    }
    return part
  }
}

/// The parts of pieces that come one after the other.
struct SequenceParts<Pieces: AsyncIteratorProtocol>: PartSource
where Pieces.Element: Collection<UInt8> {
  var pieces: Pieces
  private var rest = Data()

  init(pieces: Pieces) { self.pieces = pieces }

  @concurrent mutating func next(_ byteCount: Int) async throws -> Data {
    while rest.count < byteCount, let piece = try await pieces.next() {
      rest.append(contentsOf: piece)
    }
    let part = Data(rest.prefix(byteCount))
    rest = Data(rest.dropFirst(byteCount))
    return part
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
