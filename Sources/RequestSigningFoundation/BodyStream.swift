// SPDX-License-Identifier: Apache-2.0
// Bodies that FoundationNetworking reads while it sends them, in exactly the length that was announced.

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
  internal import SigningSupport

  /// The body of a request, which URLSession reads while it sends it.
  ///
  /// `uploadTask(with:fromFile:)` of FoundationNetworking 6.3.1 ends the process when the server closes the
  /// connection early, and sometimes when it is cancelled. A stream does neither.
  class BodyStream: InputStream {
    /// Why the body could not be read, if it could not.
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
        // Safety: at most as many bytes as there is space for.
        unsafe UnsafeMutableRawBufferPointer(start: buffer, count: part.count).copyBytes(from: part)
        sentCount += part.count
        return part.count
      } catch {
        failure.withLock { $0 = error }
        return -1
      }
    }

    /// Replaces a portion by the next one, which is empty at the end.
    fileprivate func read(into portion: inout [UInt8]) throws {}
  }

  /// The stream of an upload.
  private final class UploadStream: BodyStream {
    private var reader: UploadSource.Reader

    init(_ source: UploadSource) throws {
      reader = try source.reader()
      super.init()
    }

    override func read(into portion: inout [UInt8]) throws { try reader.read(into: &portion) }
  }

  /// A body in memory. As an httpBody it would be copied.
  private final class DataStream: BodyStream {
    private var rest: Data

    init(_ data: Data) {
      rest = data
      super.init()
    }

    override func read(into portion: inout [UInt8]) {
      portion = Array(rest.prefix(FileReader.portionByteCount))
      // An empty slice would keep the memory of all.
      rest = rest.count > portion.count ? rest.dropFirst(portion.count) : Data()
    }
  }

  /// The stream of a caller, which must be as long as its request says.
  private final class BoundStream: BodyStream {
    private let stream: InputStream
    private let byteCount: Int
    private var readCount = 0
    /// The bytes that follow, read ahead: the last ones leave only when they are known to be the last.
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
        // Safety: the buffer has as many bytes.
        let readCount = unsafe stream.read(start, maxLength: Self.portionByteCount)
        if readCount < 0 { throw stream.streamError ?? URLError(.requestBodyStreamExhausted) }
        count = readCount
      }
      readCount += bytes.count
      return bytes
    }
  }

  extension URLRequest {
    /// Sends a file, or what is made of it.
    mutating func stream(_ source: UploadSource) throws {
      httpBodyStream = try UploadStream(source)
      setPlainBody(source.byteCount)
    }

    /// Sends the httpBody without a copy.
    mutating func streamBody() {
      guard let data = httpBody, data.count > FileReader.portionByteCount else { return }
      httpBody = nil
      httpBodyStream = DataStream(data)
      setPlainBody(data.count)
    }

    /// Sends a stream in its Content-Length. Otherwise it would go out in HTTP's chunks beside that header
    /// (RFC 9112, 6.3).
    mutating func boundStream() {
      guard let stream = httpBodyStream, !(stream is BodyStream),
        let byteCount = value(forHTTPHeaderField: "Content-Length").flatMap({ Int($0) })
      else { return }
      httpBodyStream = BoundStream(stream, byteCount)
      setPlainBody(byteCount)
    }

    /// A stream that is sent with its length and without any coding.
    private mutating func setPlainBody(_ byteCount: Int) {
      setValue("\(byteCount)", forHTTPHeaderField: "Content-Length")
      // libcurl leaves out a header whose value is a space, and chooses no coding when there is one.
      setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
    }
  }
#endif
