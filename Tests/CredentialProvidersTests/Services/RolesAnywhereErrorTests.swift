// SPDX-License-Identifier: Apache-2.0
// IAM Roles Anywhere: rejections, wrong values, certificates and keys, and that errors show no secret.

internal import CredentialProviders
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("IAM Roles Anywhere: errors")
struct RolesAnywhereErrorTests {
  typealias Fixture = RolesAnywhereTests

  @Test("A signature of another key isn't sent, and the error of a closure is kept")
  func wrongClosure() async throws {
    struct Offline: Error {}
    let vector = try Fixture.first()
    let services = try RecordedServices()
    for signature in [[], [1, 2, 3]] as [[UInt8]] {
      let certificate = try ClientCertificate.pem(certificate: vector.text("certificate")) { _ in
        signature
      }
      let error = await failure(
        of: try Fixture.provider(services, vector, certificate: certificate))
      #expect(error.code == .accessDenied)
      #expect(error.problem.contains("\(signature.count) bytes that aren't a signature"))
    }
    let certificate = try ClientCertificate.pem(certificate: vector.text("certificate")) { _ in
      throw Offline()
    }
    let error = await failure(of: try Fixture.provider(services, vector, certificate: certificate))
    #expect(error.underlyingError is Offline)
    #expect(services.requests.isEmpty)
  }

  /// IAM Roles Anywhere User Guide, "Troubleshooting": AccessDeniedException, Untrusted certificate.
  @Test(
    "A rejection has the service's code and message, and a fix",
    arguments: [
      (403, "AccessDeniedException", "Untrusted certificate. Insufficient certificate", "chain"),
      (404, "ResourceNotFoundException", "Trust anchor not found", "ARNs"),
      (400, "ValidationException", "Invalid duration", "settings"),
    ])
  func rejections(status: Int, code: String, message: String, fix: String) async throws {
    let services = try RecordedServices(
      .text(status, "{\"message\":\"\(message)\"}", headers: ["x-amzn-errortype": code]))
    let error = await failure(of: try Fixture.provider(services, Fixture.first()))
    #expect(error.code == .accessDenied)
    #expect(error.problem.contains("status \(status), \"\(code)\": \"\(message)\""), "\(error)")
    #expect(error.problem.contains("17614347152659558229") && error.fix.contains(fix), "\(error)")
  }

  /// A signed request can be sent again for some minutes, and gets credentials each time.
  @Test("A service that sends the request back doesn't make its signature public")
  func echo() async throws {
    for vector in try [Fixture.table.get()[0], Fixture.table.get()[2]] {
      var sources = try RecordedServices().sources
      sources.http = { request in
        let authorization = request.headers.values(named: "authorization").first ?? ""
        let message = authorization.suffix(200)
        return SigV4.HTTPResponse(status: 403, body: Array("{\"message\":\"\(message)\"}".utf8))
      }
      let error = await failure(
        of: try RolesAnywhereProvider(
          certificate: Fixture.certificate(vector), trustAnchorARN: vector.text("trust-anchor"),
          profileARN: vector.text("profile"), roleARN: vector.text("role"), sources: sources))
      #expect(error.problem.contains("(not shown)"), "\(error)")
      // A signature is long, and nothing else in the message has so many hexadecimal digits.
      #expect(error.message.firstMatch(of: /[0-9a-f]{50}/) == nil, "\(error)")
    }
  }

  @Test(
    "A response without credentials is invalid",
    arguments: [
      "", "{}", #"{"credentialSet":[]}"#, #"{"credentialSet":{}}"#, #"{"credentialSet":[{}]}"#,
      Fixture.session().replacing("sessionToken", with: "token"),
      Fixture.session().replacing("2024-01-02T09:04:05Z", with: "soon"), "<html>",
    ])
  func invalidResponses(body: String) async throws {
    let services = try RecordedServices(.text(201, body))
    let error = await failure(of: try Fixture.provider(services, Fixture.first()))
    #expect(error.code == .invalidResponse)
  }

