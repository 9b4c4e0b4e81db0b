// SPDX-License-Identifier: Apache-2.0
// The headers that signing needs, identified by the first eight bytes of their names.

/// The role of a header in a signature.
@usableFromInline package enum KnownHeader: UInt8 {
  case other
  case host
  case authorization
  case date
  case contentType
  case contentLength
  case transferEncoding
  case amzDate
  case amzContentSHA256
  case amzSecurityToken
  case amzS3SessionToken
  case amzRegionSet
  case amzTrailer
  case amzDecodedContentLength
  /// `x-amz-*`, except those above.
  case amz
  case googDate
  case googContentSHA256
  /// `x-goog-*`, except those above.
  case google
  case tosDate
  case tosContentSHA256
  case tosSecurityToken
  /// `x-tos-*`, except those above.
  case tos
  /// A header that HTTP stacks, proxies and instrumentation add, remove or rewrite.
  case unsigned
  /// Like `unsigned`, except in presigned URLs, whose holder learns which headers to send.
  ///
  /// It has the last of 32 bits, so the compiler rejects a 33rd case, whose bit would be that of
  /// another.
  case unsignedInHeaders = 31

  /// Returns whether the default list leaves the header unsigned.
  @inline(__always)
  package func isUnsigned(inURL: Bool) -> Bool {
    switch self {
    case .unsigned, .transferEncoding: true
    case .unsignedInHeaders, .contentLength: !inURL
    case .other, .host, .authorization, .date, .contentType: false
    case .amzDate, .amzContentSHA256, .amzSecurityToken, .amzS3SessionToken, .amzRegionSet,
      .amzTrailer, .amzDecodedContentLength, .amz, .googDate, .googContentSHA256, .google, .tosDate,
      .tosContentSHA256, .tosSecurityToken, .tos:
      false
    }
  }

  /// The names with whose prefix the header starts, or nil.
  package var family: SignatureNames? {
    switch self {
    case .amzDate, .amzContentSHA256, .amzSecurityToken, .amzS3SessionToken, .amzRegionSet,
      .amzTrailer, .amzDecodedContentLength, .amz:
      .aws
    case .googDate, .googContentSHA256, .google: .google
    case .tosDate, .tosContentSHA256, .tosSecurityToken, .tos: .tos
    case .other, .host, .authorization, .date, .contentType, .contentLength, .transferEncoding:
      nil
    case .unsigned, .unsignedInHeaders: nil
    }
  }

  /// The bits of the headers of other families than AWS's.
  static let renamedHeaders: UInt32 = {
    var bits: UInt32 = 0
    for number in 0..<UInt8(32) {
      guard let header = KnownHeader(rawValue: number), let family = header.family else { continue }
      if family != .aws { bits |= header.bit }
    }
    return bits
  }()

  @inlinable @inline(__always)
  package var bit: UInt32 { 1 &<< UInt32(rawValue) }

  /// Creates the header with a lowercase name.
  package init(name: TextSpan) {
    self = name.count == 0 ? .other : Self.named(name, name.word(at: 0).byteSwapped)
  }

  /// Returns the header with a lowercase name, whose first eight bytes are the key.
  static func named(_ name: TextSpan, _ key: UInt64) -> KnownHeader {
    // A name of up to eight bytes equals its key.
    switch key {
    case Self.key("host"): return .host
    case Self.key("date"): return .date
    case Self.key("baggage"), Self.key("expect"), Self.key("te"), Self.key("trailer"),
      Self.key("upgrade"):
      return .unsigned
    case Self.key("via"): return .unsignedInHeaders
    case Self.key("authoriz"): return name.spells("authorization") ? .authorization : .other
    case Self.key("content-"):
      if name.spells("content-type") { return .contentType }
      return name.spells("content-length") ? .contentLength : .other
    case Self.key("transfer"): return name.spells("transfer-encoding") ? .transferEncoding : .other
    default:
      if key &>> 16 == Self.key("x-amz-") &>> 16 { return named(amz: name, key) }
      if key &>> 8 == Self.key("x-goog-") &>> 8 { return named(google: name) }
      if key &>> 16 == Self.key("x-tos-") &>> 16 { return named(tos: name) }
      return named(rare: name, key)
    }
  }

  /// Returns the header for a name that starts with `x-amz-`.
  private static func named(amz name: TextSpan, _ key: UInt64) -> KnownHeader {
    switch key {
    case Self.key("x-amz-da"): name.spells("x-amz-date") ? .amzDate : .amz
    case Self.key("x-amz-co"): name.spells("x-amz-content-sha256") ? .amzContentSHA256 : .amz
    case Self.key("x-amz-de"):
      name.spells("x-amz-decoded-content-length") ? .amzDecodedContentLength : .amz
    case Self.key("x-amz-se"): name.spells("x-amz-security-token") ? .amzSecurityToken : .amz
    case Self.key("x-amz-s3"): name.spells("x-amz-s3session-token") ? .amzS3SessionToken : .amz
    case Self.key("x-amz-re"): name.spells("x-amz-region-set") ? .amzRegionSet : .amz
    case Self.key("x-amz-tr"): name.spells("x-amz-trailer") ? .amzTrailer : .amz
    default: .amz
    }
  }

  /// Returns the header for a name that starts with `x-goog-`.
  private static func named(google name: TextSpan) -> KnownHeader {
    if name.spells("x-goog-date") { return .googDate }
    return name.spells("x-goog-content-sha256") ? .googContentSHA256 : .google
  }

  /// Returns the header for a name that starts with `x-tos-`.
  private static func named(tos name: TextSpan) -> KnownHeader {
    if name.spells("x-tos-date") { return .tosDate }
    if name.spells("x-tos-content-sha256") { return .tosContentSHA256 }
    return name.spells("x-tos-security-token") ? .tosSecurityToken : .tos
  }

  /// Returns the header for hop-by-hop (RFC 9110, 7.6.1), forwarding, tracing and WebSocket
  /// headers.
  private static func named(rare name: TextSpan, _ key: UInt64) -> KnownHeader {
    func begins(_ beginning: StaticString) -> Bool {
      name.count >= beginning.utf8CodeUnitCount
        && name.extracting(0..<beginning.utf8CodeUnitCount).spells(beginning)
    }
    switch key {
    case Self.key("connecti"): return name.spells("connection") ? .unsigned : .other
    case Self.key("keep-ali"): return name.spells("keep-alive") ? .unsigned : .other
    case Self.key("tracepar"): return name.spells("traceparent") ? .unsigned : .other
    case Self.key("tracesta"): return name.spells("tracestate") ? .unsigned : .other
    case Self.key("user-age"): return name.spells("user-agent") ? .unsigned : .other
    case Self.key("x-amzn-t"): return name.spells("x-amzn-trace-id") ? .unsigned : .other
    case Self.key("accept-e"): return name.spells("accept-encoding") ? .unsignedInHeaders : .other
    case Self.key("forwarde"): return name.spells("forwarded") ? .unsignedInHeaders : .other
    case Self.key("x-forwar"): return begins("x-forwarded-") ? .unsignedInHeaders : .other
    case Self.key("sec-webs"):
      let isOfHandshake =
        name.spells("sec-websocket-key") || name.spells("sec-websocket-protocol")
        || name.spells("sec-websocket-version")
      return isOfHandshake ? .unsigned : begins("sec-websocket-") ? .unsignedInHeaders : .other
    default:
      if !begins("proxy-") { return .other }
      let isOfProxy = name.spells("proxy-authenticate") || name.spells("proxy-authorization")
      return isOfProxy ? .unsigned : .unsignedInHeaders
    }
  }

  /// Returns the first eight bytes of a name as a number, the first one highest, padded with zeros.
  @inline(__always)
  package static func key(_ name: StaticString) -> UInt64 {
    EightBytes.spelling(name).byteSwapped
  }
}
