// SPDX-License-Identifier: Apache-2.0
// Many processes that share one sign-in, whose refresh token is good once: none of them may fail.

internal import Foundation
internal import TestSupport
internal import Testing

internal import SigningTestSupport

@Suite("A sign-in shared by several processes")
struct SharedSignInTests {
  private static let processCount = 12

  /// A home with the file of a sign-in that has ended.
  private struct Home {
    let folder = Result { try TemporaryFolder() }
    let environment: [String: String]

    init(_ files: [String: String], _ variables: [String: String]) throws {
      let url = try folder.get().url
      for (path, text) in files {
        let file = url.appendingPathComponent(".aws/" + path)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
      environment = variables.merging(["HOME": url.path]) { $1 }
    }

    func text(_ path: String) throws -> String {
      let file = try folder.get().url.appendingPathComponent(".aws/" + path)
      return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
  }

  /// The output of `sigv4 credentials` in several processes at once.
  private func run(_ environment: [String: String]) async throws -> [CommandProcess] {
    try await withThrowingTaskGroup { group in
      for _ in 0..<Self.processCount {
        group.addTask {
          // Each waits for its process on its own thread.
          try await withCheckedThrowingContinuation { waiting in
            Thread.detachNewThread {
              waiting.resume(
                with: Result {
                  try CommandProcess(["credentials", "--profile", "a"], environment: environment)
                })
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// All read the file before one has renewed it: the server waits for the requests of all of them.
  @Test(
    "aws login: a later process uses the token that the first one renewed",
    arguments: ["0", "0.7"])
  func login(seconds: String) async throws {
    let template = try #require(
      try VectorTable(named: "sign-ins.txt").records.first)
    let file = try template.text("file")
    let path = try #require(file.split(separator: "\n").first).dropFirst(5)
    let name = "LOGIN\(seconds.count)"
    let home = try Home(
      [
        "config": "[profile a]\nlogin_session = \(template.text("session"))\nregion = eu-west-1\n",
        String(path): file.dropFirst(path.utf8.count + 6)
          .replacingOccurrences(of: "@END@", with: "2024-01-02T03:04:05Z")
          .replacingOccurrences(of: "old-refresh-token", with: name + "-0"),
      ],
      [
        "AWS_ENDPOINT_URL_SIGNIN": try NearServer.url(
          "/sign-in/\(name)/\(Self.processCount)/\(seconds)")
      ])
    for result in try await run(home.environment) {
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.output.hasPrefix("signed by    ASIA\(name)1 with a session token\n"))
    }
    #expect(try home.text(String(path)).contains("\"refreshToken\":\"\(name)-1\""))
  }

  @Test(
    "IAM Identity Center: a later process uses the token that the first one renewed",
    arguments: ["0", "0.7"])
  func identityCenter(seconds: String) async throws {
    // printf s | sha1sum
    let path = "sso/cache/a0f1490a20d0211c997b44bc357e1972deab8ae3.json"
    let name = "SSO\(seconds.count)"
    let url = try NearServer.url("/sign-in/\(name)/\(Self.processCount)/\(seconds)")
    let home = try Home(
      [
        "config": """
        [profile a]
        sso_session = s
        sso_account_id = 123456789012
        sso_role_name = r
        [sso-session s]
        sso_start_url = https://d.awsapps.com/start
        sso_region = eu-west-1

        """,
        path: """
        {"accessToken": "\(name)-0", "expiresAt": "2024-01-02T03:04:05Z", "clientId": "c",
         "clientSecret": "s", "registrationExpiresAt": "2999-01-01T00:00:00Z",
         "refreshToken": "\(name)-0"}
        """,
      ], ["AWS_ENDPOINT_URL_SSO": url, "AWS_ENDPOINT_URL_SSO_OIDC": url])
    for result in try await run(home.environment) {
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.output.hasPrefix("signed by    ASIA\(name)1 with a session token\n"))
    }
    #expect(try home.text(path).contains("\"refreshToken\":\"\(name)-1\""))
  }
}
