// SPDX-License-Identifier: Apache-2.0
// The parameters that a presigned URL has before it is signed.

#if canImport(SecureHashing)
  internal import SecureHashing
#endif

nonisolated extension SigV4 {
  /// The parameters that a presigned URL has before it is signed.
  struct SignatureParameters {
    let texts: ScopeTexts
    let timestamp: Timestamp

    /// In seconds, at most 604,800; nil for a service whose URLs do not say how long they live.
    let lifetime: Int?

    /// The session token, unless it is added after signing.
    let token: SymmetricKey?
    let tokenRule: Service.SessionTokenRule
    let headers: SignedHeaders

    /// Writes `name=value&name=value...`, percent-encoded and in canonical order.
    func write(to writer: inout ByteWriter) {
      writer.append("X-Amz-Algorithm=")
      writer.append(texts.algorithmName)
      writer.append("&X-Amz-Credential=")
      writer.append(texts.encodedAccessKeyID)
      timestamp.writeDay(to: &writer)
      writer.append(texts.encodedScopeEnd)
      writer.append("&X-Amz-Date=")
      timestamp.write(to: &writer)
      if let lifetime {
        writer.append("&X-Amz-Expires=")
        writer.append(decimal: lifetime)
      }
      if let token {
        writer.append(tokenRule.parameterStart)
        token.write(percentEncodedTo: &writer)
      }
      writer.append("&X-Amz-SignedHeaders=")
      headers.writeEncodedNames(to: &writer)
    }
  }
}

nonisolated extension SymmetricKey {
  /// Writes a session token as the value of a parameter.
  func write(percentEncodedTo writer: inout SigV4.ByteWriter) {
    // Safety: the token lives as long as the closure runs.
    unsafe withUnsafeBytes { unsafe SigV4.PercentEncoding.write($0, to: &writer) }
  }
}
