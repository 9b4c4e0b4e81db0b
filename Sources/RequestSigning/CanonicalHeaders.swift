// SPDX-License-Identifier: Apache-2.0
// Header fields on their way to canonical form: names lowered, values folded, then sorted.

internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Header fields in one piece of memory, each as `name:value` with a line end after it, in the order
  /// in which they came. Other text may stand before them.
  package struct HeaderFields {
    package private(set) var bytes: [UInt8] = []
    package private(set) var fields: [FieldRange] = []

    #if hasFeature(Embedded)  // where size counts
      package var isUnusual: Bool { true }
    #else
      /// Whether a name is empty or has characters other than letters, digits and '-', or a value did not
      /// come in canonical form. Only then are names and values checked one by one.
      package private(set) var isUnusual = false
    #endif

    package init() {}

    /// No fields yet, behind another text, and memory for so many of them; mostly enough.
    init(behind text: String, fieldCount: Int) {
      #if hasFeature(Embedded)  // where size counts
        bytes = text.bytesInUTF8
      #else
        reserve(fieldCount: fieldCount, byteCount: text.utf8.count + 64 * fieldCount)
        // Safety: the bytes are copied.
        unsafe text.withBytesInUTF8 { text in
          bytes.append(upTo: text.count) { unsafe $0.append(bytes: text) }
        }
      #endif
    }

    /// Adds a field: its name in lowercase, its value with folded whitespace.
    package mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
      let start = bytes.count
      #if hasFeature(Embedded)  // where size counts
        bytes.append(upTo: name.count + value.count + 2) { text in
          for byte in name { text.append(byte: ASCIIByte.lowercased(byte)) }
          text.append(byte: ASCIIByte.colon)
          unsafe text.append(folding: value)
          text.append(byte: ASCIIByte.newline)
        }
      #else
        let isCanonical = unsafe EightBytes.isCanonical(value)
        bytes.append(upTo: name.count + value.count + 2) { text in
          let isPlain = unsafe text.append(lowercasing: name)
          isUnusual = isUnusual || !isPlain || !isCanonical
          text.append(byte: ASCIIByte.colon)
          if isCanonical {
            unsafe text.append(bytes: value)
          } else {
            unsafe text.append(folding: value)
          }
          text.append(byte: ASCIIByte.newline)
        }
      #endif
      let nameEnd = start + name.count
      fields.append(FieldRange(start: start, nameEnd: nameEnd, end: bytes.count - 1))
    }

    /// Adds a field: its name in lowercase, its value with folded whitespace.
    package mutating func append(_ name: [UInt8], _ value: [UInt8]) {
      // Safety: both are copied before the closures end.
      unsafe name.withUnsafeBytes { name in
        unsafe value.withUnsafeBytes { value in unsafe append(name, value) }
      }
    }

    /// Adds the Host header.
    package mutating func appendHost(_ host: [UInt8]) {
      // Safety: the bytes are copied before the closure ends.
      unsafe host.withUnsafeBytes { unsafe appendHost($0) }
    }

    mutating func appendHost(_ host: UnsafeRawBufferPointer) {
      let name: StaticString = "host"
      // Safety: the bytes are copied.
      unsafe append(name.bytesInUTF8, host)
    }

    /// Makes memory ready for so many fields, with their names and values.
    package mutating func reserve(fieldCount: Int, byteCount: Int) {
      fields.reserveCapacity(fieldCount)
      bytes.reserve(byteCount + 2 * fieldCount)
    }

    /// Puts the fields in the order of their names. The values of one name stay in order and become one.
    fileprivate mutating func sort() {
      fields.sort(by: .nameThenPlace, in: bytes)
      let isRepeated = fields.indices.dropFirst().contains { isNamed($0, asAt: $0 - 1) }
      if isRepeated { join() }
    }

    private func isNamed(_ index: Int, asAt other: Int) -> Bool {
      let (name, otherName) = (fields[index].name, fields[other].name)
      return name.count == otherName.count && bytes[name] == bytes[otherName]
    }

    /// Makes one field of those with the same name, which stand side by side.
    private mutating func join() {
      var joined = HeaderFields()
      for (index, field) in fields.enumerated() {
        let isRepeated = index > 0 && isNamed(index, asAt: index - 1)
        if isRepeated, let last = joined.fields.popLast() {
          joined.bytes[last.end] = ASCIIByte.comma  // in place of the line end
          joined.bytes.append(contentsOf: bytes[field.value])
          joined.fields.append(
            FieldRange(start: last.start, nameEnd: last.nameEnd, end: joined.bytes.count))
        } else {
          let start = joined.bytes.count
          joined.bytes.append(contentsOf: bytes[field.whole])
          joined.fields.append(
            FieldRange(
              start: start, nameEnd: start + field.name.count, end: joined.bytes.count))
        }
        joined.bytes.append(byte: ASCIIByte.newline)
      }
      self = joined
    }
  }
}

