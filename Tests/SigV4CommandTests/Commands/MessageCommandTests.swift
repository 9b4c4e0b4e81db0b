// SPDX-License-Identifier: Apache-2.0
// sigv4 message as a user's shell runs it: others' signatures, the line that differs, rejections.

internal import Foundation
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// Source of the expected values: cryptography, by `web-bot-auth.py`.
@Suite("sigv4 message")
struct MessageCommandTests {
  let folder: TemporaryFolder
  let vectors: [VectorRecord]
  let privateKey: String
  let publicKey: String

  init() throws {
    folder = try TemporaryFolder()
    let records = try VectorTable(named: "web-bot-auth.txt").records
    vectors = try records.filter { record in
      try record.optionalText("form") != nil && !record.name.hasPrefix("published")
        && !record.name.hasSuffix("another key")
    }
    privateKey = try folder.file("key.pem", records[0].text("pem"))
    // RFC 9421, B.1.4: test-key-ed25519.
    publicKey = try folder.file(
      "public.pem",
      """
      -----BEGIN PUBLIC KEY-----
      MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=
      -----END PUBLIC KEY-----
      """)
  }

  @Test("The headers are those of another implementation")
  func sign() throws {
    vectors.forEachCase { (vector: VectorRecord) in
      let headers = try vector.texts("header")
      let isString = try vector.text("form") == "string"
      let (nonce, body) = (try vector.text("nonce"), try vector.text("body"))
      var arguments = try [
        "message", "sign", "--url", vector.text("url"), "-X", vector.text("method"),
        "-H", headers[0], "--private-key", privateKey, "--tag", "web-bot-auth",
        "--key-id", "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U", "--at", "1735689600",
        "--expires", vector.text("lifetime"), "--cover",
        "@method @authority @path @query signature-agent" + (isString ? "" : ";key=sig1")
          + (body.isEmpty ? "" : " content-digest"),
      ]
      if !nonce.isEmpty { arguments += ["--nonce", nonce] }
      if !body.isEmpty { arguments += ["-d", body] }
      let result = try CommandProcess(arguments, environment: [:])
      #expect(result.output == headers.dropFirst().joined(separator: "\n") + "\n")
      #expect(result.errors == "" && result.exitCode == 0, "\(result.errors)")
    }
  }

