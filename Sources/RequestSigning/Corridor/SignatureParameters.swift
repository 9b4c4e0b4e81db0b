// SPDX-License-Identifier: Apache-2.0
// The parameters that a presigned URL has before it is signed.

internal import SecureHashing
internal import SigningSupport

extension SigV4.Preparer {
  /// Writes the parameters that a presigned URL has before it is signed, `name=value&name=value...`,
  /// percent-encoded and in canonical order. The lifetime is at most 604,800 seconds; nil for a
  /// service whose URLs do not say how long they live.
  func writeParameters(
    of request: SigV4.Request, with required: SigV4.RequiredHeaders, lifetime: Int?,
    at timestamp: SigV4.Timestamp, to writer: inout SigV4.ByteWriter
  ) {
    let texts = storage.texts
    let tokenRule = storage.service.sessionTokenRule
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
    if tokenRule.isSigned, let token = storage.identity.sessionTokenBytes {
      writer.append(tokenRule.parameterStart)
      token.write(percentEncodedTo: &writer)
    }
    writer.append("&X-Amz-SignedHeaders=")
    request.canonicalHeaders.writeEncodedNames(
      without: storage.unsignedInURLs, with: required, to: &writer)
  }
}

extension SymmetricKey {
  /// Writes a session token as the value of a parameter.
  func write(percentEncodedTo writer: inout SigV4.ByteWriter) {
    // Safety: the token lives as long as the closure runs.
    unsafe withUnsafeBytes { unsafe URIEncoding.write($0, to: &writer) }
  }
}