extension OutputSpan<UInt8> {
  #if !hasFeature(Embedded)
    /// SigV4, step 1: the name of a header in lowercase. Returns whether it has nothing but letters, digits
    /// and '-'.
    fileprivate mutating func append(lowercasing name: UnsafeRawBufferPointer) -> Bool {
      var isPlain = unsafe !name.isEmpty
      var position = 0
      // Safety: only positions of the name are read.
      while position + 8 <= name.count {
        let word = unsafe name.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        let lowered = EightBytes.lowercased(UInt64(littleEndian: word))
        isPlain = isPlain && EightBytes.isPlainName(lowered)
        append(characters: lowered)
        position += 8
      }
      while position < name.count {
        let byte = unsafe ASCIIByte.lowercased(name[position])
        isPlain = isPlain && (ASCIIByte.isLetter(byte) || ASCIIByte.isDigit(byte) || byte == 0x2D)
        append(byte: byte)
        position += 1
      }
      return isPlain
    }
  #endif

  /// SigV4, step 1, Trimall: no whitespace at the ends, one space for each run inside.
  fileprivate mutating func append(folding value: UnsafeRawBufferPointer) {
    let start = count
    var previous = ASCIIByte.space
    for index in value.indices {
      // Safety: only positions of the value are read.
      let given = unsafe value[index]
      let byte = ASCIIByte.isWhitespace(given) ? ASCIIByte.space : given
      if byte == ASCIIByte.space && previous == ASCIIByte.space { continue }
      append(byte: byte)
      previous = byte
    }
    if previous == ASCIIByte.space && count > start { _ = removeLast() }
  }
}

extension SigV4 {
  /// SigV4, step 1: CanonicalHeaders, of all headers of a request: a line `name:value` for each
  /// name. A request has its headers in this form from the beginning.
  package struct CanonicalHeaders: Sendable {
    package let bytes: [UInt8]

    /// Where the lines stand, in the order of their names; after each there is a line end.
    package private(set) var lines: [FieldRange]

    /// A set of bits, one for the length of each name: it rules out most absent names without a search.
    private var nameLengths: UInt64

    /// Takes the headers of a request, Host among them.
    package init(_ fields: consuming HeaderFields) {
      fields.sort()
      bytes = fields.bytes
      lines = fields.fields
      nameLengths = Self.nameLengths(of: lines)
    }

    /// Keeps some of the lines. `isKept` is asked of each, in their order.
    package mutating func filter(_ isKept: (_ name: UnsafeRawBufferPointer) -> Bool) {
      // Safety: the lines are ranges of the bytes.
      unsafe bytes.withUnsafeBytes { bytes in
        var kept = 0
        for index in lines.indices where unsafe isKept(bytes.part(lines[index].name)) {
          lines[kept] = lines[index]
          kept += 1
        }
        lines.removeLast(lines.count - kept)
      }
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
        for line in lines where line.name.count == name.utf8CodeUnitCount {
          if unsafe BytewiseOrder.compare(bytes.part(line.name), name.bytesInUTF8) == 0 {
            return line
          }
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

extension SigV4.CanonicalHeaders {
  /// SigV4, step 1: CanonicalHeaders, of all of these headers.
  func appendLines(to text: inout OutputSpan<UInt8>) {
    // Safety: the lines are ranges of the bytes, with a line feed after each.
    unsafe bytes.withUnsafeBytes { bytes in
      for line in lines { unsafe text.append(bytes: bytes.part(line.start..<line.end + 1)) }
    }
  }

  /// SigV4, step 1: SignedHeaders.
  func appendNames(to text: inout OutputSpan<UInt8>) {
    // Safety: the lines are ranges of the bytes.
    unsafe bytes.withUnsafeBytes { bytes in
      for (index, line) in lines.enumerated() {
        if index > 0 { text.append(byte: ASCIIByte.semicolon) }
        unsafe text.append(bytes: bytes.part(line.name))
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
