// SPDX-License-Identifier: Apache-2.0
// Signature Version 4a on a server: the official suite, changed bytes, and rejected requests.

internal import DigitalSignatures
internal import MultiRegionSigning
internal import MultiRegionVerification
internal import SecureHashing
internal import SigningTestSupport
internal import TestSupport
internal import Testing

@Suite("Verification of Signature Version 4a")
struct MultiRegionVerificationTests {
  /// Source: the suite `aws-signing-test-suite/v4a` of aws-c-auth, with its file public-key.json.
  static let suiteKey = (
    x: "b6618f6a65740a99e650b33b6b4b5bd0d43b176d721a3edfea7e7d2d56d936b1",
    y: "865ed22a7eadc9c5cb9d2cbaca1b3699139fedc5043dc6661864218330c8e518"
  )

  /// A case of the suite as it goes over the wire, signed by those who made the suite.
  private func sent(_ vector: VectorRecord, isPresigned: Bool) throws -> SentRequest {
    let signer = try SigV4.Signer(
      credentials: vector.credentials(), regionSet: SigV4.RegionSet(vector.text("region")),
      service: vector.signer().service)
    let request = try vector.request()
    if isPresigned {
      let ours = try signer.presignedURL(
        for: request, expiresIn: .seconds(vector.integer("lifetime")), at: vector.timestamp())
      return try SentRequest(ours).replacing(
        ours.signature.hexString, with: vector.text("query-signature"))
    }
    let ours = try signer.sign(request, at: vector.timestamp())
    return try SentRequest(ours, request.headers).replacing(
      ours.signature.hexString, with: vector.text("header-signature"))
  }

  private func server(of vector: VectorRecord) throws -> MultiRegionServer {
    var server = try MultiRegionServer(vector.signer().service)
    server.verifier.regions = [try vector.text("region")]
    server.verifier.dotSegments = .allowed
    server.now = try vector.timestamp()
    server.key = try SigV4.MultiRegionPublicKey(
      P256.Signing.PublicKey(
        rawRepresentation: Hexadecimal.decode(Self.suiteKey.x + Self.suiteKey.y)),
      identity: vector.credentials().identity)
    return server
  }

