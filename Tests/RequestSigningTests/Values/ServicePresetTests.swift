// SPDX-License-Identifier: Apache-2.0
// Presets of services: each signs what botocore signs for the service, and names find their rules.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

/// Source of the expected values: botocore, by `service-presets.py`.
@Suite("Service presets")
struct ServicePresetTests {
  @Test("A preset signs as botocore does for its service")
  func steps() throws {
    try VectorTable(named: "service-presets.txt").records.forEachCase { (vector: VectorRecord) in
      let signer = try SigV4.Signer(
        credentials: vector.credentials(), region: vector.text("region"),
        service: #require(Self.presets[vector.text("preset")]))
      if try vector.optionalText("lifetime") == nil {
        try vector.expectSteps(of: signer.sign(vector.request(), at: vector.timestamp()))
      } else {
        try vector.expectSteps(
          of: signer.presignedURL(
            for: vector.request(), expiresIn: .seconds(vector.integer("lifetime")),
            at: vector.timestamp()))
      }
    }
  }

  @Test("OpenSearch Serverless doesn't sign content-length, and signs the digest as a header")
  func openSearchServerless() throws {
    let request = try SigV4.Request(
      "PUT", host: "c.us-east-1.aoss.amazonaws.com", headers: ["Content-Length": "5"],
      payload: .text("hello"))
    let signed = try Example.signed(request, .openSearchServerless)
    #expect(signed.signedHeaders == "host;x-amz-content-sha256;x-amz-date")
  }

  @Test("For VPC Lattice, the payload is always declared as unsigned")
  func vpcLattice() throws {
    // Amazon VPC Lattice, User Guide, "SIGv4 authenticated requests": payload signing is unsupported.
    for payload in [SigV4.Payload.empty, .text("hello"), .unsigned] {
      let request = try SigV4.Request("POST", host: "example.com", payload: payload)
      let signed = try Example.signed(request, .vpcLattice)
      #expect(signed.addedHeaders.values(named: "x-amz-content-sha256") == ["UNSIGNED-PAYLOAD"])
      #expect(try CanonicalParts(signed.canonicalRequest).payload == "UNSIGNED-PAYLOAD")
    }
  }

  @Test("A URL without a lifetime is the same in a reused buffer")
  func urlWithoutLifetime() throws {
    let signer = try Example.signer(.iotDeviceGateway)
    let request = try SigV4.Request("GET", host: "example.com", path: .encoded("/a"))
    let url = try signer.presignedURL(for: request, expiresIn: nil, at: Example.moment())
    var buffer = SigV4.SigningBuffer()
    let signature = try signer.presignedURL(
      for: request, expiresIn: nil, at: Example.moment(), into: &buffer)
    #expect(signature.hexString == url.signature.hexString && signature.description.count == 64)
    unsafe buffer.withURL { unsafe #expect(Array($0) == Array(url.url.utf8)) }
    expectRefusal(.lifetimeRequired) {
      try Example.signer(.s3).presignedURL(
        for: request, expiresIn: nil, at: Example.moment(), into: &buffer)
    }
  }

  @Test("CreateSession and the control plane of S3 Express take the ordinary token")
  func s3ExpressControl() throws {
    let request = try SigV4.Request("GET", host: "example.com", query: ["session": nil])
    let signed = try Example.signed(request, .s3ExpressControl, sessionToken: Example.token)
    #expect(signed.addedHeaders.values(named: "x-amz-security-token") == [Example.token])
    #expect(signed.addedHeaders.values(named: "x-amz-s3session-token") == [])
    #expect(signed.credentialScope.text == "20150830/us-east-1/s3express/aws4_request")
  }

  @Test("A signing name finds its preset, and is rejected as a standard service")
  func names() {
    [
      "s3", "s3express", "s3-outposts", "s3-object-lambda", "iotdevicegateway", "glacier",
      "vpc-lattice-svcs", "aoss",
    ].forEachCase { (name: String) throws in
      #expect(try SigV4.Service.named(name).name == name)
      expectRefusal(.invalidService, showing: name) { try SigV4.Service.standard(name) }
    }
  }

  @Test("A service with the rules of a standard one is found under any name")
  func standardNames() {
    ["execute-api", "transcribe", "polly", "dynamodb", "a-service-to-come"].forEachCase {
      (name: String) in
      let request = try SigV4.Request(
        "POST", url: "https://example.com/a%20b//c", payload: .text("hello"))
      let expected = try Example.signed(request, .standard(name))
      #expect(try Example.signed(request, .named(name)).authorization == expected.authorization)
      #expect(expected.signedHeaders == "host;x-amz-date")
      #expect(try CanonicalParts(expected.canonicalRequest).path == "/a%2520b/c")
    }
  }

  @Test("API Gateway's preset is the standard service, and can be set to keep '//'")
  func executeAPI() throws {
    let request = try SigV4.Request("GET", url: "https://example.com/a//b")
    let preset = try Example.signed(request, .executeAPI)
    let standard = try Example.signed(request, .standard("execute-api"))
    #expect(preset.authorization == standard.authorization)
    let keeping = try Example.signed(request, .executeAPI.with(\.pathRule, .encodedTwice))
    #expect(try CanonicalParts(keeping.canonicalRequest).path == "/a//b")
  }

  static let presets: [String: SigV4.Service] = [
    "s3Outposts": .s3Outposts, "s3ObjectLambda": .s3ObjectLambda, "glacier": .glacier,
    "vpcLattice": .vpcLattice, "openSearchServerless": .openSearchServerless,
    "executeAPI": .executeAPI, "transcribeStreaming": .transcribeStreaming,
    "pollyStreaming": .pollyStreaming,
  ]
}
