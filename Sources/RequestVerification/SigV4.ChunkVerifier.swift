// SPDX-License-Identifier: Apache-2.0
// The body of a chunked upload on its way in: chunks in any portions in, verified bytes out.

internal import DocumentSupport
public import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Takes a body out of its chunks (`aws-chunked`), and verifies their signatures, the trailers and the
  /// checksum in them.
  ///
  ///     while let portion = read() { try chunks.update(portion, into: &decoded) }
  ///     let trailers = try chunks.finish()
  ///
  /// Bytes of a signed chunk are handed out after its signature was verified, so of each chunk at most
  /// one is kept, up to the limit of the policy. Bytes of unsigned chunks are handed out at once: keep
  /// them aside until ``finish()`` has returned, since only then their checksum is verified. In both
  /// cases the body is not complete before ``finish()`` has returned: an upload that was cut is refused
  /// there, and a server that stores before has to be able to undo it.
  ///
  /// After an error every call throws the same error. It cannot be copied: two bodies under one chain of
  /// signatures would be a mistake.
  public struct ChunkVerifier: ~Copyable, Sendable {
    let announcement: ChunkAnnouncement

    /// Nil when chunks are not signed.
    var chain: SignatureChain?

    var state = State.head

    /// The line that is being read, without its end.
    var line: [UInt8] = []

    /// How many bytes of the body have been announced by the chunks so far.
    var announcedByteCount = 0

    /// How many bytes of the chunk are still to come.
    var missingByteCount = 0

    /// The signature that stands before the chunk.
    var claimedSignature: SHA256.Digest?

    /// The digest of the chunk so far.
    var function = SHA256()

    /// The beginning of a signed chunk that is not complete.
    var gathered: [UInt8] = []

    var trailers = ReceivedTrailers()
    var checksums: [Checksum.Computation] = []
    var failure: VerificationError?

    /// What has to come next.
    enum State {
      case head
      case data
      case dataEnd
      case trailer
      case end
    }

    init(
      _ announcement: ChunkAnnouncement, seed: Signature, key: SigningKey, at timestamp: Timestamp
    ) {
      self.announcement = announcement
      chain =
        announcement.kind.isSigned ? SignatureChain(seed: seed, key: key, at: timestamp) : nil
      checksums = announcement.trailerNames.compactMap { Checksum.Computation(trailer: $0) }
    }

    /// The size of the body in bytes, as the request announces it.
    public var decodedByteCount: Int { announcement.decodedByteCount }

    /// Takes what was received next, and appends to `output` the bytes of the body that it holds.
    ///
    /// Throws `malformedChunk`, `chunkSignatureMismatch`, `bodyLengthMismatch`, `trailerMismatch`,
    /// `checksumMismatch` and `bytesAfterEnd`. Chunks before the one that is refused have been appended.
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

    /// Takes what was received next, and calls `write` with the bytes of the body that it holds, piece by
    /// piece. Each is to be used before `write` returns.
    ///
    /// Throws what ``update(_:into:)`` throws.
    public mutating func update(
      _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
    ) throws(VerificationError) {
      // Safety: handed on as it came.
      unsafe take(bytes, write)
      if let failure { throw failure }
    }

    /// Ends the body, and returns the trailers that were announced, names in lowercase.
    ///
    /// Throws `bodyLengthMismatch` when the last chunk or the end of the trailers did not come, or what
    /// an earlier call has thrown.
    public consuming func finish() throws(VerificationError) -> Headers {
      if let failure { throw failure }
      if state != .end {
        throw VerificationError(
          .bodyLengthMismatch,
          """
          the body ended after \(announcedByteCount) of \(decodedByteCount) bytes were announced, \
          and before its last chunk and trailers; look for a connection that was cut, and keep \
          nothing of it
          """)
      }
      return trailers.headers
    }
  }
}
