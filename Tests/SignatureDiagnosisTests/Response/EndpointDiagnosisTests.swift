// SPDX-License-Identifier: Apache-2.0
// Responses of hosts that accept another signature, or the bucket in another place.

internal import MultiRegionSigning
internal import SignatureDiagnosis
internal import SigningTestSupport
internal import TestSupport
internal import Testing

@Suite("Diagnosis: another endpoint")
struct EndpointDiagnosisTests {
  /// aws/aws-sdk-js-v3 5576: the response of CloudFront KeyValueStore to Signature Version 4.
  static let scope = [
    #"{"__type":"InvalidSignatureException","message":"Credential should be scoped to a valid region."}"#,
    "HTTP/1.1 403 Forbidden\r\nx-amzn-ErrorType: InvalidSignatureException\r\n\r\n"
      + #"{"message":"Credential should be scoped to a valid region."}"#,
    "<Error><Code>SignatureDoesNotMatch</Code><Message>Credential should be scoped to a valid "
      + "region, not 'us-east-1'.</Message></Error>",
  ]

  /// Source of the hosts: botocore's endpoint rules, by `multi-region-hosts.py`.
  @Test("A host that accepts only Signature Version 4a has it as the cause for any other signature")
  func multiRegion() throws {
    let rows = try VectorTable(named: "multi-region-hosts.txt").records
    for row in rows {
      let isAlone = try row.text("schemes") == "sigv4a"
      let service = try SigV4.Service.named(row.text("service"))
      for host in try row.texts("host") {
        let request = try SigV4.Request("GET", url: "https://\(host)/a")
        let signer = try SigV4.Signer(
          credentials: Example.credentials(), region: "us-east-1", service: service)
        let signed = try signer.sign(request, at: Example.moment())
        for answer in Self.scope {
          let diagnosis = SigV4.ServiceError(answer.utf8).diagnosis(for: signed)
          #expect(diagnosis.cause.code == (isAlone ? .algorithm : .region), "\(host): \(diagnosis)")
          #expect(diagnosis.cause.problem.contains("SigV4a") == isAlone, "\(host)")
        }
      }
    }
  }

  @Test("It's the cause for a URL and for a wrong signature, too, and not for other hosts")
  func others() throws {
    let host = "123456789012.cloudfront-kvs.global.api.aws"
    let signer = try SigV4.Signer(
      credentials: Example.credentials(), region: "us-east-1", service: "cloudfront-keyvaluestore")
    func code(_ host: String, _ answer: String) throws -> SigV4.Diagnosis.Code {
      let request = try SigV4.Request("GET", url: "https://\(host)/a")
      let url = try signer.presignedURL(for: request, expiresIn: .seconds(60), at: Example.moment())
      let sent = SigV4.ServiceError(answer.utf8).diagnosis(for: try SigV4.SentRequest(url: url.url))
      let found = SigV4.ServiceError(answer.utf8).diagnosis(for: url)
      #expect(found.cause.code == sent.cause.code)
      return found.cause.code
    }
    let mismatch = #"{"__type":"InvalidSignatureException","message":"Wrong."}"#
    #expect(try code(host, Self.scope[0]) == .algorithm)
    #expect(try code(host, mismatch) == .algorithm)
    for other in [
      "cloudfront-kvs.global.api.aws", host + ".example", "cloudfront.amazonaws.com",
      "x.cloudfront-kvs.global.example.com", "x.cloudfront-kvs.global.api.example",
    ] {
      #expect(try code(other, Self.scope[0]) == .region, "\(other)")
      #expect(try code(other, mismatch) != .algorithm, "\(other)")
    }
    // A missing permission is no matter of the algorithm.
    let denied = #"{"__type":"AccessDeniedException","message":"Not allowed."}"#
    #expect(try code(host, denied) != .algorithm)
  }

  @Test("A region set of * includes every region, and a narrower one may be the cause")
  func sets() throws {
    for (set, code) in [("*", SigV4.Diagnosis.Code.algorithm), ("us-*", .region)] {
      let signer = try SigV4.Signer(
        credentials: Example.credentials(), regionSet: SigV4.RegionSet(set),
        service: "cloudfront-keyvaluestore")
      let request = try SigV4.Request(
        "GET", url: "https://123456789012.cloudfront-kvs.global.api.aws/a")
      let answer = SigV4.ServiceError(Self.scope[0].utf8)
      let signed = try signer.sign(request, at: Example.moment())
      #expect(answer.diagnosis(for: signed).cause.code == code)
      let url = try signer.presignedURL(for: request, expiresIn: .seconds(60), at: Example.moment())
      #expect(answer.diagnosis(for: url).cause.code == code)
    }
  }

  /// koderover/zadig 182, Tencent/WeKnora 3273, gobackup/gobackup 268.
  @Test("A store that rejects the bucket in the path has that as the cause")
  func paths() throws {
    let signed = try Example.signed(SigV4.Request("GET", url: "https://example.com/b/k"), .s3)
    for code in [
      "SecondLevelDomainForbidden", "VirtualHostDomainRequired", "PathStyleDomainForbidden",
    ] {
      let answer = "<Error><Code>\(code)</Code><Message>Rejected.</Message></Error>"
      let diagnosis = SigV4.ServiceError(answer.utf8).diagnosis(for: signed)
      #expect(diagnosis.cause.code == .endpoint, "\(code)")
      #expect(diagnosis.cause.problem.contains("bucket name"), "\(diagnosis)")
    }
  }
}
