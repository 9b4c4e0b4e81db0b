// SPDX-License-Identifier: Apache-2.0
// Signatures in the names of Google Cloud Storage and Volcengine TOS.

internal import SigningTestSupport
internal import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import TestSupport
internal import Testing

/// Source: google-cloud-storage and tos, by `renamed-signatures.py`, whose keys these are.
@Suite("Signatures in other names than AWS's")
struct RenamedSignatureTests {
  static let date = "20261127T010203Z"

  static func google(token: String? = nil) throws -> SigV4.Credentials {
    try SigV4.Credentials(
      accessKeyID: "GOOG1EXAMPLEKEY", secretAccessKey: "bGoa+V7g/yqDXvKRqq+JTFn4uQZbPiQJo4pf9RzJ",
      sessionToken: token)
  }

  static func signer(of vector: VectorRecord) throws -> SigV4.Signer {
    let token = try vector.optionalText("token")
    let services: [String: SigV4.Service] = ["google": .googleCloudStorage, "tos": .tos]
    let service = try #require(services[vector.text("service")])
    let credentials =
      try service == .tos
      ? SigV4.Credentials(
        accessKeyID: "AKLTEXAMPLE",
        secretAccessKey: "TmpWalpXTXhOelk0TXpZd05HRTVNREV4WkRjNU5XUXc=", sessionToken: token)
      : google(token: token)
    return try SigV4.Signer(
      credentials: credentials, region: vector.text("region"), service: service)
  }

  @Test("Requests and links have the string to sign and the signature of the stores' own SDKs")
  func requests() throws {
    var kinds: [String: Int] = [:]
    for vector in try VectorTable.renamedSignatures().records {
      let kind = try vector.text("kind")
      kinds[kind, default: 0] += 1
      if kind == "form" { continue }
      let signer = try Self.signer(of: vector)
      let headers = SigV4.Headers(
        try vector.texts("header").map { line in
          let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
          return (parts[0], parts[1])
        })
      let body = try vector.optionalText("body")
      let request = try SigV4.Request(
        vector.text("method"), url: vector.text("url"), headers: headers,
        payload: body.map { .text($0) } ?? .empty)
      let date = try SigV4.Timestamp(Self.date)
      let signature = try vector.text("signature")
      if kind == "url" {
        let link = try signer.presignedURL(
          for: request, expiresIn: .seconds(vector.integer("lifetime")), at: date)
        try expect("\(vector)", link.stringToSign.text, is: vector.text("string-to-sign"))
        let prefix = try vector.text("service") == "google" ? "X-Goog-" : "X-Tos-"
        #expect(link.url.hasSuffix("&\(prefix)Signature=\(signature)"), "\(vector)")
        #expect(link.url.contains("\(prefix)Credential="), "\(vector)")
        #expect(!link.url.lowercased().contains("amz"), "\(vector)")
      } else {
        let signed = try signer.sign(request, at: date)
        try expect("\(vector)", signed.stringToSign.text, is: vector.text("string-to-sign"))
        try expect("\(vector)", signed.authorization, is: vector.text("authorization"))
        let names = signed.addedHeaders.map { $0.name.lowercased() }
        #expect(!names.contains { $0.hasPrefix("x-amz-") }, "\(vector)")
      }
    }
    #expect(kinds == ["url": 7, "header": 6, "form": 2] || kinds.values.reduce(0, +) == 10_000)
  }

