// SPDX-License-Identifier: Apache-2.0
// Verifies the body of a request, or the file of a form, in portions.

public import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// Verifies a body that arrives in portions: the body of a request, or the file of a form.
  ///
  ///     var body = verified.bodyVerifier()
  ///     while let portion = read() { try body.update(portion, into: &received) }
  ///     let trailers = try body.finish()
  ///
  /// It compares hashes, sizes and checksums, and decodes `aws-chunked` bodies. It outputs a signed
  /// chunk after verifying its signature, so it buffers at most one chunk. All other bytes are
  /// output immediately: don't use them before ``finish()`` returns, and delete them if any call
  /// throws.
  ///
  /// After an error, every call throws the same error again.
  public struct BodyVerifier: ~Copyable, Sendable {
    private var digest: DigestVerifier?
    private var chunks: ChunkVerifier?
    private var file: FileVerifier?
    private var failure: VerificationError?

    /// The size of the decoded body in bytes, for a body in chunks. Nil for other bodies.
    public var decodedByteCount: Int? { chunks?.decodedByteCount }

    /// Whether the signature covers every byte of the body. It's false for unsigned payloads,
    /// unsigned chunks and form files. Unsigned chunks may have no checksum either.
    public var isSigned: Bool { digest != nil || chunks?.isSigned == true }

    /// Accepts any body.
    static var unsigned: BodyVerifier { BodyVerifier(digest: nil) }

    init(
      digest: DigestVerifier? = nil, chunks: ChunkVerifier? = nil, file: FileVerifier? = nil
    ) {
      self.digest = digest
      self.chunks = chunks
      self.file = file
    }

    /// Verifies the next received bytes, and appends the decoded bytes to `output`.
    ///
    /// If a chunk is rejected, the chunks before it have been appended.
    ///
    /// - Throws: `malformedChunk`, `chunkSignatureMismatch`, `bodyLengthMismatch`,
    ///   `trailerMismatch`, `checksumMismatch` or `bytesAfterEnd` for a body in chunks, or
    ///   `fileTooLarge` for a file.
    public mutating func update(
      _ bytes: some Collection<UInt8>, into output: inout [UInt8]
    ) throws(VerificationError) {
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

    /// Verifies the next received bytes, and calls `write` with the decoded bytes, in pieces.
    /// They're valid until `write` returns.
    ///
    /// - Throws: The errors of ``update(_:into:)``.
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

    /// Checks that the body is complete, and returns the trailers of a body in chunks, with
    /// lowercase names.
    ///
    /// - Throws: `bodyMismatch` if the body doesn't match its signed hash, `bodyLengthMismatch` if
    ///   the last chunk or a trailer is missing, or `fileTooSmall`, `fileTooLarge` or
    ///   `checksumMismatch` for a file.
    public consuming func finish() throws(VerificationError) -> Headers {
      if let failure { throw failure }
      try digest?.finish()
      try file?.finish()
      return try chunks?.finish() ?? [:]
    }
  }

  /// Compares the hash of a body with the signed one.
  struct DigestVerifier: Sendable {
    private let expected: SHA256.Digest
    private var function = SHA256()

    init(expected: SHA256.Digest) {
      self.expected = expected
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      unsafe function.update(bufferPointer: bytes)
    }

    func finish() throws(VerificationError) {
      if !ConstantTime.equal(function.finalize(), expected) { throw .bodyMismatch }
    }
  }
}
