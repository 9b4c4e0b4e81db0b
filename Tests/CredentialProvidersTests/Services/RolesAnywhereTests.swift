// SPDX-License-Identifier: Apache-2.0
// IAM Roles Anywhere: the requests of iam-rolesanywhere-session, certificates that are renewed, keys elsewhere.

@testable internal import CredentialProviders
internal import DigitalSignatures
internal import Foundation
internal import RequestSigning
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// Source of the expected values: PyPI's iam-rolesanywhere-session 3.0.0 (`roles-anywhere.py`).
@Suite("IAM Roles Anywhere")
struct RolesAnywhereTests {
  static let table = Result { try VectorTable(named: "roles-anywhere.txt").records }

  /// AWS IAM Roles Anywhere User Guide, "CreateSession", Response.
  static func session(expiration: String = "2024-01-02T09:04:05Z") -> String {
    """
    {"credentialSet": [{
      "assumedRoleUser": {"arn": "arn:aws:sts::123456789012:assumed-role/uploader/1",
        "assumedRoleId": "AROAEXAMPLE:1"},
      "credentials": {"accessKeyId": "ASIAIOSFODNN7EXAMPLE", "expiration": "\(expiration)",
        "secretAccessKey": "\(Secret.key)", "sessionToken": "\(Secret.sessionToken)"},
      "packedPolicySize": 10, "roleArn": "arn:aws:iam::123456789012:role/uploader"}],
     "subjectArn": "arn:aws:rolesanywhere:us-east-1:123456789012:subject/1"}
    """
  }

  static func certificate(_ vector: VectorRecord) throws -> ClientCertificate {
    try .pem(
      certificate: vector.text("certificate"), privateKey: vector.text("private-key"),
      intermediates: vector.optionalText("intermediates"))
  }

  static func provider(
    _ services: RecordedServices, _ vector: VectorRecord, certificate: ClientCertificate? = nil,
    region: String? = nil
  ) throws -> RolesAnywhereProvider {
    var settings = ServiceSettings()
    settings.usesFIPSEndpoints = try vector.optionalText("fips") != nil
    if let url = try vector.optionalText("endpoint") {
      settings.setEndpointURL(url, of: .rolesAnywhere)
    }
    return try RolesAnywhereProvider(
      certificate: certificate ?? self.certificate(vector),
      trustAnchorARN: vector.text("trust-anchor"), profileARN: vector.text("profile"),
      roleARN: vector.text("role"), sessionName: vector.optionalText("session-name"),
      duration: vector.optionalText("duration").flatMap { Int($0) }.map { .seconds($0) },
      region: region,
      settings: settings, sources: services.sources)
  }

  /// The first record, whose region is us-east-1.
  static func first() throws -> VectorRecord { try #require(try table.get().first) }

  @Test("The signer writes the steps of the package, and both kinds of keys sign them alike")
  func steps() throws {
    let algorithms = try Self.table.get().map {
      try String($0.text("string-to-sign").prefix { $0 != "\n" })
    }
    #expect(Set(algorithms) == Set(CertificateNames.allCases.map(\.algorithm.description)))
    try Self.table.get().forEachCase { (vector: VectorRecord) in
      let certificate = try #require(
        try X509Certificate.all(in: vector.bytes("certificate")).first)
      var headers: SigV4.Headers = [
        "content-type": "application/x-amz-json-1.0", "x-amz-x509": try vector.text("X-Amz-X509"),
      ]
      if let chain = try vector.optionalText("X-Amz-X509-Chain") {
        headers.append("x-amz-x509-chain", chain)
      }
      let signer = try SigV4.Signer(
        serialNumber: certificate.serialNumber(), of: certificate.publicKey(),
        region: vector.text("region"))
      let pending = try signer.prepare(
        SigV4.Request(
          "POST", url: vector.text("url"), headers: headers,
          payload: .bytes(vector.bytes("body"))),
        at: SigV4.Timestamp(vector.text("date")))
      #expect(try pending.canonicalRequest?.text == vector.text("canonical-request"))
      #expect(try pending.stringToSign.text == vector.text("string-to-sign"))
      let key = try certificate.privateKey(in: vector.bytes("private-key"))
      let signature = try key.signature(for: pending.stringToSign.bytes)
      let signed = pending.signed(with: SigV4.Signature(bytes: signature))
      #expect(try signed.authorization == vector.text("authorization"))
    }
  }

