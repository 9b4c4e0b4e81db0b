// SPDX-License-Identifier: Apache-2.0
// What signing in headers gives: a request waiting for its signature, and one that has it.

internal import SigningSupport

extension SigV4 {
  /// A request whose string to sign is known and whose signature is not.
  public struct PreparedRequest: Sendable {
    let request: Request
    let timestamp: Timestamp
    let preparer: Preparer
    let buffer: SigningBuffer

    /// Room 1.
    public var canonicalRequest: CanonicalRequest { buffer.canonicalRequest }

    /// What the signature will be good for.
    public var credentialScope: CredentialScope { preparer.scope(at: timestamp) }

    /// Room 2: what has to be signed with the signing key of the scope.
    public var stringToSign: StringToSign { buffer.stringToSign }

    /// Room 5: the request with its signature, which is not checked here.
    public func signed(with signature: Signature) -> SignedRequest {
      var buffer = buffer
      preparer.finish(request, at: timestamp, with: signature, in: &buffer)
      return SignedRequest(
        request: request, timestamp: timestamp, preparer: preparer, signature: signature,
        buffer: buffer)
    }
  }

  /// What has to be added to a request so that it is signed, and how it came about.
  public struct SignedRequest: Sendable {
    /// The request, as it was given.
    public let request: Request

    /// When it was signed.
    public let timestamp: Timestamp

    package let preparer: Preparer

    /// Room 4.
    public let signature: Signature

    let buffer: SigningBuffer

    /// What was signed of the body: the request's payload, unless the service says another.
    public var payload: Payload {
      request.payload.declaredInHeaders(preparer.service.payloadRule).payload
    }

    /// The method, as it was signed.
    public var method: String { request.method }

    /// The scheme of the URL.
    public var scheme: Scheme { request.scheme }

    /// The value of the Host header, as it was signed.
    public var host: String { request.host }

    /// What has to stand in the request line after the method: path and query, byte for byte.
    public var target: String {
      var bytes = CanonicalPath.wire(request.path, preparer.service.pathRule)
      if !request.query.isEmpty { bytes += [ASCIIByte.questionMark] + request.query.bytes }
      return bytes.textInUTF8
    }

    /// The headers to add to those of the request. They hold credentials.
    public var headers: Headers { buffer.headers }

    /// Room 1: compare it with the server's when it answers SignatureDoesNotMatch.
    public var canonicalRequest: CanonicalRequest { buffer.canonicalRequest }

    /// What the signature is good for.
    public var credentialScope: CredentialScope { preparer.scope(at: timestamp) }

    /// Room 2.
    public var stringToSign: StringToSign { buffer.stringToSign }

    /// The URL to send the request to, byte for byte.
    public var url: String { scheme.name + "://" + host + target }

    /// The names of the signed headers, lowercase and sorted, separated by ';'.
    public var signedHeaders: String { canonicalRequest.signedHeaders }

    /// The value of the Authorization header.
    public var authorization: String { buffer.authorization }
  }
}

extension SigV4.PreparedRequest: CustomStringConvertible {
  /// Method, host and scope.
  public var description: String {
    "PreparedRequest(\(request), \(credentialScope.text))"
  }
}

extension SigV4.SignedRequest: CustomStringConvertible {
  /// Method, host, signed headers and scope. Neither token nor signature.
  public var description: String {
    "SignedRequest(\(method) \(scheme.name)://\(host), \(signedHeaders), \(credentialScope.text))"
  }
}

extension SigV4.PreparedRequest: ConcealsContents {}
extension SigV4.SignedRequest: ConcealsContents {}
