// SPDX-License-Identifier: Apache-2.0
// The steps of a multipart upload: begin, send parts in parallel, and complete, or abort if one
// fails.

internal import CredentialProviders
internal import DocumentSupport
internal import Foundation
internal import RequestSigning
internal import S3Signing

/// An uploaded or copied object.
public struct UploadedObject: Hashable, Sendable {
  /// The entity tag of the object, with its quotation marks. For a multipart upload, it isn't a
  /// digest of the object's bytes.
  public let eTag: String

  /// The version ID, if the bucket has versioning enabled.
  public let versionID: String?

  /// The number of parts, or 1 if the object was sent in one request.
  public let partCount: Int

  init(eTag: String, _ answer: LoadedResponse, partCount: Int) {
    self.eTag = eTag
    versionID = answer.response.value(forHTTPHeaderField: "x-amz-version-id")
    self.partCount = partCount
  }
}

/// A multipart upload. Its parts are bodies, or ranges of a different object.
struct MultipartUpload: Sendable {
  let session: SigningSession
  let object: SigV4.Bucket.Object
  /// The caller's headers.
  let headers: SigV4.Headers
  /// The algorithm of each part's checksum.
  let checksum: SigV4.Checksum.Algorithm?
  let sizes: PartSizes

  /// - Parameter checksum: the algorithm if the caller's headers don't name one.
  init(
    _ session: SigningSession, _ object: SigV4.Bucket.Object, _ headers: SigV4.Headers,
    _ checksum: SigV4.Checksum.Algorithm?, _ sizes: PartSizes
  ) throws(TransferError) {
    self.session = session
    self.object = object
    self.headers = headers
    self.sizes = sizes
    let named = try SigV4.Checksum.Algorithm.named(in: headers)
    let ofObject = SigV4.Checksum.Algorithm.named.first {
      $0.combinesParts && headers[$0.headerName] != nil
    }
    self.checksum = ofObject ?? named ?? checksum
  }

  /// An upload whose parts have the checksums of the session's options, unless the caller's headers
  /// name an algorithm.
  init(
    _ session: SigningSession, _ object: SigV4.Bucket.Object, _ headers: SigV4.Headers,
    _ sizes: PartSizes
  ) throws {
    try self.init(
      session, object, headers,
      session.options.checksums.algorithm(
        forUpload: object.putRequest(.empty, headers: headers), of: session.service), sizes)
  }

  /// An uploaded part.
  struct Part: Sendable {
    let number: Int
    let byteCount: Int64
    let eTag: String
    let checksum: SigV4.Checksum?
  }

  /// Uploads an object.
  ///
  /// - Parameters:
  ///   - first: the first part.
  ///   - rest: the source of the other parts.
  ///   - send: sends a part with its number and the upload ID.
  @concurrent func run<Source: PartSource>(
    _ first: Source.Part, then rest: sending Source, partByteCount: Int,
    send: @escaping @Sendable (Source.Part, Int, String) async throws -> Part
  ) async throws -> UploadedObject {
    let beginning = try start()
    do {
      let id = try await id(of: beginning)
      let parts = try await sendAll(first, rest, partByteCount) { try await send($0, $1, id) }
      return try await complete(parts, id)
    } catch {
      try await giveUp(beginning, error)
      throw error
    }
  }

  /// Begins the upload, and passes its ID to a closure. If that fails, aborts the upload, because
  /// no later call could know the ID.
  func beginning<Value>(_ make: (_ id: String) throws -> Value) async throws -> Value {
    let beginning = try start()
    do { return try make(await id(of: beginning)) } catch {
      try await giveUp(beginning, error)
      throw error
    }
  }

  /// A separate task, so that cancelling the call doesn't lose the upload ID.
  private func start() throws -> Task<String, any Error> {
    try Task.checkCancellation()
    return Task { try await begin() }
  }

  private func id(of beginning: Task<String, any Error>) async throws -> String {
    if let id = try await beginning.value(orCancelledFor: .zero) { return id }
    throw CancellationError()
  }

  /// Sends parts in parallel. If one fails, it throws at once, even if the source has no next part
  /// yet.
  @concurrent func sendAll<Source: PartSource>(
    _ first: Source.Part, _ rest: sending Source, _ partByteCount: Int,
    _ send: @escaping @Sendable (Source.Part, Int) async throws -> Part
  ) async throws -> [Part] {
    let (ends, end) = AsyncThrowingStream.makeStream(of: [Part].self)
    // Leaving this function cancels it, and waits for it.
    async let _: Void = readAll(first, rest, partByteCount, send, end)
    for try await parts in ends { return parts }
    throw CancellationError()
  }

