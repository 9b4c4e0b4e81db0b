// SPDX-License-Identifier: Apache-2.0
// Refusals of Signature Version 4a, of the verifier of this library and of a server that sees otherwise.

internal import MultiRegionSigning
internal import MultiRegionVerification
internal import SignatureDiagnosis
internal import SigningTestSupport
internal import Testing

@Suite("Diagnosis: Signature Version 4a")
struct MultiRegionDiagnosisTests {
  let signer: SigV4.Signer
  let request: SigV4.Request

  init() throws {
    signer = try SigV4.Signer(
      credentials: Example.credentials(), regionSet: SigV4.RegionSet("eu-west-1,us-*"), service: .s3
    )
    request = try SigV4.Request("GET", url: "https://example.com/a?x=1")
  }

  /// The verifier's responses to a changed request, in XML and in JSON.
  private func answers(
    to signed: SigV4.SignedRequest, algorithms: [SigV4.Verifier.Algorithm] = [.ecdsaP256SHA256],
    regions: [String] = ["us-east-1"], change: (inout [(String, String)]) -> Void = { _ in }
  ) throws -> [String] {
    var policy = SigV4.Verifier(services: [.s3], regions: regions)
    policy.algorithms = algorithms
    var headers = [("host", "example.com")] + signed.addedHeaders.map { ($0.name, $0.value) }
    change(&headers)
    let received = SigV4.ReceivedRequest(
      "GET", target: signed.target, headers: SigV4.Headers(headers))
    let key = SigV4.MultiRegionPublicKey(try Example.credentials())
    do throws(SigV4.VerificationError) {
      let unverified = try policy.check(received, at: signed.timestamp)
      _ = try unverified.verify(with: key)
      return []
    } catch {
      return [error.xmlResponse(requestID: "1").body, error.jsonResponse().body]
    }
  }

  private func expect(
    _ code: SigV4.Diagnosis.Code, _ subject: String?, _ answers: [String],
    _ signed: SigV4.SignedRequest, word: String = ""
  ) {
    #expect(answers.count == 2)
    for answer in answers {
      let diagnosis = SigV4.ServiceError(answer.utf8).diagnosis(for: signed)
      #expect(diagnosis.cause.code == code, "\(diagnosis)\n\(answer)")
      #expect(diagnosis.cause.subject == subject, "\(diagnosis)")
      #expect("\(diagnosis)".contains(word), "\(diagnosis)")
    }
  }

  @Test("The canonical request that the server shows is compared")
  func canonicalRequest() throws {
    let signed = try signer.sign(request, at: Example.moment())
    #expect(try answers(to: signed).isEmpty)
    func changed(_ name: String, _ value: String) throws -> [String] {
      try answers(to: signed) { headers in
        for index in headers.indices where headers[index].0 == name { headers[index].1 = value }
      }
    }
    try expect(
      .headerChanged, "x-amz-region-set", changed("x-amz-region-set", "us-east-1"), signed,
      word: "received  x-amz-region-set:us-east-1")
    try expect(.host, "host", changed("host", "127.0.0.1"), signed)
    let other = try SigV4.Signer(
      credentials: SigV4.Credentials(
        accessKeyID: Example.accessKeyID, secretAccessKey: "another"),
      regionSet: SigV4.RegionSet("eu-west-1,us-*"),
      service: .s3
    ).sign(request, at: Example.moment())
    try expect(.secretAccessKey, nil, answers(to: other), other, word: Example.accessKeyID)
  }

  @Test("A region outside the set, and the other algorithm, are named")
  func stated() throws {
    let signed = try signer.sign(request, at: Example.moment())
    let answers = try answers(to: signed, regions: ["ap-south-1"])
    let causes = answers.map { SigV4.ServiceError($0.utf8).diagnosis(for: signed).cause }
    #expect(causes.map(\.code) == [.region, .region])
    #expect(causes.map(\.subject) == ["ap-south-1", nil])
    #expect(causes.allSatisfy { $0.fix.contains("such as *") })

    try expect(
      .algorithm, nil, self.answers(to: signed, algorithms: [.hmacSHA256]), signed,
      word: "requires SigV4 (AWS4-HMAC-SHA256)")
    let plain = try Example.signed(request, .s3)
    try expect(
      .algorithm, nil, self.answers(to: plain), plain,
      word: "requires SigV4a (AWS4-ECDSA-P256-SHA256)")
    try expect(
      .algorithm, nil,
      self.answers(to: plain, algorithms: []), plain, word: "a different algorithm")
  }

  @Test("The scope is compared, which has no region")
  func scope() throws {
    let signed = try signer.sign(request, at: Example.moment())
    for (scope, code) in [
      ("20150830/events/aws4_request", SigV4.Diagnosis.Code.service),
      ("20150831/s3/aws4_request", .date), ("20150830/us-east-1/s3/aws4_request", .stringToSign),
      ("20150830/s3/aws4", .stringToSign),
    ] {
      var answer = ServerAnswer(signed)
      answer.linesToSign[2] = scope
      let diagnosis = SigV4.ServiceError(answer.xml.utf8).diagnosis(for: signed)
      #expect(diagnosis.cause.code == code, "\(scope) \(diagnosis)")
    }
    var answer = ServerAnswer(signed)
    answer.linesToSign[0] = "AWS4-HMAC-SHA256"
    let diagnosis = SigV4.ServiceError(answer.xml.utf8).diagnosis(for: signed)
    #expect(diagnosis.cause.code == .algorithm && diagnosis.cause.fix.contains("its region"))
  }

  @Test("A URL contains everything that was signed")
  func sentURL() throws {
    let url = try signer.presignedURL(for: request, expiresIn: .seconds(60), at: Example.moment())
    let sent = try SigV4.SentRequest(url: url.url, madeWith: Example.credentials())
    #expect(sent.credentialScope.text == "20150830/s3/aws4_request")
    let same = SigV4.ServiceError(ServerAnswer(url).xml.utf8).diagnosis(for: sent)
    #expect(same.cause.code == .signature)
    var answer = ServerAnswer(url)
    answer.lines[2] = answer.lines[2].replacing("x=1", with: "x=2")
    let changed = SigV4.ServiceError(answer.xml.utf8).diagnosis(for: sent)
    #expect(changed.cause.code == .queryParameterChanged && changed.cause.subject == "x")
  }
}
