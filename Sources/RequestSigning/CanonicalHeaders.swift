// SPDX-License-Identifier: Apache-2.0
// Header fields on their way to canonical form: names lowered, values folded, then sorted.

internal import SecureHashing
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
      bytes.append(byte: ASCIIByte.colon)
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
      joined.reserve(bytes.count &+ fields.count)
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
        joined.append(byte: ASCIIByte.newline)
      }
      return (joined, lines)
    }
  }
}

extension SigV4 {
  /// SigV4, step 1: CanonicalHeaders, of all headers of a request: a line `name:value` for each
  /// name. A request has its headers in this form from the beginning.
  package final class CanonicalHeaders: Sendable {
    package let bytes: [UInt8]

    /// Where the lines stand; after each there is a line end.
    package let lines: [FieldRange]

    /// A set of bits, one for the length of each name: it rules out most absent names without a search.
    private let nameLengths: UInt64

    /// Takes the headers of a request, Host among them.
    package init(_ fields: HeaderFields) {
      let (bytes, lines) = fields.joined()
      self.bytes = bytes
      self.lines = lines
      nameLengths = Self.nameLengths(of: lines)
    }

    /// Some lines of other headers, in their order.
    package init(_ lines: [FieldRange], of headers: CanonicalHeaders) {
      bytes = headers.bytes
      self.lines = lines
      nameLengths = Self.nameLengths(of: lines)
    }

    private static func nameLengths(of lines: [FieldRange]) -> UInt64 {
      lines.reduce(0) { $0 | 1 &<< UInt64(truncatingIfNeeded: $1.name.count) }
    }

    /// The line of a name, which is given in lowercase.
    package func line(named name: StaticString) -> FieldRange? {
      let length = UInt64(truncatingIfNeeded: name.utf8CodeUnitCount)
      if nameLengths & 1 &<< length == 0 { return nil }
      // Safety: the ranges of the lines are ranges of the bytes.
      return unsafe bytes.withUnsafeBytes { bytes in
        let name = unsafe name.bytesInUTF8
        var (low, high) = (0, lines.count)
        while low < high {
          let middle = (low &+ high) / 2
          let order = unsafe BytewiseOrder.compare(bytes.part(lines[middle].name), name)
          if order == 0 { return lines[middle] }
          if order < 0 { low = middle &+ 1 } else { high = middle }
        }
        return nil
      }
    }
  }
}

extension SigV4.CanonicalHeaders: Redacted {
  /// The number of lines. A value may be secret.
  public var description: String { "CanonicalHeaders(\(lines.count))" }
}

extension SigV4.CanonicalHeaders {
  /// SigV4, step 1: CanonicalHeaders and SignedHeaders, of these headers but for those that stay
  /// unsigned, and of those that signing adds, in the order of their names. After each name stands a
  /// semicolon.
  func append(
    with added: SigV4.FieldList, leavingOut unsigned: SigV4.UnsignedHeaders,
    to signedLines: inout OutputSpan<UInt8>, _ signedNames: inout OutputSpan<UInt8>
  ) {
    var next = 0
    // Safety: the fields are ranges of the bytes, which live as long as the closures run.
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe added.bytes.withUnsafeBytes { addedBytes in
        for line in lines {
          let name = unsafe bytes.part(line.name)
          if unsafe unsigned.contains(name) { continue }
          while next < added.fields.count,
            unsafe BytewiseOrder.precedes(addedBytes.part(added.fields[next].name), name)
          {
            unsafe added.fields[next].append(of: addedBytes, to: &signedLines, &signedNames)
            next += 1
          }
          unsafe line.append(of: bytes, to: &signedLines, &signedNames)
        }
        while next < added.fields.count {
          unsafe added.fields[next].append(of: addedBytes, to: &signedLines, &signedNames)
          next += 1
        }
      }
    }
  }
}

extension SigV4.FieldRange {
  /// Appends a line, after which stands its line feed, and its name with a semicolon.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  fileprivate func append(
    of bytes: UnsafeRawBufferPointer, to lines: inout OutputSpan<UInt8>,
    _ names: inout OutputSpan<UInt8>
  ) {
    // Safety: the caller hands over the bytes that the range belongs to.
    unsafe lines.append(bytes: bytes.part(start..<end + 1))
    unsafe names.append(bytes: bytes.part(name))
    names.append(byte: ASCIIByte.semicolon)
  }
}
