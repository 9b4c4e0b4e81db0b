// SPDX-License-Identifier: Apache-2.0
// The body of a chunked upload: bytes in, in any portions, chunks with their signatures out.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Frames the body of a chunked upload, and signs each chunk when the upload says so.
  ///
  ///     var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
  ///     while let portion = read() { try chunks.update(portion, into: &output) }
  ///     try chunks.finish(into: &output)
  ///
  /// Portions may have any size. A chunk that lies whole in a portion is hashed where it lies, and
  /// up to sixteen of them side by side: portions of sixteen chunks gain most. Of others at most one
  /// chunk is kept. A call that throws has taken nothing and written nothing. It cannot be copied:
  /// two bodies under one chain of signatures would be a mistake.
  public struct ChunkSigner: ~Copyable, Sendable {
    /// What was announced.
    public let upload: ChunkedUpload

    /// Nil when chunks are not signed.
    var chain: SignatureChain?

    /// Secret: it holds the key.
    let sign: @Sendable (_ stringToSign: [UInt8]) -> Signature

    /// How many bytes of the body have been written.
    var framedByteCount = 0

    /// The beginning of a chunk that is to be signed and is not complete.
    var gathered: [UInt8] = []

    /// The line before or after a chunk, in memory that is used again.
    var line: [UInt8] = []

    private var isFinished = false

    /// Continues after a signed request with the key that signed it.
    ///
    /// Throws `requestMismatch` unless the request announces this upload, and `scopeMismatch` when
    /// the key is for another scope.
    public init(
      _ upload: ChunkedUpload, following signed: SignedRequest, key: SigningKey
    ) throws(SigningError) {
      try self.init(
        upload, following: signed, algorithm: SignatureAlgorithm.hmacSHA256Name.description,
        scope: key.scope
      ) { key.signature(of: $0) }
    }

    /// Continues after a signed request with signatures of any algorithm, by a key for a scope.
    package init(
      _ upload: ChunkedUpload, following signed: SignedRequest, algorithm: String,
      scope: CredentialScope, _ sign: @escaping @Sendable (_ stringToSign: [UInt8]) -> Signature
    ) throws(SigningError) {
      let lengths = signed.request.headers.values(named: "x-amz-decoded-content-length")
      guard case .literal(upload.declaration) = signed.payload.kind,
        lengths == [String(upload.decodedByteCount)],
        (upload.signatures?.algorithm ?? algorithm) == algorithm
      else {
        throw SigningError(
          .requestMismatch,
          """
          The signed request doesn't declare this upload (\(upload.description)), or its signer \
          uses a different algorithm.
          """,
          fix: "Sign the request that uploading(_:) returns for this upload.")
      }
      if scope != signed.credentialScope {
        throw SigningError(
          .scopeMismatch,
          """
          The signing key is for \(scope.text), but the request was signed for \
          \(signed.credentialScope.text).
          """,
          fix: "Pass the key or the signer that signed the request.")
      }
      self.upload = upload
      self.sign = sign
      if upload.isSigned {
        chain = SignatureChain(
          algorithm, seed: signed.signature, scope: scope, at: signed.timestamp)
      }
    }

    /// Continues after a signed request with the signer that signed it.
    ///
    /// Throws `requestMismatch` unless the request announces this upload, and `scopeMismatch` when
    /// the signer is for another scope.
    public init(
      _ upload: ChunkedUpload, following signed: SignedRequest, by signer: Signer
    ) throws(SigningError) {
      try self.init(
        upload, following: signed, algorithm: signer.preparer.algorithm.name,
        scope: signer.scope(at: signed.timestamp), signer.signatures(at: signed.timestamp))
    }

    /// How many bytes of the body have been taken.
    public var receivedByteCount: Int { framedByteCount + gathered.count }

    /// The string to sign of what was signed last, a chunk or the trailers; empty when nothing was.
    /// It holds no secret.
    public var lastStringToSign: [UInt8] { chain?.stringToSign ?? [] }

    /// How many bytes the next `update(_:into:)` writes for so many bytes
    /// of the body: 0 when that would be refused.
    public func encodedByteCount(ofNext byteCount: Int) -> Int {
      if byteCount < 0 || byteCount > upload.decodedByteCount - receivedByteCount { return 0 }
      return upload.encodedByteCount(afterDecoded: receivedByteCount + byteCount)
        - upload.encodedByteCount(afterDecoded: receivedByteCount)
    }

    /// Takes the next bytes of the body, and appends to `output` what has to be sent.
    ///
    /// Throws `bodyLengthMismatch` when the body becomes longer than was announced, and
    /// `streamFinished`.
    public mutating func update(
      _ bytes: some Collection<UInt8>, into output: inout [UInt8]
    ) throws(SigningError) {
      try admit(bytes.count)
      let done: Void? = bytes.withContiguousStorageIfAvailable {
        unsafe frame(UnsafeRawBufferPointer($0)) { unsafe output.append(contentsOf: $0) }
      }
      if done == nil {
        unsafe Array(bytes).withUnsafeBytes {
          unsafe frame($0) { unsafe output.append(contentsOf: $0) }
        }
      }
    }

    /// Takes the next bytes of the body, and appends to `output` what has to be sent.
    ///
    /// Throws `bodyLengthMismatch` when the body becomes longer than was announced, and
    /// `streamFinished`.
    public mutating func update(
      _ bytes: Swift.Span<UInt8>, into output: inout [UInt8]
    ) throws(SigningError) {
      try admit(bytes.count)
      unsafe bytes.withUnsafeBytes {
        unsafe frame($0) { unsafe output.append(contentsOf: $0) }
      }
    }

    /// Takes the next bytes of the body, and writes to the beginning of `buffer` what has to be
    /// sent. The result says how many bytes that is.
    ///
    /// Throws `bufferTooSmall` when it has fewer than ``encodedByteCount(ofNext:)`` bytes,
    /// `bodyLengthMismatch` and `streamFinished`.
    public mutating func update(
      _ bytes: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SigningError) -> Int {
      try admit(bytes.count)
      let byteCount = encodedByteCount(ofNext: bytes.count)
      try Self.check(buffer.count, for: byteCount)
      // Safety: exactly byteCount bytes are written, and the buffer has as many.
      var rest = unsafe buffer[...]
      unsafe frame(bytes) { unsafe Self.write($0, into: &rest) }
      return byteCount
    }

    /// Takes the next bytes of the body, and calls `write` with what has to be sent, piece by
    /// piece.
    ///
    /// Pieces that lie whole in `bytes` are not copied; each is to be used before `write` returns.
    ///
    /// Throws `bodyLengthMismatch` when the body becomes longer than was announced, and
    /// `streamFinished`.
    public mutating func update(
      _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
    ) throws(SigningError) {
      try admit(bytes.count)
      unsafe frame(bytes, write)
    }

    /// Ends the body, and appends to `output` the empty chunk and the trailers.
    ///
    /// Throws `bodyLengthMismatch` when the body is shorter than was announced, `trailerMismatch`
    /// when the trailers are not the ones that were announced, and `streamFinished`.
    public mutating func finish(
      trailers: Headers = [:], into output: inout [UInt8]
    ) throws(SigningError) {
      try finish(trailers)
      output += line
    }

    /// Ends the body, and writes to the beginning of `buffer` the empty chunk and the trailers. The
    /// result says how many bytes that is: ``ChunkedUpload/trailerByteCount``.
    ///
    /// Throws `bufferTooSmall`, `bodyLengthMismatch`, `trailerMismatch` and `streamFinished`.
    public mutating func finish(
      trailers: Headers = [:], into buffer: UnsafeMutableRawBufferPointer
    ) throws(SigningError) -> Int {
      try Self.check(buffer.count, for: upload.trailerByteCount)
      try finish(trailers)
      unsafe buffer.copyBytes(from: line)
      return line.count
    }

    /// Ends the body, and calls `write` with the empty chunk and the trailers.
    ///
    /// Throws `bodyLengthMismatch` when the body is shorter than was announced, `trailerMismatch`
    /// when the trailers are not the ones that were announced, and `streamFinished`.
    public mutating func finish(
      trailers: Headers = [:], _ write: (UnsafeRawBufferPointer) -> Void
    ) throws(SigningError) {
      try finish(trailers)
      unsafe line.withUnsafeBytes { unsafe write($0) }
    }

    /// Puts what ends the body into `line`.
    private mutating func finish(_ trailers: Headers) throws(SigningError) {
      try checkNotFinished()
      if receivedByteCount < upload.decodedByteCount {
        throw SigningError(
          .bodyLengthMismatch,
          "Expected \(upload.decodedByteCount) body bytes, got \(receivedByteCount).",
          fix: "Pass the rest before calling finish, or sign the request for the shorter body.")
      }
      for header in trailers where !upload.trailers.contains(where: { header.isNamed($0.name) }) {
        throw SigningError(
          .trailerMismatch,
          "The trailer \(quoted: header.name) isn't declared in the request.",
          fix: "Remove it, or add it to the upload's trailers before you sign the request.")
      }
      var lines: [String] = []
      for trailer in upload.trailers {
        lines.append(trailer.name + ":" + (try trailer.value(in: trailers)))
      }
      isFinished = true
      frameEnd(lines)
    }

    /// Refuses bytes after the end.
    private func admit(_ byteCount: Int) throws(SigningError) {
      try checkNotFinished()
      if byteCount > upload.decodedByteCount - receivedByteCount {
        throw SigningError(
          .bodyLengthMismatch,
          """
          Expected \(upload.decodedByteCount) body bytes, got \(byteCount) more after the first \
          \(receivedByteCount).
          """,
          fix: "Pass only this body's bytes, or sign the request for the longer body.")
      }
    }

    private func checkNotFinished() throws(SigningError) {
      if isFinished {
        throw SigningError(
          .streamFinished,
          "The upload has already ended with its last chunk.",
          fix: "Sign a new request for further data.")
      }
    }

    private static func check(
      _ bufferByteCount: Int, for byteCount: Int
    ) throws(SigningError) {
      if bufferByteCount < byteCount {
        throw SigningError(
          .bufferTooSmall,
          """
          The output buffer is \(bufferByteCount) bytes long, but this call needs \(byteCount). No \
          input was consumed.
          """,
          fix: "Pass a larger buffer, or fewer bytes of the body at once.")
      }
    }

    /// Writes a piece to the beginning of a buffer, and leaves what follows it.
    private static func write(
      _ piece: UnsafeRawBufferPointer, into rest: inout Slice<UnsafeMutableRawBufferPointer>
    ) {
      unsafe UnsafeMutableRawBufferPointer(rebasing: rest).copyMemory(from: piece)
      unsafe rest = rest.dropFirst(piece.count)
    }
  }
}
