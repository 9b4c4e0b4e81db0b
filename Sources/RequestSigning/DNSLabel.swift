// SPDX-License-Identifier: Apache-2.0
// A part of a host between two dots: what regions, accounts and zones become.

internal import SigningSupport

extension SigV4 {
  /// A part of a host between two dots (RFC 1123, 2.1), lowercase.
  package enum DNSLabel {
    package static func isValid(_ label: some BidirectionalCollection<UInt8>) -> Bool {
      !label.isEmpty && label.count <= 63 && label.first != hyphen && label.last != hyphen
        && label.allSatisfy { isLowercaseOrDigit($0) || $0 == hyphen }
    }

    package static func isLowercaseOrDigit(_ byte: UInt8) -> Bool {
      ASCIIByte.isDigit(byte) || (byte >= 0x61 && byte <= 0x7A)
    }

    static var hyphen: UInt8 { 0x2D }
  }
}
