// SPDX-License-Identifier: Apache-2.0
// Multipart uploads: parts are sent in parallel, and the upload is aborted if a part fails.

internal import DocumentSupport
public import Foundation
public import RequestSigning
public import S3Signing
internal import SignatureDiagnosis
internal import SigningSupport

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// An uploaded or copied object.
public struct UploadedObject: Hashable, Sendable {
  /// The entity tag of the object, with its quotation marks. For a multipart upload, it isn't a
  /// digest of the object's bytes.
  public let eTag: String

  /// The version ID, if the bucket has versioning enabled.
  public let versionID: String?

  /// The number of parts, or 1 if the object was sent in one request.
  public let partCount: Int
}

extension SigningSession {
  /// Uploads a file. If it's larger than ``Options/partByteCount``, it's uploaded in parts,
  /// ``Options/parallelPartCount`` at a time.
  ///
  ///     try await session.upload(film, to: bucket.object("film.mov"))
  ///
  /// Parts are streamed from the file, and each one is retried separately. If 10,000 parts aren't
  /// enough, they get larger. If a part fails or the task is cancelled, the upload is aborted. A
  /// cancelled call waits up to five seconds for the abort. Don't change the file during the
  /// upload.
  ///
  /// - Parameters:
  ///   - file: the file to upload.
  ///   - object: the destination.
  ///   - contentType: the media type. It replaces a content type in `headers`. If both are missing,
  ///     the file extension determines it.
  ///   - headers: metadata, encryption, storage class.
  ///   - progress: receives increasing byte counts. The last one is the total. It can use `self`,
  ///     because it runs in the isolation where you write it.
  ///
  /// - Throws: The errors of ``send(_:body:progress:)``, and `TransferError` with
  ///   `unexpectedStatus`, `invalidResponse`, `invalidPartSize` or `abortFailed`.
  ///
  /// Source: Amazon S3, User Guide, "Uploading and copying objects using multipart upload".
  @concurrent @discardableResult public func upload(
    _ file: URL, to object: SigV4.Bucket.Object, contentType: String? = nil,
    headers: SigV4.Headers = [:], @_inheritActorContext progress: ProgressHandler? = nil
  ) async throws -> UploadedObject {
    let byteCount = try FileReader.byteCount(of: file)
    return try await ProgressDelivery.run(progress) { report in
      let upload = try PartUpload(
        self, object, headers.typed(contentType, name: file.lastPathComponent), byteCount, report)
      return try await upload.run(FileParts(file: file, byteCount: byteCount))
    }
  }

  /// Uploads bytes in memory. The extension of the key determines the default content type.
  ///
  ///     try await session.upload(jpeg, to: bucket.object("photo.jpg"))
  ///
  /// Options and errors are the same as for files.
  @concurrent @discardableResult public func upload(
    _ bytes: some Collection<UInt8> & Sendable, to object: SigV4.Bucket.Object,
    contentType: String? = nil, headers: SigV4.Headers = [:],
    @_inheritActorContext progress: ProgressHandler? = nil
  ) async throws -> UploadedObject {
    let data = bytes as? Data ?? Data(bytes)
    return try await ProgressDelivery.run(progress) { report in
      let upload = try PartUpload(
        self, object, headers.typed(contentType, name: object.key), data.count, report)
      return try await upload.run(MemoryParts(data: data))
    }
  }

  /// Uploads an asynchronous sequence in parts: the body of a received request, or the output of a
  /// command. The extension of the key determines the default content type.
  ///
  ///     try await session.upload(pieces, to: bucket.object("log.txt"))
  ///
  /// The parts in transit and the next one are in memory. The maximum size is 10,000 parts, 78 GiB
  /// by default. Set ``Options/partByteCount`` for more. Options and errors are the same as for
  /// files, plus the errors of the sequence.
  @concurrent @discardableResult public func upload<Bytes: AsyncSequence & Sendable>(
    _ bytes: Bytes, to object: SigV4.Bucket.Object, contentType: String? = nil,
    headers: SigV4.Headers = [:], @_inheritActorContext progress: ProgressHandler? = nil
  ) async throws -> UploadedObject where Bytes.Element: Collection<UInt8> {
    try await ProgressDelivery.run(progress) { report in
      let upload = try PartUpload(
        self, object, headers.typed(contentType, name: object.key), nil, report)
      return try await upload.run(SequenceParts(pieces: bytes.makeAsyncIterator()))
    }
  }
}

extension SigV4.Headers {
  /// Adds a Content-Type: the passed one, else the existing one, else the type of the file name.
  fileprivate func typed(_ type: String?, name: String) -> SigV4.Headers {
    var headers = self
    headers["content-type"] = type ?? self["content-type"] ?? ContentType.ofFile(named: name)
    return headers
  }
}

/// A multipart upload.
private struct PartUpload: Sendable {
  let session: SigningSession
  let object: SigV4.Bucket.Object
  let headers: SigV4.Headers
  let partByteCount: Int
  let progress: PartProgress
  let checksum: SigV4.Checksum.Algorithm?

