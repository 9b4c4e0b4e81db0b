// SPDX-License-Identifier: Apache-2.0
// Secrets aren't shown, and hostile responses cost little time and never trap.

internal import SigningTestSupport
internal import SignatureDiagnosis
internal import Foundation
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Diagnosis: secrets and hostile responses")
struct DiagnosisSecrecyTests {
  static let encodedToken = "FwoG%2FZXIv%2BYXdz%2F%2Fexample%2Bsession%2Ftoken%3D%3D"

  @Test("No session token is shown, wherever a response contains it")
  func tokens() throws {
    let request = try SigV4.Request(
      "GET", url: "https://example.com/?a=1",
      headers: [
        "cookie": "hush-hush", "x-api-key": "hush-hush", "DPoP": "hush-hush", "X-Jwt": "hush-hush",
      ])
    let signed = try Example.signer(.s3, sessionToken: Example.token)
      .sign(request, at: Example.moment())
    let presigned = try Example.presigned(request, .s3, sessionToken: Example.token)
    let changes: [@Sendable (inout [String]) -> Void] = [
      { $0[0] = Example.token }, { $0[1] = "/" + Example.token },
      { $0[1] = "/" + Self.encodedToken }, { $0[2] = Example.token + "=1" },
      { $0[2] = "a=" + Self.encodedToken + "&b=" + Self.encodedToken },
      { $0[2] = "X-Amz-Security-Token=hush-hush&a=1" },
      { $0[2] = "x-amz-security%2Dtoken=hush-hush" },
      { $0[2] += "&X-Amz-S3session-Token=hush-hush" }, { $0[2] = "&X-Amz-Signature=hush-hush" },
      { $0[2] = "a=" + Self.encodedToken.replacingOccurrences(of: "%", with: "%25") },
      { $0.insert(Example.token + ":1", at: 3) }, { $0[3] = "cookie:hush-hush; more" },
      { $0 = $0.map { $0.hasPrefix("x-amz-security-token:") ? $0 + "hush-hush" : $0 } },
      { $0 = $0.map { $0.hasPrefix("x-api-key:") ? "x-api-key:hush-hush1" : $0 } },
      { $0 = $0.map { $0.hasPrefix("dpop:") ? "dpop:hush-hush1" : $0 } },
      { $0.removeAll { $0.hasPrefix("x-jwt:") } }, { $0[2] = "a=1&access_token=hush-hush" },
      { $0[$0.count - 2] = "host;" + Example.token }, { $0[$0.count - 1] = Example.token },
      { $0 = [Example.token] }, { $0 = [] },
      { $0[2] = "a=" + String(repeating: "x", count: 390) + Self.encodedToken },
    ]
    for (index, change) in changes.enumerated() {
      var server = ServerAnswer(signed)
      change(&server.lines)
      for (format, body) in try server.answers() {
        expectHidden(SigV4.ServiceError(body).diagnosis(for: signed), "\(index), \(format)")
      }
      server = ServerAnswer(presigned)
      change(&server.lines)
      for (format, body) in try server.answers() {
        expectHidden(SigV4.ServiceError(body).diagnosis(for: presigned), "\(index), \(format)")
      }
    }
    for body in [
      Example.token, "{\"message\":\"\(Example.token)\"}", "{\"code\":\"\(Example.token)\"}",
    ] {
      expectHidden(SigV4.ServiceError(body.utf8).diagnosis(for: signed), body)
    }
  }

  @Test("A response that repeats the Authorization header, or has unknown fields, shows no secret")
  func repeated() throws {
    let signed = try Example.signed(
      SigV4.Request("GET", url: "https://example.com/"), .s3, sessionToken: Example.token)
    for body in [
      // Amazon API Gateway: serverless/serverless 3205.
      "{\"message\":\"'hush-hush' not a valid key=value pair (missing equal-sign) in Authorization "
        + "header: 'Bearer hush-hush'.\"}",
      "{\"message\":\"Authorization header requires 'Credential' parameter. "
        + "Authorization=hush-hush\"}",
      "{\"title\":\"Forbidden\",\"access_token\":\"hush-hush\"}",
      "<a><SecretAccessKey>hush-hush</SecretAccessKey><b>c</b></a>",
      "<html><p>Forbidden</p><token>hush-hush", "No. Cookie: a=1; b=hush-hush",
      "{\"error\":\"Not Bearer hush-hush\"}",
    ] {
      expectHidden(SigV4.ServiceError(body.utf8).diagnosis(for: signed), body)
    }
  }

  @Test("An access key ID that may be the secret isn't shown, in no encoding")
  func swappedKeys() throws {
    let id = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    let signer = try SigV4.Signer(
      credentials: SigV4.Credentials(accessKeyID: id, secretAccessKey: "other"),
      region: "us-east-1", service: .s3)
    let request = try SigV4.Request("GET", url: "https://example.com/?a=1")
    let signed = try signer.sign(request, at: Example.moment())
    let presigned = try signer.presignedURL(
      for: request, expiresIn: .seconds(3_600), at: Example.moment())
    let changes: [(inout [String]) -> Void] = [
      { _ in }, { $0[0] = "PUT" }, { $0[1] = "/b" }, { $0[2] += "&b=" + id }, { $0[2] = "" },
      { $0[2] = $0[2].replacing("3600", with: "9") }, { $0.insert("x-a:" + id, at: 3) },
    ]
    var diagnoses: [SigV4.Diagnosis] = []
    for change in changes {
      var (server, other) = (ServerAnswer(signed), ServerAnswer(presigned))
      change(&server.lines)
      change(&other.lines)
      diagnoses += try server.answers().map { SigV4.ServiceError($0.body).diagnosis(for: signed) }
      diagnoses += try other.answers().map { SigV4.ServiceError($0.body).diagnosis(for: presigned) }
    }
    for code in ["InvalidAccessKeyId", "SignatureDoesNotMatch"] {
      let body = "<Error><Code>\(code)</Code><AWSAccessKeyId>\(id)</AWSAccessKeyId></Error>"
      diagnoses.append(SigV4.ServiceError(body.utf8).diagnosis(for: signed))
      diagnoses.append(
        SigV4.ServiceError(body.utf8).diagnosis(for: try Example.signed(request, .s3)))
    }
    #expect(diagnoses.contains { $0.description.contains("(40 bytes, not shown)") })
    for diagnosis in diagnoses {
      for text in ["\(diagnosis)", String(reflecting: diagnosis)] {
        #expect(!text.contains("wJalrXUtnFEMI"), "\(text)")
      }
    }
  }

