// SPDX-License-Identifier: Apache-2.0
// Header fields on their way to canonical form: names lowered, values folded, then sorted.

internal import SigningSupport

extension SigV4 {
  /// Header fields in one piece of memory, each as `name:value`, in the order in which they came.
  package struct HeaderFields {
    package private(set) var bytes: [UInt8] = []
    package private(set) var fields: [FieldRange] = []

    package init() {}

    /// Adds a field: its name in lowercase, its value with folded whitespace.
    package mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
      let start = bytes.count
      // Safety: both are read only.
      unsafe bytes.append(contentsOf: name)
      let nameEnd = bytes.count
      for index in start..<nameEnd { bytes[index] = ASCIIByte.lowercased(bytes[index]) }
      bytes.append(ASCIIByte.colon)
      unsafe appendFolded(value)
      fields.append(FieldRange(start: start, nameEnd: nameEnd, end: bytes.count))
    }

    /// Adds the Host header.
    package mutating func appendHost(_ host: [UInt8]) {
      let name: StaticString = "host"
      // Safety: the bytes are copied before the closure ends.
      unsafe host.withUnsafeBytes { unsafe append(name.bytesInUTF8, $0) }
    }

    /// SigV4, step 1, Trimall: no whitespace at the ends, one space for each run inside.
    private mutating func appendFolded(_ value: UnsafeRawBufferPointer) {
      var (first, last) = (0, value.count)
      // Safety: only positions of the value are read.
      while first < last, unsafe ASCIIByte.isWhitespace(value[first]) { first &+= 1 }
      while first < last, unsafe ASCIIByte.isWhitespace(value[last &- 1]) { last &-= 1 }
      var end = bytes.count
      unsafe bytes.append(contentsOf: value.part(first..<last))
      for index in end..<bytes.count {
        let byte = ASCIIByte.isWhitespace(bytes[index]) ? ASCIIByte.space : bytes[index]
        // Before the value stands ':'.
        if byte == ASCIIByte.space && bytes[end &- 1] == ASCIIByte.space { continue }
        bytes[end] = byte
        end &+= 1
      }
      while bytes.count > end { bytes.removeLast() }
    }

    /// The fields in the order of the names, each with a line end after it; the values of one name
    /// stay in order and become one.
    func joined() -> (bytes: [UInt8], fields: [FieldRange]) {
      var joined: [UInt8] = []
      var lines: [FieldRange] = []
      joined.reserveCapacity(bytes.count &+ fields.count)
      var sorted = fields
      sorted.sort(by: .nameThenPlace, in: bytes)
      for field in sorted {
        var (start, nameEnd) = (joined.count, joined.count &+ field.name.count)
        if let last = lines.last, joined[last.name] == bytes[field.name] {
          (start, nameEnd) = (last.start, last.nameEnd)
          lines.removeLast()
          joined[joined.endIndex &- 1] = ASCIIByte.comma  // in place of the line end
          joined.append(contentsOf: bytes[field.value])
        } else {
          joined.append(contentsOf: bytes[field.whole])
        }
        lines.append(FieldRange(start: start, nameEnd: nameEnd, end: joined.count))
        joined.append(ASCIIByte.newline)
      }
      return (joined, lines)
    }
  }
}
