// SPDX-License-Identifier: Apache-2.0
// Room 5: where the signature stands in what is sent: in a header, or in the query.

nonisolated extension SigV4 {
  /// Room 5: the Authorization header, or the parameters of a presigned URL.
  enum Authorization {
    /// SigV4, step 6: the value of the Authorization header.
    static func headerValue(
      _ algorithm: SignatureAlgorithm, accessKeyID: String, scope: CredentialScope,
      signedHeaders: String, signature: Signature
    ) -> String {
      algorithm.name + " Credential=" + accessKeyID + "/" + scope.text
        + ", SignedHeaders=" + signedHeaders + ", Signature=" + signature.hexadecimal
    }

    /// The parameters that a presigned URL has before it is signed.
    static func parameters(
      _ algorithm: SignatureAlgorithm, identity: Identity, scope: CredentialScope,
      timestamp: Timestamp, lifetime: Int?, signedHeaders: String,
      tokenRule: Service.SessionTokenRule
    ) -> [(String, String?)] {
      var parameters: [(String, String?)] = [
        ("X-Amz-Algorithm", algorithm.name),
        ("X-Amz-Credential", identity.accessKeyID + "/" + scope.text),
        ("X-Amz-Date", timestamp.text),
      ]
      if let lifetime { parameters.append(("X-Amz-Expires", String(lifetime))) }
      if tokenRule.isSigned, let token = identity.sessionToken {
        parameters.append((tokenRule.parameterName, token))
      }
      parameters.append(("X-Amz-SignedHeaders", signedHeaders))
      return parameters
    }

    /// The parameters that a presigned URL has after it is signed: the signature comes first.
    static func parametersAfterSigning(
      _ signature: Signature, identity: Identity, tokenRule: Service.SessionTokenRule
    ) -> [(String, String?)] {
      var parameters: [(String, String?)] = [("X-Amz-Signature", signature.hexadecimal)]
      if !tokenRule.isSigned, let token = identity.sessionToken {
        parameters.append((tokenRule.parameterName, token))
      }
      return parameters
    }

    /// Refuses a request that carries a signature, which a second one would only contradict.
    static func refuseSigned(_ request: Request) throws(SigningError) {
      let header = request.headers.first { $0.isNamed("authorization") }
      let parameter = request.query.parameters.first { isReserved($0.name) }
      if header != nil || parameter != nil {
        let place = parameter.map { "the query parameter \(quoted($0.name))" }
        throw SigningError(
          .alreadySigned,
          "the request carries \(place ?? "an Authorization header") already, and services refuse "
            + "what is signed twice; sign the request as it was before, without it")
      }
    }

    /// Whether a parameter belongs to the signature itself.
    static func isReserved(_ name: [UInt8]) -> Bool {
      [
        "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires",
        "X-Amz-SignedHeaders", "X-Amz-Signature", "X-Amz-Security-Token", "X-Amz-S3session-Token",
      ].contains { ASCII.equalIgnoringCase(name, $0.utf8) }
    }
  }
}
