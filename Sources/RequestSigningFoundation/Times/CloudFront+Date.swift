// SPDX-License-Identifier: Apache-2.0
// CloudFront's signed URLs and cookies as of a `Date`, or now, and for a `URL`.

public import CloudFrontSigning
public import Foundation
public import RequestSigning

/// As of a date, or now. Parameters and errors are the same as with a timestamp.
extension CloudFrontSigner {
  /// Signs a URL with a canned policy: access to this URL for a lifetime.
  public func signedURL(
    _ url: String, expiresIn lifetime: Duration, at date: Date = Date()
  ) throws(SigV4.SigningError) -> CloudFrontURL {
    try signedURL(url, expiresIn: lifetime, at: SigV4.Timestamp(date))
  }

  /// Signs a URL with a canned policy: access to this URL for a lifetime.
  public func signedURL(
    _ url: URL, expiresIn lifetime: Duration, at date: Date = Date()
  ) throws(SigV4.SigningError) -> CloudFrontURL {
    try signedURL(url.absoluteString, expiresIn: lifetime, at: SigV4.Timestamp(date))
  }

  /// Signs a URL with a canned policy: access to this URL until an expiration.
  public func signedURL(
    _ url: String, expiresAt expiration: Date
  ) throws(SigV4.SigningError) -> CloudFrontURL {
    try signedURL(url, expiresAt: SigV4.Timestamp(expiration))
  }

  /// Signs a URL with a canned policy: access to this URL until an expiration.
  public func signedURL(
    _ url: URL, expiresAt expiration: Date
  ) throws(SigV4.SigningError) -> CloudFrontURL {
    try signedURL(url.absoluteString, expiresAt: SigV4.Timestamp(expiration))
  }

  /// Signs a URL with a custom policy.
  public func signedURL(
    _ url: URL, policy: CloudFrontPolicy
  ) throws(SigV4.SigningError) -> CloudFrontURL {
    try signedURL(url.absoluteString, policy: policy)
  }

  /// Signs cookies with a canned policy: access to one URL for a lifetime.
  public func signedCookies(
    for url: String, expiresIn lifetime: Duration, at date: Date = Date()
  ) throws(SigV4.SigningError) -> CloudFrontCookies {
    try signedCookies(for: url, expiresIn: lifetime, at: SigV4.Timestamp(date))
  }

  /// Signs cookies with a canned policy: access to one URL for a lifetime.
  public func signedCookies(
    for url: URL, expiresIn lifetime: Duration, at date: Date = Date()
  ) throws(SigV4.SigningError) -> CloudFrontCookies {
    try signedCookies(for: url.absoluteString, expiresIn: lifetime, at: SigV4.Timestamp(date))
  }

  /// Signs cookies with a canned policy: access to one URL until an expiration.
  public func signedCookies(
    for url: String, expiresAt expiration: Date
  ) throws(SigV4.SigningError) -> CloudFrontCookies {
    try signedCookies(for: url, expiresAt: SigV4.Timestamp(expiration))
  }

  /// Signs cookies with a canned policy: access to one URL until an expiration.
  public func signedCookies(
    for url: URL, expiresAt expiration: Date
  ) throws(SigV4.SigningError) -> CloudFrontCookies {
    try signedCookies(for: url.absoluteString, expiresAt: SigV4.Timestamp(expiration))
  }
}

/// As of a date, or now. Parameters and errors are the same as with a timestamp.
extension CloudFrontPolicy {
  /// Creates a policy for a lifetime.
  public init(
    resource: String, expiresIn lifetime: Duration, at date: Date = Date(),
    startsAt start: Date? = nil, ipAddress: String? = nil
  ) throws(SigV4.SigningError) {
    let start = if let start { try SigV4.Timestamp(start) } else { nil as SigV4.Timestamp? }
    try self.init(
      resource: resource, expiresIn: lifetime, at: SigV4.Timestamp(date), startsAt: start,
      ipAddress: ipAddress)
  }

  /// Creates a policy that expires at a date.
  public init(
    resource: String, expiresAt expiration: Date, startsAt start: Date? = nil,
    ipAddress: String? = nil
  ) throws(SigV4.SigningError) {
    let start = if let start { try SigV4.Timestamp(start) } else { nil as SigV4.Timestamp? }
    try self.init(
      resource: resource, expiresAt: SigV4.Timestamp(expiration), startsAt: start,
      ipAddress: ipAddress)
  }
}

/// As of a date, or now. Parameters and errors are the same as with a timestamp.
extension CloudFrontVerifier {
  /// Verifies a request with the parameters of a signed URL, or otherwise with signed cookies.
  public func verify(
    url: String, cookies: String? = nil, from address: String, at now: Date = Date()
  ) throws -> Access {
    try verify(url: url, cookies: cookies, from: address, at: SigV4.Timestamp(now))
  }
}
