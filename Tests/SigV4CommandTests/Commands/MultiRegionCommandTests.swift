// SPDX-License-Identifier: Apache-2.0
// Signature Version 4a at the command line: sign, presign, curl, upload, verify and explain.

internal import DigitalSignatures
internal import Foundation
internal import SecureHashing
internal import SigningTestSupport
internal import TestSupport
internal import Testing

@testable import sigv4

/// Source of texts and signatures: the suite `aws-signing-test-suite/v4a` of aws-c-auth.
@Suite("sigv4 in many regions")
struct MultiRegionCommandTests {
  static let keys = [
    "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  ]
  static let alias = "mfzwi23gnjvgw.mrap"
  static let host = alias + ".accesspoint.s3-global.amazonaws.com"
  static let vanilla = [
    "--region-set", "us-east-1", "--service", "service", "--at", "20150830T123600Z",
    "https://example.amazonaws.com/",
  ]

  private func vector() throws -> VectorRecord {
    try VectorTable(named: "official-suite-v4a.txt").record(named: "get-vanilla")
  }

  private func run(
    _ arguments: [String], input: String = "", _ more: [String: String] = [:]
  ) throws -> CommandProcess {
    try CommandProcess(
      arguments, environment: Self.keys.merging(more) { $1 }, input: input)
  }

  private func json(_ arguments: [String], input: String = "") throws -> [String: Any] {
    let result = try run(arguments + ["--json"], input: input)
    #expect(result.exitCode == 0 || result.output.hasPrefix("{"), "\(result.errors)")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  /// The suite's public-key.json.
  private func verifies(_ signed: [String: Any]) throws -> Bool {
    let key = try P256.Signing.PublicKey(
      rawRepresentation: Hexadecimal.decode(
        "b6618f6a65740a99e650b33b6b4b5bd0d43b176d721a3edfea7e7d2d56d936b1"
          + "865ed22a7eadc9c5cb9d2cbaca1b3699139fedc5043dc6661864218330c8e518"))
    let digits = try #require(signed["signature"] as? String)
    let signature = try P256.Signing.ECDSASignature(
      derRepresentation: Hexadecimal.decode(digits))
    let text = try #require(signed["stringToSign"] as? String)
    return key.isValidSignature(signature, for: text.utf8)
  }

  @Test("sign and presign take the steps of the suite, and the suite's key verifies them")
  func steps() throws {
    let vector = try vector()
    let signed = try json(["sign"] + Self.vanilla)
    #expect(
      try signed["canonicalRequest"] as? String == vector.text("header-canonical-request"))
    #expect(try signed["stringToSign"] as? String == vector.text("header-string-to-sign"))
    #expect(try verifies(signed))
    let url = try json(["presign"] + Self.vanilla)
    #expect(try url["canonicalRequest"] as? String == vector.text("query-canonical-request"))
    #expect(try verifies(url))
  }

  @Test("verify accepts the suite's signatures, and no region outside of the set")
  func verify() throws {
    let vector = try vector()
    let request = try """
    GET / HTTP/1.1
    Host: example.amazonaws.com
    X-Amz-Date: 20150830T123600Z
    X-Amz-Region-Set: us-east-1
    Authorization: \(vector.text("header-authorization"))


    """
    let valid = try run(["verify", "--at", "20150830T123600Z"], input: request)
    #expect(valid.exitCode == 0, "\(valid.output)")
    #expect(
      valid.output.hasPrefix(
        """
        Valid
          signed by    AKIDEXAMPLE
          for          20150830/service/aws4_request
          in regions   us-east-1

        """))
    let object = try json(["verify", "--at", "20150830T123600Z"], input: request)
    #expect(object["regionSet"] as? String == "us-east-1")
    let other = try run(
      ["verify", "--at", "20150830T123600Z", "--region", "eu-west-1"], input: request)
    #expect(other.exitCode == 1 && other.output.hasPrefix("Not valid: wrongScope"))
    let changed = try run(
      ["verify", "--at", "20150830T123600Z"],
      input: request.replacing("GET / HTTP", with: "GET /a HTTP"))
    #expect(changed.output.hasPrefix("Not valid: signatureMismatch"))
    let query = try vector.texts("query-parameter").map { parameter in
      let parts = parameter.split(separator: "=", maxSplits: 1).map(String.init)
      return parts[0] + "=" + PlainSigner.encoded(parts[1])
    }
    let url = "https://example.amazonaws.com/?" + query.joined(separator: "&")
    #expect(try run(["verify", "--at", "20150830T123700Z", url]).output.hasPrefix("Valid"))
  }

