// SPDX-License-Identifier: Apache-2.0
// What signing in headers gives: a request waiting for its signature, and one that has it.

nonisolated extension SigV4 {
  /// A request whose string to sign is known and whose signature is not.
  public struct PreparedRequest: Sendable {
    let request: Request
    let path: CanonicalPath
    let signedHeaders: Headers
    let unsignedHeaders: Headers
    let preparer: Preparer

    /// Room 1.
    public let canonicalRequest: CanonicalRequest

    /// What the signature will be good for.
    public let credentialScope: CredentialScope

    /// Room 2: what has to be signed with the signing key of the scope.
    public let stringToSign: StringToSign

    /// Room 5: the request with its signature, which is not checked here.
    public func signed(with signature: Signature) -> SignedRequest {
      var headers = signedHeaders + unsignedHeaders
      headers.append(
        "Authorization",
        Authorization.headerValue(
          preparer.algorithm, accessKeyID: preparer.identity.accessKeyID, scope: credentialScope,
          signedHeaders: canonicalRequest.signedHeaders, signature: signature))
      return SignedRequest(
        method: request.method, scheme: request.scheme, host: request.host,
        target: Target.text(path, request.query), headers: headers,
        canonicalRequest: canonicalRequest, credentialScope: credentialScope,
        stringToSign: stringToSign, signature: signature)
    }
  }

  /// What has to be added to a request so that it is signed, and how it came about.
  public struct SignedRequest: Sendable {
    /// The method, as it was signed.
    public let method: String

    /// The scheme of the URL.
    public let scheme: Scheme

    /// The value of the Host header, as it was signed.
    public let host: String

    /// What has to stand in the request line after the method: path and query, byte for byte.
    public let target: String

    /// The headers to add to those of the request. They hold credentials.
    public let headers: Headers

    /// Room 1: compare it with the server's when it answers SignatureDoesNotMatch.
    public let canonicalRequest: CanonicalRequest

    /// What the signature is good for.
    public let credentialScope: CredentialScope

    /// Room 2.
    public let stringToSign: StringToSign

    /// Room 4.
    public let signature: Signature

    /// The URL to send the request to, byte for byte.
    public var url: String { scheme.name + "://" + host + target }

    /// The names of the signed headers, lowercase and sorted, separated by ';'.
    public var signedHeaders: String { canonicalRequest.signedHeaders }

    /// The value of the Authorization header.
    public var authorization: String { headers.values(named: "authorization").last ?? "" }
  }

  /// The target of a request line.
  enum Target {
    /// Path and query, as they go on the wire.
    static func text(_ path: CanonicalPath, _ query: Query) -> String {
      var bytes = path.wire
      if !query.isEmpty {
        bytes.append(ASCII.questionMark)
        bytes.append(contentsOf: query.wireBytes)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

nonisolated extension SigV4.PreparedRequest: CustomStringConvertible {
  /// Method, host and scope.
  public var description: String {
    "PreparedRequest(\(request), \(credentialScope.text))"
  }
}

nonisolated extension SigV4.SignedRequest: CustomStringConvertible {
  /// Method, host, signed headers and scope. Neither token nor signature.
  public var description: String {
    "SignedRequest(\(method) \(scheme.name)://\(host), \(signedHeaders), \(credentialScope.text))"
  }
}
