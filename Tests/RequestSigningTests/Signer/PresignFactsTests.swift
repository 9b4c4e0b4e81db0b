// SPDX-License-Identifier: Apache-2.0
// Presigned URLs: their parameters, payload and lifetime, and the headers that their holder must
// send.

internal import SigningTestSupport
internal import RequestSigning
internal import Testing
internal import TestSupport

@Suite("Facts: presigned URLs")
struct PresignFactsTests {
  @Test("A URL has the parameters of its signature, encoded, the signature last and not signed")
  func parameters() throws {
    let presigned = try Example.presigned(
      SigV4.Request("GET", url: "https://example.com/a?b=1", headers: ["X-B": "1", "x-a": "2"]),
      Example.standardService(), sessionToken: "a/b+c==")
    let wire = pairs(splitTarget(presigned.target).query ?? "")
    let scope = "AKIDEXAMPLE%2F20150830%2Fus-east-1%2Fservice%2Faws4_request"
    let signed = [
      "X-Amz-Algorithm=AWS4-HMAC-SHA256", "X-Amz-Credential=" + scope,
      "X-Amz-Date=20150830T123600Z", "X-Amz-Expires=3600",
      "X-Amz-Security-Token=a%2Fb%2Bc%3D%3D", "X-Amz-SignedHeaders=host%3Bx-a%3Bx-b", "b=1",
    ]
    #expect(wire.first == "b=1")
    #expect(wire.last == "X-Amz-Signature=" + presigned.signature.hexString)
    #expect(wire.dropLast().sorted() == signed)
    // "X" sorts before "b" as bytes.
    #expect(try pairs(CanonicalParts(presigned.canonicalRequest).query) == signed)
    #expect(presigned.signedHeaders == "host;x-a;x-b")
  }

  @Test("S3's family doesn't sign the body, and every other service signs the empty digest")
  func emptyPayload() throws {
    let request = try SigV4.Request("GET", host: "example.com")
    for service in [SigV4.Service.s3, .s3Express] {
      try expectPayload(request, service, "UNSIGNED-PAYLOAD", isHeader: false)
    }
    for name in ["iam", "sts", "rds-db", "execute-api"] {
      try expectPayload(request, .standard(name), Example.digestOfNothing, isHeader: false)
    }
  }

  @Test("A body that's named is signed: for S3 in a header that the holder sends")
  func namedPayload() throws {
    let request = try SigV4.Request("PUT", host: "example.com", payload: .text("hello"))
    // printf hello | sha256sum
    let digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    try expectPayload(request, .s3, digest, isHeader: true)
    try expectPayload(request, .standard("iam"), digest, isHeader: false)
  }

  @Test("An unsigned body is declared, except in S3's URLs, where it's the default")
  func unsignedPayload() throws {
    let request = try SigV4.Request("PUT", host: "example.com", payload: .unsigned)
    try expectPayload(request, .s3, "UNSIGNED-PAYLOAD", isHeader: false)
    // aws-c-auth signs so for VPC Lattice, in the query as well.
    try expectPayload(request, .vpcLattice, "UNSIGNED-PAYLOAD", isHeader: true)
    try expectPayload(request, .standard("iam"), "UNSIGNED-PAYLOAD", isHeader: true)
  }

