// SPDX-License-Identifier: Apache-2.0
// The results of signing: headers to add or a URL, with the result of each step, and the form that
// waits for an external signature.

internal import SecureHashing

extension SigV4 {
  /// A signed request: the URL and headers to send, and the result of each step.
  public struct SignedRequest: Sendable {
    package let request: Request

    /// The signing time.
    public let timestamp: Timestamp

    package let preparer: Preparer

    /// The signature.
    public let signature: Signature

    private let buffer: SigningBuffer

    init(
      _ request: Request, _ timestamp: Timestamp, _ preparer: Preparer, _ signature: Signature,
      _ buffer: SigningBuffer
    ) {
      self.request = request
      self.timestamp = timestamp
      self.preparer = preparer
      self.signature = signature
      self.buffer = buffer
    }

    /// The signed method.
    public var method: String { request.method }

    /// The URL scheme.
    public var scheme: Scheme { request.scheme }

    /// The signed `Host` header value.
    public var host: String { request.host }

    /// The path and query to send in the request line, byte for byte.
    public var target: String {
      let shape = request.message.shape
      let path = request.text(shape.sentPath(preparer.service.pathRule))
      return shape.query.isEmpty ? path : path + "?" + request.text(shape.query)
    }

    /// The URL to send the request to, byte for byte.
    public var url: String { scheme.name + "://" + host + target }

    /// All headers to send: the request's, followed by the added ones. They contain credentials.
    public var headers: Headers { request.headers + addedHeaders }

    /// The headers added by signing. They contain credentials.
    public var addedHeaders: Headers { buffer.headers }

    /// The request's unsigned headers. Intermediaries can change them undetected.
    public var unsignedHeaders: Headers {
      Headers(request.headers.filter { preparer.service.leavesUnsigned($0, inURL: false) })
    }

    /// The request's headers for other protocols than the signature's: of `x-amz-*`, `x-goog-*`,
    /// `x-oss-*`, `x-tos-*` and `x-obs-*`. A store may ignore or reject them.
    public var headersOfOtherProtocols: Headers {
      request.headers.ofOtherProtocols(than: preparer.service.names)
    }

    /// The `Authorization` header value.
    public var authorization: String { buffer.authorization }

    /// The signed payload.
    public var payload: Payload {
      request.payload(request.payload.declared(.headers, preparer.service.payloadRule))
    }

    /// The signature's credential scope.
    public var credentialScope: CredentialScope { preparer.scope(at: timestamp) }

    /// The signed header names, lowercase and sorted, separated by ';'.
    public var signedHeaders: String { canonicalRequest.signedHeaders }

    /// The canonical request. If the server responds with SignatureDoesNotMatch, compare it with
    /// the server's.
    public var canonicalRequest: CanonicalRequest { buffer.canonicalRequest }

    /// The string to sign.
    public var stringToSign: StringToSign { buffer.stringToSign }
  }

  /// A URL that contains its signature, with the result of each step.
  ///
  /// Anyone who has the URL can use it. Treat it as a secret.
  public struct PresignedURL: Sendable {
    private let request: Request

    /// The signing time.
    public let timestamp: Timestamp

    package let preparer: Preparer

    /// The signature.
    public let signature: Signature

    private let buffer: SigningBuffer

    /// The time when the URL expires, or nil for a service whose URLs contain no lifetime.
    public var expiration: Timestamp? {
      if case .url(let lifetime) = buffer.parts.placement { lifetime?.expiration } else { nil }
    }

    init(
      _ request: consuming Request, _ timestamp: Timestamp, _ preparer: Preparer,
      _ signature: Signature, _ buffer: consuming SigningBuffer
    ) {
      self.request = request
      self.timestamp = timestamp
      self.preparer = preparer
      self.signature = signature
      self.buffer = buffer
    }

    /// The URL, byte for byte. Secret.
    public var url: String { buffer.url }

    /// The signed method. A URL for GET doesn't work for HEAD.
    public var method: String { request.method }

    /// The URL scheme.
    public var scheme: Scheme { request.scheme }

    /// The signed `Host` header value.
    public var host: String { request.host }

    /// The path and query, byte for byte. Secret.
    public var target: String { buffer.text(buffer.parts.target) }

    /// The headers, other than Host, that the holder of the URL must send with these values.
    public var requiredHeaders: Headers {
      let signed = request.headers.filter { !preparer.service.leavesUnsigned($0, inURL: true) }
      return Headers(signed) + buffer.headersOfURL
    }

    /// The request's unsigned headers, which the holder of the URL doesn't need to send.
    public var unsignedHeaders: Headers {
      Headers(request.headers.filter { preparer.service.leavesUnsigned($0, inURL: true) })
    }

    /// The request's headers for other protocols than the signature's: of `x-amz-*`, `x-goog-*`,
    /// `x-oss-*`, `x-tos-*` and `x-obs-*`. A store may ignore or reject them.
    public var headersOfOtherProtocols: Headers {
      request.headers.ofOtherProtocols(than: preparer.service.names)
    }

