// SPDX-License-Identifier: Apache-2.0
// Requests, URLs and forms in the names of Google Cloud Storage and TOS, as their SDKs sign them.

internal import RequestSigning
internal import RequestVerification
internal import SecureHashing
internal import TestSupport
internal import Testing

/// Source: google-cloud-storage and tos, by `renamed-signatures.py`, whose keys these are.
@Suite("Verification: names of Google Cloud Storage and TOS")
struct RenamedVerificationTests {
  let now: SigV4.Timestamp

  init() throws { now = try SigV4.Timestamp("20261127T010203Z") }

  static func records(
    _ kinds: String..., of table: VectorTable? = nil
  ) throws -> [VectorRecord] {
    try (table ?? VectorTable(named: "renamed-signatures.txt")).records.filter {
      kinds.contains(try $0.text("kind"))
    }
  }

  /// A store of the table: its service, the word in its names, another service with its name, and
  /// another store.
  typealias Store = (
    own: SigV4.Service, word: String, namesake: SigV4.Service, other: SigV4.Service
  )

  static func store(_ vector: VectorRecord) throws -> Store {
    let stores: [String: Store] = [
      "google": (.googleCloudStorage, "goog", "storage", .tos),
      "tos": (.tos, "tos", "tos", .googleCloudStorage),
    ]
    return try #require(stores[vector.text("service")])
  }

  static func credentials(_ vector: VectorRecord) throws -> SigV4.Credentials {
    try store(vector).own == .tos
      ? SigV4.Credentials(
        accessKeyID: "AKLTEXAMPLE",
        secretAccessKey: "TmpWalpXTXhOelk0TXpZd05HRTVNREV4WkRjNU5XUXc=",
        sessionToken: vector.optionalText("token"))
      : SigV4.Credentials(
        accessKeyID: "GOOG1EXAMPLEKEY",
        secretAccessKey: "bGoa+V7g/yqDXvKRqq+JTFn4uQZbPiQJo4pf9RzJ",
        sessionToken: vector.optionalText("token"))
  }

  static func verifier(
    _ vector: VectorRecord, _ services: [SigV4.Service]? = nil
  ) throws -> SigV4.Verifier {
    return try SigV4.Verifier(
      services: services ?? [store(vector).own], regions: [try vector.text("region")])
  }

  /// The request that the store's SDK signed.
  static func sent(_ vector: VectorRecord) throws -> WireRequest {
    let url = try vector.optionalText("signed-url") ?? vector.text("url")
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    var headers = try vector.texts("header").map { line in
      let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
      return (parts[0], parts[1])
    }
    headers.append(("Host", String(parts[2])))
    if let authorization = try vector.optionalText("authorization") {
      let prefix = try "x-\(store(vector).word)-"
      let body = try vector.text("body").utf8
      headers += [
        ("Authorization", authorization), (prefix + "date", "20261127T010203Z"),
        (prefix + "content-sha256", SHA256.hash(data: body).hexString),
      ]
      if let token = try vector.optionalText("token") {
        headers.append((prefix + "security-token", token))
      }
    }
    var request = WireRequest(try vector.text("method"), "/" + String(parts[3]), headers)
    request.body = Array(try (vector.optionalText("body") ?? "").utf8)
    return request
  }

  @discardableResult
  func verify(
    _ request: WireRequest, _ vector: VectorRecord, _ verifier: SigV4.Verifier
  ) throws -> SigV4.UnverifiedRequest {
    let unverified = try verifier.check(request.received(.https), at: now)
    let verified = try unverified.verify(with: Self.credentials(vector))
    _ = try verified.body(request.body)
    return unverified
  }

