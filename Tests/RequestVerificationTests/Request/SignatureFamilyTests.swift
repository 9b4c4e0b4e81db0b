// SPDX-License-Identifier: Apache-2.0
// All families of names: each signs date, hash and token, and a server notices unsigned headers.

@testable internal import RequestSigning
internal import SigningTestSupport
internal import RequestVerification
internal import S3Signing
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("All families of signature names")
struct SignatureFamilyTests {
  /// What the stores' documents say. The compiler asks for each family.
  ///
  /// Sources: Amazon S3 API Reference, "Authenticating Requests"; Cloud Storage, "V4 signing process
  /// with your own program" and "HMAC keys", which have no session tokens; Volcengine TOS,
  /// "Including a signature in a header".
  struct Facts {
    let service: SigV4.Service
    let prefix: String
    let token: String?

    init(_ names: SignatureNames) {
      switch names {
      case .aws: (service, prefix, token) = (.s3, "x-amz-", Example.token)
      case .google: (service, prefix, token) = (.googleCloudStorage, "x-goog-", nil)
      case .tos: (service, prefix, token) = (.tos, "x-tos-", Example.token)
      }
    }

    /// `X-Amz-`
    var parameterPrefix: String {
      prefix.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(
        separator: "-") + "-"
    }

    /// The headers of a signature, and one that isn't part of it.
    var headers: [String] {
      (["date", "content-sha256", "meta-a"] + (token == nil ? [] : ["security-token"])).map {
        prefix + $0
      }
    }

    /// The same with a value that the signature could have.
    func value(of header: String) -> String {
      header.hasSuffix("date")
        ? "20150830T123600Z" : header.hasSuffix("sha256") ? Example.digestOfNothing : "t"
    }
  }

  let now: SigV4.Timestamp

  init() throws { now = try Example.moment() }

  func verify(
    _ request: WireRequest, _ facts: Facts, _ services: [SigV4.Service]
  ) throws(SigV4.VerificationError) {
    let verifier = SigV4.Verifier(services: services, regions: ["us-east-1"])
    let unverified = try verifier.check(request.received(.https), at: now)
    let credentials = try? Example.credentials(sessionToken: facts.token)
    guard let credentials else { throw unverified.unknownAccessKey }
    let verified =
      unverified.needsBodyDigest
      ? try unverified.verify(with: credentials, bodyDigest: SHA256.hash(data: []))
      : try unverified.verify(with: credentials)
    _ = try verified.body([])
  }

  func request(_ facts: Facts, isURL: Bool, _ headers: SigV4.Headers = [:]) throws -> WireRequest {
    let request = try SigV4.Request("GET", url: "https://b.example.com/a?x=1", headers: headers)
    let signer = try Example.signer(facts.service, sessionToken: facts.token)
    return isURL
      ? WireRequest(try signer.presignedURL(for: request, expiresIn: .seconds(60), at: now))
      : WireRequest(try signer.sign(request, at: now), headers)
  }

  /// The kinds of headers, which no public list contains.
  let kinds = (UInt8.min...UInt8.max).compactMap(KnownHeader.init(rawValue:))

  @Test("Each kind of header and each field has its own bit of 32, in all places that use it")
  func bits() {
    #expect(kinds.count > 20)
    #expect(Set(kinds.map(\.bit)).count == kinds.count)
    // The last case of 32 that the compiler admits.
    #expect(kinds.last == .unsignedInHeaders && KnownHeader.unsignedInHeaders.bit == 1 << 31)
    for kind in kinds {
      #expect(kind.bit == UInt32(1) << UInt32(kind.rawValue) && kind.bit != 0)
      let field = MessageField(0, 0, nameEnd: 1, end: 1, kind)
      #expect(field.bit == kind.bit && field.header == kind)
    }
    let fields = SignatureField.allCases
    #expect(Set(fields.map(\.bit)).count == fields.count)
    #expect(fields.allSatisfy { $0.bit != 0 && $0.rawValue < 16 })
  }

