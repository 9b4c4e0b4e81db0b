// SPDX-License-Identifier: Apache-2.0
// The headers that are signed: some of those of the request, and those that a signature needs.

nonisolated extension SigV4 {
  /// SigV4, step 1: CanonicalHeaders and SignedHeaders of one signature.
  struct SignedHeaders {
    /// Those of the request, in order.
    let headers: CanonicalHeaders

    /// Names that stay out.
    let unsigned: UnsignedHeaders

    /// Those that come in between.
    let required: RequiredHeaders

    /// CanonicalHeaders: a line for each. Returns where the values of the required ones stand.
    func writeLines(to writer: inout ByteWriter) -> RequiredHeaders.Places {
      var places = RequiredHeaders.Places()
      // Safety: a line is a part of the bytes.
      unsafe forEach { bytes, line in
        unsafe writer.append(bytes.part(line.whole))
      } orRequired: { header in
        writer.append(header.name)
        writer.append(ASCII.colon)
        places[header] = required.writeValue(of: header, to: &writer)
        writer.append(ASCII.newline)
      }
      return places
    }

    /// SignedHeaders: the names, separated by ';'.
    func writeNames(to writer: inout ByteWriter) {
      let start = writer.count
      // Safety: the names are read only.
      unsafe forEachName { name in
        if writer.count > start { writer.append(ASCII.semicolon) }
        unsafe writer.append(name)
      }
    }

    /// SignedHeaders as the value of a parameter: a name may have characters that are encoded there.
    func writeEncodedNames(to writer: inout ByteWriter) {
      let start = writer.count
      // Safety: the names are read only.
      unsafe forEachName { name in
        if writer.count > start { writer.append("%3B") }
        unsafe PercentEncoding.write(name, to: &writer)
      }
    }

    @inline(__always)
    private func forEachName(_ body: (UnsafeRawBufferPointer) -> Void) {
      // Safety: a name is a part of the bytes.
      unsafe forEach { bytes, line in
        unsafe body(bytes.part(line.name))
      } orRequired: { header in
        unsafe body(header.name.bytes)
      }
    }

    /// Calls one function with each line of the request that is signed, of its bytes, and the other with each
    /// header that is required beside them, in the order of the names.
    @inline(__always)
    func forEach(
      _ body: (UnsafeRawBufferPointer, CanonicalHeaders.Line) -> Void,
      orRequired requiredBody: (RequiredHeader) -> Void
    ) {
      var pending = required.first
      // Safety: the ranges of the lines are ranges of the bytes.
      unsafe headers.bytes.withUnsafeBytes { bytes in
        for line in headers.lines {
          let name = unsafe bytes.part(line.name)
          if unsafe unsigned.list.contains(name) { continue }
          while let header = pending, unsafe ByteOrder.precedes(header.name.bytes, name) {
            requiredBody(header)
            pending = required.next(after: header)
          }
          unsafe body(bytes, line)
        }
      }
      while let header = pending {
        requiredBody(header)
        pending = required.next(after: header)
      }
    }
  }
}
