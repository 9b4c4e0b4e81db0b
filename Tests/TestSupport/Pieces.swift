// SPDX-License-Identifier: Apache-2.0
// A collection in pieces, whose bytes can't be passed at once.

/// A collection without contiguous storage, as a deque or a rope would be.
package struct Pieces: Collection {
  package let pieces: [[UInt8]]

  package init(_ bytes: [UInt8], each size: Int) {
    pieces = stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0...].prefix(size))
    }
  }

  package struct Index: Comparable {
    var piece: Int
    var offset: Int

    package static func < (left: Index, right: Index) -> Bool {
      (left.piece, left.offset) < (right.piece, right.offset)
    }
  }

  package var startIndex: Index { Index(piece: 0, offset: 0) }
  package var endIndex: Index { Index(piece: pieces.count, offset: 0) }

  package subscript(position: Index) -> UInt8 { pieces[position.piece][position.offset] }

  package func index(after index: Index) -> Index {
    index.offset + 1 < pieces[index.piece].count
      ? Index(piece: index.piece, offset: index.offset + 1)
      : Index(piece: index.piece + 1, offset: 0)
  }
}
