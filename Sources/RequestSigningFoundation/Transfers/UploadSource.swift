// SPDX-License-Identifier: Apache-2.0
// The bytes that an upload of a file sends, unchanged or in chunks.

internal import Foundation
internal import RequestSigning
internal import S3Signing

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A file as it's sent in one request. One portion at a time is in memory.
struct UploadSource: Sendable {
  let file: URL

  /// The range to send, or nil for the whole file.
  private let range: Range<Int>?

  /// The size of the body in bytes, including chunks and trailers.
  let byteCount: Int

  private let chunks: Chunks?

  private struct Chunks: Sendable {
    let body: ChunkedBody
    let signed: SigV4.SignedRequest
    let signer: SigV4.Signer
  }

  /// Creates a source that sends a file, or a range of it, unchanged.
  init(file: URL, _ range: Range<Int>? = nil) throws {
    self.file = file
    self.range = range
    byteCount = try range?.count ?? FileReader.byteCount(of: file)
    chunks = nil
  }

  /// Creates a source that sends a file in the chunks of a signed request.
  init(
    file: URL, in body: ChunkedBody, following signed: SigV4.SignedRequest, by signer: SigV4.Signer
  ) {
    self.file = file
    range = nil
    byteCount = body.upload.encodedByteCount
    chunks = Chunks(body: body, signed: signed, signer: signer)
  }

  /// Whether the body differs from the file: it's chunked, or a range.
  var isDerived: Bool { chunks != nil || range != nil }

  /// Creates a reader that starts at the beginning.
  func reader() throws -> Reader {
    guard let chunks else {
      return Reader(file: try FileReader(file, range), chunks: nil, checksum: nil, byteCount)
    }
    return Reader(
      file: try FileReader(file),
      chunks: try SigV4.ChunkSigner(
        chunks.body.upload, following: chunks.signed, by: chunks.signer),
      checksum: chunks.body.checksum.map { SigV4.Checksum.Computation($0) }, byteCount)
  }

  struct Reader: ~Copyable {
    private var file: FileReader
    private var chunks: SigV4.ChunkSigner?
    private var checksum: SigV4.Checksum.Computation?
    private var leftByteCount: Int
    private var isFinished = false

    fileprivate init(
      file: FileReader, chunks: consuming SigV4.ChunkSigner?,
      checksum: SigV4.Checksum.Computation?, _ byteCount: Int
    ) {
      self.file = file
      self.chunks = chunks
      self.checksum = checksum
      leftByteCount = byteCount
    }

    /// Replaces the portion with the next one, which is empty at the end.
    ///
    /// - Throws: The errors of the chunk signer, and `TransferError` with `invalidFile` if the file
    ///   can't be read, or became shorter or longer.
    mutating func read(into portion: inout [UInt8]) throws {
      portion.removeAll(keepingCapacity: true)
      while portion.isEmpty && !isFinished {
        if let bytes = try file.next() {
          checksum?.update(bytes)
          if chunks == nil {
            portion.append(contentsOf: bytes)
          } else {
            try chunks?.update(bytes, into: &portion)
          }
        } else {
          isFinished = true
          try chunks?.finish(trailers: checksum?.finalize().headers ?? [:], into: &portion)
        }
      }
      leftByteCount -= portion.count
      if leftByteCount < 0 || isFinished && leftByteCount > 0 { throw file.changed }
    }
  }
}

#if !canImport(FoundationNetworking)
  extension Loader.Kind {
    /// The file of an upload, or nil for other tasks.
    func bodyFile() throws -> BodyFile? {
      if case .upload(let source) = self { return try BodyFile(source) }
      return nil
    }
  }

  /// A file that URLSession sends with its length: the file itself, or a temporary one with its
  /// chunks or one part of it.
  struct BodyFile {
    let location: URL
    private let isTemporary: Bool

    /// Writes a temporary file if the body differs from the file, in constant memory.
    init(_ source: UploadSource) throws {
      isTemporary = source.isDerived
      location =
        isTemporary
        ? FileManager.default.temporaryDirectory
          .appendingPathComponent("upload-" + UUID().uuidString)
        : source.file
      if !isTemporary { return }
      do {
        try Self.write(source, to: location)
      } catch {
        remove()
        throw error
      }
    }

    func remove() {
      if isTemporary { try? FileManager.default.removeItem(at: location) }
    }

    private static func write(_ source: UploadSource, to location: URL) throws {
      func writing<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw TransferError.unwritable(location, error) }
      }
      let target = try writing { try FileHandle.create(location, mode: 0o600) }
      defer { try? target.close() }
      var reader = try source.reader()
      var portion: [UInt8] = []
      repeat {
        try Task.checkCancellation()
        try reader.read(into: &portion)
        try writing { try target.write(contentsOf: portion) }
      } while !portion.isEmpty
    }
  }
#endif
