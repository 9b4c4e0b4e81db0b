// SPDX-License-Identifier: Apache-2.0
// HTTP as providers need it: one small request, one small answer, and nothing followed.

/// Somebody who carries one small HTTP request and brings its answer.
public protocol HTTPExchange: Sendable {
  /// The answer to a request, whatever its status. A redirect is an answer and is not followed.
  ///
  /// Throws `unreachable`, `timedOut`, `cancelled`, and `invalidAnswer` for an answer above
  /// `HTTPResponse.greatestByteCount`.
  func response(to request: HTTPRequest) async throws(CredentialError) -> HTTPResponse
}

/// A small HTTP request. It may hold a secret, and prints its method and its URL up to the query.
public struct HTTPRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// The method: `GET`.
  public var method: String

  /// The absolute URL, already encoded.
  public var url: String

  /// Names and values, in their order. `Host` and `Content-Length` are the carrier's to write.
  public var headers: [(name: String, value: String)]

  /// The body; empty when there is none.
  public var body: [UInt8]

  /// How long the whole exchange may take, in seconds.
  public var timeout: Double

  /// A request.
  public init(
    _ method: String, _ url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = [], timeout: Double
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }

  /// The method, and the URL without its query.
  public var description: String {
    method + " " + String(url.prefix { $0 != "?" })
  }

  /// Nothing: a query, a header or the body may be secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A small HTTP answer. It may hold a secret, and prints its status and size.
public struct HTTPResponse: Sendable, CustomStringConvertible, CustomReflectable {
  /// More bytes than any source of credentials sends: 1 MiB.
  public static let greatestByteCount = 1_048_576

  /// The status: 200.
  public let status: Int

  /// Names and values, in their order.
  public let headers: [(name: String, value: String)]

  /// The body.
  public let body: [UInt8]

  /// An answer.
  public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first header of a name, in any case; nil when there is none.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The status, and how many bytes the body has.
  public var description: String { "status \(status), \(body.count) bytes" }

  /// Nothing: a header or the body may be secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Nobody who carries requests: for where no source speaks HTTP.
public struct NoHTTPExchange: HTTPExchange {
  /// Nobody.
  public init() {}

  /// Throws `unreachable`.
  public func response(to request: HTTPRequest) async throws(CredentialError) -> HTTPResponse {
    throw CredentialError(
      .unreachable, "\(request) was not sent: no HTTP exchange was handed in with the sources")
  }
}
