// SPDX-License-Identifier: Apache-2.0
// A range of IPv4 addresses in CIDR notation.

internal import RequestSigning

extension CloudFrontPolicy {
  /// Addresses with a common prefix (RFC 4632, 3.1). CloudFront's policies have one range and don't
  /// support IPv6.
  struct AddressRange {
    private let first: UInt32
    private let prefixLength: Int

    /// Whether the bits after the prefix are zero, as in `192.0.2.0/24`, but not in `192.0.2.7/24`.
    let isExact: Bool

    /// Creates the range of `192.0.2.0/24`, or of the one address `192.0.2.7`. Returns nil for any
    /// other form.
    init?(_ text: ArraySlice<UInt8>) {
      let address = text[..<text.firstPosition(of: ASCIIByte.slash)]
      let length = text[address.endIndex...].dropFirst()
      let isWhole = address.endIndex == text.endIndex
      guard let number = Self.address(address),
        let prefixLength = isWhole ? 32 : Self.length(length)
      else { return nil }
      first = number & Self.mask(prefixLength)
      isExact = first == number
      self.prefixLength = prefixLength
    }

    /// The first address and the length of the prefix: `192.0.2.0/24`.
    var text: String {
      let parts = [24, 16, 8, 0].map { String(first &>> UInt32($0) & 255) }
      return parts.joined(separator: ".") + "/" + String(prefixLength)
    }

    /// Returns the IPv4 address of one that's mapped to IPv6 (RFC 4291, 2.5.5.2), as a server for
    /// both reads it. Returns any other text as it is.
    static func unmapped(_ text: [UInt8]) -> ArraySlice<UInt8> {
      let rest = text.dropFirst(7)
      let isMapped = text.prefix(7).spellsIgnoringCase("::ffff:") && address(rest) != nil
      return isMapped ? rest : text[...]
    }

    /// Returns the number of an IPv4 address, also if it's mapped to IPv6, or nil.
    static func clientAddress(_ text: [UInt8]) -> UInt32? {
      address(unmapped(text))
    }

    func contains(_ address: UInt32) -> Bool { address & Self.mask(prefixLength) == first }

    private static func address(_ text: ArraySlice<UInt8>) -> UInt32? {
      if !IPAddressGrammar.isVersion4(text) { return nil }
      return text.split(separator: ASCIIByte.dot).reduce(0) { address, digits in
        let part = digits.reduce(0) { $0 &* 10 &+ UInt32($1 &- 0x30) }
        return address &<< 8 | part
      }
    }

    /// A number from 0 to 32 without a leading zero.
    private static func length(_ digits: ArraySlice<UInt8>) -> Int? {
      guard let first = digits.first, digits.count <= 2, digits.allSatisfy(ASCIIByte.isDigit),
        digits.count == 1 || first != 0x30
      else { return nil }
      let length = digits.reduce(0) { $0 &* 10 &+ Int($1 &- 0x30) }
      return length <= 32 ? length : nil
    }

    private static func mask(_ prefixLength: Int) -> UInt32 {
      UInt32(truncatingIfNeeded: UInt64(0xFFFF_FFFF) << UInt64(32 - prefixLength))
    }
  }
}
