// SPDX-License-Identifier: Apache-2.0
// Which texts are percent-encoded.

internal import SigningSupport

extension URIEncoding {
  /// Refuses a '%' that two hexadecimal digits do not follow; `part` is the path or the query.
  static func check(
    _ bytes: ArraySlice<UInt8>, of part: StaticString
  ) throws(SigV4.SigningError) {
    if let position = positionOfStrayPercent(in: bytes) {
      throw SigV4.SigningError(
        .invalidPercentEncoding,
        """
        \(quoted: bytes[position...].prefix(3)) at offset \(position - bytes.startIndex) of the \
        \(part) is not '%' before two hexadecimal digits, so its meaning is unknown; write a \
        percent sign as %25, or give the \(part) unencoded
        """)
    }
  }
}
