// SPDX-License-Identifier: Apache-2.0
// The role of an instance, over real HTTP on this machine. The real address is never used.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import Testing

/// The server responds with 401 to requests without its own token, like an instance with version 1
/// turned off (Amazon EC2 User Guide, "Use the Instance Metadata Service").
@Suite("The role of an instance, from a server on this machine")
struct InstanceMetadataLoopbackTests {
  static func fixture(
    _ faults: [String: [String]] = [:], _ more: [String: String] = [:]
  ) throws -> CredentialFixture {
    try CredentialFixture(.init(faults: faults)) { server in
      [
        "AWS_EC2_METADATA_SERVICE_ENDPOINT": server.url,
        // More than the usual second, which a busy machine may need.
        "AWS_METADATA_SERVICE_TIMEOUT": "10",
      ].merging(more) { $1 }
    }
  }

  @Test("The server rejects requests without a token, and token requests without a lifetime")
  func server() async throws {
    let fixture = try Self.fixture()
    let path = fixture.server.url + "/latest/"
    let role = path + "meta-data/iam/security-credentials/"
    let lifetime = "x-aws-ec2-metadata-token-ttl-seconds"
    func status(_ method: String, _ url: String, _ headers: SigV4.Headers) async throws -> Int {
      let request = SigV4.HTTPRequest(
        method, url, headers: headers, timeout: .seconds(30))
      return try await fixture.sources.http(request).status
    }
    #expect(try await status("GET", role, [:]) == 401)
    #expect(try await status("GET", role + "my-role", [:]) == 401)
    #expect(try await status("GET", role, ["x-aws-ec2-metadata-token": "another"]) == 401)
    #expect(try await status("PUT", path + "api/token", [:]) == 400)
    #expect(try await status("PUT", path + "api/token", [lifetime: "21601"]) == 400)
    #expect(try await status("GET", path + "api/token", [lifetime: "60"]) == 405)
    #expect(try await status("PUT", path + "api/token", [lifetime: "21600"]) == 200)
  }

