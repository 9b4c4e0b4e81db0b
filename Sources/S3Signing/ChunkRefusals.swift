// SPDX-License-Identifier: Apache-2.0
// What a chunk signer checks before it takes anything: length, trailers, the request it follows.

internal import RequestSigning
internal import SigningSupport

extension SigV4.ChunkSigner {
  /// Refuses bytes after the end.
  func admit(_ byteCount: Int) throws(SigV4.SigningError) {
    if isFinished { throw SigV4.SigningError.streamFinished() }
    if byteCount > upload.decodedByteCount &- receivedByteCount {
      throw SigV4.SigningError(
        .bodyLengthMismatch,
        """
        the request announces a body of \(upload.decodedByteCount) bytes, and \(byteCount) more \
        after the first \(receivedByteCount) are too many; give only what belongs to it, or sign \
        the request for the longer body
        """)
    }
  }

  /// Refuses an end before the end.
  func checkEnd() throws(SigV4.SigningError) {
    if isFinished { throw SigV4.SigningError.streamFinished() }
    if receivedByteCount < upload.decodedByteCount {
      throw SigV4.SigningError(
        .bodyLengthMismatch,
        """
        the request announces a body of \(upload.decodedByteCount) bytes, and there were \
        \(receivedByteCount), so the server would wait for the rest; give the rest before the end, \
        or sign the request for the shorter body
        """)
    }
  }

  /// The values of the trailers in the order in which they were announced.
  func values(of given: SigV4.Headers) throws(SigV4.SigningError) -> [String] {
    for header in given where !upload.trailers.contains(where: { header.isNamed($0.name) }) {
      throw SigV4.SigningError(
        .trailerMismatch,
        """
        the trailer \(UTF8Text.quoted(header.name)) was not announced, and a server refuses it; leave \
        it out, or name it in the trailers of the upload before the request is signed
        """)
    }
    var values: [String] = []
    for trailer in upload.trailers { values.append(try trailer.value(in: given)) }
    return values
  }

  static func check(_ bufferByteCount: Int, for byteCount: Int) throws(SigV4.SigningError) {
    if bufferByteCount < byteCount {
      throw SigV4.SigningError(
        .bufferTooSmall,
        """
        \(byteCount) bytes have to be written and the buffer has \(bufferByteCount); give a larger \
        buffer, or fewer bytes of the body at once. Nothing was taken
        """)
    }
  }

  /// Refuses to continue after a request that does not announce the upload, or another key's.
  static func check(
    _ upload: SigV4.ChunkedUpload, _ signed: SigV4.SignedRequest, _ key: SigV4.SigningKey
  ) throws(SigV4.SigningError) {
    let lengths = signed.request.headers.values(named: "x-amz-decoded-content-length")
    if !signed.payload.isDeclared(as: upload) || lengths != [String(upload.decodedByteCount)] {
      throw SigV4.SigningError(
        .unrelatedRequest,
        """
        the signed request does not announce this upload (\(upload.description)), so the server \
        would refuse its chunks; sign the request that uploading(_:) gives for it
        """)
    }
    if key.scope != signed.credentialScope {
      throw SigV4.SigningError(
        .outsideScope,
        """
        the signing key is good for \(key.scope.text), and the request was signed for \
        \(signed.credentialScope.text); give the key or the signer that signed the request
        """)
    }
  }
}

extension SigV4.Payload {
  fileprivate func isDeclared(as upload: SigV4.ChunkedUpload) -> Bool {
    if case .literal(let text) = kind { return text == upload.declaration }
    return false
  }
}
