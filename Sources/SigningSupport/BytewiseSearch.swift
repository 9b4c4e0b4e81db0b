// SPDX-License-Identifier: Apache-2.0
// Where some bytes stand in others: texts are searched by their bytes, not by Unicode's equivalence.

/// Looks for bytes in bytes.
package enum BytewiseSearch {
  /// Where words begin and end for the first time.
  package static func range(of words: String, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    range(ofBytes: Array(words.utf8), in: bytes)
  }

  /// Where a part begins and ends for the first time; an empty one is nowhere.
  package static func range(ofBytes part: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    guard let first = part.first, bytes.count >= part.count else { return nil }
    for start in bytes.startIndex...(bytes.endIndex &- part.count)
    where bytes[start] == first && bytes[start...].starts(with: part) {
      return start..<(start &+ part.count)
    }
    return nil
  }
}
