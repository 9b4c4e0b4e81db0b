// SPDX-License-Identifier: Apache-2.0
// A request with its body, and the same signed for one attempt.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SecureHashing

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
    /// The request is sent with its own body.
    case plain(SigV4.Payload?)
    /// The body replaces the request's own.
    case upload(Body, FilePayload)
    case download(any DownloadFile)
  }

  /// The host, with a port if it has one. Nil if the request is invalid.
  var host: String? {
    (try? request.signable(payload: .empty, headerEncoding: .utf8))?.host
  }

  /// Whether a file is open during the exchange.
  var opensFile: Bool {
    switch direction {
    case .plain: false
    case .upload(let body, _): body.isFile
    case .download: true
    }
  }

  /// Whether the body can be sent again.
  var isRepeatable: Bool {
    if case .upload = direction { return true }
    return request.urlRequest?.httpBodyStream == nil
  }

  /// Returns the request to sign, its body, and the chunks that the body is sent in. Hashes the
  /// body.
  func signable(
    adding headers: [SigV4.Header], _ checksums: SigningSession.Options.Checksums,
    for service: SigV4.Service, in regions: SessionRegions
  ) throws -> (SigV4.Request, Body, ChunkedBody?) {
    guard case .upload(let content, let payload) = direction else {
      let request = try plainRequest().addingHeaders(rangeHeaders + headers)
      return (
        try request.addingHeaders(checksums.headers(forDownload: request, of: service)),
        self.request.urlRequest.map { Body(of: $0, plainPayload) } ?? Body(of: request), nil
      )
    }
    let draft = try upload(.empty, headers)
    let algorithm = try checksums.algorithm(forUpload: draft, of: service)
    let body = try content.measured()
    switch (payload.kind, algorithm) {
    case (.hashed, _):
      let digest = try body.digest(algorithm)
      return (try upload(digest.payload, headers + digest.headers), body, nil)
    case (.unsigned, nil):
      return (try checkProtection(upload(.unsigned, headers)), body, nil)
    case (.unsigned, let algorithm?):
      let chunks = try ChunkedBody(unsigned: body, algorithm)
      return (try checkProtection(draft).uploading(chunks.upload), body, chunks)
    case (.signedChunks(let byteCount), _):
      let chunks = try ChunkedBody(body, byteCount, algorithm, in: regions)
      return (try draft.uploading(chunks.upload), body, chunks)
    }
  }

  /// How the request's own body is signed, or nil if its digest is.
  private var plainPayload: SigV4.Payload? {
    if case .plain(let payload) = direction { payload } else { nil }
  }

  /// The headers that continue a download.
  private var rangeHeaders: [SigV4.Header] {
    if case .download(let file) = direction { file.headers } else { [] }
  }

  private func plainRequest() throws -> SigV4.Request {
    try request.signable(payload: plainPayload, headerEncoding: headerEncoding)
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
    _ body: Body, _ chunkByteCount: Int, _ checksum: SigV4.Checksum.Algorithm?,
    in regions: SessionRegions
  ) throws {
    self.checksum = checksum
    upload = try regions.signedChunks(
      decodedByteCount: body.byteCount ?? 0, chunkByteCount: chunkByteCount,
      trailers: checksum.map { [try Self.trailer($0)] } ?? [])
  }

  /// Creates unsigned chunks with a trailer.
  init(unsigned body: Body, _ checksum: SigV4.Checksum.Algorithm) throws {
    self.checksum = checksum
    upload = try .unsigned(
      decodedByteCount: body.byteCount ?? 0, trailers: [Self.trailer(checksum)])
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
  let signed: SigV4.SignedRequest
  let body: Body
  let provided: ResolvedCredentials
  let timestamp: SigV4.Timestamp
  /// Whether the server's time can be trusted.
  let isTrusted: Bool
  /// The connection slot, held until the end of the response.
  var slot: ConnectionSlots.Slot?
  private let direction: Exchange.Direction
  /// The source of URLSession's options, and of a body unless it's replaced.
  private let template: URLRequest?

  init(
    _ exchange: Exchange, _ core: (request: SigV4.Request, body: Body, chunks: ChunkedBody?),
    _ provided: ResolvedCredentials, _ signer: SigV4.Signer, at timestamp: SigV4.Timestamp
  ) throws {
    let signed = try signer.sign(core.request, at: timestamp)
    self.signed = signed
    body =
      core.chunks.map { core.body.inChunks($0, following: signed, by: signer) } ?? core.body
    direction = exchange.direction
    var template = exchange.request.urlRequest
    if case .upload = direction {
      template?.httpBodyStream = nil
      template?.httpBody = nil
    }
    self.template = template
    self.provided = provided
    self.timestamp = timestamp
    isTrusted = core.request.isProtected
  }

  /// The file for the body of a successful response.
  var download: (any DownloadFile)? {
    if case .download(let file) = direction { file } else { nil }
  }

  /// The size of an upload in bytes.
  var uploadByteCount: Int? {
    if case .upload = direction { body.byteCount } else { nil }
  }

  /// The request for URLSession.
  func urlRequest() throws -> URLRequest {
    var request = try URLRequest(signed, body, like: template)
    if case .upload = direction, case .bytes(let data) = body.content { request.httpBody = data }
    return request
  }

  /// The request for the caller's HTTP client, with its body in memory.
  func httpRequest(
    within timeout: Duration, upTo maximumByteCount: Int
  ) throws -> SigV4.HTTPRequest {
    if case .stream = body.content {
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
      signed.method, signed.url, headers: headers, body: try body.bytes(), timeout: timeout,
      maximumByteCount: maximumByteCount)
  }

  /// Throws `bodyMissing` if the signed body is missing. A `SigV4.Request` doesn't contain its
  /// body.
  func checkBody() throws(TransferError) {
    guard case .digest(let digest) = signed.payload.kind, digest != SHA256.hash(data: []),
      !body.isPresent
    else { return }
    throw TransferError(
      .bodyMissing,
      "The request has a body hash but no body.",
      fix: "Use send(request, body: .data(body)), or pass a URLRequest with an httpBody.")
  }
}
