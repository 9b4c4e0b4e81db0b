// SPDX-License-Identifier: Apache-2.0
// sign and presign as a user's shell runs them.

internal import Foundation
internal import SigningTestSupport
internal import TestSupport
import Testing

@Suite("sigv4 sign and presign")
struct SignCommandTests {
  /// Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header", GET Object.
  static let documentedGet = [
    "--at", "20130524T000000Z", "--region", "us-east-1", "-H", "Range: bytes=0-9",
    "https://examplebucket.s3.amazonaws.com/test.txt",
  ]
  static let documentedSignature =
    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
  static let digestOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  @Test("The documented S3 example is printed as headers to send")
  func headers() throws {
    let result = try CommandProcess(["sign"] + Self.documentedGet)
    #expect(result.exitCode == 0)
    #expect(result.errors == "")
    #expect(
      result.output == """
        Range: bytes=0-9
        x-amz-content-sha256: \(Self.digestOfNothing)
        x-amz-date: 20130524T000000Z
        Authorization: AWS4-HMAC-SHA256 \
        Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, \
        SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, \
        Signature=\(Self.documentedSignature)

        """)
  }

  @Test("With --json the documented S3 example is one object with every step")
  func json() throws {
    let result = try CommandProcess(["sign", "--json"] + Self.documentedGet)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(
      Set(object.keys) == [
        "method", "url", "headers", "canonicalRequest", "stringToSign", "credentialScope",
        "signedHeaders", "signature", "unsignedHeaders", "headersOfOtherProtocols",
      ])
    #expect(object["method"] as? String == "GET")
    #expect(object["url"] as? String == "https://examplebucket.s3.amazonaws.com/test.txt")
    #expect(object["signature"] as? String == Self.documentedSignature)
    #expect(object["credentialScope"] as? String == "20130524/us-east-1/s3/aws4_request")
    #expect(object["signedHeaders"] as? String == "host;range;x-amz-content-sha256;x-amz-date")
    #expect(
      object["stringToSign"] as? String
        == "AWS4-HMAC-SHA256\n20130524T000000Z\n20130524/us-east-1/s3/aws4_request\n"
        + "7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972")
    #expect(
      object["canonicalRequest"] as? String
        == "GET\n/test.txt\n\nhost:examplebucket.s3.amazonaws.com\nrange:bytes=0-9\n"
        + "x-amz-content-sha256:\(Self.digestOfNothing)\nx-amz-date:20130524T000000Z\n\n"
        + "host;range;x-amz-content-sha256;x-amz-date\n\(Self.digestOfNothing)")
    let headers = try #require(object["headers"] as? [[String]])
    #expect(
      headers.map { $0[0] } == ["Range", "x-amz-content-sha256", "x-amz-date", "Authorization"])
  }

  /// Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters".
  @Test("S3's documented presigned URL is printed, in each spelling of its lifetime")
  func presign() {
    ["86400", "86400s", "1440m", "24h", "1d"].forEachCase { (life: String) in
      let result = try CommandProcess([
        "presign", "--expires=\(life)", "--at=20130524T000000Z",
        "https://examplebucket.s3.amazonaws.com/test.txt",
      ])
      #expect(
        result.output == """
          https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256\
          &X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request\
          &X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host\
          &X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404

          """)
    }
  }

  @Test("The headers that a presigned URL's holder must send are on standard error, and in JSON")
  func requiredHeaders() throws {
    let arguments = ["-X", "PUT", "-H", "content-type: image/png", "https://b.s3.amazonaws.com/k"]
    let result = try CommandProcess(["presign"] + arguments)
    #expect(result.output.hasPrefix("https://b.s3.amazonaws.com/k?X-Amz-Algorithm="))
    #expect(result.errors.contains("content-type: image/png"))
    let json = try CommandProcess(["presign", "--json"] + arguments)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(object["headers"] as? [[String]] == [["content-type", "image/png"]])
    #expect(object["expires"] is String)
  }

  @Test("Data comes from the argument, a file or standard input, unchanged, and means POST")
  func data() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("body", "body of a file")
    let url = "https://examplebucket.s3.amazonaws.com/k"
    let joined = try CommandProcess(["sign", "--json", "-d", "a=1", "--data", "b=2", url])
    #expect(joined.output.contains("\"method\": \"POST\""))
    #expect(joined.output.contains(Self.digestOfPair))
    let read = try CommandProcess(["sign", "-X", "PUT", "--data", "@" + file, url])
    #expect(read.output.contains("x-amz-content-sha256: \(Self.digestOfFile)"))
    let piped = try CommandProcess(["sign", "--data", "@-", url], input: "body of a file")
    #expect(piped.output.contains("x-amz-content-sha256: \(Self.digestOfFile)"))
  }

  @Test("Unsigned headers are reported, and listed in JSON")
  func unsignedHeaders() throws {
    let arguments = ["-H", "User-Agent: me", "-H", "x-amz-meta-a: b"] + Self.documentedGet
    let told = try CommandProcess(["sign"] + arguments)
    #expect(
      told.errors
        == "sigv4: These headers aren't signed because proxies change them: User-Agent.\n")
    #expect(told.output.contains("User-Agent: me\n"))
    let json = try CommandProcess(["sign", "--quiet", "--json"] + arguments)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(object["unsignedHeaders"] as? [[String]] == [["User-Agent", "me"]])
    #expect(json.errors == "")
  }

  /// The signature: utf8-headers.py (botocore.auth and awscrt).
  @Test("A non-ASCII header is rejected, or signed as UTF-8 with --utf8-headers")
  func utf8Headers() throws {
    let record = try VectorTable(named: "utf8-headers.txt").record(named: "Latin")
    let arguments = [
      "sign", "--json", "-X", "PUT", "--region", "us-east-1", "--service", "s3", "--at",
      try record.text("date"), "-H", "x-amz-meta-place: Zürich", try record.text("url"),
    ]
    let environment = [
      "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
      "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    ]
    let refused = try CommandProcess(arguments, environment: environment)
    #expect(refused.exitCode == 1 && refused.output == "")
    #expect(refused.errors.contains("--utf8-headers"), "\(refused.errors)")
    let signed = try CommandProcess(arguments + ["--utf8-headers"], environment: environment)
    let signature = try record.text("signature")
    #expect(signed.output.contains(signature), "\(signed.errors)")
  }

  @Test("A session token of the environment is sent and signed")
  func sessionToken() throws {
    var environment = CommandProcess.exampleKeys
    environment["AWS_SESSION_TOKEN"] = "token/+="
    let result = try CommandProcess(["sign"] + Self.documentedGet, environment: environment)
    #expect(result.output.contains("x-amz-security-token: token/+=\n"))
    #expect(result.output.contains("x-amz-date;x-amz-security-token"))
  }

  @Test("Region and service come from options, host and environment, in this order")
  func scope() throws {
    var environment = CommandProcess.exampleKeys
    environment["AWS_DEFAULT_REGION"] = "eu-west-1"
    func scope(_ arguments: [String]) throws -> String? {
      let result = try CommandProcess(["sign", "--json"] + arguments, environment: environment)
      let object =
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
      return (object?["credentialScope"] as? String).map { String($0.dropFirst(9)) }
    }
    #expect(try scope(["https://b.s3.us-west-2.amazonaws.com/"]) == "us-west-2/s3/aws4_request")
    #expect(
      try scope(["--region=ap-south-1", "https://b.s3.us-west-2.amazonaws.com/"])
        == "ap-south-1/s3/aws4_request")
    #expect(
      try scope(["--service", "s3", "http://localhost:9000/"]) == "eu-west-1/s3/aws4_request")
    environment["AWS_REGION"] = "eu-north-1"
    #expect(
      try scope(["--service", "s3", "http://localhost:9000/"]) == "eu-north-1/s3/aws4_request")
    #expect(try scope(["https://a.r2.cloudflarestorage.com/b/k"]) == "auto/s3/aws4_request")
    #expect(try scope(["https://b.s3.amazonaws.com/"]) == "eu-north-1/s3/aws4_request")
    #expect(try scope(["https://iam.amazonaws.com/"]) == "us-east-1/iam/aws4_request")
    environment = CommandProcess.exampleKeys
    #expect(try scope(["https://b.s3.amazonaws.com/"]) == "us-east-1/s3/aws4_request")
  }

  @Test(
    "An invalid time or region is rejected with the name of its option or its spelling")
  func mistakes() throws {
    for (options, exitCode, message) in [
      (
        ["--at", "2013-05-24T00:00:00Z"], 1,
        "Pass --at as 20130524T000000Z or as a Unix time in seconds."
      ),
      (["--region", "US-EAST-1"], 2, "names are lowercase. Use us-east-1."),
    ] as [([String], Int32, String)] {
      let result = try CommandProcess(["sign"] + options + ["https://b.s3.amazonaws.com/k"])
      #expect(result.exitCode == exitCode)
      #expect(result.output == "")
      #expect(result.errors.contains(message), "\(result.errors)")
    }
    let other = try CommandProcess([
      "sign", "--region", "ZONE", "--service", "s3", "https://storage.example.com/b/k",
    ])
    #expect(other.output.contains("/ZONE/s3/aws4_request"))
  }

  @Test("An empty header is printed in curl's form, and a different spelling is reported")
  func spelling() throws {
    let plain = try CommandProcess([
      "sign", "-H", "x-amz-meta-a;", "https://b.s3.eu-west-1.amazonaws.com/k",
    ])
    #expect(plain.output.contains("x-amz-meta-a;\n"))
    #expect(plain.errors == "")
    for path in ["/a/../b", "/k?x=a+b"] {
      let result = try CommandProcess(["sign", "https://b.s3.amazonaws.com" + path])
      #expect(result.errors.contains("--curl prints a command"), "\(path)")
    }
  }

  @Test("The curl command survives a shell, and sends exactly the signed request")
  func curl() throws {
    let result = try CommandProcess([
      "sign", "--curl", "--at", "20130524T000000Z", "-X", "PUT", "-H", "x-amz-meta-a: it's $HOME",
      "-d", "a'b$c", "-d", "@/dev/null", "https://b.s3.amazonaws.com/a%20b/..?x=%27&y",
    ])
    let shell = try CommandProcess(
      executable: URL(fileURLWithPath: "/bin/sh"),
      ["-c", "curl() { for word; do printf '%s\\n' \"$word\"; done; }\n" + result.output],
      environment: [:], input: "")
    let words = shell.output.split(separator: "\n").map(String.init)
    #expect(
      Array(words.prefix(5)) == ["-X", "PUT", "--path-as-is", "-H", "x-amz-meta-a: it's $HOME"])
    #expect(
      Array(words.suffix(7)) == [
        "-H", "Content-Type:", "--data-raw", "a'b$c", "--data-binary", "@/dev/null",
        "https://b.s3.amazonaws.com/a%20b/..?x=%27&y",
      ])
    #expect(words.contains { $0.hasPrefix("Authorization: AWS4-HMAC-SHA256 ") })
  }

  /// curl 8.22 sends a&&b for these parts. curl 7.88 sends &a&&b if the first one is printed.
  @Test("The empty parts at the beginning of a body are neither signed nor printed")
  func emptyParts() throws {
    let folder = try TemporaryFolder()
    let empty = try folder.file("empty", "")
    let url = "https://b.s3.amazonaws.com/k"
    let printed = try CommandProcess(
      ["sign", "--curl", "-d", "", "-d", "@" + empty, "-d", "a", "-d", "", "-d", "b", url]
    ).output
    // Python: hashlib.sha256(b"a&&b").hexdigest()
    #expect(
      printed.contains(
        "x-amz-content-sha256: 96072cb2b23f925d3c2b2abd2912d29fc490f51ef2797285ac731a03d0a797fa"))
    #expect(
      printed.contains("-H 'Content-Type:' \\\n  --data-raw 'a' \\\n  --data-raw '' \\\n"))
    let nothing = try CommandProcess(["sign", "--curl", "-d", "", "-d", "", url]).output
    #expect(nothing.contains("-H 'Content-Type:' \\\n  --data-raw '' \\\n  'https://"))
    #expect(nothing.contains(Self.digestOfNothing))
  }

  /// By Python: hashlib.sha256(b"a=1&b=2") and hashlib.sha256(b"body of a file")
  static let digestOfPair =
    "8e85be58c1c372ac29fe7bfa80d8ddcbd04a4032c7b51c1c026d67c55b1ab23f"
  static let digestOfFile =
    "f024a7d38f82c6d600f5eaf63dd6ac8db33e10ec8c8390da1d32c2ae544195c3"
}
