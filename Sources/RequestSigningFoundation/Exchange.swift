// SPDX-License-Identifier: Apache-2.0
// What a session is asked for, and the same signed for one attempt.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import SigningSupport

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// What a session is asked for.
struct Exchange: Sendable {
  let request: any SignableRequest
  let direction: Direction
  var meter: ProgressMeter?

  enum Direction: Sendable {
    case plain(SigV4.Payload?)
    case upload(UploadBody.Content)
    case download(URL)
  }

  /// Whether the body can be sent a second time.
  var isRepeatable: Bool {
    if case .upload = direction { return true }
    return request.urlRequest?.httpBodyStream == nil
  }

  /// What is signed, and the chunks that follow. Files are hashed here.
  func signable(
    adding headers: [SigV4.Header]
  ) async throws -> (SigV4.Request, SigV4.ChunkedUpload?) {
    switch direction {
    case .plain(let payload):
      return (try request.signable(payload: payload).addingHeaders(headers), nil)
    case .download:
      return (try request.signable(payload: nil).addingHeaders(headers), nil)
    case .upload(.data(let data)):
      return (try upload(.bytes(data), headers), nil)
    case .upload(.file(let file, let payload)):
      let byteCount = try FileReader.byteCount(of: file)
      switch payload.kind {
      case .hashed:
        return (try await upload(.hashing(file), headers), nil)
      case .unsigned:
        return (try checkProtection(upload(.unsigned, headers)), nil)
      case .signedChunks(let chunkByteCount):
        let upload = try SigV4.ChunkedUpload.signed(
          decodedByteCount: byteCount, chunkByteCount: chunkByteCount)
        return (try self.upload(.empty, headers).uploading(upload), upload)
      }
    }
  }

  private func upload(
    _ payload: SigV4.Payload, _ headers: [SigV4.Header]
  ) throws -> SigV4.Request {
    try request.signable(payload: payload).addingHeaders(headers).withContentType()
  }

  private func checkProtection(_ request: SigV4.Request) throws -> SigV4.Request {
    if !request.isProtected {
      throw TransferError(
        .unprotectedBody,
        "the body is not signed and the URL is not https, so that it could be changed on the way "
          + "unnoticed; use https, or sign its digest or its chunks")
    }
    return request
  }
}

extension SigV4.Request {
  /// Whether a third party cannot change what is sent: TLS, or this machine.
  var isProtected: Bool {
    switch scheme {
    case .https, .wss: true
    case .http, .ws: IPAddressGrammar.isLoopback(host.utf8)
    }
  }
}

/// A request for one attempt.
struct SignedExchange: Sendable {
  let request: URLRequest
  let kind: Loader.Kind
  let provided: ProvidedCredentials
  let timestamp: SigV4.Timestamp
  /// Whether the time that the server tells can be trusted.
  let isTrusted: Bool
  /// How many bytes an upload sends.
  let byteCount: Int?
  private let signedPayload: SigV4.Payload
  private let chunks: ChunkedFile?

  init(
    _ exchange: Exchange, _ core: SigV4.Request, _ upload: SigV4.ChunkedUpload?,
    _ provided: ProvidedCredentials, _ signer: SigV4.Signer, at timestamp: SigV4.Timestamp
  ) throws {
    let signed = try signer.sign(core, at: timestamp)
    var request = try signer.loadable(exchange.request.urlRequest, core, signed)
    var chunks: ChunkedFile?
    switch exchange.direction {
    case .plain:
      kind = .data
      byteCount = nil
    case .download(let file):
      kind = .download(to: file)
      byteCount = nil
    case .upload(.data(let data)):
      request.httpBodyStream = nil
      request.httpBody = data
      kind = .data
      byteCount = data.count
    case .upload(.file(let file, _)):
      request.httpBodyStream = nil
      request.httpBody = nil
      chunks = try upload.map { try ChunkedFile(of: file, $0, following: signed, by: signer) }
      byteCount = try upload?.encodedByteCount ?? FileReader.byteCount(of: file)
      kind = .upload(file: chunks?.location ?? file)
    }
    self.request = request
    signedPayload = signed.payload
    self.chunks = chunks
    self.provided = provided
    self.timestamp = timestamp
    isTrusted = core.isProtected
  }

  /// Refuses what would be sent without the body that is signed: a request of the core keeps none.
  func checkBody() throws(TransferError) {
    if case .upload = kind { return }
    let hasBody = request.httpBody?.isEmpty == false || request.httpBodyStream != nil
    guard case .digest(let digest) = signedPayload.kind, digest != SHA256.hash(data: []), !hasBody
    else { return }
    throw TransferError(
      .bodyMissing,
      "the request has the digest of a body and not the body, so the server would get none and refuse "
        + "the signature; pass it to upload(.data(body), with: request), or as the httpBody of a "
        + "URLRequest")
  }

  func removeTemporaryFile() { chunks?.remove() }
}
