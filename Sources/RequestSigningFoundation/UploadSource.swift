// SPDX-License-Identifier: Apache-2.0
// What an upload of a file sends: its bytes, as they are or in chunks, and how URLSession gets them.

internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningSupport

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A file as it is sent in one request, in portions of which one at a time is in memory.
struct UploadSource: Sendable {
  let file: URL

  /// What is sent of it; nil for all.
  private let range: Range<Int>?

  /// The bytes of the body, chunks and trailers included.
  let byteCount: Int

  private let chunks: Chunks?

  private struct Chunks: Sendable {
    let body: ChunkedBody
    let signed: SigV4.SignedRequest
    let signer: SigV4.Signer
  }

  /// A file, or a range of it, as it is.
  init(file: URL, _ range: Range<Int>? = nil) throws {
    self.file = file
    self.range = range
    byteCount = try range?.count ?? FileReader.byteCount(of: file)
    chunks = nil
  }

  /// A file in the chunks that follow a signed request.
  init(
    file: URL, in body: ChunkedBody, following signed: SigV4.SignedRequest, by signer: SigV4.Signer
  ) {
    self.file = file
    range = nil
    byteCount = body.upload.encodedByteCount
    chunks = Chunks(body: body, signed: signed, signer: signer)
  }

  /// Whether other bytes are sent than those of the file, or not all of them.
  var isDerived: Bool { chunks != nil || range != nil }

  /// Reads what is sent, from its beginning.
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

    /// Replaces a portion by the next one, which is empty at the end.
    ///
    /// Throws `TransferError` with `invalidFile` when the file cannot be read, or has become shorter or
    /// longer; and what the signer of chunks throws.
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
    /// The file of an upload.
    func bodyFile() throws -> BodyFile? {
      if case .upload(let source) = self { return try BodyFile(source) }
      return nil
    }
  }

  /// A file that URLSession sends with its length: the file itself, or a temporary one with its chunks, or
  /// with one part of it.
  struct BodyFile {
    let location: URL
    private let isTemporary: Bool

    /// Writes what is sent and is not the file, in constant memory.
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
      let owner: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
      guard
        FileManager.default.createFile(atPath: location.path, contents: nil, attributes: owner)
      else { throw TransferError.unwritable(location, CocoaError(.fileWriteUnknown)) }
      let target = try FileHandle(forWritingTo: location)
      defer { try? target.close() }
      var reader = try source.reader()
      var portion: [UInt8] = []
      repeat {
        try Task.checkCancellation()
        try reader.read(into: &portion)
        try target.write(contentsOf: portion)
      } while !portion.isEmpty
    }
  }
#endif