  @Test("The provider sends the request of the package, and its signature is the key's")
  func requests() async throws {
    for vector in try Self.table.get() {
      let services = try RecordedServices(
        .text(201, Self.session(expiration: "2030-01-02T09:04:05Z")), now: vector.text("date"))
      try await expect(
        Self.provider(services, vector).credentials(), "ASIAIOSFODNN7EXAMPLE", secret: Secret.key,
        token: Secret.sessionToken, until: "20300102T090405Z")
      let request = try #require(services.requests.first)
      #expect(try request.method == "POST" && request.url == vector.text("url"), "\(vector)")
      #expect(
        try JSONSerialization.jsonObject(with: Data(request.body)) as? NSDictionary
          == JSONSerialization.jsonObject(with: Data(vector.bytes("body"))) as? NSDictionary)
      for name in ["X-Amz-X509", "X-Amz-X509-Chain"] {
        #expect(try request.headers.values(named: name) == vector.texts(name), "\(vector)")
      }
      #expect(try request.headers.values(named: "x-amz-date") == [vector.text("date")])
      // The content type differs from the package's. The rest of the steps has its own test.
      let certificate = try #require(
        try X509Certificate.all(in: vector.bytes("certificate")).first)
      let added = ["authorization", "x-amz-date"]
      let sent = try SigV4.Request(
        "POST", url: request.url,
        headers: SigV4.Headers(request.headers.filter { !added.contains($0.name.lowercased()) }),
        payload: .bytes(request.body))
      let signer = try SigV4.Signer(
        serialNumber: certificate.serialNumber(), of: certificate.publicKey(),
        region: vector.text("region"))
      let pending = try signer.prepare(sent, at: SigV4.Timestamp(vector.text("date")))
      let key = try certificate.privateKey(in: vector.bytes("private-key"))
      let signature = try key.signature(for: pending.stringToSign.bytes)
      #expect(
        request.headers.values(named: "authorization")
          == [pending.signed(with: SigV4.Signature(bytes: signature)).authorization])
    }
  }

  @Test("The source names role and certificate, and the account is the role's")
  func source() async throws {
    let services = try RecordedServices(.text(200, Self.session()))
    let provided = try await Self.provider(services, Self.first()).credentials()
    #expect(provided.accountID == "123456789012")
    #expect(
      provided.source == "the role arn:aws:iam::123456789012:role/uploader, "
        + "with certificate 17614347152659558229")
  }

  /// Source: botocore (`service-settings.py`).
  @Test("The service is asked where botocore asks it")
  func endpoints() throws {
    for record in try ServiceSettingsTests.table.get() {
      guard let settings = try ServiceSettingsTests.settings(record), settings.region != nil
      else { continue }
      var url: String?
      do throws(CredentialError) {
        if let text = try settings.url(of: .rolesAnywhere) {
          url = try ServiceURL(base: text, named: "the endpoint").text
        }
      } catch {
        #expect(try record.optionalText("rolesanywhere-refused") != nil, "\(record): \(error)")
        continue
      }
      let expected = try record.optionalText("rolesanywhere")?.split(separator: "/profiles").first
      #expect(url == expected.map(String.init), "\(record)")
    }
  }

  @Test("Files are read again for each request, since certificates are renewed")
  func renewal() async throws {
    let records = try Self.table.get()
    let (old, new) = (records[0], records[3])
    let services = try RecordedServices(
      .text(201, Self.session()), .text(201, Self.session()),
      files: ["/c": old.text("certificate"), "/k": old.text("private-key")])
    let provider = try Self.provider(
      services, old,
      certificate: .files(certificate: "/c", privateKey: "/k", intermediates: "/i"))
    #expect(await failure(of: provider).code == .invalidFile)  // no intermediates yet
    try services.write(new.text("intermediates"), toFile: "/i")
    _ = try await provider.credentials()
    // The key is renewed a moment before the certificate.
    try services.write(new.text("private-key"), toFile: "/k")
    #expect(await failure(of: provider).code == .invalidFile)
    try services.write(new.text("certificate"), toFile: "/c")
    _ = try await provider.credentials()
    #expect(
      try services.requests.flatMap { $0.headers.values(named: "X-Amz-X509") }
        == [old, new].map { try $0.text("X-Amz-X509") })
    #expect(
      try services.requests.allSatisfy {
        try $0.headers.values(named: "X-Amz-X509-Chain") == [new.text("X-Amz-X509-Chain")]
      })
  }

  @Test("Certificates after the first one of a file belong to its chain")
  func chainInOneFile() async throws {
    let vector = try #require(try Self.table.get().dropFirst().first)
    let text = try vector.text("certificate") + vector.text("intermediates")
    let services = try RecordedServices(.text(201, Self.session()))
    let provider = try Self.provider(
      services, vector,
      certificate: .pem(certificate: text, privateKey: vector.text("private-key")))
    _ = try await provider.credentials()
    #expect(
      try services.requests[0].headers.values(named: "X-Amz-X509-Chain")
        == [vector.text("X-Amz-X509-Chain")])
  }

  /// Almost 64 KiB each: the largest that are read.
  @Test("A chain of the maximum size is sent")
  func largeChain() async throws {
    let table = try VectorTable(named: "certificates.txt")
    let small = try table.record(named: "version 3 without extensions").hexadecimal("der")
    func header(_ identifier: UInt8, _ count: Int) -> [UInt8] {
      [identifier, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
    }
    // Both of its lengths have two bytes: 0x81 and the length.
    let content = small[6..<(6 + Int(small[5]))]
    let end = small[content.endIndex...]
    let extra = 65_000
    let extensions =
      header(0xA3, extra + 4) + header(0x30, extra) + [UInt8](repeating: 5, count: extra)
    let signed = header(0x30, content.count + extensions.count) + content + extensions
    let large = header(0x30, signed.count + end.count) + signed + end
    let block =
      "-----BEGIN CERTIFICATE-----\n" + Data(large).base64EncodedString()
      + "\n-----END CERTIFICATE-----\n"
    let vector = try Self.first()
    let services = try RecordedServices(.text(201, Self.session()))
    let provider = try Self.provider(
      services, vector,
      certificate: .pem(
        certificate: vector.text("certificate"), privateKey: vector.text("private-key"),
        intermediates: String(repeating: block, count: 16)))
    _ = try await provider.credentials()
    let chain = services.requests[0].headers.values(named: "X-Amz-X509-Chain")
    #expect(chain.map(\.utf8.count) == [16 * ((large.count + 2) / 3 * 4) + 15])
  }

  @Test("If the service rejects the time, its own time is signed, once")
  func clock() async throws {
    let services = try RecordedServices(
      .text(
        403, #"{"message":"Signature expired"}"#,
        headers: [
          "x-amzn-errortype": "InvalidSignatureException:",
          "Date": "Tue, 02 Jan 2024 04:00:00 GMT",
        ]),
      .text(201, Self.session()))
    _ = try await Self.provider(services, Self.first()).credentials()
    #expect(
      services.requests.flatMap { $0.headers.values(named: "x-amz-date") }
        == ["20240102T030405Z", "20240102T040000Z"])
  }

  @Test("A key elsewhere signs the string to sign, and may wait")
  func closure() async throws {
    let vector = try Self.first()
    let certificate = try #require(try X509Certificate.all(in: vector.bytes("certificate")).first)
    let key = try certificate.privateKey(in: vector.bytes("private-key"))
    let signature: @Sendable ([UInt8]) async throws -> [UInt8] = { message in
      await Task.yield()
      return try key.signature(for: message)
    }
    for identity in [
      try ClientCertificate.pem(certificate: vector.text("certificate"), signature: signature),
      .files(certificate: "/c", signature: signature),
    ] {
      let services = try RecordedServices(
        .text(201, Self.session()), files: ["/c": vector.text("certificate")])
      try ProviderExamples.expectCredentials(
        await Self.provider(services, vector, certificate: identity).credentials())
    }
  }

  @Test("Another region is asked and signed for, and one with fips has a FIPS endpoint")
  func region() async throws {
    for (region, host, signed) in [
      ("us-west-2", "rolesanywhere.us-west-2", "us-west-2"),
      ("us-west-2-fips", "rolesanywhere-fips.us-west-2", "us-west-2"),
    ] {
      let services = try RecordedServices(.text(201, Self.session()))
      _ = try await Self.provider(services, Self.first(), region: region).credentials()
      #expect(services.targets == ["POST https://\(host).amazonaws.com/sessions"])
      let authorization = services.requests[0].headers.values(named: "authorization").first
      #expect(authorization?.contains("/\(signed)/rolesanywhere/aws4_request,") == true)
    }
  }
}
