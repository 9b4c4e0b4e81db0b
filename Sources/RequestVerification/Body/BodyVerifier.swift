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
    private var rule: BodyRule
    private var failure: VerificationError?

    /// The size of the decoded body in bytes, for a body in chunks. Nil for other bodies.
    public var decodedByteCount: Int? {
      if case .chunks(let chunks) = rule { chunks.decodedByteCount } else { nil }
    }

    /// Whether the signature covers every byte of the body. It's false for unsigned payloads,
    /// unsigned chunks and form files. Unsigned chunks may have no checksum either.
    public var isSigned: Bool {
      switch rule {
      case .digest: true
      case .chunks(let chunks): chunks.isSigned
      case .unsigned, .file: false
      }
    }

    init(_ rule: BodyRule) {
      self.rule = rule
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
        unsafe try rule.update(bytes, write)
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
      switch rule {
      case .unsigned: break
      case .digest(let digest): try digest.finish()
      case .chunks(let chunks): return try chunks.finish()
      case .file(let file): try file.finish()
      }
      return [:]
    }
  }

  /// What a body is compared with.
  enum BodyRule: Sendable {
    /// Any body is accepted.
    case unsigned
    case digest(DigestVerifier)
    case chunks(ChunkVerifier)
    case file(FileVerifier)

    fileprivate mutating func update(
      _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
    ) throws(VerificationError) {
      switch self {
      case .unsigned: unsafe write(bytes)
      case .digest(var digest):
        unsafe digest.update(bytes)
        self = .digest(digest)
        unsafe write(bytes)
      case .chunks(var chunks):
        self = .unsigned  // so that the buffered chunk isn't copied
        defer { self = .chunks(chunks) }
        unsafe try chunks.update(bytes, write)
      case .file(var file):
        self = .unsigned  // so that the checksum's state isn't copied
        defer { self = .file(file) }
        unsafe try file.update(bytes)
        unsafe write(bytes)
      }
    }
  }

  /// Compares the hash of a body with the signed one.
  struct DigestVerifier: Sendable {
    /// In lowercase hexadecimal.
    private let digits: String
    private var function = SHA256()

    init(digits: String) {
      self.digits = digits
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      unsafe function.update(bufferPointer: bytes)
    }

    func finish() throws(VerificationError) {
      let digest = function.finalize()
      let isSame = unsafe digits.withBytesInUTF8 { unsafe digest.isSpelled(by: $0) }
      if !isSame { throw .bodyMismatch }
    }
  }
}