  @Test("The host of a multi-region access point chooses Signature Version 4a by itself")
  func host() throws {
    for place in [
      "https://\(Self.host)/a%20b", "s3://\(Self.alias)/a b",
      "s3://arn:aws:s3::123456789012:accesspoint/\(Self.alias)/a b",
    ] {
      let signed = try json(["sign", "--at", "20150830T123600Z", place])
      #expect(signed["url"] as? String == "https://\(Self.host)/a%20b")
      #expect(signed["credentialScope"] as? String == "20150830/s3/aws4_request")
      let headers = try #require(signed["headers"] as? [[String]])
      #expect(headers.contains(["x-amz-region-set", "*"]))
      #expect(try verifies(signed))
    }
    let set = try json(["sign", "--region-set", "eu-*", "s3://\(Self.alias)/a"])
    #expect((set["headers"] as? [[String]])?.contains(["x-amz-region-set", "eu-*"]) == true)
    let list = try run(["presign", "s3://\(Self.alias)"])
    #expect(list.output.hasPrefix("https://\(Self.host)/?list-type=2&X-Amz-Algorithm=AWS4-ECDSA"))
    #expect(list.output.contains("&X-Amz-Region-Set=%2A&"))
    // The host of a bucket keeps its region, whatever is signed.
    let bucket = try json(
      ["sign", "--region-set", "*", "--region", "eu-west-1", "s3://examplebucket/a"])
    #expect(bucket["url"] as? String == "https://examplebucket.s3.eu-west-1.amazonaws.com/a")
    #expect(try verifies(bucket))
  }

  /// Source: botocore's endpoint rules, by `multi-region-hosts.py`.
  @Test("Every host that accepts only Signature Version 4a is signed with it, for all regions")
  func hosts() throws {
    let rows = try VectorTable(named: "multi-region-hosts.txt").records
    #expect(rows.count > 6)
    for row in rows {
      let isAlone = try row.text("schemes") == "sigv4a"
      for host in try row.texts("host") {
        let guess = ServiceGuess(host: host)
        #expect(try guess.service == row.text("service"), "\(host)")
        #expect(guess.regionSet == (isAlone ? "*" : nil), "\(host)")
        if isAlone { #expect(guess.region == nil && guess.defaultRegion == nil, "\(host)") }
      }
      if isAlone {
        let url = try "https://" + row.text("example") + "/"
        for arguments in [[], ["--service", try row.text("service")]] {
          let signed = try json(["sign"] + arguments + [url])
          #expect(
            (signed["headers"] as? [[String]])?.contains(["x-amz-region-set", "*"]) == true)
          #expect(try verifies(signed))
        }
      }
    }
  }