  /// Amazon S3, User Guide, "Amazon S3 multipart upload limits".
  static let maximumCount = 10_000
  static let minimumByteCount = 5_242_880

  /// - Parameter byteCount: the size of the object, or nil if it's unknown.
  init(
    _ session: SigningSession, _ object: SigV4.Bucket.Object, _ headers: SigV4.Headers,
    _ byteCount: Int?, _ report: (@Sendable (TransferProgress) -> Void)?
  ) throws {
    if session.options.partByteCount < Self.minimumByteCount {
      throw TransferError(
        .invalidPartSize,
        "The option partByteCount is \(session.options.partByteCount), but S3 requires parts of at "
          + "least \(Self.minimumByteCount) bytes, except the last.",
        fix: "Use \(Self.minimumByteCount) or more.")
    }
    self.session = session
    self.object = object
    self.headers = headers
    let minimum = ((byteCount ?? 0) + Self.maximumCount - 1) / Self.maximumCount
    partByteCount = max(session.options.partByteCount, minimum)
    self.progress = PartProgress(total: byteCount.map { Int64($0) }, report)
    checksum = session.options.checksums.algorithm(
      forUpload: try object.putRequest(.empty, headers: headers), of: session.service)
  }

  /// An uploaded part.
  struct Part: Sendable {
    let number: Int
    let byteCount: Int
    let eTag: String
    let checksum: SigV4.Checksum?
  }

  @concurrent func run(_ source: some PartSource) async throws -> UploadedObject {
    var source = source
    let first = try await source.next(partByteCount)
    guard first.byteCount == partByteCount else { return try await put(first) }
    let id = try await begin()
    do {
      let parts = try await send(first, source, id)
      return try await complete(parts, id)
    } catch {
      try await giveUp(id, error)
      throw error
    }
  }

  /// Uploads the whole object in one request.
  private func put(_ body: PartBody) async throws -> UploadedObject {
    let request = try object.putRequest(.empty, headers: headers)
    let answer = try await answer(to: request, body, part: 1)
    progress.finish(at: body.byteCount)
    return UploadedObject(
      eTag: try eTag(of: answer),
      versionID: answer.response.value(forHTTPHeaderField: "x-amz-version-id"), partCount: 1)
  }

  /// Sends parts in parallel. Reads the next part when one has been uploaded.
  @concurrent private func send(
    _ first: PartBody, _ rest: some PartSource, _ id: String
  ) async throws -> [Part] {
    try await withThrowingTaskGroup(of: Part.self) { group in
      var source = rest
      var next = first
      var number = 1
      var parts: [Part] = []
      while next.byteCount > 0 {
        if number > Self.maximumCount { throw tooMany }
        group.addTask { [next, number] in try await send(next, number, id) }
        let isLast = next.byteCount < partByteCount
        // Release the part before the next one is read, because parts are large.
        next = .data(Data())
        if number - parts.count >= max(session.options.parallelPartCount, 1) {
          if let part = try await group.next() { parts.append(part) }
        }
        number += 1
        if !isLast { next = try await source.next(partByteCount) }
      }
      for try await part in group { parts.append(part) }
      return parts.sorted { $0.number < $1.number }
    }
  }

  private func send(_ body: PartBody, _ number: Int, _ id: String) async throws -> Part {
    let checksum = try checksum.map(body.checksum)
    let request = try object.request(
      "PUT", query: ["partNumber": "\(number)", "uploadId": id],
      headers: partHeaders + (checksum?.headers ?? [:]))
    let answer = try await answer(to: request, body, part: number)
    return Part(
      number: number, byteCount: body.byteCount, eTag: try eTag(of: answer), checksum: checksum)
  }

  private func answer(
    to request: SigV4.Request, _ body: PartBody, part number: Int
  ) async throws -> LoadedResponse {
    let meter = ProgressMeter { [progress] in progress.advance(part: number, to: $0.byteCount) }
    let answer = try await session.answer(
      to: Exchange(request: request, direction: .upload(body.content), meter: meter))
    try answer.expectSuccess("the ETag of part \(number)")
    return answer
  }

  private func eTag(of answer: LoadedResponse) throws(TransferError) -> String {
    guard let eTag = answer.response.value(forHTTPHeaderField: "ETag") else {
      throw missing("ETag")
    }
    return eTag
  }

  private var tooMany: TransferError {
    TransferError(
      .invalidPartSize,
      "The body is larger than \(Self.maximumCount) parts of \(partByteCount) bytes, S3's maximum.",
      fix: "Use a larger partByteCount in the session's options.")
  }

  func missing(_ what: String) -> TransferError {
    TransferError(
      .invalidResponse,
      "The response has no \(what), so the upload can't be completed.",
      fix: "Check the endpoint \(object.bucket.endpoint.host).")
  }

