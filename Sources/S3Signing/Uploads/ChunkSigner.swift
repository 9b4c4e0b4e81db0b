// SPDX-License-Identifier: Apache-2.0
// The body of a chunked upload: encodes it, and signs its chunks.

public import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// Encodes the body of a chunked upload, and signs each chunk if the upload requires it.
  ///
  ///     var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
  ///     while let portion = read() { try chunks.update(portion, into: &output) }
  ///     try chunks.finish(into: &output)
  ///
  /// Buffers can have any size. A chunk that lies whole in a buffer isn't copied, and up to sixteen
  /// are hashed in parallel (SIMD), so buffers of sixteen chunks are fastest. At most one
  /// incomplete chunk is stored. A call that throws has consumed no input and written no output.
  /// The signer can't be copied, because two bodies must not continue the same signatures.
  public struct ChunkSigner: ~Copyable, Sendable {
    /// The upload that the request declares.
    public let upload: ChunkedUpload

    /// The chain of signatures, or nil for unsigned chunks.
    var chain: SignatureChain?

    /// Secret: it contains the key.
    let sign: @Sendable (_ stringToSign: [UInt8]) -> Signature

    /// The number of body bytes written.
    var framedByteCount = 0

    /// The beginning of a signed chunk that isn't complete.
    var gathered: [UInt8] = []

    /// The line before or after a chunk, in reusable memory.
    var line: [UInt8] = []

    private var isFinished = false

    /// Creates a chunk signer for a signed request, with the key that signed it.
    ///
    /// - Throws: `requestMismatch` if the request doesn't declare this upload, and `scopeMismatch`
    ///   if the key is for a different scope.
    public init(
      _ upload: ChunkedUpload, following signed: SignedRequest, key: SigningKey
    ) throws(SigningError) {
      try self.init(
        upload, following: signed, algorithm: SignatureNames.aws.algorithm.description,
        scope: key.scope
      ) { key.signature(of: $0) }
    }

    /// Creates a chunk signer for a signed request, with signatures of any algorithm.
    package init(
      _ upload: ChunkedUpload, following signed: SignedRequest, algorithm: String,
      scope: CredentialScope, _ sign: @escaping @Sendable (_ stringToSign: [UInt8]) -> Signature
    ) throws(SigningError) {
      let headers = signed.request.headers
      let trailers = headers.values(named: "x-amz-trailer").map { $0.lowercased() }
      guard case .literal(upload.declaration) = signed.payload.kind,
        headers.values(named: "x-amz-decoded-content-length") == [String(upload.decodedByteCount)],
        headers.values(named: "content-length")
          .allSatisfy({ $0 == String(upload.encodedByteCount) }),
        trailers == (upload.trailers.isEmpty ? [] : [upload.trailerNames]),
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
          algorithm, seed: Array(signed.signature.hexString.utf8), scope: scope,
          at: signed.timestamp)
      }
    }

    /// Creates a chunk signer for a signed request, with the signer that signed it.
    ///
    /// - Throws: `requestMismatch` if the request doesn't declare this upload, `scopeMismatch` if
    ///   the signer is for a different scope, and `secretRequired` if it has no secret and the
    ///   upload has signed chunks.
    public init(
      _ upload: ChunkedUpload, following signed: SignedRequest, by signer: Signer
    ) throws(SigningError) {
      // Unsigned chunks don't use it, so the key can be in an HSM.
      var sign: @Sendable (_ stringToSign: [UInt8]) -> Signature = { _ in signed.signature }
      if upload.isSigned { sign = try signer.signatures(at: signed.timestamp) }
      try self.init(
        upload, following: signed, algorithm: signer.preparer.algorithm.name.description,
        scope: signer.scope(at: signed.timestamp), sign)
    }

    /// The number of body bytes passed so far.
    public var receivedByteCount: Int { framedByteCount + gathered.count }

    /// The string to sign of the last chunk or the trailers, or empty before the first signature.
    /// It contains no secret.
    public var lastStringToSign: [UInt8] { chain?.stringToSign ?? [] }

    /// Returns the number of bytes that the next `update(_:into:)` writes for this number of body
    /// bytes, or 0 if it would throw.
    public func encodedByteCount(ofNext byteCount: Int) -> Int {
      if byteCount < 0 || byteCount > upload.decodedByteCount - receivedByteCount { return 0 }
      return upload.encodedByteCount(afterDecoded: receivedByteCount + byteCount)
        - upload.encodedByteCount(afterDecoded: receivedByteCount)
    }

    /// Encodes the next bytes of the body, and appends the result to `output`.
    ///
    /// - Throws: `bodyLengthMismatch` if the body becomes longer than declared, and
    ///   `streamFinished`.
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

    /// Encodes the next bytes of the body, and appends the result to `output`.
    ///
    /// - Throws: `bodyLengthMismatch` if the body becomes longer than declared, and
    ///   `streamFinished`.
    public mutating func update(
      _ bytes: Swift.Span<UInt8>, into output: inout [UInt8]
    ) throws(SigningError) {
      try admit(bytes.count)
      unsafe bytes.withUnsafeBytes {
        unsafe frame($0) { unsafe output.append(contentsOf: $0) }
      }
    }

    /// Encodes the next bytes of the body into `buffer`, and returns the number of bytes written.
    ///
    /// - Throws: `bufferTooSmall` if the buffer is smaller than ``encodedByteCount(ofNext:)``
    ///   bytes, `bodyLengthMismatch` and `streamFinished`.
    public mutating func update(
      _ bytes: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SigningError) -> Int {
      try admit(bytes.count)
      let byteCount = encodedByteCount(ofNext: bytes.count)
      try Self.check(buffer.count, for: byteCount)
      // Safety: `byteCount` bytes are written, which the buffer can hold.
      var rest = unsafe buffer[...]
      unsafe frame(bytes) { unsafe Self.write($0, into: &rest) }
      return byteCount
    }

    /// Encodes the next bytes of the body, and calls `write` with each piece of the result.
    ///
    /// Pieces that lie whole in `bytes` aren't copied. Use each piece before `write` returns.
    ///
    /// - Throws: `bodyLengthMismatch` if the body becomes longer than declared, and
    ///   `streamFinished`.
    public mutating func update(
      _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
    ) throws(SigningError) {
      try admit(bytes.count)
      unsafe frame(bytes, write)
    }

    /// Ends the body, and appends the empty chunk and the trailers to `output`.
    ///
    /// - Throws: `bodyLengthMismatch` if the body is shorter than declared, `trailerMismatch` if
    ///   the trailers differ from the declared ones, and `streamFinished`.
    public mutating func finish(
      trailers: Headers = [:], into output: inout [UInt8]
    ) throws(SigningError) {
      try finish(trailers)
      output += line
    }

    /// Ends the body, and writes the empty chunk and the trailers to `buffer`. Returns the number
    /// of bytes written, which is ``ChunkedUpload/trailerByteCount``.
    ///
    /// - Throws: `bufferTooSmall`, `bodyLengthMismatch`, `trailerMismatch` and `streamFinished`.
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
    /// - Throws: `bodyLengthMismatch` if the body is shorter than declared, `trailerMismatch` if
    ///   the trailers differ from the declared ones, and `streamFinished`.
    public mutating func finish(
      trailers: Headers = [:], _ write: (UnsafeRawBufferPointer) -> Void
    ) throws(SigningError) {
      try finish(trailers)
      unsafe line.withUnsafeBytes { unsafe write($0) }
    }

    /// Writes the empty chunk and the trailers to `line`.
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

    /// Throws if the next bytes exceed the declared length.
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

    /// Writes a piece to the beginning of a buffer, and drops the written part.
    private static func write(
      _ piece: UnsafeRawBufferPointer, into rest: inout Slice<UnsafeMutableRawBufferPointer>
    ) {
      unsafe UnsafeMutableRawBufferPointer(rebasing: rest).copyMemory(from: piece)
      unsafe rest = rest.dropFirst(piece.count)
    }
  }
}
