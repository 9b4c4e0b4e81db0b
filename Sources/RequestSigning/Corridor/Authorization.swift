// SPDX-License-Identifier: Apache-2.0
// Room 5: where the signature stands in what is sent: in a header, or in the query.

internal import SecureHashing
internal import SigningSupport

extension SigV4.SigningBuffer {
  /// Room 5 (SigV4, step 6): the value of the Authorization header, and the session token that is
  /// sent without being signed.
  mutating func writeAuthorization(
    _ signature: SigV4.Signature, _ texts: SigV4.ScopeTexts, at timestamp: SigV4.Timestamp,
    unsignedToken: SymmetricKey?
  ) {
    let names = layout.signedHeaders
    layout.authorization = write { writer in
      writer.append(texts.algorithmName)
      writer.append(" Credential=")
      writer.append(texts.accessKeyID)
      texts.writeScope(at: timestamp, to: &writer)
      writer.append(", SignedHeaders=")
      writer.appendAgain(names)
      writer.append(", Signature=")
      writer.appendHexadecimal(signature.digest)
    }
    if let unsignedToken {
      layout.required.token = write { writer in
        // Safety: the token lives as long as the closure runs.
        unsafe unsignedToken.withUnsafeBytes { unsafe writer.append($0) }
      }
    }
  }

  /// Room 5: the URL with the signature, and after it the session token that is not signed.
  mutating func writeURL(
    _ request: SigV4.Request, _ pathRule: SigV4.Service.PathRule, _ signature: SigV4.Signature,
    unsignedToken: SymmetricKey?
  ) {
    let parameters = layout.parameters
    var (targetStart, signatureStart) = (0, 0)
    layout.url = write { writer in
      writer.append(request.scheme.text)
      writer.append("://")
      writer.append(request.storage.host)
      targetStart = writer.count
      writer.append(SigV4.CanonicalPath.wire(request.path, pathRule))
      writer.append(ASCIIByte.questionMark)
      writer.append(request.query.bytes)
      if !request.query.isEmpty { writer.append(ASCIIByte.ampersand) }
      writer.appendAgain(parameters)
      writer.append("&X-Amz-Signature=")
      signatureStart = writer.count
      writer.appendHexadecimal(signature.digest)
      if let unsignedToken {
        writer.append("&X-Amz-Security-Token=")
        unsignedToken.write(percentEncodedTo: &writer)
      }
    }
    layout.target = targetStart..<layout.url.upperBound
    layout.signatureInURL = signatureStart..<signatureStart &+ 2 &* SHA256.byteCount
  }
}

extension SigV4 {
  /// What already carries a signature.
  enum Authorization {
    /// Refuses a request that carries a signature, which a second one would only contradict.
    static func refuseSigned(_ request: Request) throws(SigningError) {
      let reserved = reservedParameter(of: request.query)
      let header = request.canonicalHeaders.line(ofSignature: "authorization")
      if reserved == nil && header == nil { return }
      var place: UTF8Text = "an Authorization header"
      if let reserved {
        place = "the query parameter \(quoted: request.query.bytes[reserved.name])"
      }
      throw SigningError(
        .alreadySigned,
        """
        the request carries \(place) already, and services refuse what is signed twice; sign the \
        request as it was before, without it
        """)
    }

    /// A parameter that belongs to the signature itself.
    static func reservedParameter(of query: Query) -> FieldRange? {
      query.sorted.first { parameter in
        let first = parameter.name.isEmpty ? 0 : query.bytes[parameter.start]
        return first | 0x20 == 0x78 && isReserved(query.bytes[parameter.name])
      }
    }

    static func isReserved(_ name: ArraySlice<UInt8>) -> Bool {
      let names: [StaticString] = [
        "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires",
        "X-Amz-SignedHeaders", "X-Amz-Signature", "X-Amz-Security-Token", "X-Amz-S3session-Token",
      ]
      return names.contains { name.spellsIgnoringCase($0) }
    }
  }
}
