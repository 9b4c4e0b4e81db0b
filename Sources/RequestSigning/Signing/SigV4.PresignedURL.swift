// SPDX-License-Identifier: Apache-2.0
// What signing in the query gives: a URL waiting for its signature, and one that has it.

internal import SigningSupport

extension SigV4 {
  /// A URL whose string to sign is known and whose signature is not.
  public struct PreparedURL: Sendable {
    let request: Request
    let timestamp: Timestamp
    let expiration: Timestamp?
    let preparer: Preparer
    let buffer: SigningBuffer

    /// Room 1.
    public var canonicalRequest: CanonicalRequest { buffer.canonicalRequest }

    /// What the signature will be good for.
    public var credentialScope: CredentialScope { preparer.scope(at: timestamp) }

    /// Room 2: what has to be signed with the signing key of the scope.
    public var stringToSign: StringToSign { buffer.stringToSign }

    /// Room 5: the URL with its signature, which is not checked here.
    public func signed(with signature: Signature) -> PresignedURL {
      var buffer = buffer
      preparer.finishURL(request, with: signature, in: &buffer)
      return PresignedURL(
        request: request, timestamp: timestamp, preparer: preparer, expiration: expiration,
        signature: signature, buffer: buffer)
    }
  }

  /// A URL that carries its signature, and how it came about.
  ///
  /// Whoever has the URL can use it: treat it as a secret.
  public struct PresignedURL: Sendable {
    let request: Request
    package let timestamp: Timestamp
    package let preparer: Preparer

    /// When the URL stops to work; nil for a service whose URLs do not say so.
    public let expiration: Timestamp?

    /// Room 4.
    public let signature: Signature

    let buffer: SigningBuffer

    package init(
      request: Request, timestamp: Timestamp, preparer: Preparer, expiration: Timestamp?,
      signature: Signature, buffer: SigningBuffer
    ) {
      self.request = request
      self.timestamp = timestamp
      self.preparer = preparer
      self.expiration = expiration
      self.signature = signature
      self.buffer = buffer
    }

    /// The method, which is signed: a URL for GET is none for HEAD.
    public var method: String { request.method }

    /// The scheme of the URL.
    public var scheme: Scheme { request.scheme }

    /// The value of the Host header, as it was signed.
    public var host: String { request.host }

    /// Path and query, byte for byte. Secret.
    public var target: String { buffer.text(buffer.layout.target) }

    /// The headers that the holder of the URL has to send, apart from Host, with these values.
    public var requiredHeaders: Headers {
      var headers = Headers(
        request.headers.filter { preparer.storage.unsignedInURLs.leavesSigned($0) })
      if let digest = buffer.layout.required.contentDigest {
        headers.append(RequiredHeader.contentDigest.name.description, buffer.text(digest))
      }
      return headers
    }

    /// Room 1: compare it with the server's when it answers SignatureDoesNotMatch.
    public var canonicalRequest: CanonicalRequest { buffer.canonicalRequest }

    /// What the signature is good for.
    public var credentialScope: CredentialScope { preparer.scope(at: timestamp) }

    /// Room 2.
    public var stringToSign: StringToSign { buffer.stringToSign }

    /// The URL, byte for byte. Secret.
    public var url: String { buffer.url }

    /// The names of the signed headers, lowercase and sorted, separated by ';'.
    public var signedHeaders: String { canonicalRequest.signedHeaders }
  }
}

extension SigV4.PreparedURL: CustomStringConvertible {
  /// Method, host and scope.
  public var description: String {
    "PreparedURL(\(request), \(credentialScope.text))"
  }
}

extension SigV4.PresignedURL: CustomStringConvertible {
  /// Method, host, signed headers and scope. Neither token nor signature.
  public var description: String {
    "PresignedURL(\(method) \(scheme.name)://\(host), \(signedHeaders), \(credentialScope.text))"
  }
}

extension SigV4.PreparedURL: ConcealsContents {}
extension SigV4.PresignedURL: ConcealsContents {}