  @Test("Each family reads the headers that it writes", arguments: SignatureNames.allCases)
  func names(_ names: SignatureNames) throws {
    let facts = Facts(names)
    func kind(_ name: String) -> KnownHeader { KnownHeader(name: Array(name.utf8).span) }
    let fields: [(SignatureField, String)] = [
      (.date, "date"), (.contentSHA256, "content-sha256"), (.securityToken, "security-token"),
    ]
    for (field, suffix) in fields where field != .securityToken || facts.token != nil {
      #expect(names.header(field).string == facts.prefix + suffix)
      #expect(names.knownHeader(field) == kind(facts.prefix + suffix))
      #expect(names.knownHeader(field) != names.otherHeaders)
    }
    #expect((names.knownHeader(.securityToken) == nil) == (facts.token == nil))
    #expect(kind(facts.prefix + "meta-a") == names.otherHeaders && names.otherHeaders != .other)
    for field in SignatureField.allCases {
      let parameter = names.parameter(field).string
      #expect(parameter.hasPrefix(facts.parameterPrefix))
      #expect(names.field(parameter: Array(parameter.utf8).span) == field)
      // Kinds belong to one family.
      for other in SignatureNames.allCases where other != names {
        #expect(
          other.knownHeader(field) == nil || other.knownHeader(field) != names.knownHeader(field))
        #expect(other.field(parameter: Array(parameter.utf8).span) == nil)
      }
    }
    let scope = SigV4.CredentialScope(
      dayOf: now, checkedRegion: "us-east-1", checkedService: "s", names)
    #expect(try SigV4.CredentialScope(scope.text).names == names)
    #expect(names.algorithm.description.hasSuffix("-HMAC-SHA256"))
  }

  @Test("Headers have a signed date, hash and token", arguments: SignatureNames.allCases)
  func headers(_ names: SignatureNames) throws {
    let facts = Facts(names)
    let sent = try request(facts, isURL: false, .init([(facts.prefix + "meta-a", "t")]))
    try verify(sent, facts, [facts.service])
    let signed = try sent.header("Authorization")
      .split(separator: "SignedHeaders=")[1].prefix { $0 != "," }.split(separator: ";")
    for name in facts.headers {
      #expect(signed.contains { $0 == name }, "\(name)")
      let value = try sent.header(name)
      #expect(value == (name.hasSuffix("token") ? facts.token : facts.value(of: name)))
      for values in [[], [value + "0"], ["1" + value.dropFirst()], [value, value]] {
        #expect(throws: SigV4.VerificationError.self, "\(name) \(values)") {
          try verify(sent.replacing(name, with: values), facts, [facts.service])
        }
      }
    }
  }

  @Test("URLs have a signed date, lifetime and token", arguments: SignatureNames.allCases)
  func urls(_ names: SignatureNames) throws {
    let facts = Facts(names)
    let sent = try request(facts, isURL: true)
    try verify(sent, facts, [facts.service])
    let parameters =
      [
        ("Algorithm", "="), ("Credential", "=AKIDEXAMPLE"), ("Date", "=20150830T123600Z"),
        ("Expires", "=60"), ("SignedHeaders", "=host"), ("Signature", "="),
      ] + (facts.token == nil ? [] : [("Security-Token", "=FwoG")])
    for (name, value) in parameters {
      let text = facts.parameterPrefix + name + value
      for other in [text + "1", facts.parameterPrefix + "a" + name + value] {
        #expect(throws: SigV4.VerificationError.self, "\(other)") {
          try verify(sent.replacingInTarget(text, with: other), facts, [facts.service])
        }
      }
    }
  }

  @Test("Forms have a signed algorithm, date and token", arguments: SignatureNames.allCases)
  func forms(_ names: SignatureNames) throws {
    let facts = Facts(names)
    let bucket = try SigV4.Bucket.aws("photos", region: "us-east-1")
    let credentials = try Example.credentials(sessionToken: facts.token)
    let signer = try SigV4.Signer(
      credentials: credentials, region: "us-east-1", service: facts.service)
    let form = WireForm(
      try signer.sign(SigV4.PostPolicy(bucket: bucket, conditions: [.key("a")]), at: now))
    var server = try FormServer()
    server.verifier.services = [facts.service]
    server.credentials = credentials
    try server.check(form)
    let token = facts.token == nil ? [] : ["security-token"]
    for suffix in ["algorithm", "credential", "date", "signature"] + token {
      let name = facts.prefix + suffix
      #expect(form.fields.contains { $0.name.elementsEqual(name.utf8) }, "\(name)")
      for changed in [form.replacing(name), form.replacing(name, with: "20150830T123601Z")] {
        #expect(throws: SigV4.VerificationError.self, "\(name)") { try server.check(changed) }
      }
    }
  }

  @Test("A session token that a family can't send is an error", arguments: SignatureNames.allCases)
  func tokens(_ names: SignatureNames) throws {
    let facts = Facts(names)
    if facts.token == nil {
      expectRefusal(.invalidSessionToken) {
        try Example.signer(facts.service, sessionToken: Example.token)
      }
    }
    if names != .aws {
      expectRefusal(.invalidSessionToken) {
        try Example.signer(
          facts.service.with(\.sessionTokenRule, .signedAsS3SessionToken),
          sessionToken: Example.token)
      }
    }
  }

  @Test(
    "A server of several stores rejects unsigned headers of each",
    arguments: SignatureNames.allCases, SignatureNames.allCases)
  func unsigned(_ own: SignatureNames, _ other: SignatureNames) throws {
    let (facts, others) = (Facts(own), Facts(other))
    for isURL in [false, true] {
      let sent = try request(facts, isURL: isURL)
      try verify(sent, facts, [facts.service, others.service])
      for name in others.headers + [others.prefix + "acl"] where own != other || name.hasSuffix("a")
      {
        let unsigned = sent.replacing(name, with: [others.value(of: name)])
        // Only AWS's have a meaning for servers of all stores.
        let isRead: [([SigV4.Service], Bool)] = [
          ([facts.service], own == other || other == .aws),
          ([facts.service, others.service], true), ([others.service, facts.service], true),
        ]
        for (services, isRead) in isRead {
          if isRead {
            expectRefused(.unsignedHeader) { try verify(unsigned, facts, services) }
          } else {
            try verify(unsigned, facts, services)
          }
        }
      }
    }
  }

  @Test("A header that a proxy adds may be unsigned if it isn't part of a signature")
  func listed() throws {
    let facts = Facts(.aws)
    let sent = try request(facts, isURL: false)
    var verifier = SigV4.Verifier(services: [.s3, .tos], regions: ["us-east-1"])
    verifier.unsignedHeaders = ["X-Tos-Meta-A", "x-tos-date", "x-tos-security-token"]
    for (name, isFine) in [
      ("x-tos-meta-a", true), ("x-tos-date", false), ("x-tos-security-token", false),
      ("x-tos-content-sha256", false), ("x-tos-meta-b", false), ("x-goog-meta-a", true),
    ] {
      let request = sent.replacing(name, with: ["a"]).received(.https)
      let isAccepted = (try? verifier.check(request, at: now)) != nil
      #expect(isAccepted == isFine, "\(name)")
    }
  }
}
