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

    /// The names of the lines, each with a semicolon after it.
    let names: [UInt8]

    /// Whether there is a header such as a signature makes itself: `authorization` or `x-...`.
    private let hasNamesOfSignatures: Bool

    /// Takes the headers of a request, Host among them.
    package init(_ fields: HeaderFields) {
      let (bytes, lines) = fields.joined()
      self.bytes = bytes
      self.lines = lines
      names = Self.names(of: lines, bytes)
      hasNamesOfSignatures = lines.contains { line in
        bytes[line.name].first == 0x78 || bytes[line.name].spells("authorization")
      }
    }

    /// Some lines of other headers, in their order.
    package init(_ lines: [FieldRange], of headers: CanonicalHeaders) {
      bytes = headers.bytes
      self.lines = lines
      names = Self.names(of: lines, bytes)
      hasNamesOfSignatures = headers.hasNamesOfSignatures
    }

    private static func names(of lines: [FieldRange], _ bytes: [UInt8]) -> [UInt8] {
      var names: [UInt8] = []
      names.reserve(lines.reduce(0) { $0 + $1.name.count + 1 })
      for line in lines {
        names.append(contentsOf: bytes[line.name])
        names.append(byte: ASCIIByte.semicolon)
      }
      return names
    }

    /// The line of `authorization` or of an `x-amz-` header, which is given in lowercase.
    func line(ofSignature name: StaticString) -> FieldRange? {
      hasNamesOfSignatures ? line(named: name) : nil
    }

    /// The line of a name, which is given in lowercase.
    package func line(named name: StaticString) -> FieldRange? {
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

extension SigV4 {
  /// Lines of a request's headers that stand one after the other and are all signed.
  struct HeaderRun {
    private(set) var lines = 0..<0
    private(set) var names = 0..<0

    init() {}

    init(after run: HeaderRun) {
      lines = run.lines.upperBound..<run.lines.upperBound
      names = run.names.upperBound..<run.names.upperBound
    }

    /// Takes the line after the run into it. A line ends with its line feed, a name with a semicolon.
    mutating func extend(_ line: FieldRange) {
      if lines.isEmpty { lines = line.start..<line.start }
      lines = lines.lowerBound..<line.end + 1
      names = names.lowerBound..<names.upperBound + line.name.count + 1
    }

    /// Leaves a line out, before the run begins.
    mutating func skip(_ line: FieldRange) {
      let end = names.upperBound + line.name.count + 1
      names = end..<end
    }
  }
}
