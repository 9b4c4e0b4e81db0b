// SPDX-License-Identifier: Apache-2.0
// The rows that distinguish mismatches: a server's change, and its expected code.

internal import SigningTestSupport
internal import SignatureDiagnosis
internal import S3Signing
internal import RequestSigning
internal import Testing
internal import TestSupport

extension DiagnosisTests {
  /// One thing that the server sees in another way.
  struct Row: Sendable {
    let name: String
    var method = "GET"
    var target = "/"
    var service = SigV4.Service.s3
    var payload = SigV4.Payload.empty
    let code: SigV4.Diagnosis.Code
    var subject: String?
    let line: Int
    let ours: String?
    let theirs: String?
    var word = ""
    let change: @Sendable (inout [String]) -> Void
  }
}

extension DiagnosisTests.Row {
  static let canonicalRequest: [Self] =
    paths + queries + headers + payloads + [
      line(
        "another method", .method, 1, "GET", "HEAD", word: "GET was signed, but HEAD arrived"),
      Self(
        name: "a part only", code: .canonicalRequest, line: 2, ours: "/", theirs: nil,
        change: { $0.removeLast($0.count - 1) }),
    ]

  static let paths: [Self] = [
    path("another path", "/a/b.txt", .path, "/a/c.txt", word: "at byte 3"),
    path("a plus for a space", "/a+b", .pathPlus, "/a%20b", ours: "/a%2Bb"),
    path("a space for a plus", "/a%20b", .pathPlus, "/a%2Bb"),
    path("encoded twice by them", "/a%20b", .pathEncodedTwice, "/a%2520b", word: "%25"),
    path(
      "encoded twice by us", "/a%20b", .pathEncodedOnce, "/a%20b", ours: "/a%2520b",
      service: standard),
    path("encoded twice, and normalised", "/x//a%20b", .pathEncodedTwice, "/x/a%2520b"),
    path("not encoded", "/a%40b", .pathEncoding, "/a@b"),
    path("slashes merged", "/x//a", .pathNormalized, "/x/a"),
    path("dots resolved", "/x/../a", .pathNormalized, "/a"),
    path(
      "slashes kept", "/x//a", .pathNotNormalized, "/x//a", ours: "/x/a", service: standard),
    path("a stage removed", "/prod/a/b", .pathPrefixRemoved, "/a/b", subject: "/prod"),
    path("all but the root removed", "/prod", .pathPrefixRemoved, "/", subject: "/prod"),
    path("a bucket added", "/a", .pathPrefixAdded, "/bucket/a", subject: "/bucket"),
  ]

  static let queries: [Self] = [
    query("a parameter lost", "a=1&b=2", .queryParameterMissing, "a=1", subject: "b"),
    query("a repeated one joined", "k=a&k=b", .queryParameterMissing, "k=b", subject: "k"),
    query("all lost", "uploads", .queryParameterMissing, "", ours: "uploads=", subject: "uploads"),
    query("one added", "a=1", .queryParameterAdded, "a=1&fbclid=x", subject: "fbclid"),
    query("another value", "a=1&b=2", .queryParameterChanged, "a=1&b=3", subject: "b"),
    query("another order", "b=2&a=1", .queryOrder, "b=2&a=1", ours: "a=1&b=2"),
    query("a plus for a space", "a=b%20c", .queryPlus, "a=b%2Bc"),
    query("a plus, plainly", "a=b+c", .queryPlus, "a=b+c", ours: "a=b%20c"),
    query("lowercase escapes", "a=%C3%A9", .queryHexadecimalCase, "a=%c3%a9"),
    query("escapes resolved", "a=%2F", .queryEncoding, "a=/"),
    query("encoded again", "a=b%20c", .queryEncoding, "a=b%2520c"),
  ]

  static let headers: [Self] = [
    Self(
      name: "a header lost", code: .headerMissing, subject: "x-amz-meta-a", line: 8,
      ours: "x-amz-meta-a:1", theirs: nil, change: { $0.removeAll { $0 == "x-amz-meta-a:1" } }),
    header("a header emptied", .headerMissing, "x-amz-meta-a", 8, "1", ""),
    header("a header rewritten", .headerChanged, "x-amz-meta-a", 8, "1", "2"),
    header(
      "a charset added", .headerChanged, "content-type", 4, "text/plain",
      "text/plain; charset=utf-8"),
    header("an internal host", .host, "host", 5, "example.com", "10.0.0.1:8080"),
    header(
      "another date", .date, nil, 7, "20150830T123600Z", "20150830T123601Z", name: "x-amz-date"),
    header(
      "another digest", .payload, nil, 6, DiagnosisTests.nothing, DiagnosisTests.digest,
      name: "x-amz-content-sha256"),
    Self(
      name: "a header added", code: .headerAdded, subject: "range", line: 6, ours: nil,
      theirs: "range:bytes=0-9", change: { $0.insert("range:bytes=0-9", at: 5) }),
    Self(
      name: "headers in another order", code: .headers, line: 4, ours: "content-type:text/plain",
      theirs: "host:example.com", change: { $0.swapAt(3, 4) }),
    line(
      "another list of signed headers", .signedHeaders, 10,
      "content-type;host;x-amz-content-sha256;x-amz-date;x-amz-meta-a", "content-type;host"),
    Self(
      name: "accept-encoding rewritten", service: acceptEncodingSigned, code: .headerChanged,
      subject: "accept-encoding", line: 4, ours: "accept-encoding:br",
      theirs: "accept-encoding:gzip",
      change: { $0[3] = "accept-encoding:gzip" }),
  ]

