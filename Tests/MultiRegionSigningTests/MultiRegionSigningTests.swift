// SPDX-License-Identifier: Apache-2.0
// Signature Version 4a: the official suite, published keys, region sets.

internal import DigitalSignatures
internal import MultiRegionSigning
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// Source: the suite `aws-signing-test-suite/v4a` of aws-c-auth.
@Suite("Signature Version 4a")
struct MultiRegionSigningTests {
  static func cases() throws -> [VectorRecord] {
    try VectorTable(named: "official-suite-v4a.txt").records
  }

  /// The file public-key.json of the suite, the same in each case.
  static func publicKey() throws -> P256.Signing.PublicKey {
    try P256.Signing.PublicKey(
      rawRepresentation: VectorRecord.bytes(
        "b6618f6a65740a99e650b33b6b4b5bd0d43b176d721a3edfea7e7d2d56d936b1"
          + "865ed22a7eadc9c5cb9d2cbaca1b3699139fedc5043dc6661864218330c8e518"))
  }

  @Test("In headers, the steps match the suite's, and both signatures verify with its key")
  func headers() throws {
    let publicKey = try Self.publicKey()
    #expect(try Self.cases().count == 38)
    try Self.cases().forEachCase { (vector: VectorRecord) in
      let signed = try signer(vector).sign(vector.request(), at: vector.timestamp())
      let text = try vector.text("header-string-to-sign")
      expect(
        "canonical request", signed.canonicalRequest.text,
        is: try vector.text("header-canonical-request"))
      expect("string to sign", signed.stringToSign.text, is: text)
      let head = { (authorization: String) in
        authorization.split(separator: ",").dropLast().joined(separator: ",")
      }
      expect(
        "Authorization", head(signed.authorization),
        is: head(try vector.text("header-authorization")))
      #expect(signed.authorization.hasSuffix(", Signature=" + signed.signature.hexString))
      #expect(try verifies(signed.signature.bytes, text, publicKey))
      #expect(try verifies(vector.hexadecimal("header-signature"), text, publicKey))
      #expect(try !verifies(signed.signature.bytes, text + " ", publicKey))
    }
  }

  @Test("Many objects are presigned as each one is, and a form is rejected")
  func manyObjects() throws {
    let bucket = try SigV4.Bucket.multiRegionAccessPoint("mfzwi23gnjvgw.mrap")
    let signer = try bucket.multiRegionSigner(credentials: Example.credentials())
    let (now, keys) = (try Example.moment(), ["a", "é b"])
    let urls = try signer.presignedURLs(for: keys, in: bucket, at: now)
    #expect(try urls == keys.map { try signer.presignedURL(for: bucket.object($0), at: now).url })
    #expect(urls.allSatisfy { $0.contains("X-Amz-Algorithm=AWS4-ECDSA-P256-SHA256") })
    let policy = try SigV4.PostPolicy(
      bucket: .aws("films", region: "us-east-1"), conditions: [.key("a")])
    let keyless = try SigV4.Signer(
      identity: Example.credentials().identity, regionSet: .all, service: .s3)
    for signer in [signer, keyless] {
      expectRefusal(.scopeMismatch, showing: "one region") { try signer.prepare(policy, at: now) }
    }
    expectRefusal(.scopeMismatch, showing: "one region") { try signer.sign(policy, at: now) }
  }

