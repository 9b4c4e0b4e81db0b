// SPDX-License-Identifier: Apache-2.0
// Setups of users who have run `aws login`, beside botocore (Tests/Vectors/sign-ins.txt).

internal import CredentialProviders
internal import DocumentSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Setups of aws login, compared with botocore")
struct SignInSetupTests {
  static let table = Result {
    try VectorTable(named: "sign-ins.txt", inFolder: setupsFolder).records
  }

  @Test("Requests to AWS Sign-In go where botocore's go, with the same result")
  func setups() async throws {
    let records = try Self.table.get()
    let template = try #require(records.first)
    var count = 0
    for record in records.dropFirst() {
      let setup = try Setup(record, template)
      let found = await setup.found()
      #expect(try setup.services.requests.map(\.url) == record.texts("asked"), "\(record)")
      let expected = try record.optionalText("ours") ?? record.text("found")
      #expect(try found == setup.expected(expected), "\(record)")
      #expect(try setup.written() == record.text("written"), "\(record)")
      count += 1
    }
    #expect(count > 200)
  }

  /// A record's files, variables and responses.
  private struct Setup {
    let services: RecordedServices
    private let path: String

    init(_ record: VectorRecord, _ template: VectorRecord) throws {
      let file = try ProfileFixture.firstLine(of: template.text("file"))
      path = "/home/user/" + file.line
      let left = try #require(Int64(record.text("left")))
      let end = try SigV4.Timestamp("20240102T030405Z").advanced(bySeconds: left).extendedText
      var signIn = file.rest.replacing("@END@", with: end)
      if let region = try record.optionalText("sign-in-region") {
        signIn = signIn.dropLast() + ", \"signInRegion\": \(region)}"
      }
      var config = try "[profile a]\nlogin_session = \(template.text("session"))\n"
      if let region = try record.optionalText("region") { config += "region = \(region)\n" }
      let pairs = try record.texts("variable").map { ProfileFixture.firstLine(of: $0) }
      services = try RecordedServices(
        variables: Dictionary(
          uniqueKeysWithValues: [("HOME", "/home/user")] + pairs.map { ($0.line, $0.rest) }),
        files: ["/home/user/.aws/config": config, path: signIn])
      for answer in try record.texts("answer").map({ ProfileFixture.firstLine(of: $0) }) {
        let status = try #require(Int(answer.line))
        services.add(status == 0 ? .failure(.unreachable) : .text(status, answer.rest))
      }
      // A service that is out of reach stays out of reach.
      for _ in 0..<3 { services.add(.failure(.unreachable)) }
    }

    /// The fingerprint of a provider's result, or nil if it's rejected.
    func found() async -> [String]? {
      let provider = DefaultCredentialProvider(profile: "a", sources: services.sources)
      guard let provided = try? await provider.credentials() else { return nil }
      return try? Self.fingerprint(provided.credentials, provided.accountID)
    }

    /// Key ID, secret, token and account in lines; nil for `refused`.
    func expected(_ text: String) throws -> [String]? {
      if text == "refused" { return nil }
      let parts = CredentialFaultTests.lines(text)
      let credentials = try SigV4.Credentials(
        accessKeyID: parts[0], secretAccessKey: parts[1], sessionToken: parts[2])
      return try Self.fingerprint(credentials, parts[3])
    }

    private static func fingerprint(
      _ credentials: SigV4.Credentials, _ account: String?
    ) throws -> [String] {
      // Without the expiration, which botocore doesn't return.
      try credentials.fingerprint.dropLast() + [account ?? "no account"]
    }

    /// The file's key ID, expiration and refresh token. The rest is unchanged.
    func written() throws -> String {
      let text = try #require(services.text(ofFile: path))
      let file = try JSONReader.value(of: Array(text.utf8))
      let access = file["accessToken"]
      return [access?["accessKeyId"], access?["expiresAt"], file["refreshToken"]]
        .map { $0?.text ?? "none" }.joined(separator: "\n")
    }
  }
}
