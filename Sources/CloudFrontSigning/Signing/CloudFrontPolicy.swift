// SPDX-License-Identifier: Apache-2.0
// Policies: which URLs a signature gives access to, when, and from where.

public import RequestSigning
internal import SecureHashing

/// A custom policy: the URLs that a signature gives access to, when, and from which addresses.
///
///     let policy = try CloudFrontPolicy(
///       resource: "https://d111111abcdef8.cloudfront.net/films/*", expiresIn: .seconds(3_600),
///       at: now, ipAddress: "192.0.2.0/24")
///     let cookies = try signer.signedCookies(policy: policy)
///
/// Source: Amazon CloudFront, Developer Guide, "Create a signed URL using a custom policy" and "Set
/// signed cookies using a custom policy".
public struct CloudFrontPolicy: Sendable {
  /// The URLs that the policy gives access to. `*` matches any characters, `?` exactly one.
  public let resource: String

  /// When access ends. A request in this second is too late.
  public let expiration: SigV4.Timestamp

  /// When access begins, or nil if it has begun. A request in this second is too early.
  public let start: SigV4.Timestamp?

  /// The client's addresses in the form `192.0.2.0/24`, or nil for all.
  public let ipAddress: String?

  /// The policy statement, byte for byte as signed.
  public let json: String

  /// Creates a policy that expires after a lifetime.
  ///
  /// - Parameters:
  ///   - resource: the URLs, percent-encoded, with the wildcards `*` and `?`. Without wildcards,
  ///     it's one URL.
  ///   - lifetime: how long the policy is valid, in whole seconds, starting at `now`.
  ///   - now: the current time.
  ///   - start: when access begins. The default is immediately.
  ///   - ipAddress: the client's IPv4 address, or a range such as `192.0.2.0/24`. The default is
  ///     any address.
  ///
  /// - Throws: `invalidResource`, `invalidURL` for a resource that no client requests,
  ///   `invalidLifetime`, `timestampOutOfRange`, `invalidPolicyDates` or `invalidAddressRange`.
  public init(
    resource: String, expiresIn lifetime: Duration, at now: SigV4.Timestamp,
    startsAt start: SigV4.Timestamp? = nil, ipAddress: String? = nil
  ) throws(SigV4.SigningError) {
    try self.init(
      resource: resource, expiresAt: Self.expiration(after: lifetime, now), startsAt: start,
      ipAddress: ipAddress)
  }

  /// Creates a policy that expires at a time.
  ///
  /// - Throws: `invalidResource`, `invalidURL` for a resource that no client requests,
  ///   `invalidPolicyDates` or `invalidAddressRange`.
  public init(
    resource: String, expiresAt expiration: SigV4.Timestamp,
    startsAt start: SigV4.Timestamp? = nil, ipAddress: String? = nil
  ) throws(SigV4.SigningError) {
    try Self.check(resource: resource.bytesInUTF8)
    try self.init(resource, expiration, start, ipAddress.map(Self.range))
  }

  /// Creates the canned policy of a URL, which has no other condition than the expiration.
  init(canned base: CloudFrontBaseURL, _ expiration: SigV4.Timestamp) throws(SigV4.SigningError) {
    if base.bytes.contains(Wildcards.anyCharacters) {
      throw SigV4.SigningError(
        .wildcardsNotSupported,
        "The URL contains '*', but a canned policy has no wildcards.",
        fix: "Write '*' as %2A if it's part of the name, or use a CloudFrontPolicy.")
    }
    try self.init(base.bytes.textInUTF8, expiration, nil, nil)
  }

  private init(
    _ resource: String, _ expiration: SigV4.Timestamp, _ start: SigV4.Timestamp?,
    _ ipAddress: String?
  ) throws(SigV4.SigningError) {
    try Self.check(start, before: expiration)
    self.resource = resource
    self.expiration = expiration
    self.start = start
    self.ipAddress = ipAddress
    json = Self.json(resource, expiration, start, ipAddress)
  }
}

extension CloudFrontPolicy: Redacted {}

extension CloudFrontPolicy: Equatable, CustomStringConvertible {
  /// Returns whether two policies have the same statement.
  public static func == (left: Self, right: Self) -> Bool { left.json.hasSameBytes(as: right.json) }

  /// The resource and the expiration.
  public var description: String {
    "\(resource.withoutURLCredentials), until \(expiration.extendedText)"
  }
}

