// SPDX-License-Identifier: Apache-2.0
// Uploads of files, bytes and sequences, in one request or in parts.

public import Foundation
public import RequestSigning
public import S3Signing

extension SigningSession {
  /// Uploads a file. If it's larger than ``Options/partByteCount``, it's uploaded in parts,
  /// ``Options/parallelPartCount`` at a time.
  ///
  ///     try await session.upload(film, to: bucket.object("film.mov"))
  ///
  /// Parts are streamed from the file, and each one is retried separately. If the store's maximum
  /// number of parts isn't enough, they get larger. If a part fails or the task is cancelled, the
  /// upload is aborted. A cancelled call waits up to five seconds for the abort. Don't change the
  /// file during the upload.
  ///
  /// - Parameters:
  ///   - file: the file to upload.
  ///   - object: the destination.
  ///   - contentType: the media type. It replaces a content type in `headers`. If both are missing,
  ///     the file extension determines it.
  ///   - metadata: user-defined metadata by name, sent as `x-amz-meta-*`. ``head(_:headers:)``
  ///     returns it.
  ///   - headers: encryption, storage class and others.
  ///   - progress: receives increasing byte counts. The last one is the total. It can use `self`,
  ///     because it runs in the isolation where you write it.
  ///
  /// - Throws: The errors of ``send(_:body:progress:)``, and `TransferError` with
  ///   `unexpectedStatus`, `invalidResponse`, `invalidPartSize`, `objectTooLarge` or `abortFailed`.
  ///   The server code `NoSuchUpload` can mean that the response to a completed upload was lost:
  ///   check with ``head(_:headers:)``.
  ///
  /// Source: Amazon S3, User Guide, "Uploading and copying objects using multipart upload".
  @concurrent @discardableResult public func upload(
    _ file: URL, to object: SigV4.Bucket.Object, contentType: String? = nil,
    metadata: [String: String] = [:], headers: SigV4.Headers = [:],
    @_inheritActorContext progress: ProgressHandler? = nil
  ) async throws -> UploadedObject {
    try await upload(
      Body(file).measured(), to: object,
      headers.describing(contentType, ofFile: file.lastPathComponent, metadata), progress)
  }

  /// Uploads bytes in memory. The extension of the key determines the default content type.
  ///
  ///     try await session.upload(jpeg, to: bucket.object("photo.jpg"))
  ///
  /// Options and errors are the same as for files.
  @concurrent @discardableResult public func upload(
    _ bytes: some Collection<UInt8> & Sendable, to object: SigV4.Bucket.Object,
    contentType: String? = nil, metadata: [String: String] = [:], headers: SigV4.Headers = [:],
    @_inheritActorContext progress: ProgressHandler? = nil
  ) async throws -> UploadedObject {
    try await upload(
      Body(bytes as? Data ?? Data(bytes)), to: object,
      headers.describing(contentType, ofFile: object.key, metadata), progress)
  }

  /// Uploads text in UTF-8. The default content type is `text/plain; charset=utf-8`, whatever the
  /// extension of the key.
  ///
  ///     try await session.upload("hello", to: bucket.object("hello.txt"))
  ///
  /// Options and errors are the same as for files.
  @concurrent @discardableResult public func upload(
    _ text: String, to object: SigV4.Bucket.Object, contentType: String? = nil,
    metadata: [String: String] = [:], headers: SigV4.Headers = [:],
    @_inheritActorContext progress: ProgressHandler? = nil
  ) async throws -> UploadedObject {
    let type = contentType ?? headers["content-type"] ?? "text/plain; charset=utf-8"
    return try await upload(
      Data(text.utf8), to: object, contentType: type, metadata: metadata, headers: headers,
      progress: progress)
  }

  /// Uploads an asynchronous sequence in parts: the body of a received request, or the output of a
  /// command. The extension of the key determines the default content type.
  ///
  ///     try await session.upload(pieces, to: bucket.object("log.txt"))
  ///
  /// The parts in transit and the next one are in memory. If you know the size, pass it: the parts
  /// are then large enough. Otherwise, the maximum is the store's number of parts: 78 GiB for
  /// 10,000 of them by default. Set ``Options/partByteCount`` for more. An upload that exceeds it
  /// is aborted with `invalidPartSize`.
  ///
  /// - Parameters:
  ///   - bytes: the bytes to upload.
  ///   - object: the destination.
  ///   - contentType: the media type.
  ///   - contentLength: the size of the whole sequence in bytes, or nil if you don't know it. If
  ///     the sequence has a different size, the upload fails with `invalidFile`.
  ///   - metadata: user-defined metadata by name.
  ///   - headers: encryption, storage class and others.
  ///   - progress: receives increasing byte counts.
  ///
  /// - Throws: The errors for files, and those of the sequence.
  @concurrent @discardableResult public func upload<Bytes: AsyncSequence & Sendable>(
    _ bytes: Bytes, to object: SigV4.Bucket.Object, contentType: String? = nil,
    contentLength: Int64? = nil, metadata: [String: String] = [:], headers: SigV4.Headers = [:],
    @_inheritActorContext progress: ProgressHandler? = nil
  ) async throws -> UploadedObject where Bytes.Element: Collection<UInt8> {
    let headers = try headers.describing(contentType, ofFile: object.key, metadata)
    return try await ProgressDelivery.run(progress) { report in
      let upload = try BodyUpload(
        self, object, headers, contentLength, PartProgress(total: contentLength, report))
      return try await upload.run(
        SequenceParts(pieces: bytes.makeAsyncIterator(), contentLength: contentLength))
    }
  }

  private func upload(
    _ body: Body, to object: SigV4.Bucket.Object, _ headers: SigV4.Headers,
    _ progress: ProgressHandler?
  ) async throws -> UploadedObject {
    try await ProgressDelivery.run(progress) { report in
      let byteCount = body.byteCount.map(Int64.init)
      let upload = try BodyUpload(
        self, object, headers, byteCount, PartProgress(total: byteCount, report))
      return try await upload.run(BodyParts(body))
    }
  }
}

extension SigV4.Headers {
  /// Adds a Content-Type, which is the passed one, else the existing one, else the type of the file
  /// name, and user-defined metadata, sorted by name.
  ///
  /// - Throws: `invalidHeaderName` for an empty name, and `conflictingHeader` if a header with this
  ///   name already exists. HTTP ignores case.
  func describing(
    _ type: String?, ofFile name: String, _ metadata: [String: String]
  ) throws(SigV4.SigningError) -> SigV4.Headers {
    var headers = self
    headers["content-type"] = type ?? self["content-type"] ?? ContentType.ofFile(named: name)
    for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
      if name.isEmpty {
        throw SigV4.SigningError(
          .invalidHeaderName, "A name in the metadata is empty.", fix: "Use a name such as owner.")
      }
      let header = "x-amz-meta-" + name
      if headers[header] != nil {
        throw SigV4.SigningError(
          .conflictingHeader,
          "The header \(quoted: header) is set twice, possibly in a different case.",
          fix: "Set it once, in metadata or in headers.")
      }
      headers[header] = value
    }
    return headers
  }
}