  @Test(
    "In the query, the steps match the suite's, and both signatures verify with its key")
  func query() throws {
    let publicKey = try Self.publicKey()
    try Self.cases().forEachCase { (vector: VectorRecord) in
      let url = try signer(vector).presignedURL(
        for: vector.request(), expiresIn: .seconds(vector.integer("lifetime")),
        at: vector.timestamp())
      let text = try vector.text("query-string-to-sign")
      expect(
        "canonical request", url.canonicalRequest.text,
        is: try vector.text("query-canonical-request"))
      expect("string to sign", url.stringToSign.text, is: text)
      let unsigned = { (parameters: [String]) in
        parameters.filter { !$0.hasPrefix("X-Amz-Signature=") }.sorted()
      }
      #expect(
        unsigned(try decodedParameters(of: url.target))
          == unsigned(try vector.texts("query-parameter")))
      #expect(url.target.contains("&X-Amz-Signature=" + url.signature.hexString))
      #expect(try verifies(url.signature.bytes, text, publicKey))
      #expect(try verifies(vector.hexadecimal("query-signature"), text, publicKey))
    }
  }

  /// Source: `multi-region-keys.py`, which asserts those that aws-c-auth publishes.
  @Test("Derived keys are the published ones, with secrets of any size")
  func keys() throws {
    for vector in try VectorTable(named: "multi-region-keys.txt").records {
      let credentials = try SigV4.Credentials(
        accessKeyID: vector.text("access-key-id"), secretAccessKey: vector.text("secret"))
      let key = SigV4.MultiRegionKey(credentials)
      #expect(try key.privateKey.rawRepresentation == vector.hexadecimal("key"), "\(vector)")
      let publicKey = key.privateKey.publicKey
      #expect(try publicKey.rawRepresentation == vector.hexadecimal("public-key"), "\(vector)")
      #expect("\(key)" == "MultiRegionKey(\(key.accessKeyID))")
      #expect(Mirror(reflecting: key).children.isEmpty)
    }
  }

  @Test("A cached key creates the same signatures as credentials, only for its access key ID")
  func keptKey() throws {
    let vector = try #require(try Self.cases().first)
    let credentials = try vector.credentials()
    let key = try SigV4.MultiRegionKey(
      privateKey: SigV4.MultiRegionKey(credentials).privateKey, accessKeyID: "AKIDEXAMPLE")
    let signer = try SigV4.Signer(
      key: key, identity: credentials.identity, regionSet: .all, service: .s3)
    let other = try SigV4.Signer(credentials: credentials, regionSet: .all, service: .s3)
    let request = try SigV4.Request(
      "GET", url: "https://mfzwi23gnjvgw.mrap.accesspoint.s3-global.amazonaws.com/a")
    let signed = try signer.sign(request, at: vector.timestamp())
    #expect(try other.sign(request, at: vector.timestamp()).signature == signed.signature)
    #expect(signed.addedHeaders.values(named: "x-amz-region-set") == ["*"])
    #expect("\(signer)" == "Signer(AKIDEXAMPLE, *, s3)")
    let identity = try SigV4.Identity(accessKeyID: "AKIDOTHER")
    expectRefusal(.scopeMismatch, showing: "AKIDOTHER") {
      try SigV4.Signer(key: key, identity: identity, regionSet: .all, service: .s3)
    }
    expectRefusal(.invalidAccessKeyID) {
      try SigV4.MultiRegionKey(privateKey: key.privateKey, accessKeyID: "")
    }
  }

  @Test("A region set is sent unchanged, and lists that can't be sent are rejected")
  func regionSets() throws {
    #expect(SigV4.RegionSet.all.text == "*")
    let list = try SigV4.RegionSet(["eu-west-1", "us-*"])
    #expect(list.text == "eu-west-1,us-*")
    #expect(list.regions == ["eu-west-1", "us-*"])
    // Spaces count as little before a region as after it.
    for spaced in ["eu-west-1, us-*", " eu-west-1 ,us-* ", "eu-west-1  ,  us-*"] {
      #expect(try SigV4.RegionSet(spaced) == list)
    }
    #expect(try SigV4.RegionSet("*") == .all && SigV4.RegionSet(" * ") == .all)
    for wrong in ["", " ", ",", "eu-west-1,", "eu-west-1, ", "eu west", "a;b", "ü", "a\n", "a\t"] {
      expectRefusal(.invalidRegion) { try SigV4.RegionSet(wrong) }
    }
    expectRefusal(.invalidRegion) { try SigV4.RegionSet([]) }
    expectRefusal(.invalidRegion, showing: "a,b") { try SigV4.RegionSet(["a,b"]) }
    // The maximum length that verifiers accept. All of AWS's regions take half of it.
    let regions = [String](repeating: "us-gov-central-1", count: 60)
    #expect(try SigV4.RegionSet(regions + ["abc"]).text.utf8.count == 1_023)
    #expect(try SigV4.RegionSet(regions + ["abcd"]).text.utf8.count == 1_024)
    expectRefusal(.invalidRegion) { try SigV4.RegionSet(regions + ["abcde"]) }
    #expect(try SigV4.RegionSet([String](repeating: "a", count: 64)).regions.count == 64)
    expectRefusal(.invalidRegion) { try SigV4.RegionSet([String](repeating: "a", count: 65)) }
  }

  @Test("A region set header that conflicts with the signed one is rejected")
  func givenRegionSets() throws {
    let vector = try #require(try Self.cases().first)
    let signer = try SigV4.Signer(
      credentials: try vector.credentials(), regionSet: .all, service: .s3)
    let moment = try vector.timestamp()
    for name in ["X-Amz-Region-Set", "x-amz-region-set"] {
      let parameter = try SigV4.Request("GET", host: "example.com", query: [name: "*"])
      expectRefusal(.alreadySigned, showing: name) { try signer.sign(parameter, at: moment) }
      expectRefusal(.alreadySigned, showing: name) {
        try signer.presignedURL(for: parameter, expiresIn: .seconds(60), at: moment)
      }
      let header = try SigV4.Request("GET", host: "example.com", headers: [name: "*"])
      _ = try signer.sign(header, at: moment)
      // As x-amz-date: a URL has it as a parameter.
      expectRefusal(.conflictingHeader, showing: "x-amz-region-set") {
        try signer.presignedURL(for: header, expiresIn: .seconds(60), at: moment)
      }
      let other = try SigV4.Request("GET", host: "example.com", headers: [name: "us-east-1"])
      expectRefusal(.conflictingHeader) { try signer.sign(other, at: moment) }
    }
  }

  @Test("Services with names of their own have no region sets")
  func otherNames() throws {
    for service in [SigV4.Service.googleCloudStorage, .tos] {
      expectRefusal(.invalidService, showing: service.name) {
        try SigV4.Signer(credentials: Example.credentials(), regionSet: .all, service: service)
      }
    }
  }

  private func signer(_ vector: VectorRecord) throws -> SigV4.Signer {
    try SigV4.Signer(
      credentials: vector.credentials(), regionSet: SigV4.RegionSet(vector.text("region")),
      service: vector.signer().service)
  }

  private func verifies(
    _ signature: [UInt8], _ text: String, _ key: P256.Signing.PublicKey
  ) throws -> Bool {
    let signature = try P256.Signing.ECDSASignature(derRepresentation: signature)
    return key.isValidSignature(signature, for: text.utf8)
  }
}

extension VectorRecord {
  /// Decodes the digits of a test.
  static func bytes(_ digits: String) throws -> [UInt8] {
    let table = try VectorTable(bytes: Array("bytes: \(digits)".utf8), fileName: "a test")
    return try #require(table.records.first).hexadecimal("bytes")
  }
}