  /// AWS EventBridge, User Guide, "Working with global endpoints": an endpoint ID such as abcde.veo.
  @Test("A single region is rejected for them, also under --service")
  func singleRegion() throws {
    for options in [[], ["--service", "events"]] {
      let result = try run(
        ["sign", "--region", "us-east-1"] + options
          + ["https://abcde.veo.endpoint.events.amazonaws.com/"])
      #expect(result.exitCode == 2 && result.errors.contains("Remove --region"))
    }
    let set = try json([
      "sign", "--region-set", "us-east-1,us-west-2",
      "https://abcde.veo.endpoint.events.amazonaws.com/",
    ])
    #expect(
      (set["headers"] as? [[String]])?.contains(["x-amz-region-set", "us-east-1,us-west-2"]) == true
    )
  }

  /// S3, User Guide, "Using a Multi-Region Access Point with supported API operations": tokens of the
  /// global endpoint of STS are not supported.
  @Test("explain names STS's global endpoint as a source of rejected tokens")
  func globalToken() throws {
    for answer in [
      "<Error><Code>InvalidToken</Code><Message>The provided token is malformed or otherwise invalid."
        + "</Message></Error>",
      #"{"message":"The security token included in the request is invalid."}"#,
    ] {
      func explained(_ url: String) throws -> String {
        try run(["explain", url], input: answer, ["AWS_SESSION_TOKEN": "t"]).output
          .split { $0.isWhitespace }.joined(separator: " ")
      }
      let global = try explained("https://\(Self.host)/a")
      #expect(global.contains("sts.amazonaws.com"), "\(global)")
      let regional = try explained("https://bucket.s3.eu-west-1.amazonaws.com/a")
      #expect(!regional.contains("sts.amazonaws.com"), "\(regional)")
    }
  }

  @Test("Conflicting options are rejected, with advice")
  func refusals() throws {
    let url = "https://\(Self.host)/a"
    for (arguments, code, words) in [
      (["sign", "--region", "us-east-1", url], 2, "Remove --region"),
      (["sign", "--region", "us-east-1", "--region-set", "*", url], 2, "only for s3://bucket/key"),
      (["sign", "--region-set", "a b", url], 1, "isn't a valid region in a region set"),
      (
        ["sign", "--region-set", "*", "https://h.example/"], 2,
        "Can't determine the service of h.example."
      ),
      (["presign", "--keys", "-", "s3://\(Self.alias)/"], 2, "signs for one region"),
      (["post-policy", "s3://\(Self.alias)/a"], 1, "doesn't support form uploads"),
      (["sign", "s3://Photos.mrap/a"], 1, "isn't the alias"),
    ] as [([String], Int32, String)] {
      let result = try run(arguments)
      #expect(result.exitCode == code && result.output.isEmpty, "\(arguments): \(result.errors)")
      #expect(result.errors.contains(words), "\(result.errors)")
    }
    let dual = try run(["sign", "s3://\(Self.alias)/a"], ["AWS_USE_DUALSTACK_ENDPOINT": "true"])
    #expect(dual.exitCode == 1 && dual.errors.contains("don't support dual-stack"))
    #expect(dual.errors.contains("Unset AWS_USE_DUALSTACK_ENDPOINT, or remove the setting"))
    let both = ["AWS_USE_DUALSTACK_ENDPOINT": "true", "AWS_USE_FIPS_ENDPOINT": "true"]
    let china = try run(["sign", "--region", "cn-north-1", "s3://photos/a"], both)
    #expect(
      china.errors.contains("Unset AWS_USE_DUALSTACK_ENDPOINT and AWS_USE_FIPS_ENDPOINT, or"))
    let hosted = try run(["sign", "--region", "eu-west-1", "--virtual-hosted", "s3://a.b/c"], both)
    #expect(hosted.errors.contains("Remove --virtual-hosted, or use a different --endpoint."))
  }

  @Test("An upload is signed chunk by chunk, and verify accepts it")
  func upload() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("file", String(repeating: "0123456789abcdef", count: 1_250))
    let output = folder.url.path + "/output"
    let result = try run([
      "upload", "--at=20150830T123600Z", "--checksum=crc32c", "--chunk-size=8192", "-o", output,
      file, "s3://\(Self.alias)/a",
    ])
    #expect(result.exitCode == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n").joined(separator: "\r\n")
    let body = try String(contentsOfFile: output, encoding: .utf8)
    #expect(body.contains("x-amz-trailer-signature:30"))
    let request = "PUT /a HTTP/1.1\r\nHost: \(Self.host)\r\n\(lines)\r\n\r\n\(body)"
    let verified = try run(["verify", "--at", "20150830T123600Z"], input: request)
    #expect(verified.exitCode == 0, "\(verified.output)")
    #expect(verified.output.contains("20000 bytes in chunks with valid signatures"))
    let changed = try run(
      ["verify", "--at", "20150830T123600Z"],
      input: request.replacing("0123456789a", with: "1123456789a"))
    #expect(changed.output.hasPrefix("Not valid: chunkSignatureMismatch"))
  }

  @Test("explain reads responses to requests and to URLs")
  func explain() throws {
    let signed = try json(["sign"] + Self.vanilla)
    let canonical = try #require(signed["canonicalRequest"] as? String)
    func answer(_ canonicalRequest: String) throws -> String {
      let members = ["CanonicalRequest": canonicalRequest]
      let data = try JSONSerialization.data(withJSONObject: members)
      return String(decoding: data, as: UTF8.self)
    }
    let changed = try answer(
      canonical.replacing("x-amz-region-set:us-east-1", with: "x-amz-region-set:eu-west-1"))
    let result = try run(["explain"] + Self.vanilla, input: changed)
    #expect(result.output.hasPrefix("What is wrong: headerChanged"), "\(result.output)")
    let wanted =
      "<Error><Code>InvalidRequest</Code><Message>The authorization mechanism you have "
      + "provided is not supported. Please use AWS4-HMAC-SHA256.</Message></Error>"
    let other = try run(["explain"] + Self.vanilla, input: wanted)
    #expect(other.output.hasPrefix("What is wrong: algorithm"), "\(other.output)")
    #expect(other.output.contains("Use --region-set for"), "\(other.output)")
    // aws/aws-sdk-js-v3 5576: the response of KeyValueStore to a request with SigV4.
    let scope =
      #"{"__type":"InvalidSignatureException","message":"Credential should be scoped to a valid "#
      + #"region."}"#
    let store = "https://123456789012.cloudfront-kvs.global.api.aws/key-value-stores/a"
    for more in [[:], ["AWS_REGION": "us-east-1"]] {
      let found = try run(["explain", store], input: scope, more).output
      #expect(found.hasPrefix("What is wrong: algorithm") && found.contains("SigV4a"), "\(found)")
    }
    let url = try run(["presign", "--at", "20150830T123600Z", "s3://\(Self.alias)/a"]).output
    let expired = try run(
      ["explain", String(url.dropLast())],
      input: "<Error><Message>Request has expired</Message></Error>")
    #expect(expired.output.hasPrefix("What is wrong: expired"), "\(expired.output)")
  }
}
