// SPDX-License-Identifier: Apache-2.0
// A request with its body, and the same signed for one attempt.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SecureHashing

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A request with its body, and how the session handles the response.
struct Exchange: Sendable {
  let request: any SignableRequest
  let direction: Direction
  var meter: ProgressMeter?

  /// The maximum size of a successful response in memory, in bytes.
  var maximumByteCount = Int.max

  var headerEncoding = SigV4.HeaderEncoding.ascii

  /// The body of a successful response. It's set for the session's own requests, which are all safe
  /// to retry.
  var expected = ExpectedBody.anything

  enum Direction: Sendable {
    case plain(SigV4.Payload?)
    case upload(UploadBody.Content)
    case download(PartialFile)
  }

  /// The host, with a port if it has one. Nil if the request is invalid.
  var host: String? {
    (try? request.signable(payload: .empty, headerEncoding: .utf8))?.host
  }

  /// Whether a file is open during the exchange.
  var opensFile: Bool {
    switch direction {
    case .plain, .upload(.data): false
    case .upload(.file), .upload(.range), .download: true
    }
  }

  /// Whether the body can be sent again.
  var isRepeatable: Bool {
    if case .upload = direction { return true }
    return request.urlRequest?.httpBodyStream == nil
  }

  /// Returns the request to sign, and the chunks that follow it. Hashes the body.
  func signable(
    adding headers: [SigV4.Header], _ checksums: SigningSession.Options.Checksums,
    for service: SigV4.Service, in regions: SessionRegions
  ) throws -> (SigV4.Request, ChunkedBody?) {
    guard case .upload(let body) = direction else {
      let request = try plainRequest().addingHeaders(headers)
      return (try request.addingHeaders(checksums.headers(forDownload: request, of: service)), nil)
    }
    let draft = try upload(.empty, headers)
    let algorithm = try checksums.algorithm(forUpload: draft, of: service)
    func digested(_ digest: BodyDigest) throws -> SigV4.Request {
      try upload(digest.payload, headers + digest.headers)
    }
    switch body {
    case .data(let data): return (try digested(BodyDigest(of: data, algorithm)), nil)
    case .range(let file, let range):
      return (try digested(BodyDigest(of: file, algorithm, in: range)), nil)
    case .file(let file, let payload):
      let byteCount = try FileReader.byteCount(of: file)
      switch (payload.kind, algorithm) {
      case (.hashed, _): return (try digested(BodyDigest(of: file, algorithm)), nil)
      case (.unsigned, nil): return (try checkProtection(upload(.unsigned, headers)), nil)
      case (.unsigned, let algorithm?):
        let chunks = try ChunkedBody(unsignedByteCount: byteCount, algorithm)
        return (try checkProtection(draft).uploading(chunks.upload), chunks)
      case (.signedChunks(let chunkByteCount), _):
        let chunks = try ChunkedBody(byteCount: byteCount, chunkByteCount, algorithm, in: regions)
        return (try draft.uploading(chunks.upload), chunks)
      }
    }
  }

  private func plainRequest() throws -> SigV4.Request {
    var payload: SigV4.Payload?
    if case .plain(let given) = direction { payload = given }
    return try request.signable(payload: payload, headerEncoding: headerEncoding)
  }

  private func upload(
    _ payload: SigV4.Payload, _ headers: [SigV4.Header]
  ) throws -> SigV4.Request {
    try request.signable(payload: payload, headerEncoding: headerEncoding)
      .addingHeaders(headers).withContentType()
  }

  private func checkProtection(_ request: SigV4.Request) throws -> SigV4.Request {
    if !request.isProtected {
      throw TransferError(
        .tlsRequired,
        "The body is unsigned and the URL isn't https, so the body could change in transit.",
        fix: "Use https, or sign the body's digest or its chunks.")
    }
    return request
  }
}

/// The chunks of a file, with an optional checksum as a trailer.
struct ChunkedBody: Sendable {
  let upload: SigV4.ChunkedUpload
  let checksum: SigV4.Checksum.Algorithm?

  /// Creates signed chunks.
  init(
    byteCount: Int, _ chunkByteCount: Int, _ checksum: SigV4.Checksum.Algorithm?,
    in regions: SessionRegions
  ) throws {
    self.checksum = checksum
    upload = try regions.signedChunks(
      decodedByteCount: byteCount, chunkByteCount: chunkByteCount,
      trailers: checksum.map { [try Self.trailer($0)] } ?? [])
  }

  /// Creates unsigned chunks with a trailer.
  init(unsignedByteCount byteCount: Int, _ checksum: SigV4.Checksum.Algorithm) throws {
    self.checksum = checksum
    upload = try .unsigned(decodedByteCount: byteCount, trailers: [Self.trailer(checksum)])
  }