  @Test("A raw request is valid, and its base is shown")
  func verify() throws {
    let vector = try #require(vectors.first { $0.name == "string, a body and a nonce" })
    let result = try verify(vector.texts("header"), target: "/order")
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("Valid\n  signed by    poqkLG"))
    #expect(result.output.contains("\n  covers       \"@method\" \"@authority\" \"@path\""))
    #expect(result.output.contains("\nSignature base\n  \"@method\": POST\n  \"@authority\": exam"))
  }

  @Test("The first line that differs from the signer's base is shown, and the reason if none does")
  func difference() throws {
    let vector = try #require(vectors.first { $0.name == "string, a body and a nonce" })
    let headers = try vector.texts("header")
    let valid = try verify(headers, target: "/order").output
    let base = try #require(valid.components(separatedBy: "Signature base\n").last)
      .split(separator: "\n").map { $0.dropFirst(2) }.joined(separator: "\n")
    let file = try folder.file("base.txt", base + "\n")

    let moved = try verify(headers, target: "/v1/order", ["--base", file])
    #expect(moved.exitCode == 1 && moved.errors.contains("wrongSignature"))
    #expect(moved.output.hasPrefix("Not valid: wrongSignature\n"))
    #expect(
      moved.output.contains(
        """

        Line 3 differs
          here    "@path": /v1/order
          signer  "@path": /order

        """))
    let without = try verify(headers, target: "/v1/order")
    #expect(without.output.contains("--base FILE"))

    let other = headers.map { $0.hasPrefix("Signature: ") ? "Signature: sig1=:AAAA:" : $0 }
    let wrongKey = try verify(other, target: "/order", ["--base", file])
    #expect(wrongKey.output.contains("\nThe signer's base is the same\n"))
    #expect(wrongKey.output.contains("a different key"))
    let old = try verify(headers, target: "/order", ["--at", "1735700000"])
    #expect(old.output.hasPrefix("Not valid: tooOld\n") && old.output.contains("Use --at TIME"))
  }

  @Test("With a tag, the base is that of the signature with this tag")
  func taggedBase() throws {
    let vector = try #require(vectors.first { $0.name == "string, a body and a nonce" })
    let other = [#"Signature-Input: other=("@method");created=1"#, "Signature: other=:AAAA:"]
    let result = try verify(other + vector.texts("header"), target: "/order")
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.contains(#";tag="web-bot-auth""#))
  }

  private func verify(
    _ headers: [String], target: String, _ options: [String] = []
  ) throws -> CommandProcess {
    let head = ["POST \(target) HTTP/1.1", "Host: example.com"] + headers
    return try CommandProcess(
      [
        "message", "verify", "--public-key", publicKey, "--tag", "web-bot-auth",
        "--at", "1735689610",
      ] + options, environment: [:],
      input: head.joined(separator: "\r\n") + "\r\n\r\n" + #"{"a":1}"#)
  }

  /// Source of the RSASSA-PSS key: RFC 9421, B.1.2.
  @Test("Keys of each kind sign, and what they sign is valid with this kind alone")
  func keys() throws {
    let p256 = try VectorTable(named: "p256-keys.txt").record(named: "key 1")
    let pss = try VectorTable(named: "message-signatures-published.txt")
      .record(named: "key test-key-rsa-pss")
    let rsa = try VectorTable(named: "cloudfront-signatures.txt").record(named: "key rsa")
    let rsaPrivate = try folder.file("rsa.pem", rsa.text("private-key"))
    let rsaPublic = try folder.file("rsa-public.pem", rsa.text("public-key"))
    let secret = try folder.file("secret", "0b0b")
    let pairs: [(sign: [String], verify: [String])] = [
      (["--private-key", privateKey], ["--public-key", publicKey]),
      (
        ["--private-key", try folder.file("p256.pem", p256.text("pem"))],
        ["--public-key", try folder.file("p256-public.pem", p256.text("public-pem"))]
      ),
      (
        ["--key-file", secret, "--key-encoding", "hex"],
        ["--key-file", secret, "--key-encoding", "hex"]
      ),
      (
        ["--private-key", try folder.file("pss.pem", pss.text("private"))],
        ["--public-key", try folder.file("pss-public.pem", pss.text("public"))]
      ),
      (["--private-key", rsaPrivate], ["--public-key", rsaPublic]),
      (
        ["--private-key", rsaPrivate, "--algorithm", "rsa-v1_5-sha256"],
        ["--public-key", rsaPublic, "--algorithm", "rsa-v1_5-sha256"]
      ),
    ]
    for (index, pair) in pairs.enumerated() {
      let request = ["--url", "https://a.example/b?c", "--at", "1735689600"]
      let signed = try CommandProcess(
        ["message", "sign", "--key-id", "k"] + pair.sign + request, environment: [:])
      let headers = signed.output.split(separator: "\n").flatMap { ["-H", String($0)] }
      for (other, pair) in pairs.enumerated() {
        let result = try CommandProcess(
          ["message", "verify"] + pair.verify + request + headers, environment: [:])
        #expect(result.exitCode == (other == index ? 0 : 1), "\(index) \(other) \(result.output)")
      }
    }
  }

  /// Source of the digest: `hashlib.sha256(b"y")`, in base64.
  @Test("A response is signed with parts of its request, and verified with the same ones")
  func responses() throws {
    let response = "HTTP/2 201\r\nContent-Type: text/plain\r\n"
    let file = try folder.file("response.http", response + "\r\ny")
    let request = ["--url", "https://a.example/b?c", "-X", "PUT", "--at", "1735689600"]
    let sign = ["message", "sign", "--key-id", "k", "--private-key", privateKey]
    let signed = try CommandProcess(sign + ["--response", file] + request, environment: [:])
    let lines = signed.output.split(separator: "\n").map(String.init)
    #expect(lines[0] == "Content-Digest: sha-256=:ofzkNjhU/4iM/0uOeHXWAMJoI5BBKoz3mzfQsRFIsPo=:")
    #expect(
      lines[1].hasPrefix(
        #"Signature-Input: sig1=("@status" "@method";req "@authority";req "@path";req "@query";req "#
          + #""content-digest");created=1735689600;keyid="k""#))
    let received = try folder.file(
      "received.http", response + lines.joined(separator: "\r\n") + "\r\n\r\ny")
    func verify(_ options: [String]) throws -> CommandProcess {
      try CommandProcess(
        ["message", "verify", "--public-key", publicKey, "--response", received] + options,
        environment: [:])
    }
    let valid = try verify(request + ["--cover", "@status @path;req content-digest", "--json"])
    #expect(valid.exitCode == 0, "\(valid.errors)")
    let json = try JSONDecoder().decode([String: String].self, from: Data(valid.output.utf8))
    #expect(json["verdict"] == "valid" && json["keyID"] == "k" && json["created"] == "1735689600")
    #expect(json["signatureBase"]?.hasPrefix("\"@status\": 201\n\"@method\";req: PUT\n") == true)
    let base = try folder.file("signer.txt", try #require(json["signatureBase"]))

    let other = try verify(
      ["--url", "https://a.example/b", "-X", "PUT", "--at", "1735689600", "--json", "--base", base])
    #expect(other.exitCode == 1)
    let refused = try JSONDecoder().decode([String: String].self, from: Data(other.output.utf8))
    #expect(refused["code"] == "wrongSignature" && refused["differingLine"] == "5")
    #expect(refused["here"] == #""@query";req: ?"# && refused["signer"] == #""@query";req: ?c"#)
    let alone = try verify(["--at", "1735689600"])
    #expect(alone.output.hasPrefix("Not valid: unavailableComponent\n"))
    for (text, words) in [
      ("GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 STATUS"),
      // RFC 9110, 15.2: interim responses precede the final one.
      ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "100 is the status of an interim"),
    ] {
      let refused = try CommandProcess(
        sign + ["--response", folder.file("other.http", text)], environment: [:])
      #expect(refused.exitCode == 1 && refused.output.isEmpty)
      #expect(refused.errors.hasPrefix("sigv4: invalidRequest: The response isn't"))
      #expect(refused.errors.contains(words), "\(refused.errors)")
    }
  }

  /// RFC 9112, 6.3: the Content-Length of these is that of the body that a GET would get.
  @Test(
    "A response that can't have a body has none",
    arguments: [("200 OK", "HEAD"), ("304 Not Modified", "GET"), ("204 No Content", "DELETE")])
  func noBody(status: String, method: String) throws {
    let head = "HTTP/1.1 \(status)\r\nContent-Length: 2718\r\n"
    let request = ["--url", "https://a.example/", "-X", method, "--at", "1735689600"]
    let signed = try CommandProcess(
      ["message", "sign", "--key-id", "k", "--private-key", privateKey, "--response"]
        + [folder.file("head.http", head + "\r\n")] + request, environment: [:])
    #expect(signed.exitCode == 0 && !signed.output.contains("Digest"), "\(signed.errors)")
    for (body, words) in [("", "Valid\n"), ("x", "bytesAfterEnd")] {
      let lines = signed.output.replacingOccurrences(of: "\n", with: "\r\n")
      let received = try folder.file("received.http", head + lines + "\r\n" + body)
      let result = try CommandProcess(
        ["message", "verify", "--public-key", publicKey, "--response", received] + request,
        environment: [:])
      #expect((result.output + result.errors).contains(words), "\(result.errors) \(result.output)")
    }
  }

  @Test("A damaged key is named by its kind, and another kind gets the supported ones")
  func damagedKeys() throws {
    let lost = """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIZ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
      -----END PRIVATE KEY-----
      """
    let x25519 = lost.replacingOccurrences(of: "K2VwBCIEIZ", with: "K2VuBCIEIJ")
    for (text, words) in [
      (lost, "aren't the DER encoding of an Ed25519 private key"),
      (x25519, "an X25519 private key, not an Ed25519, P-256 or RSA private key"),
      ("", "The key is empty"),
    ] {
      let result = try CommandProcess(
        ["message", "sign", "--url", "https://a.example/", "--key-id", "k", "--private-key"]
          + [folder.file("damaged.pem", text)], environment: [:])
      #expect(result.exitCode == 1 && result.errors.contains(words), "\(result.errors)")
    }
  }

  @Test("A key of a pair isn't taken as a shared secret: everybody may know a public key")
  func publicSecret() throws {
    let base64 = try String(contentsOfFile: publicKey, encoding: .utf8)
      .split(separator: "\n")[1]
    let der = folder.url.appendingPathComponent("public.der")
    try #require(Data(base64Encoded: String(base64))).write(to: der)
    let encoded = try folder.file("public.b64", String(base64))
    // The same key's forms of RFC 8037, A.2, and of RFC 8709, 4.
    let web = try folder.file("public.jwk", #"{"kty":"OKP","crv":"Ed25519","x":"JrQ"}"#)
    let ssh = try folder.file("public.pub", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5")
    let described = try folder.file(
      "described.pem", "A key\n" + String(contentsOfFile: publicKey, encoding: .utf8))
    for (arguments, option) in [
      (["sign", "--key-id", "k", "--key-file", privateKey], "--private-key"),
      (["verify", "--key-file", publicKey], "--public-key"),
      (["verify", "--key-file", described], "--public-key"),
      (["verify", "--key-file", der.path], "--public-key"),
      (["verify", "--key-file", encoded], "--public-key"),
      (["verify", "--key-file", encoded, "--key-encoding", "base64"], "--public-key"),
      (["verify", "--key-file", web], "--public-key"),
      (["verify", "--key-file", ssh], "--public-key"),
    ] {
      let result = try CommandProcess(
        ["message"] + arguments + ["--url", "https://example.com/"], environment: [:])
      #expect(result.exitCode == 2 && result.output.isEmpty, "\(result.output)")
      #expect(result.errors.contains("Pass the key in PEM with \(option)."), "\(result.errors)")
    }
  }

  @Test("An empty secret is named as such, as by sigv4 hmac")
  func emptySecret() throws {
    let empty = try folder.file("empty", "")
    for kind in [["sign", "--key-id", "k"], ["verify"]] {
      let result = try CommandProcess(
        ["message"] + kind + ["--key-file", empty, "--url", "https://a.example/"],
        environment: [:])
      #expect(result.exitCode == 3 && result.errors.contains("The key is empty."))
    }
  }

  @Test("Missing and conflicting options are usage errors, and name the option")
  func errors() throws {
    let url = ["--url", "https://a.example/"]
    for (arguments, part) in [
      (["sign"] + url, "exactly one key"),
      (["sign", "--private-key", "a", "--key-variable", "KEY"] + url, "exactly one key"),
      (["sign", "--private-key", privateKey] + url, "--key-id"),
      (["sign", "--private-key", privateKey, "--key-id", "k", "-X", "PUT"], "only with --url"),
      (["sign", "--public-key", publicKey] + url, "Use it with message verify."),
      (["sign", "--private-key", privateKey, "--key-id", "k", "--cover", "@nope"] + url, "@nope"),
      (
        ["sign", "--private-key", privateKey, "--key-id", "k", "--cover", "a;tr"] + url,
        "an unknown parameter"
      ),
      (
        ["sign", "--private-key", privateKey, "--key-id", "k", "--cover", "@method;sf"] + url,
        "a parameter that isn't for it"
      ),
      (
        ["sign", "--private-key", privateKey, "--key-id", "k", "--algorithm", "rsa-pss-sha512"]
          + url, "Use ed25519,"
      ),
      (
        ["verify", "--key-file", publicKey, "--algorithm", "ed25519"] + url, "Use hmac-sha256,"
      ),
      (["verify", "--public-key", publicKey, "--cover", "@metod"] + url, "@metod"),
      (
        ["sign", "--private-key", privateKey, "--key-id", "k", "-d", "a=1", "-d", "b=2"] + url,
        "-d can't be repeated"
      ),
      (
        ["sign", "--private-key", privateKey, "--key-id", "k", "-H", "host: b.example"] + url,
        "differs from the URL's host"
      ),
      (
        ["sign", "--private-key", privateKey, "--key-id", "k", "--key-encoding", "base64"] + url,
        "only for --key-file"
      ),
      (["verify", "--key-file", "-"], "can be read only once"),
      (["verify", "--public-key", publicKey, "--base", "-"], "can be read only once"),
      (["sign", "--key-file", "-", "--key-id", "k", "-d", "@-"] + url, "can be read only once"),
    ] {
      let result = try CommandProcess(["message"] + arguments, environment: [:])
      #expect(result.exitCode == 2 && result.errors.contains(part), "\(result.errors)")
    }
  }
}
