// SPDX-License-Identifier: Apache-2.0
// The bytes of an object that a file has, and those that are missing.

/// A set of bytes as sorted ranges, of which no two touch.
struct ByteRanges: Hashable, Sendable {
  private(set) var ranges: [Range<Int64>] = []

  /// The number of bytes.
  var byteCount: Int64 { ranges.reduce(0) { $0 + $1.byteCount } }

  /// Adds a range, which may overlap others.
  mutating func insert(_ range: Range<Int64>) {
    if range.isEmpty { return }
    var merged = range
    ranges.removeAll { other in
      let touches = other.lowerBound <= merged.upperBound && merged.lowerBound <= other.upperBound
      if touches {
        merged =
          min(merged.lowerBound, other.lowerBound)..<max(merged.upperBound, other.upperBound)
      }
      return touches
    }
    let index = ranges.firstIndex { $0.lowerBound > merged.lowerBound } ?? ranges.endIndex
    ranges.insert(merged, at: index)
  }

  /// The missing bytes of an object, as ranges of at most `partByteCount` bytes in order.
  func missing(of byteCount: Int64, partByteCount: Int) -> MissingRanges {
    MissingRanges(
      ranges: ranges, byteCount: byteCount, partByteCount: Int64(max(partByteCount, 1)))
  }
}

extension ByteRanges: Codable {
  init(from decoder: any Decoder) throws {
    for range in try [Range<Int64>](from: decoder) { insert(range) }
  }

  func encode(to encoder: any Encoder) throws { try ranges.encode(to: encoder) }
}

/// The missing ranges of an object, computed one at a time, because there may be millions.
struct MissingRanges: IteratorProtocol {
  private var ranges: ArraySlice<Range<Int64>>
  private let byteCount: Int64
  private let partByteCount: Int64
  private var position: Int64 = 0

  fileprivate init(ranges: [Range<Int64>], byteCount: Int64, partByteCount: Int64) {
    self.ranges = ranges[...]
    self.byteCount = byteCount
    self.partByteCount = partByteCount
  }

  mutating func next() -> Range<Int64>? {
    while let first = ranges.first, first.lowerBound <= position {
      position = max(position, first.upperBound)
      ranges.removeFirst()
    }
    if position >= byteCount { return nil }
    let end = min(ranges.first?.lowerBound ?? byteCount, byteCount)
    let range = position..<position + min(partByteCount, end - position)
    position = range.upperBound
    return range
  }
}
