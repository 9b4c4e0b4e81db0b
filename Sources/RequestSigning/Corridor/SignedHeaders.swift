// SPDX-License-Identifier: Apache-2.0
// The headers that are signed: some of those of the request, and those that a signature needs.

nonisolated extension SigV4.CanonicalHeaders {
  /// SigV4, step 1, CanonicalHeaders of one signature: a line for each. `unsigned` headers stay out,
  /// `required` ones come in between. Returns where the values of the latter stand.
  func writeLines(
    without unsigned: SigV4.UnsignedHeaders, with required: SigV4.RequiredHeaders,
    to writer: inout SigV4.ByteWriter
  ) -> SigV4.RequiredHeaders.Places {
    var places = SigV4.RequiredHeaders.Places()
    // Safety: a line is a part of the bytes.
    unsafe forEachSigned(unsigned, required) { bytes, line in
      unsafe writer.append(bytes.part(line.whole))
      writer.append(SigV4.ASCII.newline)
    } orRequired: { header in
      writer.append(header.name)
      writer.append(SigV4.ASCII.colon)
      places[header] = required.writeValue(of: header, to: &writer)
      writer.append(SigV4.ASCII.newline)
    }
    return places
  }

  /// SigV4, step 1, SignedHeaders: their names, separated by ';'.
  func writeNames(
    without unsigned: SigV4.UnsignedHeaders, with required: SigV4.RequiredHeaders,
    to writer: inout SigV4.ByteWriter
  ) {
    let start = writer.count
    // Safety: the names are read only.
    unsafe forEachSignedName(unsigned, required) { name in
      if writer.count > start { writer.append(SigV4.ASCII.semicolon) }
      unsafe writer.append(name)
    }
  }

  /// SignedHeaders as the value of a parameter: a name may have characters that are encoded there.
  func writeEncodedNames(
    without unsigned: SigV4.UnsignedHeaders, with required: SigV4.RequiredHeaders,
    to writer: inout SigV4.ByteWriter
  ) {
    let start = writer.count
    // Safety: the names are read only.
    unsafe forEachSignedName(unsigned, required) { name in
      if writer.count > start { writer.append("%3B") }
      unsafe SigV4.PercentEncoding.write(name, to: &writer)
    }
  }

  @inline(__always)
  private func forEachSignedName(
    _ unsigned: SigV4.UnsignedHeaders, _ required: SigV4.RequiredHeaders,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    // Safety: a name is a part of the bytes.
    unsafe forEachSigned(unsigned, required) { bytes, line in
      unsafe body(bytes.part(line.name))
    } orRequired: { header in
      unsafe body(header.name.bytes)
    }
  }

  /// Calls one function with each line of the request that is signed, and the other with each header
  /// that is required beside them, in the order of the names.
  @inline(__always)
  private func forEachSigned(
    _ unsigned: SigV4.UnsignedHeaders, _ required: SigV4.RequiredHeaders,
    _ body: (UnsafeRawBufferPointer, SigV4.FieldRange) -> Void,
    orRequired requiredBody: (SigV4.RequiredHeader) -> Void
  ) {
    var pending = required.first
    // Safety: the ranges of the lines are ranges of the bytes.
    unsafe bytes.withUnsafeBytes { bytes in
      for line in lines {
        let name = unsafe bytes.part(line.name)
        if unsafe unsigned.list.contains(name) { continue }
        while let header = pending, unsafe SigV4.ByteOrder.precedes(header.name.bytes, name) {
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
