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
  /// Portions may have any size. A chunk that lies whole in a portion is hashed where it lies, and two of
  /// them side by side; of others at most one chunk is kept. A call that throws has taken nothing and
  /// written nothing. It cannot be copied: two bodies under one chain of signatures would be a mistake.
  public struct ChunkSigner: ~Copyable, Sendable {
    /// What was announced.
    public let upload: ChunkedUpload

    /// Nil when chunks are not signed.
    var chain: SignatureChain?

    /// The trailers' string to sign, without its signature and digest.
    let trailerTemplate: ChunkStringToSign

    /// How many bytes of the body have been written.
    var framedByteCount = 0

    /// The beginning of a chunk that is to be signed and is not complete.
    var gathered: [UInt8] = []

    /// The line before or after a chunk, in memory that is used again.
    var line: [UInt8] = []

    var isFinished = false

    /// Continues after a signed request with the key that signed it.
    ///
    /// Throws `unrelatedRequest` unless the request announces this upload, and `outsideScope` when the
    /// key is for another scope.
    public init(
      _ upload: ChunkedUpload, following signed: SignedRequest, key: SigningKey
    ) throws(SigningError) {
      try Self.check(upload, signed, key)
      self.upload = upload
      trailerTemplate = .trailer(at: signed.timestamp, key.scope)
      switch upload.protection {
      case .signed: chain = SignatureChain(seed: signed.signature, key: key, at: signed.timestamp)
      case .unsigned: chain = nil
      }
    }

    /// Continues after a signed request with the signer that signed it.
    ///
    /// Throws `unrelatedRequest` unless the request announces this upload, and `outsideScope` when the
    /// signer is for another scope.
    public init(
      _ upload: ChunkedUpload, following signed: SignedRequest, by signer: Signer
    ) throws(SigningError) {
      try self.init(upload, following: signed, key: signer.signingKey(at: signed.timestamp))
    }

    /// How many bytes of the body have been taken.
    public var receivedByteCount: Int { framedByteCount &+ gathered.count }

    /// Room 2: the string to sign of what was signed last, a chunk or the trailers; empty when nothing
    /// was. It holds no secret.
    public var lastStringToSign: [UInt8] {
      guard let chain, framedByteCount > 0 || isFinished else { return [] }
      return chain.stringToSign.bytes
    }

    /// How many bytes the next ``update(_:into:)`` writes for so many bytes
    /// of the body: 0 when that would be refused.
    public func encodedByteCount(ofNext byteCount: Int) -> Int {
      if byteCount < 0 || byteCount > upload.decodedByteCount &- receivedByteCount { return 0 }
      return upload.encodedByteCount(afterDecoded: receivedByteCount &+ byteCount)
        &- upload.encodedByteCount(afterDecoded: receivedByteCount)
    }

    /// Takes the next bytes of the body, and appends to `output` what has to be sent.
    ///
    /// Throws `bodyLengthMismatch` when the body becomes longer than was announced, and
    /// `streamFinished`.
    public mutating func update(
      _ bytes: some Collection<UInt8>, into output: inout [UInt8]
    ) throws(SigningError) {
      // Safety: the buffer is used only inside the closure.
      let refusal = bytes.withContiguousStorageIfAvailable {
        unsafe append(UnsafeRawBufferPointer($0), to: &output)
      }
      if let error = unsafe refusal
        ?? Array(bytes).withUnsafeBytes({ unsafe append($0, to: &output) })
      {
        throw error
      }
    }

    /// Takes the next bytes of the body, and appends to `output` what has to be sent.
    ///
    /// Throws `bodyLengthMismatch` when the body becomes longer than was announced, and
    /// `streamFinished`.
    public mutating func update(
      _ bytes: Swift.Span<UInt8>, into output: inout [UInt8]
    ) throws(SigningError) {
      // Safety: the span outlives the closure.
      let refusal = unsafe bytes.withUnsafeBytes { unsafe append($0, to: &output) }
      if let refusal { throw refusal }
    }

    /// Takes the next bytes of the body, and writes to the beginning of `buffer` what has to be sent.
    /// The result says how many bytes that is.
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
      var output = unsafe Output(buffer: buffer)
      unsafe frame(bytes) { unsafe output.write($0) }
      return byteCount
    }

    /// Takes the next bytes of the body, and calls `write` with what has to be sent, piece by piece.
    ///
    /// Pieces that lie whole in `bytes` are not copied; each is to be used before `write` returns.
    ///
    /// Throws `bodyLengthMismatch` when the body becomes longer than was announced, and
    /// `streamFinished`.
    public mutating func update(
      _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
    ) throws(SigningError) {
      try admit(bytes.count)
      // Safety: handed on as it came.
      unsafe frame(bytes, write)
    }

    /// Ends the body, and appends to `output` the empty chunk and the trailers.
    ///
    /// Throws `bodyLengthMismatch` when the body is shorter than was announced, `trailerMismatch` when
    /// the trailers are not the ones that were announced, and `streamFinished`.
    public mutating func finish(
      trailers: Headers = [:], into output: inout [UInt8]
    ) throws(SigningError) {
      // Safety: each piece is copied before the closure returns.
      try unsafe finish(trailers: trailers) { unsafe output.append(contentsOf: $0) }
    }

    /// Ends the body, and writes to the beginning of `buffer` the empty chunk and the trailers. The
    /// result says how many bytes that is: ``ChunkedUpload/closingByteCount``.
    ///
    /// Throws `bufferTooSmall`, `bodyLengthMismatch`, `trailerMismatch` and `streamFinished`.
    public mutating func finish(
      trailers: Headers = [:], into buffer: UnsafeMutableRawBufferPointer
    ) throws(SigningError) -> Int {
      try Self.check(buffer.count, for: upload.closingByteCount)
      // Safety: exactly closingByteCount bytes are written, and the buffer has as many.
      var output = unsafe Output(buffer: buffer)
      try unsafe finish(trailers: trailers) { unsafe output.write($0) }
      return upload.closingByteCount
    }

    /// Ends the body, and calls `write` with the empty chunk and the trailers.
    ///
    /// Throws `bodyLengthMismatch` when the body is shorter than was announced, `trailerMismatch` when
    /// the trailers are not the ones that were announced, and `streamFinished`.
    public mutating func finish(
      trailers: Headers = [:], _ write: (UnsafeRawBufferPointer) -> Void
    ) throws(SigningError) {
      try checkEnd()
      let values = try values(of: trailers)
      isFinished = true
      frameEnd(values)
      // Safety: the line lives as long as the closure runs.
      unsafe line.withUnsafeBytes { unsafe write($0) }
    }
  }
}