  @Test("A URL is valid for 1 to 604,800 seconds")
  func lifetimes() {
    [1, 2, 900, 86_400, 604_799, 604_800].forEachCase { (seconds: Int) in
      let signer = try Example.signer(.s3)
      let presigned = try signer.presignedURL(
        for: SigV4.Request("GET", host: "example.com"), expiresIn: .seconds(seconds),
        at: Example.moment())
      #expect(presigned.url.contains("&X-Amz-Expires=\(seconds)&"))
      #expect(
        try presigned.expiration?.unixSeconds == Example.moment().unixSeconds + Int64(seconds))
    }
  }

  @Test("A shorter or longer lifetime is rejected")
  func otherLifetimes() {
    [0, -1, 604_801, 604_800_000, -604_800, .max, .min].forEachCase { (seconds: Int) in
      let request = try SigV4.Request("GET", host: "example.com")
      for service in [SigV4.Service.s3, try Example.standardService()] {
        let signer = try Example.signer(service)
        let moment = try Example.moment()
        #expect(
          codeOfError {
            try signer.presignedURL(for: request, expiresIn: .seconds(seconds), at: moment)
          }
            == .invalidLifetime)
      }
    }
  }

  @Test("A URL doesn't outlive its credentials by a second")
  func lifeOfCredentials() throws {
    let moment = try Example.moment()
    let credentials = try Example.credentials(
      sessionToken: Example.token, expiration: moment.advanced(bySeconds: 600))
    #expect(try credentials.expiration == moment.advanced(bySeconds: 600))
    let signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
    let request = try SigV4.Request("GET", host: "example.com")
    #expect(
      try signer.presignedURL(for: request, expiresIn: .seconds(600), at: moment).expiration != nil)
    #expect(
      codeOfError { try signer.presignedURL(for: request, expiresIn: .seconds(601), at: moment) }
        == .lifetimeExceedsCredentials)
  }

  @Test("Repeated keys and key-only parameters survive")
  func repeatedKeys() throws {
    let presigned = try Example.presigned(
      SigV4.Request("GET", url: "https://example.com/?k=b&uploads&k=a"), .s3)
    #expect(presigned.target.hasPrefix("/?k=b&uploads&k=a&X-Amz-"))
    #expect(
      try CanonicalParts(presigned.canonicalRequest).query.hasSuffix("&k=a&k=b&uploads="))
  }

  @Test("A service whose rule for lifetimes is replaced follows the new one")
  func lifetimeRule() throws {
    let service = try Example.standardService().with(\.lifetimeRule, .unsupported)
    let signer = try SigV4.Signer(
      credentials: Example.credentials(), region: "us-east-1", service: service)
    let request = try SigV4.Request("GET", host: "example.com")
    let presigned = try signer.presignedURL(for: request, expiresIn: nil, at: Example.moment())
    #expect(!presigned.target.contains("X-Amz-Expires"))
    #expect(presigned.expiration == nil)
    #expect(throws: SigV4.SigningError.self) {
      try signer.presignedURL(for: request, expiresIn: .seconds(60), at: Example.moment())
    }
  }

  @Test("A URL for GET isn't valid for HEAD, because the method is signed")
  func methods() throws {
    let get = try Example.presigned(SigV4.Request("GET", host: "example.com"), .s3)
    let head = try Example.presigned(SigV4.Request("HEAD", host: "example.com"), .s3)
    #expect(get.signature != head.signature)
    #expect(try CanonicalParts(head.canonicalRequest).method == "HEAD")
    #expect(head.method == "HEAD")
  }

  @Test("The result lists the headers to send")
  func requiredHeaders() throws {
    let presigned = try Example.presigned(
      SigV4.Request(
        "PUT", host: "example.com",
        headers: [
          "Content-Type": "image/jpeg", "x-amz-acl": "private", "x-amz-meta-a": "1",
          "User-Agent": "u", "Host": "example.com",
        ]), .s3)
    #expect(
      presigned.requiredHeaders.map { "\($0.name): \($0.value)" }
        == ["Content-Type: image/jpeg", "x-amz-acl: private", "x-amz-meta-a: 1"])
    #expect(presigned.signedHeaders == "content-type;host;x-amz-acl;x-amz-meta-a")
  }

  @Test("The date of a URL is in its query only")
  func noDateHeader() throws {
    let presigned = try Example.presigned(
      SigV4.Request("GET", host: "example.com"), Example.standardService())
    #expect(try CanonicalParts(presigned.canonicalRequest).headers == ["host:example.com"])
  }

  func expectPayload(
    _ request: SigV4.Request, _ service: SigV4.Service, _ expected: String, isHeader: Bool
  ) throws {
    let presigned = try Example.presigned(request, service)
    let parts = try CanonicalParts(presigned.canonicalRequest)
    #expect(parts.payload == expected)
    #expect(
      presigned.requiredHeaders.values(named: "x-amz-content-sha256")
        == (isHeader ? [expected] : []))
    #expect(parts.headers.contains("x-amz-content-sha256:" + expected) == isHeader)
    #expect(
      presigned.signedHeaders == (isHeader ? "host;x-amz-content-sha256" : "host"))
  }
}
