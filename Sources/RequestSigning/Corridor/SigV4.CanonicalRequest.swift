// SPDX-License-Identifier: Apache-2.0
// Room 1: the request in the one form that both sides hash.

public import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Room 1: the canonical request (SigV4, step 1).
  ///
  /// When a server answers SignatureDoesNotMatch, it shows its canonical request: compare the two.
  public struct CanonicalRequest: Sendable {
    let buffer: SigningBuffer

    init(in buffer: SigningBuffer) {
      self.buffer = buffer
    }

    /// The canonical request. It may hold a session token.
    public var bytes: [UInt8] { Array(buffer.memory[buffer.layout.canonicalRequest]) }

    /// The canonical request as text. It may hold a session token.
    public var text: String { buffer.text(buffer.layout.canonicalRequest) }

    /// The names of the signed headers, lowercase and sorted, separated by ';'.
    public var signedHeaders: String { buffer.text(buffer.layout.signedHeaders) }

    /// SigV4, step 2: SHA-256 of the canonical request.
    public var digest: SHA256.Digest { buffer.canonicalRequestDigest }
  }
}

extension SigV4.SigningBuffer {
  /// Room 1.
  mutating func writeCanonicalRequest(
    _ request: SigV4.Request, _ pathRule: SigV4.Service.PathRule,
    without unsigned: SigV4.UnsignedHeaders, with required: SigV4.RequiredHeaders,
    payload: SigV4.Payload
  ) {
    writeCanonicalRequest(
      request.method, request.path, request.query, request.canonicalHeaders, pathRule,
      without: unsigned, with: required, payload: payload)
  }

  /// Room 1, of a request that is given in its parts.
  package mutating func writeCanonicalRequest(
    _ method: String, _ path: SigV4.Path, _ query: SigV4.Query, _ headers: SigV4.CanonicalHeaders,
    _ pathRule: SigV4.Service.PathRule, without unsigned: SigV4.UnsignedHeaders,
    with required: SigV4.RequiredHeaders, payload: SigV4.Payload
  ) {
    var places = SigV4.RequiredHeaders.Places()
    var names = 0..<0
    let parameters = layout.parameters
    layout.canonicalRequest = write { writer in
      writer.append(method)
      writer.append(ASCIIByte.newline)
      SigV4.CanonicalPath.write(path, pathRule, to: &writer)
      writer.append(ASCIIByte.newline)
      var query = SigV4.CanonicalQuery(query, with: parameters)
      query.write(to: &writer)
      writer.append(ASCIIByte.newline)
      places = headers.writeLines(without: unsigned, with: required, to: &writer)
      writer.append(ASCIIByte.newline)
      let start = writer.count
      headers.writeNames(without: unsigned, with: required, to: &writer)
      names = start..<writer.count
      writer.append(ASCIIByte.newline)
      payload.write(to: &writer)
    }
    layout.required = places
    layout.tokenHeader = required.tokenRule.header
    layout.signedHeaders = names
  }

  var canonicalRequestDigest: SHA256.Digest {
    // Safety: the bytes live as long as the closure runs.
    unsafe withBytes(layout.canonicalRequest) { unsafe SHA256.hash(bufferPointer: $0) }
  }
}

extension SigV4.CanonicalRequest: CustomStringConvertible {
  /// Size and digest. The text itself, which may hold a session token, is ``text``.
  public var description: String {
    "canonical request of \(buffer.layout.canonicalRequest.count) bytes, SHA-256 \(digest.hexadecimal)"
  }
}

extension SigV4.CanonicalRequest: ConcealsContents {}
