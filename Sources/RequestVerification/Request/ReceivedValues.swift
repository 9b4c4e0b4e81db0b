// SPDX-License-Identifier: Apache-2.0
// Parts of a received request: a number, and the form for a log.

internal import RequestSigning

extension SigV4 {
  /// A part of a received request for a log, quoted if it's short. Longer parts aren't shown: they
  /// may contain a part of a token or signature.
  static func shown(_ bytes: some Collection<UInt8>) -> String {
    bytes.count <= 32 ? UTF8Text.quoted(bytes) : "(\(bytes.count) bytes, not shown)"
  }

  /// Parses up to `digitCount` decimal digits. Returns nil for anything else.
  static func number(_ digits: TextSpan, digitCount: Int = 18) -> Int64? {
    if digits.count == 0 || digits.count > digitCount { return nil }
    var number: Int64 = 0
    for position in 0..<digits.count {
      let byte = digits.byte(at: position)
      if !ASCIIByte.isDigit(byte) { return nil }
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isSumTooLarge) = product.addingReportingOverflow(Int64(byte - 0x30))
      if isTooLarge || isSumTooLarge { return nil }
      number = sum
    }
    return number
  }
}