    /// The signature's credential scope.
    public var credentialScope: CredentialScope { preparer.scope(at: timestamp) }

    /// The signed header names, lowercase and sorted, separated by ';'.
    public var signedHeaders: String { canonicalRequest.signedHeaders }

    /// The canonical request. If the server responds with SignatureDoesNotMatch, compare it with
    /// the server's.
    public var canonicalRequest: CanonicalRequest { buffer.canonicalRequest }

    /// The string to sign.
    public var stringToSign: StringToSign { buffer.stringToSign }
  }

  /// A string to sign that waits for a signature created outside the library: of a request, a
  /// presigned URL or a form.
  public struct PendingSignature<Signed: Sendable>: Sendable {
    /// The string to sign, for the signing key of the scope. For a form, it's the policy, which
    /// contains the session token of temporary credentials.
    public let stringToSign: StringToSign

    /// The canonical request, or nil for a form, which has none.
    public let canonicalRequest: CanonicalRequest?

    /// The signature's credential scope.
    public let credentialScope: CredentialScope

    private let finish: @Sendable (Signature) -> Signed

    package init(
      _ stringToSign: StringToSign, _ canonicalRequest: CanonicalRequest?,
      _ credentialScope: CredentialScope, finish: @escaping @Sendable (Signature) -> Signed
    ) {
      self.stringToSign = stringToSign
      self.canonicalRequest = canonicalRequest
      self.credentialScope = credentialScope
      self.finish = finish
    }

    /// Returns the result with a signature, which isn't checked.
    public func signed(with signature: Signature) -> Signed { finish(signature) }
  }
}

/// Signatures created outside the library.
extension SigV4.Signer {
  /// Prepares a header-signed request, for a key in an HSM or another process.
  ///
  ///     let pending = try signer.prepare(request, at: now)
  ///     let signature = try SigV4.Signature(hexString: await hsm.sign(pending.stringToSign.bytes))
  ///     let signed = pending.signed(with: signature)
  ///
  /// - Throws: `alreadySigned`, `credentialsExpired`, `conflictingHeader` or
  ///   `objectKeyNotSupported`.
  public func prepare(
    _ request: SigV4.Request, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PendingSignature<SigV4.SignedRequest> {
    try preparer.pending(request, .headers, at: timestamp) { [preparer] buffer, signature in
      SigV4.SignedRequest(request, timestamp, preparer, signature, buffer)
    }
  }

  /// Prepares a presigned URL, valid for 1 second to 7 days.
  ///
  /// - Parameters:
  ///   - request: the request to presign.
  ///   - lifetime: how long the URL is valid, or nil for a service whose URLs contain no lifetime.
  ///   - timestamp: the time of the signature.
  ///
  /// - Throws: The errors of ``prepare(_:at:)`` and ``presignedURL(for:expiresIn:at:)``.
  public func prepare(
    _ request: SigV4.Request, expiresIn lifetime: Duration?, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PendingSignature<SigV4.PresignedURL> {
    let lifetime = try preparer.lifetime(lifetime, at: timestamp)
    return try preparer.pending(request, .url(lifetime), at: timestamp) {
      [preparer] buffer, signature in
      SigV4.PresignedURL(request, timestamp, preparer, signature, buffer)
    }
  }
}

extension SigV4.Preparer {
  /// Runs steps 1 to 3, and step 6 once there is a signature.
  fileprivate func pending<Signed: Sendable>(
    _ request: SigV4.Request, _ placement: SigV4.SignaturePlacement,
    at timestamp: SigV4.Timestamp,
    result: @escaping @Sendable (SigV4.SigningBuffer, SigV4.Signature) -> Signed
  ) throws(SigV4.SigningError) -> SigV4.PendingSignature<Signed> {
    var written = SigV4.SigningBuffer()
    try prepare(request, placement, at: timestamp, into: &written)
    return SigV4.PendingSignature(
      written.stringToSign, written.canonicalRequest, scope(at: timestamp)
    ) { [self, written] signature in
      var buffer = written
      buffer.writeResult(request.message, signature, self, at: timestamp)
      return result(buffer, signature)
    }
  }
}

extension SigV4.SignedRequest: CustomStringConvertible {
  /// The method, host, signed headers and scope, without the token or signature.
  public var description: String {
    "SignedRequest(\(method) \(scheme.name)://\(host), \(signedHeaders), \(credentialScope.text))"
  }
}

extension SigV4.PresignedURL: CustomStringConvertible {
  /// The method, host, signed headers and scope, without the token or signature.
  public var description: String {
    "PresignedURL(\(method) \(scheme.name)://\(host), \(signedHeaders), \(credentialScope.text))"
  }
}

extension SigV4.PendingSignature: CustomStringConvertible {
  /// The scope.
  public var description: String { "PendingSignature(\(credentialScope.text))" }
}

extension SigV4.SignedRequest: Redacted {}
extension SigV4.PresignedURL: Redacted {}
extension SigV4.PendingSignature: Redacted {}
