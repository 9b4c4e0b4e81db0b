// SPDX-License-Identifier: Apache-2.0
// sigv4 verify as a user's shell runs it: requests of botocore and AWS's documents, and rejections.

internal import S3Signing
internal import Foundation
internal import TestSupport
internal import SigningTestSupport
internal import Testing

@Suite("sigv4 verify")
struct VerifyCommandTests {
  /// botocore, by `verified-requests.py`.
  static func vectors() throws -> [VectorRecord] {
    try VectorTable(named: "verified-requests.txt").records
  }

  @Test("Each of 400 requests that botocore sends is valid, its lines ending with CRLF or LF")
  func accepted() throws {
    for (index, vector) in try Self.vectors().enumerated() {
      let result = try Self.verify(
        vector, input: Self.input(vector, lineEnd: index % 2 == 0 ? "\r\n" : "\n"))
      #expect(result.exitCode == 0, "\(vector.name): \(result.output)\(result.errors)")
      #expect(result.output.hasPrefix("Valid\n  signed by    AKIDEXAMPLE\n"))
      #expect(result.errors == "")
    }
  }

  @Test("A request of botocore with one changed byte ends with 1, whichever part it's in")
  func changedByte() throws {
    let vectors = try Self.vectors()
    for vector in vectors.prefix(100) {
      let input = try Self.input(vector)
      let head = try #require(input.range(of: "\r\n\r\n"))
      let signature = try #require(input.range(of: "Signature=")).upperBound
      var places = [input.startIndex, try #require(input.firstIndex(of: " ")), signature]
      if try vector.optionalText("body") != nil, !input.contains("UNSIGNED-PAYLOAD"),
        !(input.contains("X-Amz-Expires") && input.contains("%2Fs3%2F"))
      {
        places.append(head.upperBound)
      }
      for place in places {
        var changed = input
        // '0' is changed to '1', what else there is to '0'; a space to a tab.
        let old = changed[place]
        let new = old == " " ? "\t" : old == "0" ? "1" : "0"
        changed.replaceSubrange(place...place, with: new)
        let result = try Self.verify(vector, input: changed)
        #expect(result.exitCode == 1, "\(vector.name) at '\(old)': \(result.output)")
        #expect(result.output.hasPrefix("Not valid: "))
        #expect(result.errors.hasPrefix("sigv4: The request isn't valid: "))
      }
    }
  }

  /// S3 API Reference, "Authenticating Requests: Using Query Parameters".
  static let url =
    "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
    + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
    + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
    + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"

  @Test("The presigned URL in AWS's documents is valid for a day, with the time left")
  func presigned() throws {
    let result = try CommandProcess(["verify", "--at", "20130524T013000Z", Self.url])
    #expect(
      result.output == """
        Valid
          signed by    AKIAIOSFODNN7EXAMPLE
          for          20130524/us-east-1/s3/aws4_request
          signed in    the URL
          signed at    20130524T000000Z, 1 hour 30 minutes ago
          valid until  20130525T000000Z, in 22 hours 30 minutes
          now          20130524T013000Z
          signed       host
          body         0 bytes, not signed (any body is valid)


        """)
    #expect(result.exitCode == 0)
    #expect(try CommandProcess(["verify", "--at", "20130525T000000Z", Self.url]).exitCode == 0)
    let expired = try CommandProcess(["verify", "--at", "20130525T000001Z", Self.url])
    #expect(expired.exitCode == 1)
    #expect(expired.output.hasPrefix("Not valid: urlExpired\n  The URL expired at 20130525T"))
    #expect(expired.output.contains("\nWhat to do\n  Use --at TIME"))
    let other = try CommandProcess(["verify", "-X", "PUT", "--at=1369353600", Self.url])
    #expect(other.output.hasPrefix("Not valid: signatureMismatch\n"))
    #expect(
      other.output.contains("\nCanonical request as received\n  PUT\n  /test.txt\n  X-Amz-Algor"))
    #expect(
      other.output.contains("\nClaimed by the request (not verified)\n  signed by    AKIAIOSF"))
    #expect(
      other.errors
        == "sigv4: The request isn't valid: signatureMismatch. Check the output for details.\n")
  }

  @Test("A header that a URL's holder must send is passed with -H")
  func headers() throws {
    let keys = ["--at=20240102T030405Z"]
    let signed = try CommandProcess(
      ["presign", "-X", "PUT", "-H", "x-amz-acl: private", "s3://bucket/a b"] + keys)
    let url = String(signed.output.dropLast())
    let valid = try CommandProcess(
      ["verify", "-X", "PUT", "-H", "X-Amz-Acl: private", url] + keys)
    #expect(valid.exitCode == 0, "\(valid.output)\(valid.errors)")
    let missing = try CommandProcess(["verify", "-X", "PUT", url] + keys)
    #expect(missing.output.hasPrefix("Not valid: signatureMismatch\n"))
    #expect(missing.output.contains("\"x-amz-acl\""), "\(missing.output)")
  }

  /// S3 API Reference, "Transferring Payload in Multiple Chunks", without and with trailer.
  @Test("The chunked uploads of AWS's documents are valid, and not with another last byte")
  func chunks() throws {
    try VectorTable(named: "chunked-uploads-published.txt").records.forEachCase {
      (vector: VectorRecord) in
      let input = try Self.chunkedInput(vector)
      let arguments = ["verify", "--at", try vector.text("date")]
      let result = try CommandProcess(arguments, input: input)
      #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
      let trailer = try vector.optionalText("trailer").map {
        ", trailers: " + $0.replacingOccurrences(of: ":", with: ": ")
      }
      #expect(
        result.output.contains(
          "\n  body         66560 bytes in chunks with valid signatures"
            + (trailer ?? "") + "\n"))
      let last = try #require(try vector.texts("chunk").last)
      let changed = input.replacingOccurrences(of: last, with: "0" + last.dropFirst())
      let refused = try CommandProcess(arguments + ["--json"], input: changed)
      #expect(refused.exitCode == 1)
      #expect(refused.output.contains("\"code\": \"chunkSignatureMismatch\""))
      #expect(!refused.output.contains("\"body\""))
      let cut = try CommandProcess(arguments, input: String(input.dropLast(3)))
      #expect(cut.output.hasPrefix("Not valid: bodyLengthMismatch\n"))
    }
  }

  /// No credential names a service that would be accepted.
  @Test("The finding for another authorization scheme names both algorithms")
  func bearer() throws {
    let result = try CommandProcess(
      ["verify"], input: "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer abc\r\n\r\n")
    #expect(result.exitCode == 1)
    #expect(result.output.hasPrefix("Not valid: unsupportedAlgorithm\n"))
    let accepted = "AWS4-HMAC-SHA256 or AWS4-ECDSA-P256-SHA256, not \"Bearer\""
    #expect((result.output + result.errors).contains(accepted), "\(result.output)\(result.errors)")
  }

  @Test("Unsigned chunks are reported as such")
  func unsignedChunks() throws {
    let folder = try TemporaryFolder()
    let (file, body) = (try folder.file("file", "hello"), folder.url.path + "/body")
    let upload = try CommandProcess([
      "upload", "--unsigned-payload", "--checksum", "crc32", "--at", "20240102T030405Z", "-o", body,
      file, "s3://bucket/k",
    ])
    let encoded = try String(contentsOfFile: body, encoding: .utf8)
    let input =
      "PUT /k HTTP/1.1\nHost: bucket.s3.us-east-1.amazonaws.com\n\(upload.output)\n\(encoded)"
    let result = try CommandProcess(["verify", "--at", "20240102T030405Z"], input: input)
    // The checksum is that of zlib.
    #expect(
      result.output.contains(
        "5 bytes in unsigned chunks, trailers: x-amz-checksum-crc32: NhCmhg==\n"),
      "\(upload.errors)\(result.output)")
    let other = try CommandProcess(
      ["verify", "--at", "20240102T030405Z"],
      input: input.replacingOccurrences(of: "hello", with: "jello"))
    #expect(other.output.hasPrefix("Not valid: checksumMismatch\n"))
  }

  @Test("With --json the finding is one object")
  func json() throws {
    let vector = try #require(try Self.vectors().first)
    func object(_ arguments: [String], _ input: String) throws -> [String: String] {
      let result = try Self.verify(vector, ["--json"] + arguments, input: input)
      return try #require(
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: String])
    }
    let input = try Self.input(vector)
    let valid = try object(["--at", "20240102T030505Z"], input)
    #expect(
      valid.filter { $0.key != "canonicalRequest" } == [
        "verdict": "valid", "accessKeyID": "AKIDEXAMPLE",
        "credentialScope": "20240102/us-east-1/s3/aws4_request", "signatureLocation": "header",
        "signedAt": "20240102T030405Z", "age": "60", "body": "digest", "bodyBytes": "11",
        "signedHeaders": "host;my-header;x-amz-content-sha256;x-amz-date",
        "unsignedHeaders": "content-length;expect",
      ])
    #expect(valid["canonicalRequest"]?.hasPrefix("PUT\n/%28~%2C%28\n") == true)
    let changed = try object([], input.replacingOccurrences(of: "My-Header:a", with: "My-Header:b"))
    #expect(changed["verdict"] == "not valid" && changed["code"] == "signatureMismatch")
    #expect(changed["canonicalRequest"]?.contains("\nmy-header:b b\n") == true)
    #expect(changed["message"] != nil && changed["advice"] != nil && changed["body"] == nil)
  }

  @Test("Clock, window, region and service restrict the accepted requests")
  func restrictions() throws {
    let vector = try #require(try Self.vectors().first)
    func verdict(_ arguments: String...) throws -> String {
      let result = try Self.verify(vector, arguments, input: Self.input(vector))
      return String(result.output.prefix { $0 != "\n" })
    }
    #expect(try verdict("--at=20240102T031905Z") == "Valid")
    #expect(try verdict("--at=20240102T031906Z") == "Not valid: requestTimeTooSkewed")
    #expect(try verdict("--at=20240102T031906Z", "--clock-window=901") == "Valid")
    #expect(try verdict("--clock-window=0", "--at=20240102T030404Z").contains("TooSkewed"))
    #expect(try verdict("--region=us-east-1", "--service=s3") == "Valid")
    #expect(try verdict("--region=us-east-2") == "Not valid: wrongScope")
    #expect(try verdict("--service=sqs") == "Not valid: wrongScope")
  }

  @Test("One newline can follow a body, and nothing can be missing")
  func surroundings() {
    [
      ("\n", "Valid"), ("\r\n", "Valid"), ("\n\n", "Not valid: bytesAfterEnd"),
      ("GET / HTTP/1.1", "Not valid: bytesAfterEnd"),
    ].forEachCase { (suffix: String, verdict: String) in
      let vector = try #require(try Self.vectors().first)
      let input = try Self.input(vector)
      let result = try Self.verify(vector, input: "\r\n" + input + suffix)
      #expect(result.output.hasPrefix(verdict + "\n"), "\(result.output)")
      let cut = try Self.verify(vector, input: String(input.dropLast()))
      #expect(cut.output.hasPrefix("Not valid: bodyLengthMismatch\n"))
      let open = input.replacingOccurrences(of: "Content-Length:11\r\n", with: "")
      #expect(try Self.verify(vector, input: open).exitCode == 0)
      let longer = try Self.verify(vector, input: open + "x")
      #expect(longer.output.contains("\nVerified by its signature\n  signed by    AKIDEXAMPLE\n"))
      #expect(longer.output.contains("body is 12 bytes long"))
    }
  }

  @Test("Anything but a request is rejected with a reason")
  func malformed() {
    [
      ("", "its first line isn't METHOD TARGET"), ("hello\n\n", "its first line isn't"),
      ("GET / HTTP/1.1\nno header\n\n", "has no colon"),
      ("GET / HTTP/1.1\nTransfer-Encoding: chunked\n\n0\r\n\r\n", "Transfer-Encoding"),
      ("GET / HTTP/1.1\nContent-Length: -1\n\n", "isn't a number of bytes"),
      ("GET / HTTP/1.1\nHost: h\n\n", "neither an Authorization header"),
    ].forEachCase { (input: String, message: String) in
      let result = try CommandProcess(["verify"], input: input)
      #expect(result.exitCode == 1)
      let words = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(result.output.hasPrefix("Not valid: ") && words.contains(message), "\(result.output)")
    }
  }

  @Test("The secret and the token are in no output, whatever is wrong with them")
  func secrets() throws {
    let vector = try #require(
      try Self.vectors().first { try $0.optionalText("token") != nil })
    let token = try vector.text("token")
    for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"] {
      var environment = try Self.environment(vector)
      environment[name] = "0ther+hush"
      let result = try CommandProcess(
        ["verify", "--at", vector.text("date")], environment: environment,
        input: Self.input(vector))
      #expect(result.exitCode == 1)
      #expect(result.output.contains("What to do\n"))
      #expect(name == "AWS_ACCESS_KEY_ID" || !result.output.contains("hush"))
      #expect(!result.output.contains(token) && !result.errors.contains(token))
    }
    var environment = try Self.environment(vector)
    environment["AWS_SECRET_ACCESS_KEY"] = "other"
    let result = try CommandProcess(
      ["verify", "--at", vector.text("date")], environment: environment,
      input: Self.input(vector))
    #expect(result.output.contains("x-amz-security-token:(\(token.utf8.count) bytes, not shown)"))
  }

  @Test("Of a header or parameter that carries a credential, the size is printed only")
  func credentialsByName() throws {
    let names = ["DPoP", "X-Amzn-Oidc-Data", "X-Jwt", "X-Session-Id", "X-Bearer", "X-Passphrase"]
    let url = "https://examplebucket.s3.amazonaws.com/a?access_token=hush-hush&b=public"
    let options = ["x-amz-meta-token-count: 12345"] + names.map { $0 + ": hush-hush" }
    let signed = try CommandProcess(
      ["sign"] + options.flatMap { ["-H", $0] } + [url])
    let lines = ["GET \(url.dropFirst(38)) HTTP/1.1", "Host: examplebucket.s3.amazonaws.com"]
    let result = try CommandProcess(
      ["verify"],
      environment: CommandProcess.exampleKeys.merging(["AWS_SECRET_ACCESS_KEY": "other"]) { $1 },
      input: (lines + [signed.output]).joined(separator: "\n") + "\n")
    #expect(result.output.hasPrefix("Not valid: signatureMismatch"), "\(result.errors)")
    for name in names {
      #expect(result.output.contains("\(name.lowercased()):(9 bytes, not shown)"), "\(name)")
    }
    #expect(result.output.contains("access_token=(9 bytes, not shown)&b=public"))
    #expect(result.output.contains("x-amz-meta-token-count:12345"))
    #expect(!result.output.contains("hush") && !result.errors.contains("hush"))
  }

  @Test("Control characters of a request reach no terminal")
  func controlCharacters() throws {
    let host = "b.s3.eu-west-1.amazonaws.com"
    let signed = try CommandProcess(["presign", "-H", "x-amz-meta-a: b", "https://\(host)/k"])
    let target = signed.output.dropFirst("https://\(host)".count).dropLast()
    // CSI of ISO 6429 and RIGHT-TO-LEFT OVERRIDE, as UTF-8 by Python.
    let result = try CommandProcess(
      ["verify"],
      input: "GET \(target) HTTP/1.1\nHost: \(host)\nx-amz-meta-a: \u{9B}1\u{202E}\n\n")
    #expect(result.output.hasPrefix("Not valid: signatureMismatch"), "\(result.errors)")
    #expect(result.output.contains(#"  x-amz-meta-a:\xC2\x9B1\xE2\x80\xAE"# + "\n"))
  }

  @Test("Wrong usage ends with 2")
  func usage() {
    [
      (["-X", "PUT"], "-X and -H can be used only with a URL"),
      (["-H", "a: b", "-"], "only with a URL"),
      ([Self.url, Self.url], "a second URL"), (["s3://bucket/key"], "begins with https://"),
      (["--clock-window", "x"], "a number of seconds"),
      (["--curl", Self.url], "has no option --curl"),
    ].forEachCase { (arguments: [String], message: String) in
      let result = try CommandProcess(["verify"] + arguments)
      #expect(result.exitCode == 2)
      #expect(result.output == "")
      #expect(result.errors.contains(message), "\(result.errors)")
    }
  }

  @Test("Without credentials it ends with 3")
  func noCredentials() throws {
    let result = try CommandProcess(["verify", Self.url], environment: [:])
    #expect(result.exitCode == 3)
    #expect(result.output == "" && result.errors.contains("AWS_ACCESS_KEY_ID"))
  }
}

