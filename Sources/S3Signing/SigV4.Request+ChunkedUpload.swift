// SPDX-License-Identifier: Apache-2.0
// A request that announces a chunked upload: the corridor signs it like any other.

public import RequestSigning
internal import SigningSupport

extension SigV4.Request {
  /// The same request, announcing a chunked upload: sign this one, and send its headers.
  ///
  /// It carries `content-encoding` (`aws-chunked` before what is there already),
  /// `x-amz-decoded-content-length`, `content-length`, and `x-amz-trailer` when there are trailers;
  /// signing it adds `x-amz-content-sha256`.
  ///
  /// Throws `conflictingHeader` when a header contradicts the upload, and `invalidPayload` when the
  /// request says something else of its body.
  public func uploading(
    _ upload: SigV4.ChunkedUpload
  ) throws(SigV4.SigningError) -> SigV4.Request {
    guard case .empty = payload.kind else {
      throw SigV4.SigningError(
        .invalidPayload,
        """
        the request says already what its body is, and a chunked upload says something else, so \
        the server would refuse it; leave the payload of the request out
        """)
    }
    var announced: SigV4.Headers = [
      "content-encoding": Self.encoding(after: headers.values(named: "content-encoding"))
    ]
    try announce("content-length", "\(upload.encodedByteCount)", in: &announced)
    try announce("x-amz-decoded-content-length", "\(upload.decodedByteCount)", in: &announced)
    if !upload.trailers.isEmpty {
      let names = upload.trailers.map { $0.name }.joined(separator: ",")
      try announce("x-amz-trailer", names, in: &announced)
    }
    let others = headers.filter { header in !announced.contains { $0.isNamed(header.name) } }
    return try SigV4.Request(
      method, scheme: scheme, host: host, path: path, query: query,
      headers: SigV4.Headers(others) + announced, payload: .literal(upload.declaration))
  }

  /// `aws-chunked`, and after it the encodings that the body itself has.
  static func encoding(after given: [String]) -> String {
    let chunked = "aws-chunked"
    var encodings = chunked
    for value in given {
      for part in Array(value.utf8).split(separator: ASCIIByte.comma) {
        let name = part.filter { !ASCIIByte.isWhitespace($0) }
        if name.isEmpty || ASCIIByte.equalIgnoringCase(name, chunked.utf8) { continue }
        encodings += "," + String(decoding: name, as: UTF8.self)
      }
    }
    return encodings
  }

  /// Adds a header, unless the request says something else in one of this name.
  func announce(
    _ name: String, _ value: String, in announced: inout SigV4.Headers
  ) throws(SigV4.SigningError) {
    for given in headers.values(named: name) where !given.utf8.elementsEqual(value.utf8) {
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        the request sets the header \(name) to \(UTF8Text.quoted(given)), and the chunked upload \
        needs \(UTF8Text.quoted(value)); leave the header out, it is added
        """)
    }
    announced.append(name, value)
  }
}
