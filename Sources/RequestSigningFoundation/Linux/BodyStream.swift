// SPDX-License-Identifier: Apache-2.0
// Bodies that FoundationNetworking streams, with exactly the announced length.

#if canImport(FoundationNetworking)
  internal import Foundation

  /// The body of a request, which URLSession streams.
  ///
  /// `uploadTask(with:fromFile:)` of FoundationNetworking 6.3.1 crashes if the server closes the
  /// connection early, and sometimes if it's cancelled. A stream avoids both. An httpBody would be
  /// copied.
  class BodyStream: InputStream {
    /// The error if the body couldn't be read.
    let failure = Guarded<(any Error)?>(nil)
    private var portion: [UInt8] = []
    private var sentCount = 0

    fileprivate init() { super.init(data: Data()) }

    override func open() {}

    override func close() {}

    override var hasBytesAvailable: Bool { true }

    override var streamStatus: Stream.Status {
      failure.withLock { $0 == nil } ? .open : .error
    }

    override func read(
      _ buffer: UnsafeMutablePointer<UInt8>, maxLength byteCount: Int
    ) -> Int {
      do {
        if sentCount == portion.count {
          try read(into: &portion)
          sentCount = 0
        }
        let part = portion[sentCount...].prefix(byteCount)
        // Safety: the part isn't larger than the buffer.
        unsafe UnsafeMutableRawBufferPointer(start: buffer, count: part.count).copyBytes(from: part)
        sentCount += part.count
        return part.count
      } catch {
        failure.withLock { $0 = error }
        return -1
      }
    }

    /// Replaces the portion with the next one, which is empty at the end.
    fileprivate func read(into portion: inout [UInt8]) throws {}
  }

  /// A body that can be read again.
  private final class ReaderStream: BodyStream {
    private var reader: Body.Reader

    init(_ body: Body) throws {
      reader = try body.reader()
      super.init()
    }

    override func read(into portion: inout [UInt8]) throws { try reader.read(into: &portion) }
  }

  /// The caller's stream, which must match the Content-Length of its request.
  private final class BoundStream: BodyStream {
    private let stream: InputStream
    private let byteCount: Int
    private var readCount = 0
    /// The next bytes, read ahead, so that the last ones are sent only if the length is right.
    private var next: [UInt8] = []

    private static let portionByteCount = 65_536

    init(_ stream: InputStream, _ byteCount: Int) {
      self.stream = stream
      self.byteCount = byteCount
      super.init()
    }

    override func open() { stream.open() }

    override func close() { stream.close() }

    override func read(into portion: inout [UInt8]) throws {
      portion = try next.isEmpty ? readPortion() : next
      next = portion.isEmpty ? [] : try readPortion()
      let isWrong =
        next.isEmpty ? readCount != byteCount : readCount > byteCount
      if isWrong {
        throw TransferError(
          .conflictingHeader,
          "Content-Length is \(byteCount), but the httpBodyStream has "
            + "\(next.isEmpty ? "" : "at least ")\(readCount) bytes.",
          fix: "Use the stream's length.")
      }
    }

    private func readPortion() throws -> [UInt8] {
      let bytes = try unsafe [UInt8](unsafeUninitializedCapacity: Self.portionByteCount) {
        buffer, count in
        guard let start = buffer.baseAddress else { return }
        let readCount = unsafe stream.read(start, maxLength: Self.portionByteCount)
        if readCount < 0 { throw stream.streamError ?? URLError(.requestBodyStreamExhausted) }
        count = readCount
      }
      readCount += bytes.count
      return bytes
    }
  }

  extension URLRequest {
    /// Streams a file, or bytes that are more than one portion.
    mutating func stream(_ body: Body) throws {
      guard let byteCount = body.byteCount else { return }
      switch body.content {
      case .bytes: if byteCount <= FileReader.portionByteCount { return }
      case .file: break
      case .stream, .unknown: return
      }
      httpBody = nil
      httpBodyStream = try ReaderStream(body)
      setPlainBody(byteCount)
    }

    /// Sends a stream with its Content-Length. Otherwise it would be sent in HTTP chunks despite
    /// that header (RFC 9112, 6.3).
    mutating func boundStream() {
      guard let stream = httpBodyStream, !(stream is BodyStream),
        let byteCount = value(forHTTPHeaderField: "Content-Length").flatMap({ Int($0) })
      else { return }
      httpBodyStream = BoundStream(stream, byteCount)
      setPlainBody(byteCount)
    }

    /// Sets the headers of a stream with a length and without a transfer coding.
    private mutating func setPlainBody(_ byteCount: Int) {
      setValue("\(byteCount)", forHTTPHeaderField: "Content-Length")
      // libcurl omits a header whose value is a space, and chooses no coding if the header is set.
      setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
    }
  }
#endif
