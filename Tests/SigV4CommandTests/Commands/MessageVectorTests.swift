// SPDX-License-Identifier: Apache-2.0
// sigv4 message with the signatures of RFC 9421 and of another implementation, for requests and
// responses.

internal import Foundation
internal import SigningTestSupport
internal import TestSupport
internal import Testing

@Suite("sigv4 message: vectors")
struct MessageVectorTests {
  let folder: TemporaryFolder
  let published: VectorTable

  init() throws {
    folder = try TemporaryFolder()
    published = try VectorTable(named: "message-signatures-published.txt")
  }

  /// The options of the message in a record: its URL, method and headers, or a file with the
  /// response.
  private func message(
    _ record: VectorRecord, body: [UInt8], _ added: [String] = []
  ) throws -> [String] {
    if let status = try record.optionalText("status") {
      let lines = try ["HTTP/1.1 \(status) Some Reason"] + record.texts("field") + added
      let head = Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
      let file = folder.url.appendingPathComponent("response.http")
      try (head + body).write(to: file)
      return try ["--response", file.path]
        + (record.optionalText("request-url") == nil ? [] : request(record, "request-"))
    }
    return try request(record, "", added, isBodyHere: !body.isEmpty)
      + (body.isEmpty ? [] : ["-d", "@" + file(body)])
  }

  private func request(
    _ record: VectorRecord, _ prefix: String, _ added: [String] = [], isBodyHere: Bool = true
  ) throws -> [String] {
    let fields = try record.texts(prefix + "field").filter {
      // The digest of a body that isn't here is wrong.
      isBodyHere || !$0.hasPrefix("Content-Digest:")
    }
    let headers = (fields + added).flatMap { line in
      // curl's form of an empty value is "NAME;".
      let isEmpty = line.drop { $0 != ":" }.dropFirst().allSatisfy(\.isWhitespace)
      return ["-H", isEmpty ? line.prefix { $0 != ":" } + ";" : line]
    }
    return try ["--url", record.text(prefix + "url"), "-X", record.text(prefix + "method")]
      + headers
  }

  private func file(_ content: [UInt8]) throws -> String {
    let file = folder.url.appendingPathComponent("file")
    try Data(content).write(to: file)
    return file.path
  }

  /// The options of a key: the PEM, or the secret in base64.
  private func key(_ record: VectorRecord, _ kind: String) throws -> [String] {
    let key = try published.record(named: "key " + record.text("key"))
    if let secret = try key.optionalText("secret") {
      return try ["--key-encoding", "base64", "--key-file", folder.file("secret", secret)]
    }
    return try ["--\(kind)-key", folder.file("key.pem", key.text(kind))]
  }

  private func seconds(_ record: VectorRecord) throws -> String {
    let input = try record.text("input")
    return String(try #require(input.firstMatch(of: /;created=(\d+)/)).1)
  }

  /// Source: RFC 9421, its examples.
  @Test("The signatures of RFC 9421 are valid, and the printed base is the published one")
  func verify() throws {
    let records = try published.records.filter {
      try $0.optionalText("kind") == "signature" && $0.name.hasPrefix("RFC")
        && $0.text("input").contains("created=") && !$0.text("input").hasPrefix("()")
    }
    var algorithms: Set<String> = []
    records.forEachCase { (record: VectorRecord) in
      let (label, input) = (try record.text("label"), try record.text("input"))
      let isCovered = input.contains(#""content-digest" "#) || input.contains(#""content-digest")"#)
      let body = isCovered ? Array(try record.text("body").utf8) : []
      let tag = input.firstMatch(of: /;tag="([^"]*)"/).map { ["--tag", String($0.1)] } ?? []
      let fields = try [
        "Signature-Input:\(label)=\(input)", "Signature:\(label)=:\(record.text("signature")):",
      ]
      let algorithm = try record.text("algorithm")
      algorithms.insert(algorithm)
      let result = try CommandProcess(
        ["message", "verify", "--json", "--at", seconds(record), "--algorithm", algorithm] + tag
          + ["--label", label] + key(record, "public") + message(record, body: body, fields),
        environment: [:])
      let isValid = try record.text("valid") == "yes"
      #expect(result.exitCode == (isValid ? 0 : 1), "\(record.name) \(result.output)")
      let json = try JSONDecoder().decode([String: String].self, from: Data(result.output.utf8))
      #expect(json["verdict"] == (isValid ? "valid" : "not valid"))
      #expect(try json["signatureBase"] == record.text("base"))
    }
    #expect(records.count >= 12)
    #expect(
      algorithms == [
        "hmac-sha256", "ed25519", "ecdsa-p256-sha256", "rsa-pss-sha512", "rsa-v1_5-sha256",
      ])
  }

  /// Source: http-message-signatures 3.0, by `message-signatures.py`.
  @Test("Signatures of requests and responses are those of another implementation")
  func sign() throws {
    let records = try VectorTable(named: "message-signatures.txt").records.filter {
      // Their parameters are in this library's order, and their algorithms aren't random.
      try $0.text("input").contains(/\);created=\d+;keyid="[^"]*"$/)
        && ["hmac-sha256", "ed25519"].contains($0.text("algorithm"))
    }
    records.forEachCase { (record: VectorRecord) in
      let (label, input) = (try record.text("label"), try record.text("input"))
      let components = try #require(input.firstMatch(of: /\((.*)\);created/)).1
      let result = try CommandProcess(
        ["message", "sign", "--cover", String(components), "--label", label, "--key-id"]
          + [record.text("key"), "--at", seconds(record)] + key(record, "private")
          + message(record, body: record.hexadecimal("body")), environment: [:])
      #expect(result.exitCode == 0, "\(record.name) \(result.errors)")
      #expect(
        try result.output == """
          Signature-Input: \(label)=\(input)
          Signature: \(label)=:\(record.text("signature")):

          """, "\(record.name)")
    }
    let responses = try records.filter { try $0.optionalText("status") != nil }
    #expect(records.count >= 20 && responses.count >= 5)
  }
}
