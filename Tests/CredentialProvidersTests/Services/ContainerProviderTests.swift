// SPDX-License-Identifier: Apache-2.0
// The credential services of ECS and EKS: their allowed addresses and responses.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

@Suite("The role of a container")
struct ContainerProviderTests {
  static let full = "AWS_CONTAINER_CREDENTIALS_FULL_URI"
  static let relative = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"
  static let token = "AWS_CONTAINER_AUTHORIZATION_TOKEN"
  static let tokenFile = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"

  static func error(
    _ answers: [RecordedServices.Answer], _ variables: [String: String] = [relative: "/v2/creds"],
    files: [String: String] = [:]
  ) async throws -> CredentialError {
    let services = try RecordedServices(variables: variables, files: files)
    for answer in answers { services.add(answer) }
    let error = await failure(of: ContainerProvider(sources: services.sources))
    #expect(services.requests.count == answers.count)
    return error
  }

  @Test("ECS returns the task's role")
  func task() async throws {
    let services = try RecordedServices(
      .text(200, ProviderExamples.container()), variables: [Self.relative: "/v2/creds"])
    let provided = try await ContainerProvider(sources: services.sources).credentials()
    try ProviderExamples.expectCredentials(provided)
    #expect(provided.source == "the container credential service (http://169.254.170.2)")
    #expect(services.requests.map(\.timeout) == [.seconds(2)])
  }