  @Test(
    "The suite's signatures are accepted, and every changed byte is rejected",
    arguments: [false, true])
  func officialSuite(isPresigned: Bool) throws {
    let cases = try VectorTable(named: "official-suite-v4a.txt").records
    #expect(cases.count == 38)
    var refused = 0
    cases.forEachCase { (vector: VectorRecord) in
      let server = try server(of: vector)
      var sent = try sent(vector, isPresigned: isPresigned)
      sent.body = try vector.optionalBytes("body") ?? []
      if sent.target.contains(" ") {
        // The suite signs characters here that no request line can contain (RFC 9112, 3.2).
        expectRefused(.invalidRequest) { try server.check(sent) }
        refused += 1
        return
      }
      let unverified = try server.check(sent)
      #expect(
        unverified.algorithm == .ecdsaP256SHA256
          && unverified.signatureLocation == (isPresigned ? .query : .header))
      #expect(try unverified.regionSet == vector.text("region"))
      #expect(
        unverified.scope.text == "20150830/service/aws4_request" && unverified.scope.region.isEmpty)
      try server.verify(sent)
      var prepared = server
      prepared.key = server.key.prepared()
      try prepared.verify(sent)
      let signature = try vector.text(isPresigned ? "query-signature" : "header-signature")
      for index in signature.indices
      where signature.distance(from: index, to: signature.endIndex) % 7 == 0 {
        var changed = signature
        changed.replaceSubrange(index...index, with: signature[index] == "0" ? "1" : "0")
        let other = try sent.replacing(signature, with: changed)
        expectRefused(.signatureMismatch) { try server.verify(other) }
        expectRefused(.signatureMismatch) { try prepared.verify(other) }
      }
    }
    #expect(refused == 2)
  }

  /// A byte of Authorization, of the target or of a header. All of them are covered by the
  /// signature.
  @Test("Every changed byte of method, target and headers is rejected", arguments: [false, true])
  func everyByte(isPresigned: Bool) throws {
    let server = try MultiRegionServer()
    let sent = try isPresigned ? SentToRegions.presigned() : SentToRegions.signed()
    try server.verify(sent)
    var (changes, accepted) = (0, [String]())
    func expectRefusal(_ request: SentRequest, _ what: String) {
      changes += 1
      do throws(SigV4.VerificationError) {
        try server.verify(request)
        accepted.append(what)
      } catch {}
    }
    func changed(_ text: String) -> [String] {
      let bytes = Array(text.utf8)
      return bytes.indices.compactMap { index in
        var copy = bytes
        copy[index] ^= 0x01
        return String(validating: copy, as: UTF8.self)
      }
    }
    for method in changed(sent.method) {
      var copy = sent
      copy.method = method
      expectRefusal(copy, method)
    }
    for target in changed(sent.target) {
      var copy = sent
      copy.target = target
      expectRefusal(copy, target)
    }
    for index in sent.headers.indices {
      for name in changed(sent.headers[index].name) {
        var copy = sent
        copy.headers[index].name = name
        expectRefusal(copy, name)
      }
      for value in changed(sent.headers[index].value) {
        var copy = sent
        copy.headers[index].value = value
        expectRefusal(copy, value)
      }
    }
    #expect(changes > 400)
    #expect(accepted == [])
  }

  @Test("The server's region must be in the signed set")
  func regionSets() throws {
    let server = try MultiRegionServer()
    let rows = [
      ("*", true), ("us-east-1", true), ("us-*", true), ("*-1", true), ("us-*-1", true),
      ("u*s*-*e*1", true), ("eu-west-1,us-east-1", true), ("eu-*,*-east-*", true),
      ("us-east-1*", true),
      ("eu-west-1", false), ("us-east-2", false), ("us-east-", false), ("us-east-11", false),
      ("us-*-2", false), ("eu-*,ap-*", false), ("*us-east-1-", false), ("s-east-1", false),
      ("us-east-1*1", false), ("US-EAST-1", false),
    ]
    for (text, isAccepted) in rows {
      for sent in [
        try SentToRegions.signed(SigV4.RegionSet(text)),
        try SentToRegions.presigned(SigV4.RegionSet(text)),
      ] {
        if isAccepted {
          #expect(throws: Never.self, "\(text)") { try server.verify(sent) }
        } else {
          expectRefused(.wrongScope) { try server.verify(sent) }
        }
      }
    }
    let sent = try SentToRegions.signed(SigV4.RegionSet("eu-west-1"))
    let error = #expect(throws: SigV4.VerificationError.self) { try server.check(sent) }
    #expect(error?.message.contains("eu-west-1") == true)
    let answer = try #require(error).xmlResponse(requestID: "1").body
    #expect(answer.contains("the region &quot;eu-west-1&quot; is wrong; expecting"))
    #expect(answer.contains("<Region>us-east-1</Region>"))
  }

  @Test("A set of regions that's missing, doubled or contradicted is rejected")
  func missingRegionSets() throws {
    let server = try MultiRegionServer()
    let (signed, url) = (try SentToRegions.signed(), try SentToRegions.presigned())
    let name = "x-amz-region-set"
    expectRefused(.malformedAuthorization) {
      try server.check(signed.replacing(name, with: []))
    }
    expectRefused(.malformedAuthorization) {
      try server.check(signed.replacing(name, with: [""]))
    }
    expectRefused(.repeatedField) {
      try server.check(signed.replacing(name, with: ["*", "*"]))
    }
    expectRefused(.malformedQueryAuthorization) {
      try server.check(url.replacing("&X-Amz-Region-Set=%2A", with: ""))
    }
    expectRefused(.repeatedField) {
      try server.check(
        url.replacing(
          "&X-Amz-Region-Set=%2A", with: "&X-Amz-Region-Set=%2A&X-Amz-Region-Set=%2A"))
    }
    expectRefused(.malformedQueryAuthorization) {
      try server.check(url.replacing(name, with: ["us-east-1"]))
    }
    // The same again, but not signed.
    expectRefused(.unsignedHeader) { try server.check(url.replacing(name, with: ["*"])) }
    var unsigned = signed
    unsigned = try unsigned.replacing(";x-amz-region-set", with: "")
    expectRefused(.unsignedHeader) { try server.check(unsigned) }
  }

  @Test("Clock, lifetime, service, session token and expiration are checked as for one region")
  func policies() throws {
    let (signed, url) = (try SentToRegions.signed(), try SentToRegions.presigned())
    var server = try MultiRegionServer()
    server.now = try Example.moment().advanced(bySeconds: 901)
    expectRefused(.requestTimeTooSkewed) { try server.verify(signed) }
    try server.verify(url)
    server.now = try Example.moment().advanced(bySeconds: 3_601)
    expectRefused(.urlExpired) { try server.verify(url) }
    server.now = try Example.moment().advanced(bySeconds: -901)
    expectRefused(.urlNotYetValid) { try server.verify(url) }

    server = try MultiRegionServer(.standard("events"))
    expectRefused(.wrongScope) { try server.verify(signed) }

    server = try MultiRegionServer()
    server.verifier.signedHeaders = ["range"]
    expectRefused(.unsignedHeader) { try server.verify(signed) }

    for sent in [
      try SentToRegions.signed(token: Example.token),
      try SentToRegions.presigned(token: Example.token),
    ] {
      server = try MultiRegionServer()
      expectRefused(.sessionTokenMismatch) { try server.verify(sent) }
      server.key = SigV4.MultiRegionPublicKey(try Example.credentials(sessionToken: Example.token))
      try server.verify(sent)
      expectRefused(.sessionTokenMismatch) { try server.verify(signed) }
      server.verifier.sessionTokens = .rejected
      expectRefused(.sessionTokenNotAllowed) { try server.verify(sent) }
    }

    server = try MultiRegionServer()
    server.key = SigV4.MultiRegionPublicKey(
      server.key.key,
      identity: try SigV4.Identity(
        accessKeyID: Example.accessKeyID, expiration: Example.moment()))
    expectRefused(.credentialsExpired) { try server.verify(signed) }
    server.key = SigV4.MultiRegionPublicKey(
      server.key.key, identity: try SigV4.Identity(accessKeyID: "AKIDOTHER"))
    expectRefused(.wrongKey) { try server.verify(signed) }
    server.key = SigV4.MultiRegionPublicKey(
      P256.Signing.PrivateKey().publicKey, identity: try Example.credentials().identity)
    expectRefused(.signatureMismatch) { try server.verify(signed) }
    #expect("\(server.key)" == "MultiRegionPublicKey(AKIDEXAMPLE)")
  }

  @Test("A call with credentials rejects Signature Version 4a before it looks them up")
  func lookUp() async throws {
    var server = try MultiRegionServer()
    server.verifier.algorithms = [.hmacSHA256, .ecdsaP256SHA256]
    let sent = try SentToRegions.signed().received()
    let error = await #expect(throws: SigV4.VerificationError.self) {
      _ = try await server.verifier.verify(sent, body: [], at: server.now) { _ in
        Issue.record("looked up")
        return nil
      }
    }
    #expect(error?.code == .unsupportedAlgorithm)
  }

  @Test("Each algorithm must be accepted, and needs its own key")
  func algorithms() throws {
    var server = try MultiRegionServer()
    let sent = try SentToRegions.signed()
    let plain = SentRequest(
      try Example.signer(.s3).sign(SentToRegions.request(), at: Example.moment()))
    expectRefused(.unsupportedAlgorithm) { try server.verify(plain) }
    let error = #expect(throws: SigV4.VerificationError.self) { try server.check(plain) }
    #expect(error?.jsonResponse().body.contains("Please use AWS4-ECDSA-P256-SHA256.") == true)

    server.verifier.algorithms = [.hmacSHA256]
    expectRefused(.unsupportedAlgorithm) { try server.verify(sent) }
    #expect(SigV4.Verifier(services: [.s3], regions: []).algorithms == [.hmacSHA256])

    server.verifier.algorithms = [.hmacSHA256, .ecdsaP256SHA256]
    try server.verify(sent)
    expectRefused(.wrongKey) { try server.verify(plain) }
    _ = try server.check(plain).verify(with: Example.credentials())
    let unverified = try server.check(sent)
    expectRefused(.wrongKey) { _ = try unverified.verify(with: Example.credentials()) }
    expectRefused(.wrongKey) {
      _ = try unverified.verify(
        with: SigV4.SigningKey(Example.credentials(), scope: unverified.scope))
    }
    #expect(try server.check(plain).regionSet == nil)

    // One signed as the other: the algorithm's name is a part of the signed string.
    let renamed = try plain.replacing("AWS4-HMAC-SHA256", with: "AWS4-ECDSA-P256-SHA256")
    expectRefused(.malformedAuthorization) { try server.verify(renamed) }
    let reversed = try sent.replacing("AWS4-ECDSA-P256-SHA256", with: "AWS4-HMAC-SHA256")
    expectRefused(.malformedAuthorization) { try server.verify(reversed) }
  }

  @Test(
    "A malformed signature is rejected as such",
    arguments: ["", "00", "3006020100020", "ZZ06020101020101", "3006020101020101 "]
      + [String(repeating: "0", count: 146), "3006020101020AA1"])
  func malformedSignatures(digits: String) throws {
    let server = try MultiRegionServer()
    var sent = try SentToRegions.signed()
    let value = try #require(sent.header("authorization"))
    let head = value.prefix(upTo: try #require(value.firstRange(of: "Signature=")).upperBound)
    sent = sent.replacing(
      "authorization", with: [head + digits + (digits.hasSuffix(" ") ? "0" : "")])
    expectRefused(.malformedAuthorization) { try server.verify(sent) }
  }

  /// SEC 1, 4.1.4: if (r, s) is a signature, (r, n - s) is one, too. The how-to page explains what
  /// to store.
  @Test("A signature has a second form, and the string to sign is the same")
  func secondForm() throws {
    let server = try MultiRegionServer()
    let signed = try SentToRegions.signer().sign(
      SentToRegions.request(), at: Example.moment())
    let signature = try P256.Signing.ECDSASignature(derRepresentation: signed.signature.bytes)
    let numbers = signature.rawRepresentation
    // SP 800-186, 3.2.1.3: the order of the curve.
    let order = try Hexadecimal.decode(
      "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    var (difference, borrow) = ([UInt8](), 0)
    for (byte, other) in zip(order, numbers[32...]).reversed() {
      let value = Int(byte) - Int(other) - borrow
      borrow = value < 0 ? 1 : 0
      difference.insert(UInt8(value + 256 * borrow), at: 0)
    }
    let second = try P256.Signing.ECDSASignature(
      rawRepresentation: numbers[..<32] + difference)
    let digits = Hexadecimal.encode(second.derRepresentation)
    let sent = try SentRequest(signed).replacing(signed.signature.hexString, with: digits)
    let verified = try server.check(sent).verify(with: server.key)
    #expect(digits != signed.signature.hexString)
    #expect(verified.stringToSign == signed.stringToSign)
  }

  /// FIPS 186-5, 6.4.2: r and s are from 1 to n - 1; and DER has one encoding for each.
  @Test(
    "Digits that are no signature of P-256 prove nothing",
    arguments: [
      "3006020100020100", "3006020101020100", "3006020100020101", "3006020101020101",
      "300702020001020101", "30060201010201018000", "3106020101020101", "3006020181020101",
      "00000000000000000000000000000000000000000000000000000000000000000000",
    ])
  func invalidSignatures(digits: String) throws {
    let server = try MultiRegionServer()
    let sent = try SentToRegions.signed()
    let value = try #require(sent.header("authorization"))
    let head = value.prefix(upTo: try #require(value.firstRange(of: "Signature=")).upperBound)
    expectRefused(.signatureMismatch) {
      try server.verify(sent.replacing("authorization", with: [head + digits]))
    }
  }
}