extension VerifyCommandTests {
  static func verify(
    _ vector: VectorRecord, _ arguments: [String] = [], input: String
  ) throws -> CommandProcess {
    try CommandProcess(
      ["verify", "--at", vector.text("date")] + arguments, environment: environment(vector),
      input: input)
  }

  static func environment(_ vector: VectorRecord) throws -> [String: String] {
    var environment = [
      "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
      "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    ]
    environment["AWS_SESSION_TOKEN"] = try vector.optionalText("token")
    return environment
  }

  static func input(_ vector: VectorRecord, lineEnd: String = "\r\n") throws -> String {
    let head =
      [try "\(vector.text("method")) \(vector.text("target")) HTTP/1.1"]
      + (try vector.texts("header")) + ["", ""]
    return try head.joined(separator: lineEnd) + (vector.optionalText("body") ?? "")
  }

  /// The request whose parts the table has, its body in chunks of 'a'.
  static func chunkedInput(_ vector: VectorRecord) throws -> String {
    let canonical = try vector.text("canonical-request").split(
      separator: "\n", omittingEmptySubsequences: false)
    var input = "PUT \(canonical[1]) HTTP/1.1\r\n"
    for header in canonical[3...].prefix(while: { !$0.isEmpty }) { input += header + "\r\n" }
    input += try "Authorization: \(vector.text("authorization"))\r\n\r\n"
    let sizes = try [65_536, vector.integer("body-length") - 65_536, 0]
    for (size, signature) in try zip(sizes, vector.texts("chunk")) {
      input += "\(String(size, radix: 16));chunk-signature=\(signature)\r\n"
      if size > 0 { input += String(repeating: "a", count: size) + "\r\n" }
    }
    if let trailer = try vector.optionalText("trailer") {
      input += try "\(trailer)\r\nx-amz-trailer-signature:\(vector.text("trailer-signature"))\r\n"
    }
    return input + "\r\n"
  }
}
