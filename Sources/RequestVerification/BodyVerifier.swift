// SPDX-License-Identifier: Apache-2.0
// The body of a verified request, or the file of a verified form, in portions.

public import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// Verifies a body that arrives in portions: the body of a request, or the file of a form.
  ///
  ///     var body = verified.bodyVerifier()
  ///     while let portion = read() { try body.update(portion, into: &received) }
  ///     let trailers = try body.finish()
  ///
  /// It compares digests, sizes and checksums, and decodes `aws-chunked` bodies. Bytes of a signed chunk are
  /// returned after their signature is verified, so at most one chunk is kept in memory. All other bytes
  /// are returned at once: don't use them before ``finish()`` returns, and delete them if anything
  /// is thrown.
  ///
  /// After an error, every call throws the same error again.
  public struct BodyVerifier: ~Copyable, Sendable {
    private var digest: DigestVerifier?
    private var chunks: ChunkVerifier?
    private var file: FileVerifier?
    private var failure: VerificationError?

    /// The size of the decoded body in bytes, for a body in chunks. Nil for other bodies.
    public var decodedByteCount: Int? { chunks?.decodedByteCount }

    /// Whether the signature covers every byte of the body. It doesn't for unsigned payloads, for unsigned
    /// chunks, which have a checksum, and for files of forms.
    public var isSigned: Bool { digest != nil || chunks?.isSigned == true }

    /// A body without a check.
    static var unsigned: BodyVerifier { BodyVerifier(digest: nil) }

    init(
      digest: DigestVerifier? = nil, chunks: ChunkVerifier? = nil, file: FileVerifier? = nil
    ) {
      self.digest = digest
      self.chunks = chunks
      self.file = file
    }

    /// Takes the next received bytes, and appends the bytes of the body to `output`.
    ///
    /// Throws `malformedChunk`, `chunkSignatureMismatch`, `bodyLengthMismatch`, `trailerMismatch`,
    /// `checksumMismatch` or `bytesAfterEnd` for a body in chunks, and `fileTooLarge` for a file. Chunks before
    /// the rejected one have been appended.
    public mutating func update(
      _ bytes: some Collection<UInt8>, into output: inout [UInt8]
    ) throws(VerificationError) {
      // Safety: the buffer is used only inside the closure.
      let isTaken: Void? = bytes.withContiguousStorageIfAvailable {
        unsafe take(UnsafeRawBufferPointer($0)) { unsafe output.append(contentsOf: $0) }
      }
      if isTaken == nil {
        unsafe Array(bytes).withUnsafeBytes { bytes in
          unsafe take(bytes) { unsafe output.append(contentsOf: $0) }
        }
      }
      if let failure { throw failure }
    }

    /// Takes the next received bytes, and calls `write` with the bytes of the body, piece by piece. They're
    /// valid until `write` returns.
    ///
    /// Throws the errors of ``update(_:into:)``.
    public mutating func update(
      _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
    ) throws(VerificationError) {
      unsafe take(bytes, write)
      if let failure { throw failure }
    }

    private mutating func take(
      _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
    ) {
      if failure != nil { return }
      do throws(VerificationError) {
        if chunks != nil {
          unsafe try chunks?.update(bytes, write)
          return
        }
        unsafe digest?.update(bytes)
        unsafe try file?.update(bytes)
        unsafe write(bytes)
      } catch {
        failure = error
      }
    }

    /// Ends the body, and returns the trailers of a body in chunks, with lowercase names.
    ///
    /// Throws `bodyMismatch` if the body has another digest than the signed one; `bodyLengthMismatch` if
    /// the last chunk or trailer is missing; `fileTooSmall`, `fileTooLarge` or `checksumMismatch` for a file.
    public consuming func finish() throws(VerificationError) -> Headers {
      if let failure { throw failure }
      try digest?.finish()
      try file?.finish()
      return try chunks?.finish() ?? [:]
    }
  }

  /// Compares the digest of a body with the signed one.
  struct DigestVerifier: Sendable {
    let expected: SHA256.Digest?
    private var function = SHA256()

    init(expected: SHA256.Digest?) {
      self.expected = expected
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      unsafe function.update(bufferPointer: bytes)
    }

    func finish() throws(VerificationError) {
      guard let expected, ConstantTime.equal(function.finalize(), expected) else {
        throw .bodyMismatch
      }
    }
  }
}
