// SPDX-License-Identifier: Apache-2.0
// The body of a request, from the call to the wire.

internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SecureHashing

/// The body of a request: bytes in memory, or a file or a part of it, which may be sent in chunks.
///
/// It's the same for all attempts. ``digest(_:)`` is signed, and a ``reader()`` returns what's
/// sent, each time from the beginning.
struct Body: Sendable {
  let content: Content

  /// The size in bytes as it's sent, including chunks and trailers. Nil if it's unknown.
  let byteCount: Int?

  private let chunks: Chunks?

  enum Content: Hashable, Sendable {
    case bytes(Data)
    /// A file, or a range of it.
    case file(URL, Range<Int>?)
    /// The httpBodyStream of a URLRequest, which can be read only once.
    case stream
    /// The caller may add it after the request was signed.
    case unknown
  }

  /// How to make the chunks of the signed request.
  private struct Chunks: Sendable {
    let body: ChunkedBody
    let signed: SigV4.SignedRequest
    let signer: SigV4.Signer
  }

  private init(_ content: Content, _ byteCount: Int?, _ chunks: Chunks? = nil) {
    self.content = content
    self.byteCount = byteCount
    self.chunks = chunks
  }

  /// The body that the caller adds after the request was signed.
  static let unknown = Body(.unknown, nil)

  init(_ data: Data) { self.init(.bytes(data), data.count) }

  /// A file. It has no size until it's ``measured()``.
  init(_ file: URL) { self.init(.file(file, nil), nil) }

  init(_ upload: UploadBody) {
    switch upload.content {
    case .bytes(let data): self.init(data)
    case .file, .stream, .unknown: self.init(upload.content, nil)
    }
  }

  /// The body of a request that the caller sends, or that has no other.
  ///
  /// - Parameter payload: how it's signed, or nil if its digest is.
  init(of request: URLRequest, _ payload: SigV4.Payload?) {
    if request.httpBodyStream != nil {
      self.init(.stream, nil)
    } else if let data = request.httpBody, !data.isEmpty {
      self.init(data)
    } else if payload == nil {
      self.init(Data())
    } else {
      self = .unknown
    }
  }

  /// The body of a request that doesn't contain it.
  init(of request: SigV4.Request) {
    self = request.payload == .empty ? Body(Data()) : .unknown
  }

  /// Returns a part of bytes or of a file.
  func part(_ range: Range<Int>) -> Body {
    switch content {
    case .bytes(let data): return Body(data.dropFirst(range.lowerBound).prefix(range.count))
    case .file(let file, let whole):
      let first = (whole?.lowerBound ?? 0) + range.lowerBound
      return Body(.file(file, first..<first + range.count), range.count)
    case .stream, .unknown: return self
    }
  }

  /// Returns the same file in the chunks of a signed request.
  func inChunks(
    _ body: ChunkedBody, following signed: SigV4.SignedRequest, by signer: SigV4.Signer
  ) -> Body {
    Body(
      content, body.upload.encodedByteCount, Chunks(body: body, signed: signed, signer: signer))
  }

  /// Returns the body with its size. Throws `invalidFile` unless its file is a regular file that
  /// can be read.
  func measured() throws(TransferError) -> Body {
    guard byteCount == nil, case .file(let file, nil) = content else { return self }
    return Body(content, try FileReader.byteCount(of: file))
  }

  /// Throws `invalidFile` if the size of a measured file is a different one now.
  func checkFile() throws(TransferError) {
    if case .file(let file, nil) = content, try FileReader.byteCount(of: file) != byteCount {
      throw .changed(file.path)
    }
  }

  /// Whether there are bytes to send.
  var isPresent: Bool {
    switch content {
    case .bytes, .file: byteCount != 0
    case .stream: true
    case .unknown: false
    }
  }

  /// Whether the bytes are in a file.
  var isFile: Bool {
    switch content {
    case .file: true
    case .bytes, .stream, .unknown: false
    }
  }

  /// The file, if it's sent as it is.
  var wholeFile: URL? {
    if case .file(let file, nil) = content, chunks == nil { file } else { nil }
  }
}

