// SPDX-License-Identifier: Apache-2.0
// The headers that are signed: some of those of the request, and those that a signature needs.

internal import SigningSupport

extension SigV4.CanonicalHeaders {
  /// SigV4, step 1, CanonicalHeaders of one signature: a line for each. `unsigned` headers stay out,
  /// `required` ones come in between. Returns where the values of the latter stand.
  func writeLines(
    without unsigned: SigV4.UnsignedHeaders, with required: SigV4.RequiredHeaders,
    to writer: inout SigV4.ByteWriter
  ) -> SigV4.RequiredHeaders.Places {
    var places = SigV4.RequiredHeaders.Places()
    var signed = SigV4.SignedHeaders(beginningWith: required.first)
    // Safety: a line is a part of the bytes.
    unsafe bytes.withUnsafeBytes { bytes in
      while let header = unsafe signed.next(lines, bytes, unsigned.list, required) {
        switch header {
        case .given(let line): unsafe writer.append(bytes.part(line.whole))
        case .required(let header):
          writer.append(header.name)
          writer.append(ASCIIByte.colon)
          places[header] = required.writeValue(of: header, to: &writer)
        }
        writer.append(ASCIIByte.newline)
      }
    }
    return places
  }

  /// SigV4, step 1, SignedHeaders: their names, separated by ';'.
  func writeNames(
    without unsigned: SigV4.UnsignedHeaders, with required: SigV4.RequiredHeaders,
    to writer: inout SigV4.ByteWriter
  ) {
    let start = writer.count
    var signed = SigV4.SignedHeaders(beginningWith: required.first)
    // Safety: a name is a part of the bytes.
    unsafe bytes.withUnsafeBytes { bytes in
      while let header = unsafe signed.next(lines, bytes, unsigned.list, required) {
        if writer.count > start { writer.append(ASCIIByte.semicolon) }
        unsafe writer.append(header.name(bytes))
      }
    }
  }

  /// SignedHeaders as the value of a parameter: a name may have characters that are encoded there.
  func writeEncodedNames(
    without unsigned: SigV4.UnsignedHeaders, with required: SigV4.RequiredHeaders,
    to writer: inout SigV4.ByteWriter
  ) {
    let start = writer.count
    var signed = SigV4.SignedHeaders(beginningWith: required.first)
    // Safety: a name is a part of the bytes.
    unsafe bytes.withUnsafeBytes { bytes in
      while let header = unsafe signed.next(lines, bytes, unsigned.list, required) {
        if writer.count > start { writer.append("%3B") }
        unsafe URIEncoding.write(header.name(bytes), to: &writer)
      }
    }
  }
}

extension SigV4 {
  /// The headers of one signature, one after the other in the order of their names.
  struct SignedHeaders {
    enum Next {
      /// A line of the request.
      case given(FieldRange)
      /// One that the request does not have.
      case required(RequiredHeader)

      /// The name in lowercase; `bytes` are those of the request's headers.
      func name(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        // Safety: the range of a line is a range of the bytes; a static string is there for ever.
        switch self {
        case .given(let line): unsafe bytes.part(line.name)
        case .required(let header): unsafe header.name.bytesInUTF8
        }
      }
    }

    private var position = 0
    private var pending: RequiredHeader?

    init(beginningWith required: RequiredHeader?) {
      pending = required
    }

    /// The next header, or nil after the last. Lines and `bytes` are those of the request's headers,
    /// of which `unsigned` ones are left out.
    mutating func next(
      _ lines: [FieldRange], _ bytes: UnsafeRawBufferPointer, _ unsigned: UnsignedHeaders.List,
      _ required: RequiredHeaders
    ) -> Next? {
      while position < lines.count {
        let line = lines[position]
        // Safety: the ranges of the lines are ranges of the bytes.
        let name = unsafe bytes.part(line.name)
        if unsafe unsigned.contains(name) {
          position &+= 1
          continue
        }
        if let header = pending, unsafe BytewiseOrder.precedes(header.name.bytesInUTF8, name) {
          pending = required.next(after: header)
          return .required(header)
        }
        position &+= 1
        return .given(line)
      }
      guard let header = pending else { return nil }
      pending = required.next(after: header)
      return .required(header)
    }
  }
}
