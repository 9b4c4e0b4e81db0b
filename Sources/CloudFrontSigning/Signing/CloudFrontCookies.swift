// SPDX-License-Identifier: Apache-2.0
// Signed cookies, and their attributes.

public import RequestSigning
internal import SecureHashing

/// Signed cookies. Anyone who has them has access, so treat them as secrets.
///
///     for value in try cookies.setCookieValues([.path("/"), .secure, .httpOnly]) {
///       response.headers.add(name: "Set-Cookie", value: value)
///     }
public struct CloudFrontCookies: Sendable {
  /// The names and values, such as `CloudFront-Policy`.
  public let cookies: [(name: String, value: String)]

  /// The policy that was signed.
  public let policy: CloudFrontPolicy

  init(_ fields: [(field: CloudFrontField, value: String)], _ policy: CloudFrontPolicy) {
    cookies = fields.map { ($0.field.cookieName, $0.value) }
    self.policy = policy
  }

  /// The value of a `Cookie` header, for a client that sends the cookies itself.
  public var cookieValue: String {
    cookies.map { $0.name + "=" + $0.value }.joined(separator: "; ")
  }

  /// Returns the value of a `Set-Cookie` header for each cookie, with the attributes in this order.
  ///
  /// Without ``Attribute/maxAge(_:)``, browsers delete the cookies when they're closed, which AWS
  /// recommends.
  ///
  /// - Throws: `invalidCookieAttribute` for an attribute that browsers reject or read differently,
  ///   and `invalidResource` if the policy is so long that browsers ignore its cookie.
  public func setCookieValues(
    _ attributes: [Attribute]
  ) throws(SigV4.SigningError) -> [String] {
    try Attribute.check(attributes)
    // Web Platform Tests, cookies/size/name-and-value.html, for RFC 6265bis.
    if let cookie = cookies.first(where: { $0.name.utf8.count + $0.value.utf8.count > 4_096 }) {
      throw SigV4.SigningError(
        .invalidResource,
        """
        The name and value of \(cookie.name) are longer than 4096 bytes, so browsers ignore it.
        """,
        fix: "Shorten the policy's resource.")
    }
    let suffix = attributes.map { "; " + $0.text }.joined()
    return cookies.map { $0.name + "=" + $0.value + suffix }
  }
}

extension CloudFrontCookies: CustomStringConvertible {
  /// The resource and the expiration, without the signature.
  public var description: String { "CloudFrontCookies(\(policy.description))" }
}

extension CloudFrontCookies: Redacted {}

extension CloudFrontCookies {
  /// An attribute of a cookie (RFC 6265, 4.1.2).
  public struct Attribute: Sendable {
    let name: String
    let value: String?

    /// Sets the domain that receives the cookies, with its subdomains. It must be the
    /// distribution's domain or a parent of it. Without it, only the host that sets the cookies
    /// receives them.
    public static func domain(_ domain: String) -> Self { Self(name: "Domain", value: domain) }

    /// Sets the start of the paths that receive the cookies, such as `/` or `/films/`. Without it,
    /// it's the directory of the page that sets the cookies.
    public static func path(_ path: String) -> Self { Self(name: "Path", value: path) }

    /// Sets how long the browser stores the cookies, in whole seconds. Zero deletes them.
    public static func maxAge(_ lifetime: Duration) -> Self {
      let seconds = lifetime.limitedComponents.seconds
      // `setCookieValues` rejects the description of any other duration.
      let isExact = lifetime == .seconds(seconds)
      return Self(name: "Max-Age", value: isExact ? String(seconds) : "\(lifetime)")
    }

    /// Send the cookies only over HTTPS.
    public static let secure = Self(name: "Secure", value: nil)
    /// Hide the cookies from scripts.
    public static let httpOnly = Self(name: "HttpOnly", value: nil)

    /// Send the cookies with no requests of other sites.
    public static let sameSiteStrict = Self(name: "SameSite", value: "Strict")
    /// Send the cookies with links from other sites, but with no other requests of theirs.
    public static let sameSiteLax = Self(name: "SameSite", value: "Lax")
    /// Send the cookies with all requests of other sites. Browsers require ``secure``.
    public static let sameSiteNone = Self(name: "SameSite", value: "None")

    /// Creates any other attribute, such as `Partitioned`, which needs ``secure``.
    public static func other(_ name: String, _ value: String? = nil) -> Self {
      Self(name: name, value: value)
    }

    var text: String { name + (value.map { "=" + $0 } ?? "") }
  }
}

extension CloudFrontCookies.Attribute {
  fileprivate static func check(_ attributes: [Self]) throws(SigV4.SigningError) {
    for (index, attribute) in attributes.enumerated() {
      try attribute.check()
      if attributes[..<index].contains(where: { $0.isNamed(attribute.name) }) {
        throw invalid(
          "The attribute \(quoted: attribute.name) appears twice.", fix: "Remove one of them.")
      }
    }
    let crossSite = attributes.first {
      $0.isNamed("SameSite") && $0.hasValue("None") || $0.isNamed("Partitioned")
    }
    if let crossSite, !attributes.contains(where: { $0.isNamed("Secure") }) {
      throw invalid(
        "Browsers reject cookies with \(crossSite.text) that aren't secure.", fix: "Add .secure.")
    }
  }

  private func check() throws(SigV4.SigningError) {
    let isToken = !name.utf8.isEmpty && name.utf8.allSatisfy(ASCIIByte.isTokenCharacter)
    // RFC 6265, 4.1.1: any character except control characters and ';'.
    let isValue = (value ?? "").utf8.allSatisfy {
      ($0 == ASCIIByte.space || ASCIIByte.isVisible($0)) && $0 != ASCIIByte.semicolon
    }
    if !isToken || !isValue {
      throw Self.invalid(
        "The attribute \(quoted: name) or its value has a character that cookies can't have.",
        fix: "Use visible ASCII characters without ';', and create one attribute for each.")
    }
    if isNamed("Path") && (value?.utf8.first != ASCIIByte.slash || hasWildcard) {
      throw Self.invalid(
        "The path \(quoted: value ?? "") must begin with '/' and can't have wildcards.",
        fix: "Use the start of the paths, such as /films/.")
    }
    if isNamed("Domain") && (value?.utf8.contains(ASCIIByte.dot) != true || hasWildcard) {
      throw Self.invalid(
        "The domain \(quoted: value ?? "") must be a full name and can't have wildcards.",
        fix: "Use a name such as example.com, which covers its subdomains.")
    }
    let digits = (value ?? "").utf8
    if isNamed("Max-Age") && (digits.isEmpty || !digits.allSatisfy(ASCIIByte.isDigit)) {
      throw Self.invalid(
        "Max-Age must be a whole number of seconds, not \(quoted: value ?? "").",
        fix: "Use a lifetime such as .seconds(3600), or omit it.")
    }
  }

  private var hasWildcard: Bool {
    value?.utf8.contains(CloudFrontPolicy.Wildcards.anyCharacters) == true
  }

  private func isNamed(_ other: String) -> Bool {
    ASCIIByte.equalIgnoringCase(name.utf8, other.utf8)
  }

  private func hasValue(_ other: String) -> Bool {
    ASCIIByte.equalIgnoringCase((value ?? "").utf8, other.utf8)
  }

  private static func invalid(_ problem: UTF8Text, fix: UTF8Text) -> SigV4.SigningError {
    SigV4.SigningError(.invalidCookieAttribute, problem, fix: fix)
  }
}
