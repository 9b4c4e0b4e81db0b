// SPDX-License-Identifier: Apache-2.0
// What signing in the query gives: a URL waiting for its signature, and one that has it.

nonisolated extension SigV4 {
  /// A URL whose string to sign is known and whose signature is not.
  public struct PreparedURL: Sendable {
    let request: Request
    let path: CanonicalPath
    let query: Query
    let requiredHeaders: Headers
    let expiration: Timestamp?
    let preparer: Preparer

    /// Room 1.
    public let canonicalRequest: CanonicalRequest

    /// What the signature will be good for.
    public let credentialScope: CredentialScope

    /// Room 2: what has to be signed with the signing key of the scope.
    public let stringToSign: StringToSign

    /// Room 5: the URL with its signature, which is not checked here.
    public func signed(with signature: Signature) -> PresignedURL {
      let after = Authorization.parametersAfterSigning(
        signature, identity: preparer.identity, tokenRule: preparer.service.sessionTokenRule)
      let query = Query(parameters: query.parameters + Query(after).parameters)
      return PresignedURL(
        method: request.method, scheme: request.scheme, host: request.host,
        target: Target.text(path, query), requiredHeaders: requiredHeaders, expiration: expiration,
        canonicalRequest: canonicalRequest, credentialScope: credentialScope,
        stringToSign: stringToSign, signature: signature)
    }
  }

  /// A URL that carries its signature, and how it came about.
  ///
  /// Whoever has the URL can use it: treat it as a secret.
  public struct PresignedURL: Sendable {
    /// The method, which is signed: a URL for GET is none for HEAD.
    public let method: String

    /// The scheme of the URL.
    public let scheme: Scheme

    /// The value of the Host header, as it was signed.
    public let host: String

    /// Path and query, byte for byte. Secret.
    public let target: String

    /// The headers that the holder of the URL has to send, apart from Host, with these values.
    public let requiredHeaders: Headers

    /// When the URL stops to work; nil for a service whose URLs do not say so.
    public let expiration: Timestamp?

    /// Room 1: compare it with the server's when it answers SignatureDoesNotMatch.
    public let canonicalRequest: CanonicalRequest

    /// What the signature is good for.
    public let credentialScope: CredentialScope

    /// Room 2.
    public let stringToSign: StringToSign

    /// Room 4.
    public let signature: Signature

    /// The URL, byte for byte. Secret.
    public var url: String { scheme.name + "://" + host + target }

    /// The names of the signed headers, lowercase and sorted, separated by ';'.
    public var signedHeaders: String { canonicalRequest.signedHeaders }
  }
}

nonisolated extension SigV4.PreparedURL: CustomStringConvertible {
  /// Method, host and scope.
  public var description: String {
    "PreparedURL(\(request), \(credentialScope.text))"
  }
}

nonisolated extension SigV4.PresignedURL: CustomStringConvertible {
  /// Method, host, signed headers and scope. Neither token nor signature.
  public var description: String {
    "PresignedURL(\(method) \(scheme.name)://\(host), \(signedHeaders), \(credentialScope.text))"
  }
}
