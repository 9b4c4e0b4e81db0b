// SPDX-License-Identifier: Apache-2.0
// explain as a user's shell runs it, with servers' responses.

internal import Foundation
internal import TestSupport
internal import SigningTestSupport
internal import Testing

@Suite("sigv4 explain")
struct ExplainCommandTests {
  /// The response to S3's documented GET (Tests/Vectors/error-bodies.txt).
  static func s3Answer() throws -> String {
    try VectorTable(named: "error-bodies.txt").record(named: "s3-signature-does-not-match")
      .text("body").replacingOccurrences(of: "bdb40<", with: "bdb41<")
  }

  static let url = "https://examplebucket.s3.amazonaws.com/test.txt"
  static let range = ["--quiet", "-H", "Range: bytes=0-9"]

  @Test("If everything matches, it's the secret, and the request's time comes from the response")
  func secret() throws {
    let result = try CommandProcess(
      ["explain"] + Self.range + [Self.url], input: Self.s3Answer())
    #expect(result.exitCode == 0)
    #expect(result.errors == "")
    #expect(
      result.output == """
        What is wrong: secretAccessKey
          The requests match, so the secret access key is wrong for
          AKIAIOSFODNN7EXAMPLE.

        What to do
          Copy the access key ID and secret access key again, as a pair. Check for a
          missing character, a newline, an encoded '/' or '+', and a secret from another
          account or an earlier rotation. Temporary credentials also need their session
          token. Some servers return the same error for an unknown access key ID.


        """)
  }

  @Test("The line that differs is printed, from a file as from standard input")
  func difference() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("answer", Self.s3Answer())
    let url = Self.url.replacingOccurrences(of: "/test", with: "/prod/test")
    let result = try CommandProcess(["explain", "--response", file] + Self.range + [url])
    #expect(result.exitCode == 0)
    #expect(result.output.hasPrefix("What is wrong: pathPrefixRemoved\n  The path arrived"))
    #expect(
      result.output.contains(
        """

        Where: canonical request, line 2, starting at byte 1
          signed    /prod/test.txt
          received  /test.txt

        What to do
          Check for a reverse proxy

        """.dropLast()))
    let piped = try CommandProcess(["explain"] + Self.range + [url], input: Self.s3Answer())
    #expect(piped.output == result.output)
  }

  @Test("With --json the cause is one object of texts")
  func json() throws {
    let result = try CommandProcess(
      ["explain", "--json", Self.url], input: Self.s3Answer())
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: String])
    #expect(
      Set(object.keys) == [
        "code", "subject", "problem", "fix", "step", "line", "offset", "received",
      ])
    #expect(object["code"] == "headerAdded" && object["subject"] == "range")
    #expect(object["step"] == "canonical request" && object["line"] == "5")
    #expect(object["received"] == "range:bytes=0-9")
    let dated = try CommandProcess(
      ["explain", "--json", "--at", "20130524T000001Z"] + Self.range + [Self.url],
      input: Self.s3Answer())
    #expect(dated.output.contains("\"code\": \"date\""))
  }

  @Test("The clock offset is printed in words and in seconds")
  func clock() throws {
    let answer = try VectorTable(named: "error-bodies.txt").record(named: "signature-expired")
      .text("body")
    let url = "https://iam.amazonaws.com/"
    let result = try CommandProcess(["explain", url], input: answer)
    #expect(result.output.contains("What is wrong: clock"))
    #expect(result.output.contains("600 seconds behind"))
    let json = try CommandProcess(["explain", "--json", url], input: answer)
    #expect(json.output.contains("\"clockOffset\": \"600\""))
  }

  @Test("A presigned URL is explained as such, and its session token isn't shown")
  func presigned() throws {
    var environment = CommandProcess.exampleKeys
    environment["AWS_SESSION_TOKEN"] = "token/+=hush"
    let arguments = ["--at", "20130524T000000Z", "--expires", "60", Self.url]
    let signed = try CommandProcess(
      ["presign", "--json"] + arguments, environment: environment)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(signed.output.utf8)) as? [String: Any])
    let canonical = try #require(object["canonicalRequest"] as? String)
    let theirs = canonical.replacingOccurrences(of: "GET\n", with: "HEAD\n")
    let answer = try JSONSerialization.data(withJSONObject: ["CanonicalRequest": theirs])
    let result = try CommandProcess(
      ["explain"] + arguments, environment: environment,
      input: String(decoding: answer, as: UTF8.self))
    #expect(result.output.hasPrefix("What is wrong: method\n"), "\(result.output)")

    let longer = try JSONSerialization.data(
      withJSONObject: [
        "CanonicalRequest": canonical.replacingOccurrences(of: "=60&", with: "=3600&")
      ])
    let other = try CommandProcess(
      ["explain"] + arguments, environment: environment,
      input: String(decoding: longer, as: UTF8.self))
    #expect(other.output.contains("X-Amz-Security-Token=(18 bytes, not shown)"), "\(other.output)")
    #expect(!other.output.contains("hush"))
    let implied = try CommandProcess(
      ["explain", "--presigned", Self.url], environment: environment,
      input: String(decoding: longer, as: UTF8.self))
    #expect(implied.output.hasPrefix("What is wrong: secretAccessKey"), "\(implied.output)")
  }

  @Test("A failed presigned URL is explained unchanged, even without credentials")
  func failedURL() throws {
    let arguments = ["--at", "20130524T000000Z", "--expires", "60", "--json", Self.url]
    let presigned = try CommandProcess(["presign"] + arguments)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(presigned.output.utf8)) as? [String: Any])
    let url = try #require(object["url"] as? String)
    let head = "HTTP/1.1 403 Forbidden\r\nDate: Fri, 24 May 2013 00:01:05 GMT\r\n\r\n"
    let expired =
      "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>"
    for answer in [expired, head + expired, head + "<Error><Code>AccessDenied</Code></Error>"] {
      let result = try CommandProcess(["explain", url], environment: [:], input: answer)
      #expect(result.output.hasPrefix("What is wrong: expired\n"), "\(result.output)")
      #expect(result.exitCode == 0 && result.output.contains("20130524T000100Z"))
    }
    let canonical = try #require(object["canonicalRequest"] as? String)
    let answer = String(
      decoding: try JSONSerialization.data(withJSONObject: ["CanonicalRequest": canonical]),
      as: UTF8.self)
    let own = try CommandProcess(["explain", url], input: answer)
    #expect(own.output.hasPrefix("What is wrong: secretAccessKey\n"), "\(own.output)")
    let holder = try CommandProcess(["explain", url], environment: [:], input: answer)
    #expect(holder.output.hasPrefix("What is wrong: signature\n"), "\(holder.output)")
    let other = try CommandProcess(["explain", "-X", "PUT", url], environment: [:], input: answer)
    #expect(other.output.hasPrefix("What is wrong: method\n"), "\(other.output)")
    for name in ["--at=0", "--region=x", "--unsigned-payload", "--query=a", "--virtual-hosted"] {
      let refused = try CommandProcess(["explain", name, url], input: expired)
      #expect(refused.exitCode == 2 && refused.errors.contains("presigned URL already has"))
    }
  }

  @Test("A header that was sent with a presigned URL and isn't signed is named after a bare denial")
  func unsignedHeader() throws {
    let presigned = try CommandProcess(["presign", "-X", "PUT", Self.url])
    let url = String(presigned.output.prefix { $0 != "\n" })
    let bare = "<Error><Code>AccessDenied</Code></Error>"
    let named = try CommandProcess(
      ["explain", "-X", "PUT", "-H", "Content-Type: image/png", url], environment: [:], input: bare)
    #expect(named.exitCode == 0 && named.output.hasPrefix("What is wrong: unsignedHeaders\n"))
    #expect(named.output.contains("content-type"), "\(named.output)")
    let none = try CommandProcess(["explain", "-X", "PUT", url], environment: [:], input: bare)
    #expect(none.exitCode == 1 && none.output.contains("permissions"), "\(none.output)")
    let empty = try CommandProcess(["explain", "-X", "PUT", url], environment: [:], input: "")
    #expect(empty.exitCode == 1 && empty.output.contains("response is empty"), "\(empty.output)")
    #expect(!empty.output.contains("permissions"), "\(empty.output)")
  }

  @Test("A failed presigned upload is explained without -X: the method is tried, or requested")
  func failedUpload() throws {
    let arguments = ["-X", "PUT", "--at", "20130524T000000Z", "--json", Self.url]
    let presigned = try CommandProcess(["presign"] + arguments)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(presigned.output.utf8)) as? [String: Any])
    let url = try #require(object["url"] as? String)
    let canonical = try #require(object["canonicalRequest"] as? String)
    func answer(_ canonicalRequest: String) throws -> String {
      String(
        decoding: try JSONSerialization.data(
          withJSONObject: ["CanonicalRequest": canonicalRequest]),
        as: UTF8.self)
    }
    let changed = try answer(
      canonical.replacingOccurrences(of: "/test.txt", with: "/prod/test.txt"))
    for environment in [[:], CommandProcess.exampleKeys] {
      let result = try CommandProcess(["explain", url], environment: environment, input: changed)
      #expect(result.output.hasPrefix("What is wrong: pathPrefixAdded\n"), "\(result.output)")
    }
    let asGET = try answer(canonical.replacingOccurrences(of: "PUT\n", with: "GET\n"))
    let maker = try CommandProcess(["explain", url], input: asGET)
    #expect(maker.output.hasPrefix("What is wrong: method\n"), "\(maker.output)")
    let holder = try CommandProcess(["explain", url], environment: [:], input: asGET)
    #expect(holder.output.hasPrefix("What is wrong: signature\n"), "\(holder.output)")
    let bare = "<Error><Code>SignatureDoesNotMatch</Code></Error>"
    let asked = try CommandProcess(["explain", url], environment: [:], input: bare)
    #expect(asked.exitCode == 1 && asked.output.contains("-X"), "\(asked.output)")
    let given = try CommandProcess(
      ["explain", "-X", "PUT", url], environment: [:], input: bare)
    #expect(given.exitCode == 1 && !given.output.contains("-X"), "\(given.output)")
  }

  @Test("The signature distinguishes a date that was changed in transit from a wrong secret")
  func changedDate() throws {
    // The request was signed at midnight, and the server found a date a minute later in it.
    let answer = try Self.s3Answer().replacingOccurrences(
      of: "20130524T000000Z", with: "20130524T000100Z"
    ).replacingOccurrences(
      // SHA-256 of the canonical request then and now (hashlib of Python).
      of: "7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972",
      with: "19fdf5d967ff48b50c9dbc78baba0ec71abff1dbd77d2d3907c85c6abdafe4b5")
    let result = try CommandProcess(["explain"] + Self.range + [Self.url], input: answer)
    #expect(result.output.hasPrefix("What is wrong: date\n"), "\(result.output)")
    #expect(result.output.contains("signed    x-amz-date:20130524T000000Z"))
    let silent = answer.replacingOccurrences(of: "SignatureProvided>", with: "X>")
    let other = try CommandProcess(["explain"] + Self.range + [Self.url], input: silent)
    #expect(other.output.hasPrefix("What is wrong: signature\n"), "\(other.output)")
    #expect(other.output.contains("Use --at TIME"), "\(other.output)")
  }

  @Test("A fix names options of the command line, and no declaration of Swift")
  func fixes() throws {
    let mistakes = [
      ("Range: bytes=0-8", "/test.txt", "headerChanged", "remove it from -H"),
      ("Accept: a", "/test.txt", "headerMissing", "remove it from -H"),
      ("Range: bytes=0-9", "/%2574est.txt", "pathEncodedOnce", "--service s3"),
      ("Range: bytes=0-9", "/a+b", "pathPlus", "s3://bucket/key"),
      ("Range: bytes=0-9", "//test.txt", "pathNormalized", "--path-as-is"),
    ]
    for (header, path, code, fix) in mistakes {
      var answer = try Self.s3Answer()
      if path == "/a+b" { answer = answer.replacingOccurrences(of: "/test.txt", with: "/a%20b") }
      if path.contains("25") { answer = answer.replacingOccurrences(of: "/test", with: "/%74est") }
      let url = Self.url.replacingOccurrences(of: "/test.txt", with: path)
      let arguments = (header.hasPrefix("Accept") ? Self.range : ["--quiet"]) + ["-H", header, url]
      for form in [[], ["--json"]] {
        let result = try CommandProcess(["explain"] + form + arguments, input: answer)
        #expect(result.output.contains(code), "\(result.output)")
        let text = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains(fix), "\(text)")
        #expect(!text.contains(".with") && !text.contains(" .s3"), "\(text)")
      }
    }
  }

  @Test("A response without details is reported, and exits with 1")
  func unknownCause() throws {
    let result = try CommandProcess(
      ["explain", "--quiet", Self.url], input: "<Error><Code>AccessDenied</Code></Error>")
    #expect(result.exitCode == 1)
    #expect(result.output.contains("It returned AccessDenied."))
    #expect(
      result.errors
        == "sigv4: The response doesn't say why the request was rejected. "
        + "Check the advice in the output.\n"
    )
  }

  @Test("A presigned URL that a shell cut off at its first '&' is recognized")
  func cutURL() throws {
    let presigned = try CommandProcess(["presign", "https://examplebucket.s3.amazonaws.com/a"])
    let cut = String(presigned.output.prefix { $0 != "&" })
    let result = try CommandProcess(
      ["explain", cut], input: "<Error><Code>AccessDenied</Code></Error>")
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("Check for a shell that interpreted '&'"), "\(result.errors)")
    for prefix in ["X-Goog-", "X-Tos-"] {
      let result = try CommandProcess(
        ["explain", cut.replacing("X-Amz-", with: prefix)],
        input: "<Error><Code>AccessDenied</Code></Error>")
      #expect(result.exitCode == 1)
      #expect(result.errors.contains("\(prefix)* names"), "\(result.errors)")
    }
  }

  @Test("Wrong usage ends with exit code 2, and a file that can't be read with 1")
  func mistakes() {
    ([
      (["explain"], 2, "The URL to sign is missing."),
      (["explain", "--curl", Self.url], 2, "--curl"),
      (["explain", "-d", "@-", Self.url], 2, "can't be both"),
      (["explain", "-d", "@/dev/stdin", Self.url], 2, "can't be both"),
      (["explain", "-d", "@/dev/fd/0", "--answer=/dev/stdin", Self.url], 2, "can't be both"),
      (["explain", "--answer", "/proc/nonexistent", Self.url], 1, "Can't read /proc/nonexistent"),
    ] as [([String], Int32, String)]).forEachCase {
      (arguments: [String], exitCode: Int32, message: String) in
      let result = try CommandProcess(arguments)
      #expect(result.exitCode == exitCode)
      #expect(result.output == "")
      #expect(result.errors.contains(message), "\(result.errors)")
    }
  }
}