  static let payloads: [Self] = [
    payload(
      "another body", .text("a"), .payload, DiagnosisTests.digestOfA, DiagnosisTests.digest,
      "differs from the signed one"),
    payload(
      "no body arrived", .text("a"), .payload, DiagnosisTests.digestOfA, DiagnosisTests.nothing,
      "none arrived"),
    payload(
      "no body signed", .empty, .payload, DiagnosisTests.nothing, DiagnosisTests.digest,
      "No body was signed"),
    payload(
      "unsigned for them", .empty, .payload, DiagnosisTests.nothing, "UNSIGNED-PAYLOAD",
      "treats it as"),
    payload(
      "unsigned refused", .unsigned, .unsignedPayload, "UNSIGNED-PAYLOAD", DiagnosisTests.digest,
      "doesn't accept"),
  ]

  static let stringToSign: [Self] = [
    line("SigV4a", .algorithm, 1, "AWS4-HMAC-SHA256", "AWS4-ECDSA-P256-SHA256"),
    line("another time", .date, 2, "20150830T123600Z", "20150830T123500Z"),
    scope("another day", .date, nil, "20150831/us-east-1/service/aws4_request"),
    scope("another region", .region, "eu-west-1", "20150830/eu-west-1/service/aws4_request"),
    scope("another service", .service, "s3", "20150830/us-east-1/s3/aws4_request"),
    scope("no scope", .stringToSign, nil, "20150830"),
    Self(
      name: "another time and region", code: .region, subject: "auto", line: 3,
      ours: "20150830/us-east-1/service/aws4_request", theirs: "20150831/auto/service/aws4_request",
      change: {
        $0[1] = "20150831T000000Z"
        $0[2] = "20150831/auto/service/aws4_request"
      }),
    Self(
      name: "another digest of the same text", code: .stringToSign, line: 4,
      ours: DiagnosisTests.digestOfRoot,
      theirs: DiagnosisTests.nothing, change: { $0[3] = DiagnosisTests.nothing }),
  ]

  private static var standard: SigV4.Service {
    SigV4.Service.s3.with(\.pathRule, .normalizedAndEncodedTwice)
  }

  private static var acceptEncodingSigned: SigV4.Service {
    SigV4.Service.s3.with(\.unsignedHeaders, .none)
  }

  private static func line(
    _ name: String, _ code: SigV4.Diagnosis.Code, _ line: Int, _ ours: String, _ theirs: String,
    word: String = ""
  ) -> Self {
    Self(
      name: name, code: code, line: line, ours: ours, theirs: theirs, word: word,
      change: { $0[line - 1] = theirs })
  }

  private static func path(
    _ name: String, _ target: String, _ code: SigV4.Diagnosis.Code, _ theirs: String,
    ours: String? = nil, service: SigV4.Service = .s3, subject: String? = nil, word: String = ""
  ) -> Self {
    Self(
      name: "path: " + name, target: target, service: service, code: code, subject: subject,
      line: 2, ours: ours ?? target, theirs: theirs, word: word, change: { $0[1] = theirs })
  }

  private static func query(
    _ name: String, _ query: String, _ code: SigV4.Diagnosis.Code, _ theirs: String,
    ours: String? = nil, subject: String? = nil
  ) -> Self {
    Self(
      name: "query: " + name, target: "/?" + query, code: code, subject: subject, line: 3,
      ours: ours ?? query, theirs: theirs, change: { $0[2] = theirs })
  }

  private static func header(
    _ title: String, _ code: SigV4.Diagnosis.Code, _ subject: String?, _ line: Int, _ ours: String,
    _ theirs: String, name: String? = nil
  ) -> Self {
    let name = name ?? subject ?? ""
    return Self(
      name: "header: " + title, code: code, subject: subject, line: line, ours: name + ":" + ours,
      theirs: name + ":" + theirs, change: { $0[line - 1] = name + ":" + theirs })
  }

  /// Only the last line differs: services other than S3 have no header for it.
  private static func payload(
    _ name: String, _ payload: SigV4.Payload, _ code: SigV4.Diagnosis.Code, _ ours: String,
    _ theirs: String, _ word: String
  ) -> Self {
    Self(
      name: "payload: " + name, method: "PUT", payload: payload, code: code, line: 11, ours: ours,
      theirs: theirs, word: word, change: { $0[10] = theirs })
  }

  private static func scope(
    _ name: String, _ code: SigV4.Diagnosis.Code, _ subject: String?, _ theirs: String
  ) -> Self {
    Self(
      name: name, code: code, subject: subject, line: 3,
      ours: "20150830/us-east-1/service/aws4_request", theirs: theirs, change: { $0[2] = theirs })
  }
}

extension DiagnosisTests {
  static var nothing: String { Example.digestOfNothing }
  /// SHA-256 of "a" and of "b" (printed by `sha256sum`).
  static let digestOfA = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
  static let digest = "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"
  /// SHA-256 of the canonical request of GET https://example.com/ (printed by `sha256sum`).
  static let digestOfRoot = "01f1183cdd18678a45ef6bc15df28ca820247d29ac6fac14d9120c4de695b15e"
}