  @Test("The size of a token that differs is shown, and its neighbours are")
  func sizes() throws {
    let presigned = try Example.presigned(
      SigV4.Request("GET", url: "https://example.com/"), .s3, sessionToken: Example.token)
    var server = ServerAnswer(presigned)
    server.lines[2] = server.lines[2].replacingOccurrences(of: "3600", with: "9")
      .replacingOccurrences(of: Self.encodedToken, with: "cut")
    let difference = try #require(
      SigV4.ServiceError(server.xml.utf8).diagnosis(for: presigned).difference)
    #expect(
      difference.received?.contains("X-Amz-Expires=9&X-Amz-Security-Token=(3 bytes, not shown)&")
        == true)
    #expect(
      difference.signed?.contains("X-Amz-Security-Token=(55 bytes, not shown)&X-Amz-") == true)
  }

  @Test("A long line is shown around the place where it differs")
  func longLines() throws {
    let query = String(repeating: "a", count: 3000)
    let signed = try Example.signed(
      SigV4.Request("GET", url: "https://example.com/?\(query)=1"), .s3)
    var server = ServerAnswer(signed)
    server.lines[2] = query + "=2"
    let difference = try #require(
      SigV4.ServiceError(server.xml.utf8).diagnosis(for: signed).difference)
    #expect(difference.offset == 3001)
    #expect(
      difference.signed?.hasPrefix("...aaa") == true && difference.signed?.hasSuffix("a=1") == true)
    #expect(difference.received?.hasSuffix("a=2") == true && difference.received?.utf8.count == 403)
  }

  @Test("Answers of any bytes are explained without a trap")
  func garbage() throws {
    let signed = try Example.signed(SigV4.Request("GET", url: "https://example.com/a?b=c"), .s3)
    let seeds =
      try ServerAnswer(signed).answers().map(\.body)
      + DiagnosisTests.bodies().map { try $0.bytes("body") }
    var generator = Xorshift64(seed: 0x6761_7262_6167_6501)
    let bytes = Array("<>&;'\"\\{}[]:,\n/%=#x0 ".utf8) + [0x00, 0x80, 0xC3, 0xFF]
    for _ in 0..<sampleSize(300, of: 3_000) {
      var body = seeds[generator.size(upTo: UInt64(seeds.count - 1))]
      for _ in 0...generator.size(upTo: 4) where body.count > 1 {
        let position = generator.size(upTo: UInt64(body.count - 1))
        switch generator.size(upTo: 3) {
        case 0: body[position] = bytes[generator.size(upTo: UInt64(bytes.count - 1))]
        case 1: body.remove(at: position)
        case 2: body.removeSubrange(position...)
        default: body.insert(contentsOf: body[..<position].suffix(40), at: position)
        }
      }
      let diagnosis = SigV4.ServiceError(body).diagnosis(for: signed)
      #expect(diagnosis.description.utf8.allSatisfy { $0 == 0x0A || $0 >= 0x20 && $0 < 0x7F })
      #expect(diagnosis.cause.fix.utf8.count > 20)
    }
  }

  @Test("Responses of a mebibyte take linear time, and larger ones aren't parsed")
  func size() throws {
    let signed = try Example.signed(SigV4.Request("GET", url: "https://example.com/a?b=c"), .s3)
    func code(_ change: (inout [String]) -> Void) -> SigV4.Diagnosis.Code {
      var server = ServerAnswer(signed)
      var lines = server.lines
      change(&lines)
      server.lines = lines
      return SigV4.ServiceError(server.message.utf8).diagnosis(for: signed).cause.code
    }
    let size = sampleSize(100_000, of: 900_000)
    #expect(
      code { $0[2] = (0..<size / 9).map { "p\($0)=1" }.joined(separator: "&") }
        == .queryParameterMissing)
    #expect(code { $0[1] = String(repeating: "/%25", count: size / 4) } == .path)
    #expect(code { $0[1] = String(repeating: "/", count: size) } == .path)
    #expect(
      code { $0.insert(contentsOf: (0..<size / 18).map { "x\($0):1" }, at: 5) } == .headerAdded)
    #expect(code { $0[3] = String(repeating: "a", count: size) } == .headerMissing)
    #expect(code { $0[1] = String(repeating: "x", count: 1 << 20) } == .unknownCause)
    for part in [
      "Canonical String for this request should have been", "Signature expired: ", "&#", "'",
    ] {
      let body = String(repeating: part, count: size / part.utf8.count)
      _ = SigV4.ServiceError(body.utf8).diagnosis(for: signed)
    }
  }

  func expectHidden(_ diagnosis: SigV4.Diagnosis, _ what: String) {
    var text = "\(diagnosis)"
    dump(diagnosis, to: &text)
    let secrets = [
      Example.token, Self.encodedToken, "hush-hush", "example+session", "session%2Ftoken",
      "session%252Ftoken",
    ]
    #expect(!secrets.contains { text.contains($0) }, "\(what): \(text)")
  }
}
