// SPDX-License-Identifier: Apache-2.0
// How a session sends a signed request: with URLSession, or with the caller's HTTP client.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning

/// Sends signed requests.
protocol Transport: Sendable {
  /// Headers to sign and send with each request.
  var additionalHeaders: [SigV4.Header] { get }

  /// Waits for the connection slot that an exchange needs. Returns nil if it needs none, because
  /// the HTTP client limits its connections itself.
  func slot(for exchange: Exchange) async throws -> ConnectionSlots.Slot?

  /// Sends a request. Returns the response, whatever its status.
  ///
  /// - Throws: `CancellationError`, and `TransferError` with `invalidFile`, `invalidResponse`,
  ///   `clientFailed` or `backgroundConfiguration`, or `URLError`.
  func answer(
    to exchange: SignedExchange, upTo maximumByteCount: Int, progress: ProgressMeter?
  ) async throws -> LoadedResponse
}

extension Transport {
  func slot(for exchange: Exchange) async throws -> ConnectionSlots.Slot? { nil }
}

/// Sends requests with URLSession.
struct URLSessionTransport: Transport {
  let additionalHeaders: [SigV4.Header]
  private let loader: Loader
  /// Whether the caller's configuration is for a background session: no others have an identifier.
  private let isBackground: Bool

  /// Creates a transport with its own session.
  init(_ configuration: URLSessionConfiguration) {
    isBackground = configuration.identifier != nil
    // A copy, so that the caller's configuration stays unchanged.
    let configuration =
      isBackground
      ? .ephemeral : configuration.copy() as? URLSessionConfiguration ?? configuration
    additionalHeaders = (configuration.httpAdditionalHeaders ?? [:]).map {
      SigV4.Header("\($0.key)", "\($0.value)")
    }.sorted { $0.name < $1.name }
    configuration.httpAdditionalHeaders = nil
    loader = Loader(configuration)
  }

  func slot(for exchange: Exchange) async throws -> ConnectionSlots.Slot? {
    guard exchange.needsSlot, let host = exchange.host else { return nil }
    return try await loader.slots.slot(at: host)
  }

  func answer(
    to exchange: SignedExchange, upTo maximumByteCount: Int, progress: ProgressMeter?
  ) async throws -> LoadedResponse {
    if isBackground {
      throw TransferError(
        .backgroundConfiguration,
        "A SigningSession can't use a background configuration, which sends files only.",
        fix: """
          Use a default or ephemeral configuration, or sign a URLRequest with expiresIn: and send \
          that.
          """)
    }
    return try await loader.answer(
      to: exchange.urlRequest(), exchange.body, into: exchange.download, in: exchange.slot,
      limits: Loader.Limits(byteCount: maximumByteCount), progress: progress)
  }
}

/// Sends requests with the caller's HTTP client.
struct HTTPTransport: Transport {
  let send: @Sendable (SigV4.HTTPRequest) async throws -> SigV4.HTTPResponse
  var additionalHeaders: [SigV4.Header] { [] }

  /// Enough for a part of 8 MiB on a slow network.
  private static let timeout = Duration.seconds(300)

  func answer(
    to exchange: SignedExchange, upTo maximumByteCount: Int, progress: ProgressMeter?
  ) async throws -> LoadedResponse {
    try Task.checkCancellation()
    let request = try exchange.httpRequest(
      within: Self.timeout, upTo: max(maximumByteCount, Loader.refusalByteCount))
    do {
      let response = try await send(request)
      let head = try head(of: response, to: request)
      guard let file = exchange.download else {
        let body = try await body(of: response, upTo: head.bodyLimit(maximumByteCount))
        let hasBody = request.method != "HEAD" && head.statusCode != 204
        if head.isSuccess && hasBody { try Self.expectWhole(Int64(body.count), of: head) }
        return LoadedResponse(method: request.method, response: head, body: body)
      }
      try file.open()
      if !head.isSuccess {
        let body = try await start(of: response, Loader.refusalByteCount)
        return LoadedResponse(method: request.method, response: head, body: body)
      }
      var byteCount: Int64 = 0
      try await response.forEachBuffer { buffer in
        let written = try file.append(Data(buffer), from: head)
        progress?.advance(to: written.byteCount, of: written.totalByteCount)
        byteCount += Int64(buffer.count)
      }
      try Self.expectWhole(byteCount, of: head)
      return LoadedResponse(method: request.method, response: head, body: Data())
    } catch {
      throw Self.wrapped(error, request)
    }
  }

  /// Throws if the body isn't as long as announced. Some clients don't report a lost connection.
  private static func expectWhole(_ byteCount: Int64, of head: HTTPURLResponse) throws {
    if let total = head.bodyByteCount, total != byteCount {
      throw TransferError(
        .invalidResponse,
        "The body has \(byteCount) bytes, but the response's Content-Length is \(total).",
        fix: "Repeat the call, and check whether the HTTP client reports a lost connection.")
    }
  }

  private func head(
    of response: SigV4.HTTPResponse, to request: SigV4.HTTPRequest
  ) throws -> HTTPURLResponse {
    let fields = Dictionary(response.headers.map { ($0.name, $0.value) }) { $0 + ", " + $1 }
    guard let url = URL(string: request.url),
      let head = HTTPURLResponse(
        url: url, statusCode: response.status, httpVersion: "HTTP/1.1", headerFields: fields)
    else {
      throw TransferError(
        .requestWouldChange, "Foundation can't represent the URL of \(request).",
        fix: "Send this request without a session.")
    }
    return head
  }

  private func body(of response: SigV4.HTTPResponse, upTo limit: Int) async throws -> Data {
    var body = Data()
    try await response.forEachBuffer { buffer in
      if buffer.count > limit - body.count { throw TransferError.tooLarge(limit) }
      body.append(contentsOf: buffer)
    }
    return body
  }

  /// The first bytes of an error response. The others aren't read, because there may be no end.
  private func start(of response: SigV4.HTTPResponse, _ byteCount: Int) async throws -> Data {
    struct Enough: Error {}
    var body = Data()
    do {
      try await response.forEachBuffer { buffer in
        body.append(contentsOf: buffer.prefix(byteCount - body.count))
        if body.count == byteCount { throw Enough() }
      }
    } catch is Enough {}
    return body
  }

  private static func wrapped(_ error: any Error, _ request: SigV4.HTTPRequest) -> any Error {
    if error is TransferError { return error }
    return TransferError(
      .clientFailed, "\(request) failed with \(type(of: error)).",
      fix: "Check underlyingError, which may contain secrets.", underlyingError: error)
  }
}

extension TransferError {
  static func tooLarge(_ limit: Int) -> TransferError {
    TransferError(
      .invalidResponse,
      "The response is larger than \(limit) bytes, the limit for responses in memory.",
      fix: "Check the URL.")
  }
}