  /// Sends parts as they're read. Reads the next part when one has been uploaded. Ends the stream
  /// with all parts, or with the first error.
  @concurrent private func readAll<Source: PartSource>(
    _ first: Source.Part, _ rest: sending Source, _ partByteCount: Int,
    _ send: @escaping @Sendable (Source.Part, Int) async throws -> Part,
    _ end: AsyncThrowingStream<[Part], any Error>.Continuation
  ) async {
    do {
      try await withThrowingTaskGroup(of: Part.self) { group in
        var source = rest
        var next: Source.Part? = first
        var number = 0
        var parts: [Part] = []
        while next != nil {
          number += 1
          try sizes.check(number: number, partByteCount)
          if let part = next {
            group.addTask { [number] in
              do {
                return try await send(part, number)
              } catch {
                // Cancelled, it isn't the first error.
                if !Task.isCancelled { end.finish(throwing: error) }
                throw error
              }
            }
          }
          // Release the part before the next one is read, because parts are large.
          next = nil
          if number - parts.count >= max(session.options.parallelPartCount, 1) {
            if let part = try await group.next() { parts.append(part) }
          }
          next = try await source.next(partByteCount)
        }
        for try await part in group { parts.append(part) }
        end.yield(parts.sorted { $0.number < $1.number })
      }
    } catch {
      end.finish(throwing: error)
    }
  }

  /// Creates the request for a part.
  func request(
    _ number: Int, _ id: String, headers: SigV4.Headers
  ) throws(SigV4.SigningError) -> SigV4.Request {
    try object.request(
      "PUT", query: ["partNumber": "\(number)", "uploadId": id], headers: partHeaders + headers)
  }

  func eTag(of answer: LoadedResponse) throws(TransferError) -> String {
    guard let eTag = answer.response.value(forHTTPHeaderField: "ETag") else {
      throw missing("ETag")
    }
    return eTag
  }

  func missing(_ what: String) -> TransferError {
    TransferError(
      .invalidResponse,
      "The response has no \(what), so the upload can't be completed.",
      fix: "Check the endpoint \(object.bucket.endpoint.host).")
  }
}

// The headers of each request.
extension MultipartUpload {
  /// The headers that each request of an upload must repeat.
  var partHeaders: SigV4.Headers { headers.filtered(Self.isOfEachRequest) }

  static func isOfEachRequest(_ name: String) -> Bool {
    isOfKey(name) || ["x-amz-request-payer", "x-amz-expected-bucket-owner"].contains(name)
  }

  /// Whether a header belongs to the caller's encryption key (SSE-C).
  static func isOfKey(_ name: String) -> Bool {
    name.hasPrefix("x-amz-server-side-encryption-customer-")
  }

  /// The headers of the first request: those of the object.
  private func firstHeaders() throws(TransferError) -> SigV4.Headers {
    if let sole = SigV4.Checksum.Algorithm.all.first(where: {
      !$0.combinesParts && headers[$0.headerName] != nil
    }) {
      throw TransferError(
        .conflictingHeader,
        "The header \(sole.headerName) is the checksum of a body in one request, but this object "
          + "is sent in parts, and S3 combines only their CRC checksums.",
        fix: "Remove the header, or use a CRC checksum.")
    }
    let ofObject = headers.filtered { name in
      !Self.isCondition(name) && name != checksum?.headerName
        && (checksum == nil || name != "x-amz-checksum-algorithm")
    }
    guard let checksum, checksum != .contentMD5 else { return ofObject }
    let type = isFullObject ? "FULL_OBJECT" : "COMPOSITE"
    return ofObject + ["x-amz-checksum-algorithm": checksum.name]
      + (ofObject[Self.checksumType] == nil ? [Self.checksumType: type] : [:])
  }

  /// The headers of the last request. S3 checks conditions then (API Reference,
  /// CompleteMultipartUpload).
  private func lastHeaders(_ parts: [Part]) throws -> SigV4.Headers {
    try partHeaders + headers.filtered(Self.isCondition) + ["content-type": "application/xml"]
      + wholeChecksum(parts)
  }

  static func isCondition(_ name: String) -> Bool {
    ["if-match", "if-none-match"].contains(name)
  }

  /// The object's checksum: the caller's, or the combined one, for algorithms that can combine the
  /// checksums of parts.
  private func wholeChecksum(_ parts: [Part]) throws -> SigV4.Headers {
    let callers = headers.filtered { $0 == checksum?.headerName }
    let checksums = parts.compactMap { part in
      part.checksum.map { ($0, UInt64(part.byteCount)) }
    }
    // A store may not list the checksums of parts that a different sender sent without them.
    if !isFullObject || checksums.count < parts.count { return callers }
    let whole =
      callers.isEmpty ? try SigV4.Checksum.fullObject(of: checksums).headers : callers
    return whole + [Self.checksumType: "FULL_OBJECT"]
  }