  @Test("A form has the store's own fields, and the signature of its SDK")
  func forms() throws {
    let records = try VectorTable(named: "renamed-signatures.txt").records.filter {
      try $0.text("kind") == "form"
    }
    #expect(records.count == 2)
    for vector in records {
      let signer = try Self.signer(of: vector)
      let bucket = try SigV4.Bucket(
        "photos",
        at: .custom(
          url: "https://tos-cn-beijing.volces.com", region: "cn-beijing", service: .tos))
      let policy = try SigV4.PostPolicy(bucket: bucket, document: vector.text("policy").utf8)
      let form = try signer.sign(policy, at: SigV4.Timestamp(Self.date))
      let hasToken = try vector.optionalText("token") != nil
      #expect(
        form.fields.map(\.name) == ["x-tos-algorithm", "x-tos-credential", "x-tos-date"]
          + (hasToken ? ["x-tos-security-token"] : []) + ["policy", "x-tos-signature"])
      #expect(form.fields[1].value == (try vector.text("credential")))
      #expect(form.signature.hexString == (try vector.text("signature")))
    }
  }

  @Test("What doesn't exist under other names is refused")
  func refusals() throws {
    let date = try SigV4.Timestamp(Self.date)
    let signer = try SigV4.Signer(
      credentials: Self.google(), region: "auto", service: .googleCloudStorage)
    func request(
      _ headers: SigV4.Headers = [:], _ payload: SigV4.Payload = .empty, query: String = ""
    ) throws -> SigV4.Request {
      try SigV4.Request(
        "GET", url: "https://storage.googleapis.com/a" + query, headers: headers, payload: payload)
    }
    expectRefusal(.invalidSessionToken, showing: "Google") {
      try SigV4.Signer(
        credentials: Self.google(token: "t"), region: "auto", service: .googleCloudStorage)
    }
    for name in ["x-amz-meta-a", "X-Amz-Date", "x-amz-security-token"] {
      expectRefusal(.conflictingHeader, showing: name.lowercased()) {
        try signer.sign(request([name: "1"]), at: date)
      }
    }
    expectRefusal(.conflictingHeader, showing: "x-goog-date") {
      try signer.sign(request(["x-goog-date": "20261127T010204Z"]), at: date)
    }
    _ = try signer.sign(request(["x-goog-date": Self.date]), at: date)
    expectRefusal(.conflictingHeader, showing: "x-goog-date") {
      try signer.presignedURL(
        for: request(["x-goog-date": Self.date]), expiresIn: .seconds(60), at: date)
    }
    expectRefusal(.invalidPayload, showing: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD") {
      try signer.sign(
        request([:], .literal("STREAMING-AWS4-HMAC-SHA256-PAYLOAD")), at: date)
    }
    for query in ["?X-Goog-Signature=a", "?x-goog-credential=a", "?X-Amz-Signature=a"] {
      expectRefusal(.alreadySigned, showing: String(query.dropFirst().prefix { $0 != "=" })) {
        try signer.sign(request(query: query), at: date)
      }
    }
  }

  @Test("A signing key is for one form of names")
  func keys() throws {
    let date = try SigV4.Timestamp(Self.date)
    let signer = try SigV4.Signer(
      credentials: Self.google(), region: "auto", service: .googleCloudStorage)
    let key = try signer.signingKey(at: date)
    #expect(key.scope.text == "20261127/auto/storage/goog4_request")
    let copy = try SigV4.SigningKey(
      key: key.key, accessKeyID: key.accessKeyID, scope: .init(key.scope.text))
    let shipped = try SigV4.Signer(signingKey: copy, service: .googleCloudStorage)
    let request = try SigV4.Request("GET", url: "https://storage.googleapis.com/a")
    let signatures = try [shipped, signer].map { try $0.sign(request, at: date).signature }
    #expect(signatures[0] == signatures[1])
    expectRefusal(.scopeMismatch) { try SigV4.Signer(signingKey: copy, service: "storage") }
    // One cache for both forms: the keys differ.
    let keys = SigV4.SigningKeyCache()
    let forms = try [SigV4.Service.googleCloudStorage, "storage"].map { service in
      try SigV4.Signer(credentials: Self.google(), region: "auto", service: service, keys: keys)
        .signingKey(at: date).key
    }
    #expect(forms[0] != forms[1])
    #expect(forms[0] == key.key)
  }
}
