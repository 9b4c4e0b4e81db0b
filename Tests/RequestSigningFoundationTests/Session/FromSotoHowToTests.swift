// SPDX-License-Identifier: Apache-2.0
// The page docs/how-to/from-soto.md: its code, and the calls of its table.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import RequestSigningFoundation
internal import S3Signing
internal import SigningTestSupport
internal import Testing

struct Tables: Decodable {
  let names: [String]

  enum CodingKeys: String, CodingKey { case names = "TableNames" }
}

func tables(at url: URL, session: SigningSession) async throws -> [String] {
  var request = URLRequest(url: url)  // https://dynamodb.eu-west-1.amazonaws.com/
  request.httpMethod = "POST"
  request.httpBody = Data("{}".utf8)
  request.setValue("application/x-amz-json-1.0", forHTTPHeaderField: "Content-Type")
  request.setValue("DynamoDB_20120810.ListTables", forHTTPHeaderField: "X-Amz-Target")
  return try await JSONDecoder().decode(Tables.self, from: session.data(for: request)).names
}

/// The calls of the table's last column. Compiled, but not called: they send.
func calls(
  _ session: SigningSession, _ signer: SigV4.Signer, _ request: SigV4.Request,
  _ photo: SigV4.Bucket.Object, _ file: URL, _ roleARN: String, at now: SigV4.Timestamp
) async throws -> [SigV4.CredentialProvider] {
  _ = SigningSession(credentials: .default, region: "eu-west-1", service: "dynamodb")
  _ = try signer.sign(request)
  _ = try signer.sign(request, at: now)
  _ = try await session.data(for: request)
  _ = try await session.presignedURL(for: photo, expiresIn: .seconds(600))
  _ = try await session.upload(file, to: photo)
  _ = try await session.data(for: photo)
  _ = try await session.download(photo, to: file)
  for try await _ in session.list(prefix: "2024/") {}
  _ = try SigV4.Credentials(accessKeyID: "AKID", secretAccessKey: "secret")
  return try [
    .default, .profile("work"), .container, .instanceMetadata, .assumeRole(roleARN),
  ]
}

@Suite("How to come from Soto or aws-sdk-swift")
struct FromSotoHowToTests {
  static let page = "from-soto.md"

  @Test("The typed call of the page is in this file")
  func lines() throws {
    try HowToPage(Self.page).expectCode(in: #filePath, count: 13, skipping: [0])
  }

  @Test("Every call of the table's last column is in this file")
  func table() throws {
    let file = try HowToPage.lines(of: URL(fileURLWithPath: #filePath)).joined(separator: "\n")
    let page = try HowToPage(Self.page)
    let arguments = #"(credentials: .default, region: "eu-west-1", service: "dynamodb")"#
    for text in [page.lines.joined(), file] {
      let isThere = text.contains("SigningSession" + arguments)
      #expect(isThere)
    }
    let rows = try HowToPage(Self.page, section: "Which call for which job").lines
      .filter { $0.hasPrefix("| ") }.dropFirst()
    #expect(rows.count == 11)
    for row in rows {
      let cell = try #require(row.split(separator: "|").last { !$0.allSatisfy(\.isWhitespace) })
      let calls = cell.matches(of: /`([^`]+)`/).map { String($0.1) }
      #expect(!calls.isEmpty, "\(row)")
      for call in calls where call != "options.maximumAttempts" {
        // A name with labels only, such as f(a:b:).
        let parts = call.hasSuffix(":)") ? call.split { "(:)".contains($0) } : [call[...]]
        let isThere = parts.allSatisfy { file.contains($0) }
        #expect(isThere, "\(call)")
      }
    }
  }

  @Test("The typed call of the page sends DynamoDB's request, and a session tries three times")
  func sent() async throws {
    let server = try LoopbackServer(LoopbackServer.Answer(body: #"{"TableNames":["films"]}"#))
    let session = try SigningSession(
      credentials: SigV4.Credentials(accessKeyID: "AKID", secretAccessKey: "secret"),
      region: "eu-west-1", service: "dynamodb")
    #expect(try await tables(at: server.url(), session: session) == ["films"])
    let received = try #require(server.received().first)
    #expect(received.method == "POST" && received.start == "{}")
    #expect(
      received.values("authorization").first?.contains("/eu-west-1/dynamodb/aws4_request,") == true)
    #expect(received.values("x-amz-target") == ["DynamoDB_20120810.ListTables"])
    let options = SigningSession.Options()
    #expect(options.maximumAttempts == 3)
  }
}