extension CloudFrontPolicy {
  /// The value of the parameter `Policy`.
  var base64: String { CloudFrontBase64.encode(json.bytesInUTF8) }

  /// The value of the parameter `Expires`.
  var expirationText: String { String(expiration.unixSeconds) }

  static func expiration(
    after lifetime: Duration, _ now: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.Timestamp {
    let (seconds, attoseconds) = lifetime.limitedComponents
    if seconds < 1 || attoseconds != 0 {
      throw SigV4.SigningError(
        .invalidLifetime,
        "The lifetime must be a whole number of seconds, at least 1.",
        fix: "Use a lifetime such as .seconds(600).")
    }
    return try now.advanced(by: lifetime)
  }

  /// The statement without spaces, in botocore's order. The resource has no character that JSON
  /// escapes.
  static func json(
    _ resource: String, _ expiration: SigV4.Timestamp, _ start: SigV4.Timestamp?,
    _ ipAddress: String?
  ) -> String {
    var conditions: UTF8Text =
      #""DateLessThan":{"AWS:EpochTime":\#(expiration.unixSeconds)}"#
    if let ipAddress {
      conditions.appendInterpolation(
        #","IpAddress":{"AWS:SourceIp":"\#(ipAddress)"}"# as UTF8Text)
    }
    if let start {
      conditions.appendInterpolation(
        #","DateGreaterThan":{"AWS:EpochTime":\#(start.unixSeconds)}"# as UTF8Text)
    }
    let statement: UTF8Text =
      #"{"Statement":[{"Resource":"\#(resource)","Condition":{\#(conditions)}}]}"#
    return statement.string
  }

  private static func check(resource: [UInt8]) throws(SigV4.SigningError) {
    if let index = resource.firstIndex(where: {
      !CloudFrontBaseURL.isAllowed($0) || $0 == ASCIIByte.hash
    }) {
      throw SigV4.SigningError(
        .invalidResource,
        "The resource has \(quoted: resource[index...index]) at offset \(index), which no URL has.",
        fix: "Percent-encode it.")
    }
    let literal = resource.prefix { $0 != Wildcards.anyCharacters && $0 != Wildcards.anyCharacter }
    let schemes = [Array("https://".utf8), Array("http://".utf8)]
    let hasWildcards = literal.count < resource.count
    let hasScheme = schemes.contains {
      literal.starts(with: $0) || hasWildcards && $0.starts(with: literal)
    }
    if !hasScheme {
      throw SigV4.SigningError(
        .invalidResource,
        "The resource \(quoted: resource) doesn't begin with https:// or http://.",
        fix: "Use the form https://d111111abcdef8.cloudfront.net/films/*.")
    }
    // Without wildcards, it must be a URL. With wildcards, so must the directory before the first.
    if !hasWildcards {
      _ = try CloudFrontBaseURL(resource.textInUTF8)
    } else if let end = literal.lastIndex(of: ASCIIByte.slash),
      literal.count(where: { $0 == ASCIIByte.slash }) > 2
    {
      _ = try CloudFrontBaseURL(resource[...end].textInUTF8)
    }
  }

  private static func check(
    _ start: SigV4.Timestamp?, before expiration: SigV4.Timestamp
  ) throws(SigV4.SigningError) {
    if expiration <= start ?? .unixEpoch || start.map({ $0 < .unixEpoch }) == true {
      throw SigV4.SigningError(
        .invalidPolicyDates,
        """
        The policy can't start at \(start?.extendedText ?? "any time") and expire at \
        \(expiration.extendedText).
        """, fix: "Use a start before the expiration, both after 1970.")
    }
  }

  /// The value of `AWS:SourceIp`: "To allow access from a single IP address, you specify /32".
  private static func range(_ text: String) throws(SigV4.SigningError) -> String {
    let isIPv6 = text.utf8.count { $0 == ASCIIByte.colon } > 1
    guard let range = AddressRange(AddressRange.unmapped(text.bytesInUTF8)) else {
      throw SigV4.SigningError(
        .invalidAddressRange,
        isIPv6
          ? "\(quoted: text) is an IPv6 address, which CloudFront's policies don't support."
          : "\(quoted: text) isn't an IPv4 address or a range of them.",
        fix: "Use the form 192.0.2.7 or 192.0.2.0/24.")
    }
    if !range.isExact {
      throw SigV4.SigningError(
        .invalidAddressRange,
        "\(quoted: text) isn't the first address of its range.",
        fix: "Use \(range.text) for the range, or the address alone.")
    }
    return range.text
  }
}