  @Test("It's returned for a token of 6 hours, which is requested once")
  func role() async throws {
    let fixture = try Self.fixture()
    let provider = InstanceMetadataProvider(sources: fixture.sources)
    let provided = try await provider.credentials()
    try await fixture.expectAccepted(provided)
    #expect(
      provided.source.hasPrefix("the role my-role of the instance metadata service (http://127."))
    try await fixture.expectAccepted(try await provider.credentials())
    let asked = try fixture.server.received().filter { $0.step != "AssumeRole" }
    #expect(asked.map(\.step) == ["token", "role", "instance", "role", "instance"])
    #expect(asked.map(\.status) == [200, 200, 200, 200, 200])
    #expect(asked[0].value("x-aws-ec2-metadata-token-ttl-seconds") == "21600")
  }

  @Test("A token that the service has forgotten is renewed")
  func forgottenToken() async throws {
    let fixture = try Self.fixture(["role": ["", "401"], "instance": ["", "", "401"]])
    let provider = InstanceMetadataProvider(sources: fixture.sources)
    for count in [1, 2, 3] {
      try await fixture.expectAccepted(try await provider.credentials())
      #expect(try fixture.server.count("token") == count)
    }
  }

  @Test("Without a token, nothing else is requested")
  func noToken() async throws {
    let faults = ["404", "405", "401", "403", "500", "redirect", "close", "cut"]
    let codes: [CredentialError.Code] = [
      .notConfigured, .notConfigured, .accessDenied, .accessDenied, .accessDenied, .accessDenied,
      .notConfigured,
      .notConfigured,
    ]
    let fixture = try Self.fixture(["token": faults])
    let provider = InstanceMetadataProvider(sources: fixture.sources)
    for (fault, code) in zip(faults, codes) {
      let error = await fixture.failure(of: provider)
      #expect(error.code == code, "\(fault)")
    }
    let steps = try fixture.server.received().map(\.step)
    #expect(steps == [String](repeating: "token", count: faults.count))
    try await fixture.expectAccepted(try await provider.credentials())
  }

  @Test("Faults of the service end in errors or in a further attempt, and a redirect ends there")
  func faults() async throws {
    let attempts = ["AWS_METADATA_SERVICE_NUM_ATTEMPTS": "3"]
    let faults = CredentialFault.all(notFound: .notConfigured).filter { $0.code != .expired }
    for step in ["role", "instance"] {
      for fault in faults {
        let fixture = try Self.fixture([step: fault.answers], attempts)
        // A provider without an earlier response, because one would be used again.
        try await fixture.expect(
          [fault], of: InstanceMetadataProvider(sources: fixture.sources), at: step)
      }
    }
  }

  // AWS SDKs and Tools Reference Guide, "IMDS credential provider": expired credentials are used on.
  @Test("Credentials that have expired are used on for 5 to 15 minutes, with a warning")
  func expired() async throws {
    let fixture = try Self.fixture(["instance": ["expired"]])
    let provided = try await InstanceMetadataProvider(sources: fixture.sources).credentials()
    let end = try #require(provided.credentials.identity.expiration).unixSeconds
    #expect((240...900).contains(end - fixture.sources.now().unixSeconds))
    #expect(provided.warning?.contains("stay in use. They expired at") == true)
  }

  @Test("Earlier credentials are used, with a warning, if the service stops responding")
  func outage() async throws {
    let faults = ["500", "close", "cut"]
    let fixture = try Self.fixture(["instance": [""] + faults, "role": ["", "", "", "", "500"]])
    let provider = InstanceMetadataProvider(sources: fixture.sources)
    #expect(try await provider.credentials().warning == nil)
    for _ in 0...faults.count {
      let provided = try await provider.credentials()
      try await fixture.expectAccepted(provided)
      #expect(provided.warning?.contains("stay in use. They haven't expired") == true)
    }
    #expect(try await provider.credentials().warning == nil)
  }

  @Test(
    "A silent service times out after AWS_METADATA_SERVICE_TIMEOUT",
    arguments: [("token", true), ("role", false)])
  func silence(step: String, hasHint: Bool) async throws {
    let fixture = try Self.fixture([step: ["hang"]], ["AWS_METADATA_SERVICE_TIMEOUT": "4.5"])
    let start = ContinuousClock.now
    let error = await fixture.failure(of: InstanceMetadataProvider(sources: fixture.sources))
    #expect(error.code == (hasHint ? .notConfigured : .timedOut))
    #expect(error.message.contains("within 4.5 seconds"))
    #expect(error.message.contains("hop limit") == hasHint)
    #expect(ContinuousClock.now - start >= .seconds(4.5))
    #expect(try fixture.server.count(step) == 1)
  }

  @Test("Where nothing but an instance is there, the default search finds its role")
  func defaultSearch() async throws {
    let fixture = try Self.fixture()
    let provided = try await DefaultCredentialProvider(sources: fixture.sources).credentials()
    #expect(provided.source.hasPrefix("the role my-role of the instance metadata service"))
    try await fixture.expectAccepted(provided)
    let asked = try fixture.server.received().map(\.step)
    #expect(asked == ["token", "role", "instance", "AssumeRole"])
  }

  @Test("One hundred tasks that share a refreshing provider cause one exchange")
  func oneExchange() async throws {
    let fixture = try Self.fixture()
    let provider = SigV4.CredentialProvider(
      InstanceMetadataProvider(sources: fixture.sources), now: fixture.sources.now)
    let keys = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<100 {
        group.addTask { try await provider.credentials().credentials.identity.accessKeyID }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(keys.count == 100)
    #expect(Set(keys).count == 1)
    #expect(try fixture.server.received().map(\.step) == ["token", "role", "instance"])
    try await fixture.expectAccepted(try await provider.credentials())
    #expect(try fixture.server.count("instance") == 1)
  }
}
