// SPDX-License-Identifier: Apache-2.0
// Percent-encoding with the writer.

package import SigningSupport

extension URIEncoding {
  /// Writes the encoded form of a path of plain bytes, in which '/' stays.
  package static func writePath(_ path: [UInt8], to writer: inout SigV4.ByteWriter) {
    // Safety: the array lives as long as the closure runs.
    unsafe path.withUnsafeBytes { unsafe writer.append(encoding: $0, keeping: ASCIIByte.slash) }
  }

  /// Writes the encoded form of a path of plain text, in which '/' stays.
  package static func writePath(_ path: String, to writer: inout SigV4.ByteWriter) {
    // Safety: the text lives as long as the closure runs.
    unsafe path.withBytesInUTF8 { unsafe writer.append(encoding: $0, keeping: ASCIIByte.slash) }
  }

  /// Writes the encoded form of plain bytes.
  package static func write(_ bytes: UnsafeRawBufferPointer, to writer: inout SigV4.ByteWriter) {
    // Safety: handed on as it came.
    unsafe writer.append(encoding: bytes, keeping: notEncodedAnyway)
  }

  /// Refuses a '%' that two hexadecimal digits do not follow; `part` is the path or the query.
  package static func check(
    _ bytes: ArraySlice<UInt8>, of part: StaticString
  ) throws(SigV4.SigningError) {
    for position in bytes.indices
    where bytes[position] == ASCIIByte.percent && escapedByte(bytes, at: position) == nil {
      let offset = position &- bytes.startIndex
      throw SigV4.SigningError(
        .invalidPercentEncoding,
        """
        \(quoted: bytes[position...].prefix(3)) at offset \(offset) of the \(part) is no '%' with \
        two hexadecimal digits after it, so nobody can say which bytes are meant; write a \
        percent sign as %25, or give the \(part) unencoded
        """)
    }
  }
}
