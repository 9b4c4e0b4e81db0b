// SPDX-License-Identifier: Apache-2.0
// The headers in canonical form: lowercase names in order, repeats joined, whitespace folded.

nonisolated extension SigV4 {
  /// SigV4, step 1: CanonicalHeaders, of all headers of a request: a line `name:value` for each
  /// name. A request has its headers in this form from the beginning.
  final class CanonicalHeaders: Sendable {
    /// Where a line stands: its name, ':', its value and a line end.
    struct Line: BitwiseCopyable {
      let start: Int
      let nameEnd: Int
      let end: Int

      var name: Range<Int> { start..<nameEnd }
      var value: Range<Int> { nameEnd &+ 1..<end &- 1 }
      var whole: Range<Int> { start..<end }
    }

    let bytes: [UInt8]
    let lines: [Line]

    /// Whether a signature may have to look for a header that it makes itself.
    private let hasNamesOfSignatures: Bool

    /// Takes the host and all headers.
    init(host: String, _ headers: Headers) {
      var fields = HeaderFields()
      fields.append("host".utf8, host.utf8)
      for header in headers { fields.append(header.name.utf8, header.value.utf8) }
      (bytes, lines) = fields.joined()
      hasNamesOfSignatures = headers.contains {
        $0.isNamed("authorization") || $0.name.utf8.first.map { $0 | 0x20 } == 0x78  // x
      }
    }

    /// Takes the headers that a server received.
    init(_ fields: HeaderFields) {
      (bytes, lines) = fields.joined()
      hasNamesOfSignatures = true
    }

    /// Some lines of other headers, in their order.
    init(_ lines: [Line], of headers: CanonicalHeaders) {
      bytes = headers.bytes
      self.lines = lines
      hasNamesOfSignatures = true
    }

    /// The line of a name, in lowercase: in a request to be signed that of `authorization` or of an
    /// `x-amz-` header, in a received one any.
    func line(named name: StaticString) -> Line? {
      if !hasNamesOfSignatures { return nil }
      // Safety: the ranges of the lines are ranges of the bytes.
      return unsafe bytes.withUnsafeBytes { bytes in
        let name = unsafe name.bytes
        var (low, high) = (0, lines.count)
        while low < high {
          let middle = (low &+ high) / 2
          let order = unsafe ByteOrder.compare(bytes.part(lines[middle].name), name)
          if order == 0 { return lines[middle] }
          if order < 0 { low = middle &+ 1 } else { high = middle }
        }
        return nil
      }
    }
  }
}

nonisolated extension StaticString {
  /// The bytes of a text in UTF-8.
  @inline(__always)
  var bytes: UnsafeRawBufferPointer {
    // Safety: a static string has so many bytes for ever.
    unsafe UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}