// What is signed.
extension Body {
  /// Returns the digest to sign, and the header of a checksum. Stops if the task is cancelled.
  func digest(
    _ algorithm: SigV4.Checksum.Algorithm?
  ) throws -> (payload: SigV4.Payload, headers: [SigV4.Header]) {
    var hash = SHA256()
    var checksum = algorithm.map { SigV4.Checksum.Computation($0) }
    try forEachPortion {
      hash.update(data: $0)
      checksum?.update($0)
    }
    return (.digest(hash.finalize()), checksum.map { Array($0.finalize().headers) } ?? [])
  }

  /// Computes a checksum. Stops if the task is cancelled.
  func checksum(_ algorithm: SigV4.Checksum.Algorithm) throws -> SigV4.Checksum {
    var checksum = SigV4.Checksum.Computation(algorithm)
    try forEachPortion { checksum.update($0) }
    return checksum.finalize()
  }

  private func forEachPortion(_ use: (Data) -> Void) throws {
    var portions = try Portions(content)
    while let portion = try portions.next() {
      try Task.checkCancellation()
      use(portion)
    }
  }
}

// What is sent.
extension Body {
  /// Returns all bytes as they're sent.
  func bytes() throws -> [UInt8] {
    if case .bytes(let data) = content { return Array(data) }
    var (bytes, portion): ([UInt8], [UInt8]) = ([], [])
    var reader = try reader()
    repeat {
      try reader.read(into: &portion)
      bytes += portion
    } while !portion.isEmpty
    return bytes
  }

  /// Creates a reader that starts at the beginning.
  func reader() throws -> Reader {
    try Reader(
      Portions(content), byteCount,
      chunks: chunks.map {
        try SigV4.ChunkSigner($0.body.upload, following: $0.signed, by: $0.signer)
      },
      checksum: chunks?.body.checksum.map { SigV4.Checksum.Computation($0) })
  }

  /// Reads a body as it's sent. One portion at a time is in memory.
  struct Reader: ~Copyable {
    private var portions: Portions
    private var chunks: SigV4.ChunkSigner?
    private var checksum: SigV4.Checksum.Computation?
    private var leftByteCount: Int
    private var isFinished = false

    fileprivate init(
      _ portions: Portions, _ byteCount: Int?, chunks: consuming SigV4.ChunkSigner?,
      checksum: SigV4.Checksum.Computation?
    ) {
      self.portions = portions
      self.chunks = chunks
      self.checksum = checksum
      leftByteCount = byteCount ?? 0
    }

    /// Replaces the portion with the next one, which is empty at the end.
    ///
    /// - Throws: The errors of the chunk signer, and `TransferError` with `invalidFile` if the file
    ///   can't be read, or became shorter or longer.
    mutating func read(into portion: inout [UInt8]) throws {
      portion.removeAll(keepingCapacity: true)
      while portion.isEmpty && !isFinished {
        if let bytes = try portions.next() {
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
      if leftByteCount < 0 || isFinished && leftByteCount > 0 { throw portions.changed }
    }
  }
}

/// The bytes of a body in portions, without chunks. One portion at a time is in memory.
private struct Portions {
  private var file: FileReader?
  private var data = Data()

  init(_ content: Body.Content) throws(TransferError) {
    switch content {
    case .bytes(let data): self.data = data
    case .file(let file, let range): self.file = try FileReader(file, range)
    case .stream, .unknown: break
    }
  }

  /// Returns the next portion, or nil at the end.
  mutating func next() throws(TransferError) -> Data? {
    if file != nil { return try file?.next() }
    if data.isEmpty { return nil }
    let portion = data.prefix(FileReader.portionByteCount)
    // An empty slice would retain the whole memory.
    data = data.count > portion.count ? data.dropFirst(portion.count) : Data()
    return portion
  }

  /// The error if the size differs from the announced one.
  var changed: TransferError { file?.changed ?? .changed("The body") }
}

extension TransferError {
  static func changed(_ name: String) -> TransferError {
    TransferError(
      .invalidFile,
      "\(name) changed during the upload.",
      fix: "Leave the file unchanged until the upload finishes.")
  }
}