  @Test("Requests and URLs of the stores' SDKs are accepted, by a verifier that is told so")
  func accepted() throws {
    let records = try Self.records("header", "url", of: .renamedSignatures())
    for vector in records {
      let store = try Self.store(vector)
      let request = try Self.sent(vector)
      let unverified = try verify(request, vector, Self.verifier(vector))
      #expect(unverified.algorithm.name == store.word.uppercased() + "4-HMAC-SHA256")
      // One of several services.
      try verify(request, vector, Self.verifier(vector, [.s3, .tos, .googleCloudStorage]))
      // Not told so, or told another.
      for services in [[SigV4.Service.s3], [store.namesake], [store.other]] {
        #expect(throws: SigV4.VerificationError.self, "\(vector)") {
          try verify(request, vector, Self.verifier(vector, services))
        }
      }
    }
    #expect(records.count == 13 || records.count == 10_000)
  }

  @Test("Each changed byte of a target, a signature or a signed header is noticed")
  func changes() throws {
    for vector in try Self.records("header", "url") {
      let (request, verifier) = try (Self.sent(vector), Self.verifier(vector))
      for index in request.target.indices where index % 7 == 1 {
        var copy = request
        copy.target[index] ^= 1
        #expect(throws: SigV4.VerificationError.self, "\(vector), byte \(index)") {
          try verify(copy, vector, verifier)
        }
      }
      for header in request.headers.indices where request.headers[header].name != Array("Host".utf8)
      {
        var copy = request
        copy.headers[header].value[copy.headers[header].value.count - 1] ^= 1
        #expect(throws: SigV4.VerificationError.self, "\(vector), header \(header)") {
          try verify(copy, vector, verifier)
        }
      }
    }
  }

  @Test("What isn't signed, or is signed twice, is refused")
  func refusals() throws {
    for vector in try Self.records("header", "url") {
      let (request, verifier) = try (Self.sent(vector), Self.verifier(vector))
      let prefix = try Self.store(vector).word
      func refusal(_ request: WireRequest) -> SigV4.VerificationError.Code? {
        #expect(throws: SigV4.VerificationError.self, "\(vector)") {
          try verify(request, vector, verifier)
        }?.code
      }
      #expect(refusal(request.replacing("x-\(prefix)-acl2", with: ["a"])) == .unsignedHeader)
      #expect(refusal(request.replacing("x-amz-meta-a", with: ["a"])) == .unsignedHeader)
      let isURL = try vector.text("kind") == "url"
      let mark = request.target.contains(UInt8(ascii: "?")) ? "&" : "?"
      var doubled = request
      doubled.target += Array("\(mark)X-Amz-Signature=a".utf8)
      #expect(refusal(doubled) == .multipleSignatures)
      if isURL {
        let text = prefix == "goog" ? "X-Goog-Algorithm=GOOG4-" : "X-Tos-Algorithm=TOS4-"
        #expect(
          try refusal(
            request.replacingInTarget(
              text,
              with: text.replacing("GOOG4", with: "AWS4")
                .replacing("TOS4", with: "AWS4"))) == .unsupportedAlgorithm)
      } else {
        #expect(refusal(request.replacing("x-\(prefix)-date", with: [])) == .malformedAuthorization)
      }
    }
  }

  @Test("The names of one service don't go with the algorithm of another")
  func mixed() throws {
    let vector = try #require(try Self.records("url").first)
    let request = try Self.sent(vector)
      .replacingInTarget("X-Goog-Algorithm=GOOG4-", with: "X-Goog-Algorithm=AWS4-")
    let error = try #require(
      #expect(throws: SigV4.VerificationError.self) {
        try verify(request, vector, Self.verifier(vector, [.s3, .googleCloudStorage]))
      })
    #expect(error.code == .malformedQueryAuthorization)
    #expect(error.problem.contains("X-Goog-*"))
  }

  @Test("A form of TOS's SDK is accepted, and its changed policy isn't")
  func forms() throws {
    let records = try Self.records("form")
    for vector in records {
      let policy = try vector.text("policy")
      var fields = try [
        ("x-tos-algorithm", "TOS4-HMAC-SHA256"), ("x-tos-credential", vector.text("credential")),
        ("x-tos-date", "20261127T010203Z"), ("key", "a/b"),
        ("policy", Base64.encode(Array(policy.utf8))),
        ("x-tos-signature", vector.text("signature")),
      ]
      if let token = try vector.optionalText("token") {
        fields.append(("x-tos-security-token", token))
      }
      let form = WireForm(fields)
      let unverified = try Self.verifier(vector).check(form.received, at: now)
      let verified = try unverified.verify(with: Self.credentials(vector))
      #expect(verified.key == "a/b")
      #expect(verified.value(named: "x-tos-signature") == nil)
      let changed = policy.replacing("100]", with: "999]")
      let attack = form.replacing("policy", with: Base64.encode(Array(changed.utf8)))
      #expect(throws: SigV4.VerificationError.self) {
        _ = try Self.verifier(vector).check(attack.received, at: now)
          .verify(with: Self.credentials(vector))
      }
      #expect(throws: SigV4.VerificationError.self) {
        try Self.verifier(vector, [.s3]).check(form.received, at: now)
      }
    }
  }
}