  /// The headers that each request of an upload must repeat.
  private var partHeaders: SigV4.Headers {
    SigV4.Headers(
      headers.filter { header in
        let name = header.name.lowercased()
        return name.hasPrefix("x-amz-server-side-encryption-customer-")
          || ["x-amz-request-payer", "x-amz-expected-bucket-owner"].contains(name)
      })
  }
}

// The first and the last request.
extension PartUpload {
  private func begin() async throws -> String {
    var headers = Array(headers)
    if let checksum, checksum != .contentMD5 {
      headers.append(SigV4.Header("x-amz-checksum-algorithm", checksum.name))
      headers.append(
        SigV4.Header("x-amz-checksum-type", isFullObject ? "FULL_OBJECT" : "COMPOSITE"))
    }
    let request = try object.request(
      "POST", query: ["uploads": nil], headers: SigV4.Headers(headers))
    let answer = try await session.answer(to: Exchange(request: request, direction: .plain(nil)))
    try answer.expectSuccess("an upload ID")
    guard let id = try? XMLFieldReader(answer.body).text(named: "UploadId"), !id.isEmpty else {
      throw missing("UploadId")
    }
    return id
  }

  private func complete(_ parts: [Part], _ id: String) async throws -> UploadedObject {
    var list = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
    for part in parts {
      list +=
        "<Part><PartNumber>\(part.number)</PartNumber><ETag>\(XMLText.escaped(part.eTag))</ETag>"
      if let checksum = part.checksum, checksum.algorithm != .contentMD5 {
        let name = "Checksum" + checksum.algorithm.name
        list += "<\(name)>\(checksum.text)</\(name)>"
      }
      list += "</Part>"
    }
    list += "</CompleteMultipartUpload>"
    let request = try object.request(
      "POST", query: ["uploadId": id],
      headers: partHeaders + ["content-type": "application/xml"] + wholeChecksum(parts))
    let answer = try await session.answer(
      to: Exchange(request: request, direction: .upload(.data(Data(list.utf8)))))
    try answer.expectSuccess("the completed object")
    return try object(in: answer, partCount: parts.count)
  }

  /// The object in the response to the last request.
  private func object(in answer: LoadedResponse, partCount: Int) throws -> UploadedObject {
    guard let eTag = try? XMLFieldReader(answer.body).text(named: "ETag") else {
      throw missing("ETag of the object")
    }
    progress.finish()
    return UploadedObject(
      eTag: eTag, versionID: answer.response.value(forHTTPHeaderField: "x-amz-version-id"),
      partCount: partCount)
  }

  /// The object's checksum, for algorithms that can combine the checksums of parts.
  private func wholeChecksum(_ parts: [Part]) throws -> SigV4.Headers {
    if !isFullObject { return [:] }
    let checksums = parts.compactMap { part in
      part.checksum.map { ($0, UInt64(part.byteCount)) }
    }
    return try SigV4.Checksum.fullObject(of: checksums).headers
      + ["x-amz-checksum-type": "FULL_OBJECT"]
  }

  private var isFullObject: Bool {
    checksum?.combinesParts ?? false
  }

  /// Aborts the upload, even if the task is cancelled. In that case it waits up to five seconds.
  private func giveUp(_ id: String, _ cause: any Error) async throws {
    let abort = Task { [session, object, partHeaders] in
      let request = try object.request(
        "DELETE", query: ["uploadId": id], headers: partHeaders)
      let answer = try await session.answer(to: Exchange(request: request, direction: .plain(nil)))
      if answer.response.statusCode != 404 {
        try answer.expectSuccess("a confirmation of the abort")
      }
    }
    let isCancelled = Task.isCancelled || cause is CancellationError
    let limit: Duration? = isCancelled ? .seconds(5) : nil
    do { try await abort.value(within: limit) } catch {
      throw TransferError(
        .abortFailed,
        "The upload failed (\(cause)), and its parts couldn't be removed (\(error)), so they still "
          + "cost money.",
        fix:
          "Call AbortMultipartUpload for the upload ID \(UTF8Text.quoted(id)), or add a lifecycle "
          + "rule that removes incomplete uploads.")
    }
  }
}

extension Task where Success == Void, Failure == any Error {
  /// Waits for the task, at most as long as the limit, even if the current task is cancelled. If
  /// the limit is nil, it waits without a limit.
  fileprivate func value(within limit: Duration?) async throws {
    guard let limit else { return try await value }
    let (ends, continuation) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
    let ending = Task<Void, Never> { continuation.yield(await self.result) }
    let pausing = Task<Void, Never> {
      try? await Task<Never, Never>.sleep(for: limit)
      continuation.yield(.success(()))
    }
    // In a cancelled task, the stream would end immediately, so a new task reads it.
    let first = await Task<Result<Void, any Error>?, Never> { await ends.first { _ in true } }.value
    ending.cancel()
    pausing.cancel()
    try first?.get()
  }
}