  /// Whether the object's checksum is that of its bytes, not of its parts' checksums.
  var isFullObject: Bool {
    guard let checksum, sizes.limits.acceptsFullObject(checksum) else { return false }
    return headers[Self.checksumType]?.uppercased() != "COMPOSITE"
  }

  static let checksumType = "x-amz-checksum-type"
}

extension SigV4.Checksum.Algorithm {
  /// Returns the algorithm that a caller's headers name, or nil if they name none. Throws
  /// `conflictingHeader` if it isn't supported.
  static func named(in headers: SigV4.Headers) throws(TransferError) -> Self? {
    guard let name = headers["x-amz-checksum-algorithm"] else { return nil }
    if let algorithm = named.first(where: { $0.name == name.uppercased() }) { return algorithm }
    throw TransferError(
      .conflictingHeader,
      "The x-amz-checksum-algorithm \(UTF8Text.quoted(name.utf8, upTo: 40)) isn't supported.",
      fix: "Use \(named.map(\.name).joined(separator: ", ")).")
  }
}

extension SigV4.Headers {
  /// Returns the fields whose names, in lowercase, are included.
  func filtered(_ isIncluded: (String) -> Bool) -> SigV4.Headers {
    SigV4.Headers(filter { isIncluded($0.name.lowercased()) })
  }
}

// The first and the last request.
extension MultipartUpload {
  /// Begins the upload. Returns its ID.
  func begin() async throws -> String {
    let request = try object.request("POST", query: ["uploads": nil], headers: firstHeaders())
    let answer = try await session.answer(
      to: Exchange(
        request: request, direction: .plain(nil),
        expected: .document(root: ["InitiateMultipartUploadResult"])))
    guard let id = try answer.document("an upload ID").text(named: "UploadId"), !id.isEmpty else {
      throw missing("UploadId")
    }
    return id
  }

  /// Completes the upload with its parts, in order.
  ///
  /// - Parameter additional: headers in addition to those of every upload.
  func complete(
    _ parts: [Part], _ id: String, additional: SigV4.Headers = [:]
  ) async throws -> UploadedObject {
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
      headers: lastHeaders(parts) + additional)
    let answer = try await session.answer(
      to: Exchange(
        request: request, direction: .upload(Body(Data(list.utf8)), .hashed),
        expected: .document(root: ["CompleteMultipartUploadResult"])))
    guard let eTag = try answer.document("the completed object").text(named: "ETag") else {
      throw missing("ETag of the object")
    }
    return UploadedObject(eTag: eTag, answer, partCount: parts.count)
  }

  /// Aborts the upload if it began, even if the task is cancelled. Waits up to five seconds after a
  /// cancellation.
  private func giveUp(_ beginning: Task<String, any Error>, _ cause: any Error) async throws {
    let abort = Task { [session, object, partHeaders] in
      guard let id = try? await beginning.value else { return }
      do {
        try await session.abort(uploadID: id, of: object, headers: partHeaders)
      } catch {
        throw TransferError.abortFailed(id, cause, error)
      }
    }
    _ = try await abort.value(orCancelledFor: .seconds(5))
  }
}

extension TransferError {
  fileprivate static func abortFailed(
    _ id: String, _ cause: any Error, _ error: any Error
  ) -> TransferError {
    TransferError(
      .abortFailed,
      "The upload failed (\(shown(cause))), and its parts couldn't be removed (\(shown(error))), "
        + "so they still cost money.",
      fix:
        "Call the session's abort(uploadID:of:) with the ID \(UTF8Text.quoted(id)), or add a "
        + "lifecycle rule that removes incomplete uploads.", underlyingError: cause)
  }

  /// Returns an error's message if it's the library's own, else its type, because others may
  /// contain secrets.
  private static func shown(_ error: any Error) -> String {
    switch error {
    case let error as TransferError: error.description
    case let error as SigV4.SigningError: error.description
    case let error as CredentialError: error.description
    case let error as URLError: "URLError \(error.code.rawValue)"
    default: "\(type(of: error))"
    }
  }
}

extension Task where Failure == any Error {
  /// Returns the task's value, or nil if the current task is cancelled and the limit passes first.
  fileprivate func value(orCancelledFor limit: Duration) async throws -> Success? {
    let (ends, continuation) = AsyncStream.makeStream(of: Result<Success, any Error>?.self)
    Task<Void, Never> { continuation.yield(await self.result) }
    let first = await withTaskCancellationHandler {
      // In a cancelled task, the stream would end immediately, so a new task reads it.
      await Task<Result<Success, any Error>??, Never> { await ends.first { _ in true } }.value
    } onCancel: {
      Task<Void, Never> {
        try? await Task<Never, Never>.sleep(for: limit)
        continuation.yield(nil)
      }
    }
    return try first??.get()
  }
}
