// SPDX-License-Identifier: Apache-2.0
// Signatures as of a `Date`, or now.

public import Foundation
public import RequestSigning
public import S3Signing

/// Conversion from a `Date`.
extension SigV4.Timestamp {
  /// Creates a timestamp from the last whole second at or before a date.
  ///
  /// - Throws: `timestampOutOfRange` if the year isn't 1 to 9999.
  public init(_ date: Date) throws(SigV4.SigningError) {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    try self.init(unixSeconds: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
  }
}

extension Date {
  /// Creates a date from a timestamp.
  public init(_ timestamp: SigV4.Timestamp) {
    self.init(timeIntervalSince1970: Double(timestamp.unixSeconds))
  }
}

/// Signatures as of a date, or now. Each call throws the errors of the same one with a timestamp,
/// and `timestampOutOfRange` if the year isn't 1 to 9999.
extension SigV4.Signer {
  /// Signs a request in its headers, with a date.
  public func sign(
    _ request: SigV4.Request, at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.SignedRequest {
    try sign(request, at: SigV4.Timestamp(date))
  }

  /// Signs a request in its headers, for use with a different HTTP client than URLSession.
  ///
  ///     let signed = try signer.sign(method: "POST", url: url, headers: headers, body: body)
  ///
  /// Send the body to exactly `signed.url` with `signed.headers`.
  public func sign(
    method: String, url: URL, headers: SigV4.Headers = [:], body: Data = Data(),
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.SignedRequest {
    try sign(method: method, url: url, headers: headers, body: body, at: SigV4.Timestamp(date))
  }

  /// Signs a request to a `URL` in its headers, with a timestamp.
  public func sign(
    method: String, url: URL, headers: SigV4.Headers = [:], body: Data = Data(),
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.SignedRequest {
    try sign(
      method: method, url: url.absoluteURL.absoluteString, headers: headers, body: body,
      at: timestamp)
  }

  /// Signs a request to a URL as a string in its headers, with a date.
  public func sign(
    method: String, url: String, headers: SigV4.Headers = [:],
    body: some Collection<UInt8> = EmptyCollection(), at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.SignedRequest {
    try sign(method: method, url: url, headers: headers, body: body, at: SigV4.Timestamp(date))
  }

  /// Signs a request in its headers, with a reusable buffer and a date.
  @discardableResult public func sign(
    _ request: SigV4.Request, at date: Date = Date(), into buffer: inout SigV4.SigningBuffer
  ) throws(SigV4.SigningError) -> SigV4.Signature {
    try sign(request, at: SigV4.Timestamp(date), into: &buffer)
  }

  /// Signs a policy and returns a form, with a date.
  public func sign(
    _ policy: SigV4.PostPolicy, at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.PostForm {
    try sign(policy, at: SigV4.Timestamp(date))
  }

  /// Creates a form with which a browser uploads one object, with a date.
  public func presignedPost(
    for object: SigV4.Bucket.Object, contentLength: ClosedRange<Int64>? = nil,
    contentType: String? = nil, expiresIn lifetime: Duration = .seconds(3_600),
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.PostForm {
    try presignedPost(
      for: object, contentLength: contentLength, contentType: contentType, expiresIn: lifetime,
      at: SigV4.Timestamp(date))
  }

  /// Presigns a request, with a date.
  @_disfavoredOverload public func presignedURL(
    for request: SigV4.Request, expiresIn lifetime: Duration? = .seconds(3_600),
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    try presignedURL(for: request, expiresIn: lifetime, at: SigV4.Timestamp(date))
  }

  /// Creates a presigned URL in a reusable buffer, with a date.
  @discardableResult public func presignedURL(
    for request: SigV4.Request, expiresIn lifetime: Duration? = .seconds(3_600),
    at date: Date = Date(), into buffer: inout SigV4.SigningBuffer
  ) throws(SigV4.SigningError) -> SigV4.Signature {
    try presignedURL(
      for: request, expiresIn: lifetime, at: SigV4.Timestamp(date), into: &buffer)
  }

  /// Presigns a URL for an object, with a date.
  @_disfavoredOverload public func presignedURL(
    for object: SigV4.Bucket.Object, method: SigV4.HTTPMethod = .get, contentType: String? = nil,
    contentLength: Int? = nil, query: SigV4.Query = .empty, headers: SigV4.Headers = [:],
    payload: SigV4.Payload = .empty, expiresIn lifetime: Duration = .seconds(3_600),
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    try presignedURL(
      for: object, method: method, contentType: contentType, contentLength: contentLength,
      query: query, headers: headers, payload: payload, expiresIn: lifetime,
      at: SigV4.Timestamp(date))
  }

  /// Presigns the URLs of many objects in a bucket, with a date.
  @_disfavoredOverload public func presignedURLs(
    for keys: some Sequence<String>, in bucket: SigV4.Bucket, method: SigV4.HTTPMethod = .get,
    contentType: String? = nil, contentLength: Int? = nil, query: SigV4.Query = .empty,
    headers: SigV4.Headers = [:], payload: SigV4.Payload = .empty,
    expiresIn lifetime: Duration = .seconds(3_600), at date: Date = Date()
  ) throws(SigV4.SigningError) -> [String] {
    try presignedURLs(
      for: keys, in: bucket, method: method, contentType: contentType,
      contentLength: contentLength, query: query, headers: headers, payload: payload,
      expiresIn: lifetime, at: SigV4.Timestamp(date))
  }

  /// Presigns the URLs of objects, with a date.
  @_disfavoredOverload public func presignedURLs(
    for objects: some Sequence<SigV4.Bucket.Object>, method: SigV4.HTTPMethod = .get,
    contentType: String? = nil, contentLength: Int? = nil, query: SigV4.Query = .empty,
    headers: SigV4.Headers = [:], expiresIn lifetime: Duration = .seconds(3_600),
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> [String] {
    try presignedURLs(
      for: objects, method: method, contentType: contentType, contentLength: contentLength,
      query: query, headers: headers, expiresIn: lifetime, at: SigV4.Timestamp(date))
  }

  /// Prepares a header-signed request for a key elsewhere, with a date.
  public func prepare(
    _ request: SigV4.Request, at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.PendingSignature<SigV4.SignedRequest> {
    try prepare(request, at: SigV4.Timestamp(date))
  }

  /// Prepares a presigned URL for a key elsewhere, with a date.
  public func prepare(
    _ request: SigV4.Request, expiresIn lifetime: Duration?, at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.PendingSignature<SigV4.PresignedURL> {
    try prepare(request, expiresIn: lifetime, at: SigV4.Timestamp(date))
  }

  /// Prepares a form for a key elsewhere, with a date.
  public func prepare(
    _ policy: SigV4.PostPolicy, at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.PendingSignature<SigV4.PostForm> {
    try prepare(policy, at: SigV4.Timestamp(date))
  }

  /// Returns the signing key of a date's UTC day.
  public func signingKey(
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.SigningKey {
    try signingKey(at: SigV4.Timestamp(date))
  }

  /// Returns the credential scope of a date's UTC day.
  public func scope(at date: Date = Date()) throws(SigV4.SigningError) -> SigV4.CredentialScope {
    scope(at: try SigV4.Timestamp(date))
  }
}

extension SigV4.SigningKey {
  /// Derives the signing key for a date's UTC day, a region and a service.
  ///
  /// - Throws: `invalidRegion`, `invalidService`, or `timestampOutOfRange` if the year isn't 1 to
  ///   9999.
  public init(
    credentials: SigV4.Credentials, date: Date = Date(), region: String, service: SigV4.Service
  ) throws(SigV4.SigningError) {
    try self.init(
      credentials: credentials, date: SigV4.Timestamp(date), region: region, service: service)
  }
}

extension SigV4.CredentialScope {
  /// Creates the scope of a date's UTC day, a region and a service.
  ///
  /// - Throws: `invalidRegion`, `invalidService`, or `timestampOutOfRange` if the year isn't 1 to
  ///   9999.
  public init(
    dayOf date: Date = Date(), region: String, service: String
  ) throws(SigV4.SigningError) {
    try self.init(dayOf: SigV4.Timestamp(date), region: region, service: service)
  }
}
