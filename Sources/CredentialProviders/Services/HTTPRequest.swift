// SPDX-License-Identifier: Apache-2.0
// What an HTTP client of your own sends and returns, for credentials and for objects.

public import RequestSigning
public import SecureHashing

extension SigV4 {
  /// A request for an HTTP client to send. It may contain a secret. It prints as its method and its
  /// URL without the query.
  ///
  /// Providers and sessions pass it to a closure, which sends it with any HTTP client: exactly this
  /// method, URL, body and these headers, once, and without following redirects.
  ///
  ///     let sources = CredentialSources.posix(http: client.response(to:))
  ///     let session = bucket.session(credentials: provider, http: client.response(to:))
  public struct HTTPRequest: Equatable, Sendable, CustomStringConvertible, Redacted {
    /// The method: `GET`.
    public var method: String

    /// The absolute URL, already encoded.
    public var url: String

    /// The headers, without `Host` and `Content-Length`, which the HTTP client adds.
    public var headers: Headers

    /// The body, or empty.
    public var body: [UInt8]

    /// The maximum duration of the whole exchange.
    public var timeout: Duration

    /// The maximum size of the response body in bytes. The library rejects a larger one itself.
    public var maximumByteCount: Int

    /// Creates a request.
    public init(
      _ method: String, _ url: String, headers: Headers = [:], body: [UInt8] = [],
      timeout: Duration, maximumByteCount: Int = 1_048_576
    ) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
      self.timeout = timeout
      self.maximumByteCount = maximumByteCount
    }

    /// The method, and the URL without its query and its user.
    public var description: String { method + " " + place }

    private var place: String { String(url.prefix { $0 != "?" }).withoutURLCredentials }
  }

  /// An HTTP client's response. It may contain a secret. It prints as its status and size.
  public struct HTTPResponse: Sendable, CustomStringConvertible, Redacted {
    /// The status: 200.
    public let status: Int

    /// The headers.
    public let headers: Headers

    /// The body, or empty if it's a sequence.
    public let body: [UInt8]

    /// Passes each buffer of a body that's a sequence to a function, once.
    private let read: (@Sendable (_ receive: ([UInt8]) async throws -> Void) async throws -> Void)?

    /// Creates a response with its body in memory.
    public init(status: Int, headers: Headers = [:], body: [UInt8]) {
      self.status = status
      self.headers = headers
      self.body = body
      read = nil
    }

    /// Creates a response whose body is still arriving. A download writes each buffer to its file.
    public init<Buffers: AsyncSequence & Sendable>(
      status: Int, headers: Headers = [:], body: Buffers
    ) where Buffers.Element: Collection<UInt8> {
      self.status = status
      self.headers = headers
      self.body = []
      read = { receive in
        for try await buffer in body { try await receive(Array(buffer)) }
      }
    }

    /// The status and the size of the body.
    public var description: String {
      "status \(status), " + (read == nil ? "\(body.count) bytes" : "a body that's still arriving")
    }
  }
}

extension SigV4.HTTPRequest {
  /// Checks the method and the headers.
  ///
  /// - Throws: `invalidConfiguration` for an invalid method, and for a header with a control
  ///   character, which could inject another header. Values from files and variables often end in a
  ///   newline.
  package func check() throws(CredentialError) {
    if method.isEmpty || !method.utf8.allSatisfy(ASCIIByte.isTokenCharacter) {
      throw CredentialError(
        .invalidConfiguration,
        "The request to \(place) wasn't sent: its HTTP method isn't valid.",
        fix: "Use a method such as GET.")
    }
    for header in headers {
      if !(header.name + header.value).utf8.contains(where: Self.endsHeader) { continue }
      let name = header.name.prefix { $0.isASCII && $0.isLetter || $0 == "-" }
      throw CredentialError(
        .invalidConfiguration,
        "\(self) wasn't sent: its header \(name) contains a control character.",
        fix: "Check for a newline that was read with the value.")
    }
  }

  private static func endsHeader(_ byte: UInt8) -> Bool {
    ASCIIByte.isControl(byte) && byte != ASCIIByte.tab
  }

  /// The `User-Agent` value (RFC 9110, 10.1.5).
  package static var userAgent: String { "swift-sigv4/" + LibraryVersion.text }
}

extension SigV4.HTTPResponse {
  /// Passes the body to a function, in one or more buffers.
  package func forEachBuffer(_ receive: ([UInt8]) async throws -> Void) async throws {
    guard let read else { return try await receive(body) }
    try await read(receive)
  }

  /// Returns the same response with its body in memory.
  ///
  /// - Throws: `invalidResponse` if the body is larger than the limit, and the errors of its
  ///   sequence.
  package func collected(upTo limit: Int) async throws -> SigV4.HTTPResponse {
    var bytes: [UInt8] = []
    try await forEachBuffer { buffer in
      if buffer.count > limit - bytes.count {
        throw CredentialError(
          .invalidResponse, "The response is larger than \(limit) bytes.",
          fix: "Check the service at this address.")
      }
      bytes += buffer
    }
    return SigV4.HTTPResponse(status: status, headers: headers, body: bytes)
  }
}
