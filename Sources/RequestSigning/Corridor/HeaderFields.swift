// SPDX-License-Identifier: Apache-2.0
// Header fields on their way to canonical form: names lowered, values folded, then sorted.

nonisolated extension SigV4 {
  /// Header fields in one piece of memory, each as `name:value`, and small records to sort.
  struct HeaderFields {
    /// Where a field stands, and the first eight bytes of its name as a number.
    struct Record: BitwiseCopyable {
      let key: UInt64
      let start: Int
      let nameEnd: Int
      let end: Int

      var name: Range<Int> { start..<nameEnd }
    }

    private(set) var bytes: [UInt8] = []
    private(set) var records: [Record] = []

    /// Adds a field: its name in lowercase, its value with folded whitespace.
    mutating func append(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
      let start = bytes.count
      var key: UInt64 = 0
      for byte in name {
        let lowered = ASCII.lowercased(byte)
        bytes.append(lowered)
        let position = UInt64(truncatingIfNeeded: bytes.count &- start)
        if position <= 8 { key |= UInt64(lowered) &<< (64 &- 8 &* position) }
      }
      let nameEnd = bytes.count
      bytes.append(ASCII.colon)
      Self.appendFolded(value, to: &bytes)
      records.append(Record(key: key, start: start, nameEnd: nameEnd, end: bytes.count))
    }

    /// The lines in the order of the names; the values of one name stay in order and become one.
    func joined() -> (bytes: [UInt8], lines: [CanonicalHeaders.Line]) {
      var joined: [UInt8] = []
      var lines: [CanonicalHeaders.Line] = []
      joined.reserveCapacity(bytes.count &+ records.count)
      for record in sorted() {
        var (start, nameEnd) = (joined.count, joined.count &+ record.name.count)
        if let last = lines.last, joined[last.name].elementsEqual(bytes[record.name]) {
          (start, nameEnd) = (last.start, last.nameEnd)
          lines.removeLast()
          joined[joined.endIndex &- 1] = ASCII.comma  // in place of the line end
          joined.append(contentsOf: bytes[record.nameEnd &+ 1..<record.end])
        } else {
          joined.append(contentsOf: bytes[record.start..<record.end])
        }
        joined.append(ASCII.newline)
        lines.append(CanonicalHeaders.Line(start: start, nameEnd: nameEnd, end: joined.count))
      }
      return (joined, lines)
    }

    /// The records by name; those of one name stay in order.
    func sorted() -> [Record] {
      // Safety: the ranges of the records are ranges of the bytes.
      unsafe bytes.withUnsafeBytes { bytes in
        records.sorted { left, right in
          if left.key != right.key { return left.key < right.key }
          let order = unsafe ByteOrder.compare(bytes.part(left.name), bytes.part(right.name))
          return order == 0 ? left.start < right.start : order < 0
        }
      }
    }

    /// SigV4, step 1, Trimall: no whitespace at the ends, one space for each run inside.
    static func appendFolded(_ value: some Collection<UInt8>, to bytes: inout [UInt8]) {
      let start = bytes.count
      var isInSpace = false
      for byte in value {
        if ASCII.isWhitespace(byte) {
          isInSpace = bytes.count > start
        } else {
          if isInSpace { bytes.append(ASCII.space) }
          isInSpace = false
          bytes.append(byte)
        }
      }
    }
  }
}
