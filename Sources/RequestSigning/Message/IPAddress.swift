// SPDX-License-Identifier: Apache-2.0
// Recognizes Internet Protocol addresses.

/// The grammar of IP addresses.
package enum IPAddressGrammar {
  /// Returns whether the bytes are an IPv6 address (RFC 4291, 2.2): eight groups of hexadecimal
  /// digits. One run of zeros can be written as '::', and the last two groups as an IPv4 address.
  package static func isVersion6(_ address: ArraySlice<UInt8>) -> Bool {
    var groupCount = 0
    var isShortened = false
    var rest = address
    if address.first == ASCIIByte.colon {
      if address.dropFirst().first != ASCIIByte.colon { return false }
      isShortened = true
      rest = address.dropFirst(2)
    }
    while !rest.isEmpty {
      let group = rest[..<(rest.firstIndex(of: ASCIIByte.colon) ?? rest.endIndex)]
      rest = rest[group.endIndex...]
      if rest.isEmpty && isVersion4(group) {
        groupCount &+= 2
        break
      }
      if !isGroup(group) { return false }
      groupCount &+= 1
      if rest.count == 1 { return false }  // a single trailing ':'
      rest = rest.dropFirst()
      if rest.first == ASCIIByte.colon {
        if isShortened { return false }
        isShortened = true
        rest = rest.dropFirst()
      }
    }
    return isShortened ? groupCount < 8 : groupCount == 8
  }

  /// Returns whether the bytes are one to four hexadecimal digits.
  private static func isGroup(_ digits: ArraySlice<UInt8>) -> Bool {
    !digits.isEmpty && digits.count <= 4
      && digits.allSatisfy { ASCIIByte.hexadecimalValue($0) != nil }
  }

  /// Returns whether the bytes are four numbers from 0 to 255, without leading zeros, which some
  /// parsers treat as octal.
  package static func isVersion4(_ address: ArraySlice<UInt8>) -> Bool {
    var (number, digitCount, dotCount) = (0, 0, 0)
    for byte in address {
      if byte == ASCIIByte.dot {
        if digitCount == 0 { return false }
        (number, digitCount, dotCount) = (0, 0, dotCount &+ 1)
      } else {
        let isLeadingZero = digitCount > 0 && number == 0
        if !ASCIIByte.isDigit(byte) || isLeadingZero { return false }
        number = number &* 10 &+ Int(byte &- 0x30)
        digitCount &+= 1
        if number > 255 { return false }
      }
    }
    return dotCount == 3 && digitCount > 0
  }

  /// Returns whether a host is this machine, in any case, with or without a port or brackets.
  ///
  /// RFC 1122, 3.2.1.3 (g): 127.0.0.0/8; RFC 4291, 2.5.3: ::1; RFC 6761, 6.3: localhost. Names
  /// aren't resolved.
  package static func isLoopback(_ authority: some Collection<UInt8>) -> Bool {
    var host = Array(authority)[...]
    if host.first == 0x5B {
      host = host.dropFirst().prefix { $0 != 0x5D }
    } else if host.count(where: { $0 == ASCIIByte.colon }) == 1 {
      host = host.prefix { $0 != ASCIIByte.colon }
    }
    return host.spellsIgnoringCase("localhost") || host.spells("::1")
      || host.spells("0:0:0:0:0:0:0:1") || isVersion4(host) && host.prefix(4).spells("127.")
  }
}
