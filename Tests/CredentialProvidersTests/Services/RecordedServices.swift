// SPDX-License-Identifier: Apache-2.0
// Sources for providers: recorded responses, variables, files and a stopped clock.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import Testing

/// Services that respond from a list, and record their requests.
final class RecordedServices: @unchecked Sendable {
  enum Answer {
    case response(SigV4.HTTPResponse)
    case failure(CredentialError.Code)
    /// The request comes back as the message of an error.
    case echo(status: Int)
  }

  private let lock = NSLock()
  private var answers: [Answer]
  private var sent: [SigV4.HTTPRequest] = []
  private var kept: [String: [UInt8]]
  private var pauses: [Duration] = []
  private var moment: SigV4.Timestamp
  private let variables: [String: String]

  init(
    _ answers: Answer..., variables: [String: String] = [:], files: [String: String] = [:],
    now: String = "20240102T030405Z"
  ) throws {
    self.answers = answers
    self.variables = variables
    kept = files.mapValues { Array($0.utf8) }
    moment = try SigV4.Timestamp(now)
  }

  /// The sources with these services.
  var sources: CredentialSources {
    var sources = CredentialSources { self.locked { self.moment } }
    sources.variable = { self.variables[$0] }
    sources.random = { 1 }
    sources.file = { (path) throws(CredentialError) in self.locked { self.kept[path] } }
    sources.replaceFile = { (path, bytes) throws(CredentialError) in
      self.locked { self.kept[path] = bytes }
    }
    sources.http = { (request) async throws(CredentialError) in try self.response(to: request) }
    sources.wait = { (duration) async throws(CredentialError) in
      self.locked { self.pauses.append(duration) }
    }
    return sources
  }

  /// The sources while another process writes files: after a number of pauses, or during the first
  /// request.
  func sources(writing files: [String: String], afterWaits count: Int) -> CredentialSources {
    var sources = sources
    let write: @Sendable () -> Void = {
      if self.waits.count == count { for (path, text) in files { self.write(text, toFile: path) } }
    }
    sources.http = { (request) async throws(CredentialError) in
      defer { write() }
      return try self.response(to: request)
    }
    sources.wait = { (duration) async throws(CredentialError) in
      self.locked { self.pauses.append(duration) }
      write()
    }
    return sources
  }

  /// The requests, in order.
  var requests: [SigV4.HTTPRequest] { locked { sent } }

  /// The method and URL of each request.
  var targets: [String] { requests.map { $0.method + " " + $0.url } }

  /// The pauses between requests.
  var waits: [Duration] { locked { pauses } }

  func add(_ more: Answer...) { locked { answers += more } }

  func advance(seconds: Int64) throws {
    let later = try sources.now().advanced(bySeconds: seconds)
    locked { moment = later }
  }

  func text(ofFile path: String) -> String? {
    locked { kept[path] }.map { String(decoding: $0, as: UTF8.self) }
  }

  func write(_ text: String, toFile path: String) {
    locked { kept[path] = Array(text.utf8) }
  }

  func response(
    to request: SigV4.HTTPRequest
  ) throws(CredentialError) -> SigV4.HTTPResponse {
    let answer = locked {
      sent.append(request)
      return answers.isEmpty ? nil : answers.removeFirst()
    }
    switch answer {
    case .response(let response): return response
    case .failure(let code):
      throw CredentialError(code, "\(request) failed.", fix: "Call it again.")
    case .echo(let status):
      let words =
        ([request.url, String(decoding: request.body, as: UTF8.self)]
        + request.headers.map(\.value)).joined(separator: " ")
      let escaped = words.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return SigV4.HTTPResponse(
        status: status, headers: ["x-amzn-errortype": words],
        body: Array("{\"__type\":\"\(escaped)\",\"message\":\"\(escaped)\"}".utf8))
    case nil:
      Issue.record("nothing answers \(request)")
      throw CredentialError(.unreachable, "Nothing answers \(request).", fix: "Add an answer.")
    }
  }

  private func locked<Value>(_ body: () -> Value) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }
}

extension RecordedServices.Answer {
  static func text(
    _ status: Int, _ body: String, headers: SigV4.Headers = [:]
  ) -> Self {
    .response(SigV4.HTTPResponse(status: status, headers: headers, body: Array(body.utf8)))
  }

  static let redirect = text(
    302, "", headers: ["Location": "https://example.com/elsewhere"])
}

/// The expected result of a response. The secret is compared through its signatures.
func expect(
  _ provided: ResolvedCredentials, _ accessKeyID: String, secret: String, token: String,
  until end: String
) throws {
  let identity = provided.credentials.identity
  #expect(identity.accessKeyID == accessKeyID)
  #expect(identity.sessionToken == token)
  #expect(try identity.expiration == SigV4.Timestamp(end))
  let expected = try SigV4.Credentials(
    accessKeyID: accessKeyID, secretAccessKey: secret, sessionToken: token)
  let request = try SigV4.Request("GET", url: "https://example.com/")
  let moment = try SigV4.Timestamp("20120101T000000Z")
  let signatures = try [provided.credentials, expected].map {
    try SigV4.Signer(credentials: $0, region: "r", service: .executeAPI)
      .sign(request, at: moment).signature.hexString
  }
  #expect(signatures[0] == signatures[1])
  expectNoSecret(in: "\(provided) \(provided.source)", besides: [secret, token])
}

/// The error of a provider, whose message must not hold a secret and must not be long.
func failure(
  of provider: some CredentialResolver, location: SourceLocation = #_sourceLocation
) async -> CredentialError {
  do throws(CredentialError) {
    let provided = try await provider.credentials()
    Issue.record("no error, but \(provided)", sourceLocation: location)
    return CredentialError(.init(name: "none"), "", fix: "")
  } catch {
    expectNoSecret(in: "\(error)", location: location)
    #expect(error.message.utf8.count < 1200, sourceLocation: location)
    return error
  }
}

/// The secrets of all tests of providers: none may be in a text.
func expectNoSecret(
  in text: String, besides more: [String] = [], location: SourceLocation = #_sourceLocation
) {
  for secret in Secret.all + more {
    #expect(!text.contains(secret), "\(text) holds \(secret)", sourceLocation: location)
  }
}

enum Secret {
  /// Of the example in AWS's documentation.
  static let key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
  static let sessionToken = "SeSsIoNtOkEn/1+2=="
  static let callerKey = "CaLlErSeCrEt"
  static let callerToken = "CaLlErToKeN/+=="
  static let webIdentity = "eyJhbGciOi.eyJzdWIiOi.WeBiDeNtItY-_"
  static let externalID = "ExTeRnAl:Id/42"
  static let authorization = "AuThOrIzAtIoN"
  static let metadataToken = "MeTaDaTaToKeN=="
  static let accessToken = "SsOaCcEsSToKeN"
  static let refreshToken = "SsOrEfReShToKeN"
  static let clientSecret = "SsOcLiEnTsEcReT"
  static let login = "eyJ.LoGiNtOkEn"

  static let all = [
    key, sessionToken, callerKey, callerToken, webIdentity, externalID, authorization,
    metadataToken, accessToken, refreshToken, clientSecret, login,
    "ExTeRnAl%3AId%2F42",  // as in a form
  ]
}