  @Test("Values that the service rejects, and http to another machine, aren't accepted")
  func configuration() throws {
    let anchor = "arn:aws:rolesanywhere:us-east-1:123456789012:trust-anchor/1"
    let profile = "arn:aws:rolesanywhere:us-east-1:123456789012:profile/1"
    func code(
      _ anchor: String = anchor, _ profile: String = profile, role: String = ProviderExamples.role,
      name: String? = nil, duration: Int? = nil, url: String? = nil, showing words: String
    ) throws {
      var settings = ServiceSettings()
      if let url { settings.setEndpointURL(url, of: .rolesAnywhere) }
      let services = try RecordedServices()
      let error = #expect(throws: CredentialError.self) {
        try RolesAnywhereProvider(
          certificate: .files(certificate: "/c", privateKey: "/k"), trustAnchorARN: anchor,
          profileARN: profile, roleARN: role, sessionName: name,
          duration: duration.map { .seconds($0) },
          settings: settings, sources: services.sources)
      }
      #expect(error?.code == .invalidConfiguration)
      #expect(error?.problem.contains(words) == true, "\(error?.message ?? "")")
    }
    try code(
      anchor, profile.replacing("us-east-1", with: "eu-west-1"),
      showing: "The trust anchor is in us-east-1, but the profile is in eu-west-1.")
    for wrong in [
      profile, "", "arn:aws:rolesanywhere:us-east-1:123456789012:trust-anchor", anchor + ":2",
      anchor.replacing("us-east-1", with: "us east"), anchor + "é",
      anchor.replacing("rolesanywhere", with: "iam"), anchor.replacing("us-east-1", with: ""),
      anchor + String(repeating: "1", count: 1_000),
    ] {
      try code(wrong, showing: "isn't a trust anchor ARN")
    }
    // CreateSession, trustAnchorArn: at most 1,011 characters.
    let long = anchor + String(repeating: "1", count: 1_011 - anchor.utf8.count)
    try code(long + "1", showing: "isn't a trust anchor ARN")
    try code(long, anchor, showing: "isn't a profile ARN")
    try code(role: profile, showing: "isn't a role ARN")
    try code(name: "a b", showing: "role session name")
    for duration in [899, 43_201, -1] { try code(duration: duration, showing: "\(duration)") }
    try code(url: "http://example.com", showing: "plain text")
    try code(url: "https://example.com?a", showing: "query")
  }

  @Test("A certificate that can't be used is named by its file, and a key is never shown")
  func files() async throws {
    let vector = try Fixture.first()
    let (certificate, key) = try (vector.text("certificate"), vector.text("private-key"))
    let other = try Fixture.table.get()[2]
    for (c, k, words) in try [
      (nil, nil, "\"/c\" with the certificate"),
      (certificate, nil, "\"/k\" with the private key"),
      (key, key, "\"/c\". This is a P-256 private key, not a certificate."),
      (certificate, certificate, "\"/k\". This is a certificate, not a P-256"),
      (certificate, other.text("private-key"), "\"/k\". The private key doesn't belong to the"),
      (certificate, key.replacing("MIG", with: "MIH"), "\"/k\". The key is cut off"),
    ] as [(String?, String?, String)] {
      let files = ["/c": c, "/k": k].compactMapValues(\.self)
      let services = try RecordedServices(files: files)
      let error = await failure(
        of: try Fixture.provider(
          services, vector, certificate: .files(certificate: "/c", privateKey: "/k")))
      #expect(error.code == .invalidFile)
      #expect(error.problem.contains(words), "\(error)")
      #expect(!error.message.contains(key.dropFirst(40).prefix(20)))
    }
    let error = #expect(throws: CredentialError.self) {
      try ClientCertificate.pem(certificate: certificate, privateKey: other.text("private-key"))
    }
    #expect(error?.code == .invalidConfiguration)
    for text in try ProviderDumpTests.texts(of: Fixture.certificate(vector)) {
      #expect(!text.contains(key.dropFirst(40).prefix(20)))
    }
  }

  /// Source: `key-texts.py`.
  @Test("The message says what a text is instead of a key or a certificate")
  func texts() throws {
    let certificate = try Fixture.first().text("certificate")
    for vector in try VectorTable(named: "key-texts.txt").records {
      guard let words = try vector.optionalText("words"),
        let text = String(validating: try vector.bytes("text"), as: UTF8.self)
      else { continue }
      let needed = try vector.text("needed")
      if needed != "private" && needed != "certificate" { continue }
      let error = #expect(throws: CredentialError.self) {
        try ClientCertificate.pem(
          certificate: needed == "private" ? certificate : text, privateKey: text)
      }
      #expect(error?.code == .invalidConfiguration)
      #expect(error?.problem.contains(words) == true, "\(vector): \(error?.message ?? "")")
    }
  }
}