  // RFC 3339, 5.6 and 5.8; the moment by date(1): date -u -d 2024-01-02T10:34:05+01:30
  @Test("An end with any offset from UTC is the same moment")
  func ends() async throws {
    for text in [
      "2024-01-02T09:04:05Z", "2024-01-02T10:34:05+01:30", "2024-01-02T10:34:05.75+0130",
      "2024-01-01 23:34:05-09:30", "2024-01-02t09:04:05z",
    ] {
      let services = try RecordedServices(
        .text(200, ProviderExamples.container(expiration: text)), variables: [Self.relative: "/"])
      let provided = try await ContainerProvider(sources: services.sources).credentials()
      #expect(
        provided.credentials.identity.expiration?.extendedText == "2024-01-02T09:04:05Z", "\(text)")
    }
  }

  // RFC 3339, 5.6: time-hour is 00-23, time-minute 00-59. The moments are those of Python's datetime.
  @Test("Offsets from UTC go from -23:59 to +23:59")
  func offsets() async throws {
    for (offset, end) in [
      ("+23:59", 1_735_722_305), ("-23:59", 1_735_894_985), ("+2359", 1_735_722_305),
      ("+00:00", 1_735_808_645), ("-00:00", 1_735_808_645), ("+14:00", 1_735_758_245),
      ("+24:00", nil), ("-24:00", nil), ("+2400", nil), ("+00:60", nil), ("-0060", nil),
      ("+23:60", nil), ("+99:59", nil), ("-99:99", nil),
    ] as [(String, Int64?)] {
      let text = "2025-01-02T09:04:05" + offset
      let services = try RecordedServices(
        .text(200, ProviderExamples.container(expiration: text)), variables: [Self.relative: "/"],
        now: "20231231T000000Z")
      let provider = ContainerProvider(sources: services.sources)
      guard let end else {
        #expect(await failure(of: provider).code == .invalidResponse, "\(offset)")
        continue
      }
      let found = try await provider.credentials().credentials.identity.expiration
      #expect(found?.unixSeconds == end, "\(offset)")
    }
  }

  @Test("An expiration without a valid offset is ignored")
  func noEnds() async throws {
    for text in [
      "2024-01-02T09:04:05", "2024-01-02T09:04:05+1", "2024-01-02T09:04:05+01:3",
      "2024-01-02T09:04:05+0:130", "2024-01-02T09:04:05+01-30", "2024-01-02T09:04:05.+01:00",
      "2024-01-02x09:04:05Z", "2024-01-02T09:04+01:00", "0001-01-01T00:00:00+01:00",
    ] {
      let answer = RecordedServices.Answer.text(200, ProviderExamples.container(expiration: text))
      let error = try await Self.error([answer])
      #expect(error.code == .invalidResponse, "\(text)")
      #expect(error.message.contains("no valid expiration"), "\(text)")
    }
  }

  @Test("The file of the token is read each time, and wins over the variable")
  func tokenFile() async throws {
    let services = try RecordedServices(
      .text(200, ProviderExamples.container()), .text(200, ProviderExamples.container()),
      variables: [
        Self.full: "http://169.254.170.23/v1/credentials", Self.token: "variable",
        Self.tokenFile: "/token",
      ], files: ["/token": "first"])
    let provider = ContainerProvider(sources: services.sources)
    _ = try await provider.credentials()
    services.write("second", toFile: "/token")
    _ = try await provider.credentials()
    #expect(services.requests.map { $0.headers.last?.value } == ["first", "second"])
  }

  @Test("Without variables, nothing is requested")
  func notConfigured() async throws {
    #expect(try await Self.error([], [:]).code == .notConfigured)
    #expect(try await Self.error([], [Self.full: ""]).code == .notConfigured)
  }

  // AWS SDKs and Tools Reference Guide, "Container credential provider": loopback, ECS, EKS, https.
  @Test("http is rejected to other hosts, and to what looks like another host")
  func otherHosts() async throws {
    for url in [
      "http://example.com/", "http://169.254.170.3/", "http://169.254.170.2.example.com/",
      "http://169.254.170.2@example.com/", "http://user:word@127.0.0.1/", "http://128.0.0.1/",
      "http://127.0.0.1.example.com/", "http://0127.0.0.1/", "http://127.1/", "http://[::2]/",
      "http://[fd00:ec2::24]/", "http://127.0.0.256/", "ftp://127.0.0.1/", "//127.0.0.1/",
      "http:///", "http://127.0.0.1\\@example.com/", "http://127.0.0.1 /", "127.0.0.1",
      "http://127.0.0.1#@example.com/", "http://\u{FF11}27.0.0.1/", "http://lokalhost/",
    ] {
      let error = try await Self.error([], [Self.full: url, Self.token: Secret.authorization])
      #expect(error.code == .invalidConfiguration, "\(url)")
    }
  }

  @Test("http is allowed for this machine, ECS and EKS, and https for any host")
  func allowedHosts() async throws {
    for url in [
      "http://127.0.0.1/", "http://127.255.255.254:8080/a?b=c", "http://LOCALHOST/",
      "http://[::1]:1/", "http://169.254.170.2/", "http://169.254.170.23/v1/credentials",
      "http://[fd00:ec2::23]/v1/credentials", "https://example.com/",
    ] {
      let services = try RecordedServices(
        .text(200, ProviderExamples.container()), variables: [Self.full: url])
      _ = try await ContainerProvider(sources: services.sources).credentials()
      #expect(services.requests.count == 1, "\(url)")
    }
  }

  @Test("A relative URI that isn't a path is rejected, because it could name another host")
  func relativeURI() async throws {
    for path in ["@a.example/", "v2/creds", ".a.example/", ":80@a.example/", ":8080/creds"] {
      #expect(try await Self.error([], [Self.relative: path]).code == .invalidConfiguration)
    }
  }

  @Test("A token that contains a newline is rejected, and isn't shown")
  func tokenWithLineEnd() async throws {
    let url = "http://127.0.0.1/"
    for text in [Secret.authorization + "\n", "a\r\nX-Other: " + Secret.authorization, "\u{7F}"] {
      let variables = [Self.full: url, Self.token: text]
      #expect(try await Self.error([], variables).code == .invalidConfiguration)
      let fromFile = try await Self.error(
        [], [Self.full: url, Self.tokenFile: "/t"], files: ["/t": text])
      #expect(fromFile.code == .invalidConfiguration)
    }
    let missing = try await Self.error([], [Self.full: url, Self.tokenFile: "/t"])
    #expect(missing.code == .invalidFile)
  }

  @Test("Status 500 and time-outs get three attempts, 404 gets one, and a redirect isn't followed")
  func refusals() async throws {
    let down = RecordedServices.Answer.text(500, "{\"code\":\"Down\",\"message\":\"for a while\"}")
    let error = try await Self.error([down, down, down])
    #expect(error.code == .accessDenied)
    #expect(error.message.contains("status 500, \"Down\": \"for a while\""))
    let silent = RecordedServices.Answer.failure(.timedOut)
    #expect(try await Self.error([silent, silent, silent]).code == .timedOut)
    #expect(try await Self.error([.text(404, "404 page not found")]).code == .accessDenied)
    #expect(try await Self.error([.text(401, "")]).code == .accessDenied)
    #expect(try await Self.error([.redirect]).message.contains("redirect"))
  }

  @Test("An incomplete response is rejected")
  func broken() async throws {
    for (answer, code) in [
      ("", CredentialError.Code.invalidResponse), ("{", .invalidResponse), ("[]", .invalidResponse),
      ("null", .invalidResponse), ("{}", .invalidResponse), ("<html>", .invalidResponse),
      (ProviderExamples.container().replacing("\"Token\"", with: "\"Other\""), .invalidResponse),
      (
        ProviderExamples.container().replacing("\"\(Secret.key)\"", with: "17"), .invalidResponse
      ),
      (ProviderExamples.container(expiration: "2024-01-02"), .invalidResponse),
      (ProviderExamples.container(expiration: "2024-01-02T03:04:04Z"), .expired),
    ] as [(String, CredentialError.Code)] {
      #expect(try await Self.error([.text(200, answer)]).code == code, "\(answer)")
    }
  }
}
