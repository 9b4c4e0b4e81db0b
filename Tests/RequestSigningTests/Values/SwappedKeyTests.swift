// SPDX-License-Identifier: Apache-2.0
// An access key ID and a secret access key that were swapped: rejected, and neither is shown.

internal import ConnectionTokens
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

/// Sources: IAM User Guide, "Understanding unique ID prefixes" (AKIA, ASIA) and "Manage access keys
/// for IAM users" (the example).
@Suite("Swapped keys")
struct SwappedKeyTests {
  static let id = "AKIAIOSFODNN7EXAMPLE"
  static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

  @Test(
    "A secret with the form of an access key ID is rejected, and neither is shown",
    arguments: [id, "ASIAIOSFODNN7EXAMPLE", "AKIA0123456789ABCDEF", "ASIAZZZZZZZZZZZZZZZZ"])
  func secrets(id: String) {
    for other in [Self.secret, "AKIDEXAMPLE", id] {
      expectRefusal(.invalidSecretAccessKey, showing: "swapped", hiding: [id, other]) {
        try SigV4.Credentials(accessKeyID: other, secretAccessKey: id)
      }
    }
  }

  @Test(
    "Other secrets are accepted, also those of other stores and of AWS's examples",
    arguments: [
      secret, "AKIAIOSFODNN7EXAMPL", "AKIAIOSFODNN7EXAMPLEE", "akiaiosfodnn7example",
      "AKIAIOSFODNN7EXAMPLe", "AROAIOSFODNN7EXAMPLE", "AIDAIOSFODNN7EXAMPLE", "minioadmin",
      "AKIAIOSFODNN7EXAMP/E", "XAKIAIOSFODNN7EXAMPL", "AKIDEXAMPLE",
    ])
  func otherSecrets(secret: String) {
    #expect(throws: Never.self) {
      try SigV4.Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: secret)
    }
  }

  /// botocore's partitions.json: `dnsSuffix` and `dualStackDnsSuffix`.
  @Test(
    "An ID with '/', '+' or '=' is rejected for AWS's hosts",
    arguments: [
      "s3.amazonaws.com", "S3.AmazonAWS.com", "s3.amazonaws.com.",
      "photos.s3.eu-west-1.amazonaws.com:443", "sts.amazonaws.com.cn",
      "a.execute-api.eu-west-1.amazonaws.com", "lambda.eu-west-1.api.aws", "a.lambda-url.on.aws",
      "s3.eusc-de-east-1.amazonaws.eu", "ec2.us-iso-east-1.c2s.ic.gov",
    ])
  func ids(host: String) throws {
    for id in [Self.secret, "a/b", "a+b", "a="] {
      let credentials = try SigV4.Credentials(accessKeyID: id, secretAccessKey: "hush-hush")
      let signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
      let request = try SigV4.Request("GET", url: "https://\(host)/")
      for sign in [
        { _ = try signer.sign(request, at: Example.moment()) },
        {
          _ = try signer.presignedURL(for: request, expiresIn: .seconds(60), at: Example.moment())
        },
        { _ = try signer.prepare(request, at: Example.moment()) },
      ] as [() throws -> Void] {
        expectRefusal(.invalidAccessKeyID, showing: "swapped", hiding: [id, "hush-hush"]) {
          try sign()
        }
      }
    }
  }

  @Test(
    "Other hosts accept such an ID, and AWS's hosts accept the short IDs of AWS's examples",
    arguments: [
      ("storage.example.com", "a/b+c="), ("amazonaws.com.example.com", secret),
      ("notamazonaws.com", "a="), ("127.0.0.1:9000", secret), ("s3.amazonaws.com", "AKIDEXAMPLE"),
      ("s3.amazonaws.com", "access"), ("s3.amazonaws.com", "ASIAIOSFODNN7EXAMPLE"),
      ("s3.amazonaws.com", "a-b_c.d:e"),
    ])
  func otherHosts(host: String, id: String) throws {
    let credentials = try SigV4.Credentials(accessKeyID: id, secretAccessKey: Self.secret)
    let signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
    let request = try SigV4.Request("GET", url: "https://\(host)/")
    let signed = try signer.sign(request, at: Example.moment())
    #expect(signed.authorization.contains("Credential=\(id)/2015"))
  }

  @Test("Forms, tokens and passwords for AWS aren't signed with a secret as the ID")
  func otherSignatures() throws {
    let credentials = try SigV4.Credentials(
      accessKeyID: Self.secret, secretAccessKey: "hush-hush")
    let bucket = try SigV4.Bucket.aws("photos", region: "us-east-1")
    let signer = try bucket.signer(credentials: credentials)
    let policy = try SigV4.PostPolicy(bucket: bucket, conditions: [.key("a")])
    let calls: [() throws -> Void] = [
      { _ = try signer.sign(policy, at: Example.moment()) },
      { _ = try signer.prepare(policy, at: Example.moment()) },
      {
        _ = try signer.presignedURLs(
          for: ["a"], in: bucket, expiresIn: .seconds(60), at: Example.moment())
      },
      { _ = try SigV4.SMTPPassword.ses(region: "us-east-1", credentials: credentials) },
      {
        _ = try SigV4.ConnectionToken.rds(
          host: "db.example.com", port: 5432, user: "u", region: "us-east-1",
          credentials: credentials, at: Example.moment())
      },
      {
        _ = try SigV4.IdentityProof.keyspaces(
          challenge: Array("nonce=0123456789abcdef0123456789abcdef".utf8), region: "us-east-1",
          credentials: credentials, at: Example.moment())
      },
    ]
    for call in calls {
      expectRefusal(.invalidAccessKeyID, showing: "swapped", hiding: [Self.secret]) { try call() }
    }
  }

  /// 40 characters of base64 with letters of both cases, also without '/', '+' or '='.
  @Test(
    "An ID that may be a secret isn't printed",
    arguments: [secret, "wJalrXUtnFEMIxK7MDENGxbPxRfiCYEXAMPLEKEY", "a/b", "a+b", "a="])
  func printed(id: String) throws {
    let soon = try SigV4.Timestamp("20150830T123601Z")
    let identity = try SigV4.Identity(accessKeyID: id, expiration: soon)
    let credentials = try SigV4.Credentials(
      accessKeyID: id, secretAccessKey: "hush-hush", expiration: soon)
    let scope = try SigV4.CredentialScope(
      dayOf: Example.moment(), region: "us-east-1", service: "s3")
    let key = SigV4.SigningKey(credentials, scope: scope)
    let values: [any Sendable] = [identity, credentials, key, [credentials]]
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(!text.contains(id), "\(text)")
      }
    }
    #expect("\(identity)" == "(\(id.utf8.count) bytes, not shown)")
    let signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
    let request = try SigV4.Request("GET", url: "https://storage.example.com/")
    expectRefusal(.credentialsExpired, showing: "not shown", hiding: [id]) {
      try signer.sign(request, at: soon)
    }
    expectRefusal(.lifetimeExceedsCredentials, showing: "not shown", hiding: [id]) {
      try signer.presignedURL(for: request, expiresIn: .seconds(60), at: Example.moment())
    }
  }

  @Test(
    "Other IDs are printed",
    arguments: [
      id, "AKIDEXAMPLE", "GOOG1EXAMPLE", "0123456789abcdef0123456789abcdef01234567",
      "0123456789ABCDEF0123456789ABCDEF01234567",
    ])
  func shown(id: String) throws {
    let identity = try SigV4.Identity(accessKeyID: id)
    #expect("\(identity)" == id)
  }
}
