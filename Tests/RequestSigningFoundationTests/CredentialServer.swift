// SPDX-License-Identifier: Apache-2.0
// The services that hand out credentials, played on this machine, and what goes wrong with them.

internal import CredentialProviders
internal import Foundation

internal import SigningTestSupport

/// The five services, which reject what the real ones reject.
final class CredentialServer: Sendable {
  /// What they know, and what goes wrong.
  struct Settings: Encodable {
    /// Secret access keys by their IDs.
    var keys: [String: String] = [:]
    /// The file with the container's token.
    var authorizationFile: String?
    /// The file that holds the token of a web identity.
    var webIdentityFile: String?
    /// `accessToken`, `refreshToken`, `clientId` and `clientSecret`.
    var signIn: [String: String] = [:]
    var pool: String?
    /// Tokens by the names of their identity providers.
    var logins: [String: String] = [:]
    /// The faults instead of responses, by step of a service. Empty for no fault.
    var faults: [String: [String]] = [:]
  }

  /// The requests.
  struct Received: Decodable {
    /// Which step of which service it is.
    let step: String
    let status: Int
    let method: String
    let target: String
    let headers: [[String]]
    let body: String

    func value(_ name: String) -> String? {
      headers.first { $0[0].lowercased() == name }?[1]
    }
  }

  /// One process for all tests, since it takes longer to start than a test.
  private static let shared = Result {
    let folder = try TemporaryFolder()
    return (
      folder: folder,
      server: try PythonServer(
        "RequestSigningFoundationTests/credential-server.py", folder.url.path)
    )
  }

  /// The base URL of the services, each with its own path.
  let url: String
  private let log: URL

  init(_ settings: Settings = Settings()) throws {
    let (folder, server) = try Self.shared.get()
    let name = UUID().uuidString
    url = "http://127.0.0.1:\(server.port)/\(name)"
    log = folder.url.appendingPathComponent(name + ".log")
    try Data().write(to: log)
    try JSONEncoder().encode(settings)
      .write(to: folder.url.appendingPathComponent(name + ".json"))
  }

  func received() throws -> [Received] { try PythonServer.lines(in: log) }

  func count(_ step: String) throws -> Int { try received().count { $0.step == step } }
}

/// A fault of a service instead of a response, and the expected outcome.
struct CredentialFault {
  /// The fault of each request: none (`""`), only a status, `garbage` instead of a document,
  /// `expired` credentials, a `redirect` to valid ones, half a response (`cut`), none (`close`), or
  /// none for ten minutes (`hang`).
  let answers: [String]
  /// Nil if the result must be credentials.
  let code: CredentialError.Code?

  init(_ answers: String..., code: CredentialError.Code? = nil) {
    self.answers = answers
    self.code = code
  }

  /// The faults of a service that gets at most three requests.
  static func all(notFound: CredentialError.Code = .accessDenied) -> [CredentialFault] {
    [
      CredentialFault("404", code: notFound), CredentialFault("403", code: .accessDenied),
      CredentialFault("500", "503", "500", code: .accessDenied),
      CredentialFault("500", "503", ""),
      CredentialFault("garbage", code: .invalidResponse),
      CredentialFault("expired", code: .expired),
      CredentialFault("redirect", code: .accessDenied),
      CredentialFault("cut", "cut", "cut", code: .unreachable),
      CredentialFault("close", "close", "close", code: .unreachable),
      CredentialFault("close", "cut", ""), CredentialFault(""),
    ]
  }
}
