// SPDX-License-Identifier: Apache-2.0
// Room 1: the request in the one form that both sides hash.

#if canImport(SecureHashing)
  public import SecureHashing
#endif

nonisolated extension SigV4 {
  /// Room 1: the canonical request (SigV4, step 1).
  ///
  /// When a server answers SignatureDoesNotMatch, it shows its canonical request: compare the two.
  public struct CanonicalRequest: Sendable {
    /// The canonical request. It may hold a session token.
    public let bytes: [UInt8]

    /// The names of the signed headers, lowercase and sorted, separated by ';'.
    public let signedHeaders: String

    init(
      method: String, path: CanonicalPath, query: CanonicalQuery, headers: CanonicalHeaders,
      payload: String
    ) {
      let names = headers.names
      var bytes = Array(method.utf8)
      bytes.append(ASCII.newline)
      bytes.append(contentsOf: path.bytes)
      bytes.append(ASCII.newline)
      bytes.append(contentsOf: query.bytes)
      bytes.append(ASCII.newline)
      headers.write(to: &bytes)
      bytes.append(ASCII.newline)
      bytes.append(contentsOf: names)
      bytes.append(ASCII.newline)
      bytes.append(contentsOf: payload.utf8)
      self.bytes = bytes
      self.signedHeaders = String(decoding: names, as: UTF8.self)
    }

    /// The canonical request as text. It may hold a session token.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// SigV4, step 2: SHA-256 of the canonical request.
    public var digest: SHA256.Digest { SHA256.hash(data: bytes) }
  }
}

nonisolated extension SigV4.CanonicalRequest: CustomStringConvertible {
  /// Size and digest. The text itself, which may hold a session token, is ``text``.
  public var description: String {
    "canonical request of \(bytes.count) bytes, SHA-256 \(digest.hexadecimal)"
  }
}
