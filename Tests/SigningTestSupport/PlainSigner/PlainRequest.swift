// SPDX-License-Identifier: Apache-2.0
// The input of PlainSigner, untouched by the library.

package import RequestSigning
internal import SecureHashing
internal import TestSupport

/// A request in plain values, and its translation for the library.
package struct PlainRequest {
  package enum Path {
    case encoded(String)
    case raw([UInt8])
    case key([UInt8])
    case received([UInt8])
  }

  package enum Query {
    case plain([(name: String, value: String?)])
    case encoded(String, plus: SigV4.Query.PlusSign)
    case received([UInt8], plus: SigV4.Query.PlusSign)
  }

  package enum Payload {
    case empty
    case bytes([UInt8])
    case digest(of: [UInt8])
    case unsigned
    case literal(String)
  }

  package var method = "GET"
  package var scheme = SigV4.Scheme.https
  package var host = "example.com"
  package var path: Path
  package var query: Query
  package var headers: [(name: String, value: String)]
  package var payload = Payload.empty

  package init(
    path: Path = .raw([]), query: Query = .plain([]),
    headers: [(name: String, value: String)] = []
  ) {
    (self.path, self.query, self.headers) = (path, query, headers)
  }

  package func signable() throws -> SigV4.Request {
    try SigV4.Request(
      method, scheme: scheme, host: host, path: signablePath(), query: signableQuery(),
      headers: SigV4.Headers(headers.map { ($0.name, $0.value) }), payload: signablePayload())
  }

  private func signablePath() throws -> SigV4.Path {
    switch path {
    case .encoded(let text): try .encoded(text)
    case .raw(let bytes): try .raw(bytes: bytes)
    case .key(let bytes): try .key(bytes: bytes)
    case .received(let bytes): .received(bytes)
    }
  }

  private func signableQuery() throws -> SigV4.Query {
    switch query {
    case .plain(let parameters): SigV4.Query(parameters.map { ($0.name, $0.value) })
    case .encoded(let text, let plus): try .encoded(text, plus: plus)
    case .received(let bytes, let plus): .received(bytes, plus: plus)
    }
  }

  private func signablePayload() throws -> SigV4.Payload {
    switch payload {
    case .empty: .empty
    case .bytes(let body): .bytes(body)
    case .digest(let body): .digest(SHA256.hash(data: body))
    case .unsigned: .unsigned
    case .literal(let words): try .literal(words)
    }
  }
}

/// In what services differ.
package struct PlainService: CustomStringConvertible {
  package let name: String
  /// The service as the library knows it.
  package let signable: SigV4.Service
  package let encodesPathTwice: Bool
  package let normalizesPath: Bool
  /// Whether the hash of the payload is also sent, as `x-amz-content-sha256`.
  package let declaresPayload: Bool
  /// Whether a URL leaves an empty payload unsigned.
  package let leavesPayloadOfURLUnsigned: Bool
  package var tokenName = "X-Amz-Security-Token"
  package var isTokenSigned = true
  package var hasLifetime = true
  /// Lowercase names and, with '*', beginnings of names that are sent and not signed.
  package var unsignedHeaders = Self.changedOnTheWay

  /// Those of presigned URLs.
  package var unsignedHeadersOfURLs: [String] {
    unsignedHeaders == Self.changedOnTheWay ? Self.unsignedInURLs : unsignedHeaders
  }

  /// Headers that botocore or awscrt don't sign in a URL (Tests/Vectors/url-headers.txt).
  package static let unsignedInURLs = [
    "baggage", "connection", "expect", "keep-alive", "proxy-authenticate", "proxy-authorization",
    "sec-websocket-key", "sec-websocket-protocol", "sec-websocket-version", "te", "traceparent",
    "tracestate", "trailer", "transfer-encoding", "upgrade", "user-agent", "x-amzn-trace-id",
  ]

  /// Headers that are added, dropped or rewritten between client and server.
  package static let changedOnTheWay = [
    "accept-encoding", "baggage", "connection", "content-length", "expect", "forwarded",
    "keep-alive", "proxy-*", "sec-websocket-*", "te", "traceparent", "tracestate", "trailer",
    "transfer-encoding", "upgrade", "user-agent", "via", "x-amzn-trace-id", "x-forwarded-*",
  ]

  package var description: String { name }

  package static func objectStorage(_ signable: SigV4.Service, _ name: String) -> PlainService {
    PlainService(
      name: name, signable: signable, encodesPathTwice: false, normalizesPath: false,
      declaresPayload: true, leavesPayloadOfURLUnsigned: true)
  }

  package static func standard(_ signable: SigV4.Service, _ name: String) -> PlainService {
    PlainService(
      name: name, signable: signable, encodesPathTwice: true, normalizesPath: true,
      declaresPayload: false, leavesPayloadOfURLUnsigned: false)
  }

  package static let s3 = objectStorage(.s3, "s3")

  package static func all() throws -> [PlainService] {
    var express = objectStorage(.s3Express, "s3express")
    express.tokenName = "X-Amz-S3session-Token"
    var things = standard(.iotDeviceGateway, "iotdevicegateway")
    things.isTokenSigned = false
    things.hasLifetime = false
    let keepingSlashes = PlainService(
      name: "execute-api",
      signable: try .standard("execute-api").with(\.pathRule, .encodedTwice),
      encodesPathTwice: true, normalizesPath: false, declaresPayload: false,
      leavesPayloadOfURLUnsigned: false)
    let normalizingOnly = PlainService(
      name: "normalizing",
      signable: try .standard("normalizing").with(\.pathRule, .normalizedAndEncodedOnce),
      encodesPathTwice: false, normalizesPath: true, declaresPayload: false,
      leavesPayloadOfURLUnsigned: false)
    let declaring = PlainService(
      name: "declaring",
      signable: try .standard("declaring").with(\.payloadRule, .declared),
      encodesPathTwice: true, normalizesPath: true, declaresPayload: true,
      leavesPayloadOfURLUnsigned: false)
    var signingAll = standard(try .standard("all").with(\.unsignedHeaders, .none), "all")
    signingAll.unsignedHeaders = []
    let list = ["X-Custom-*", "aaaaaaaa*", "Accept", "x-amzn-*"]
    var signingLess = objectStorage(.s3.with(\.unsignedHeaders, try .names(list)), "s3")
    signingLess.unsignedHeaders = ["x-custom-*", "aaaaaaaa*", "accept", "x-amzn-*"]
    return try [
      .s3, express, objectStorage(.s3Outposts, "s3-outposts"),
      objectStorage(.s3ObjectLambda, "s3-object-lambda"), things, keepingSlashes, normalizingOnly,
      declaring,
      signingAll, signingLess, standard(.standard("iam"), "iam"),
      standard(.standard("dynamodb"), "dynamodb"),
    ]
  }
}

/// Who signs, for what, and when.
package struct PlainCaller {
  package var accessKeyID = Example.accessKeyID
  package var secret = Example.secret
  package var token: String?
  package var region = "us-east-1"
  package var service: PlainService
  /// Seconds since 1970-01-01T00:00:00Z.
  package var time: Int64
  /// In seconds, for presigned URLs.
  package var lifetime = 3600

  package init(
    token: String? = nil, service: PlainService = .s3, time: Int64 = 1_440_938_160
  ) {
    (self.token, self.service, self.time) = (token, service, time)
  }

  package func signer() throws -> SigV4.Signer {
    try SigV4.Signer(
      credentials: SigV4.Credentials(
        accessKeyID: accessKeyID, secretAccessKey: secret, sessionToken: token),
      region: region, service: service.signable)
  }
}