  private static func trailer(
    _ algorithm: SigV4.Checksum.Algorithm
  ) throws(SigV4.SigningError) -> SigV4.ChunkTrailer {
    guard let trailer = SigV4.ChunkTrailer(algorithm) else {
      throw SigV4.SigningError(
        .invalidChecksum,
        "MD5 can't be sent after the body, so this file must be hashed before it's sent.",
        fix: "Use .hashed for the file, or use a CRC checksum.")
    }
    return trailer
  }
}

extension SigV4.Request {
  /// Whether the request can't be changed in transit: it uses TLS, or stays on this machine.
  var isProtected: Bool {
    [.https, .wss].contains(scheme) || IPAddressGrammar.isLoopback(host.utf8)
  }
}

/// A signed request for one attempt.
struct SignedExchange: Sendable {
  let kind: Loader.Kind
  let provided: ResolvedCredentials
  let timestamp: SigV4.Timestamp
  /// Whether the server's time can be trusted.
  let isTrusted: Bool
  /// The size of an upload in bytes.
  let byteCount: Int?
  let signed: SigV4.SignedRequest
  /// The connection slot, held until the end of the response.
  var slot: ConnectionSlots.Slot?
  private let signer: SigV4.Signer
  private let body: LoadedBody
  /// The source of URLSession's options, and of a body unless `data` replaces it.
  private let template: URLRequest?
  private let data: Data?

  init(
    _ exchange: Exchange, _ core: SigV4.Request, _ chunks: ChunkedBody?,
    _ provided: ResolvedCredentials, _ signer: SigV4.Signer, at timestamp: SigV4.Timestamp
  ) throws {
    let signed = try signer.sign(core, at: timestamp)
    var template = exchange.request.urlRequest
    if case .upload = exchange.direction {
      template?.httpBodyStream = nil
      template?.httpBody = nil
    }
    var data: Data?
    var payload: SigV4.Payload?
    switch exchange.direction {
    case .plain(let given):
      kind = .data
      byteCount = nil
      payload = given
    case .download(let file):
      kind = .download(file)
      byteCount = nil
    case .upload(.data(let bytes)):
      kind = .data
      data = bytes
      byteCount = bytes.count
    case .upload(.file(let file, _)):
      let source =
        try chunks.map { UploadSource(file: file, in: $0, following: signed, by: signer) }
        ?? UploadSource(file: file)
      byteCount = source.byteCount
      kind = .upload(source)
    case .upload(.range(let file, let range)):
      byteCount = range.count
      kind = .upload(try UploadSource(file: file, range))
    }
    body =
      byteCount.map(LoadedBody.bytes) ?? template.map { LoadedBody(of: $0, payload) }
      ?? LoadedBody(of: core)
    self.template = template
    self.data = data
    self.signer = signer
    self.signed = signed
    self.provided = provided
    self.timestamp = timestamp
    isTrusted = core.isProtected
  }

  /// The request for URLSession.
  func urlRequest() throws -> URLRequest {
    var request = try URLRequest(signed, body, like: template)
    if let data { request.httpBody = data }
    return request
  }

  /// The request for the caller's HTTP client, with its body in memory.
  func httpRequest(
    within timeout: Duration, upTo maximumByteCount: Int
  ) throws -> SigV4.HTTPRequest {
    if template?.httpBodyStream != nil {
      throw TransferError(
        .bodyMissing, "Only URLSession sends an httpBodyStream.",
        fix: "Use send(request, body:), or a URLRequest with an httpBody.")
    }
    var headers: SigV4.Headers = [:]
    for header in signed.headers {
      let key = header.name.lowercased()
      try body.check(header.name, header.value, key)
      // The client adds its own, with the same value.
      if key != "content-length" {
        headers.append(header.name, header.value)
      }
    }
    // A cookie isn't signed if URLSession may replace it.
    if let cookie = template?.value(forHTTPHeaderField: "Cookie"), headers["cookie"] == nil {
      headers.append("Cookie", cookie)
    }
    return SigV4.HTTPRequest(
      signed.method, signed.url, headers: headers, body: try bytes(), timeout: timeout,
      maximumByteCount: maximumByteCount)
  }

  private func bytes() throws -> [UInt8] {
    guard case .upload(let source) = kind else {
      return Array(data ?? template?.httpBody ?? Data())
    }
    var (bytes, portion): ([UInt8], [UInt8]) = ([], [])
    var reader = try source.reader()
    repeat {
      try reader.read(into: &portion)
      bytes += portion
    } while !portion.isEmpty
    return bytes
  }

  /// Throws `bodyMissing` if the signed body is missing. A `SigV4.Request` doesn't contain its
  /// body.
  func checkBody() throws(TransferError) {
    if case .upload = kind { return }
    let body = data ?? template?.httpBody
    let hasBody = body?.isEmpty == false || template?.httpBodyStream != nil
    guard case .digest(let digest) = signed.payload.kind, digest != SHA256.hash(data: []), !hasBody
    else { return }
    throw TransferError(
      .bodyMissing,
      "The request has a body hash but no body.",
      fix: "Use send(request, body: .data(body)), or pass a URLRequest with an httpBody.")
  }
}
