// SPDX-License-Identifier: Apache-2.0
// Generated mismatches: one aspect of a request is changed in transit, and must be named.

internal import SigningTestSupport
internal import SignatureDiagnosis
internal import Foundation
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Diagnosis: generated")
struct GeneratedDiagnosisTests {
  /// The server signs the request that arrived with the same signer, as a verifier does.
  @Test("One aspect that was changed is the cause that's named")
  func oneAspect() throws {
    for change in Change.allCases { try expectNamed(change) }
  }

  func expectNamed(_ change: Change) throws {
    var generator = Xorshift64(seed: 0x6D69_736D_6174_6300 + UInt64(change.rawValue.utf8.count))
    for round in 0..<sampleSize(4, of: 40) {
      let sent = try Parts(&generator, for: change)
      var arrived = sent
      change.apply(to: &arrived)
      let signed = try sent.signer().sign(sent.request(), at: sent.time)
      let server = try arrived.signer().sign(arrived.request(), at: arrived.time)
      let answers = try ServerAnswer(server, signature: signed.signature).answers()
      let (format, body) = answers[round % answers.count]
      let diagnosis = SigV4.ServiceError(body).diagnosis(for: signed)
      #expect(diagnosis.cause.code.name == change.code, "\(format): \(diagnosis)")
      #expect(diagnosis.cause.subject == change.subject, "\(format): \(diagnosis)")
      expectHonest(diagnosis, signed.canonicalRequest.text, server.canonicalRequest.text)
      if !change.isSameInURLs { continue }
      let url = try sent.signer().presignedURL(
        for: sent.request(), expiresIn: .seconds(60), at: sent.time)
      let other = try arrived.signer().presignedURL(
        for: arrived.request(), expiresIn: .seconds(60), at: arrived.time)
      // A header that is no longer signed would also change the parameter X-Amz-SignedHeaders.
      let page = ServerAnswer(other, signature: url.signature).xml
      let mismatchOfURL = SigV4.ServiceError(page.utf8).diagnosis(for: url)
      #expect(mismatchOfURL.cause.code.name == change.code, "\(mismatchOfURL)")
      expectHidden(mismatchOfURL)
    }
  }

  enum Change: String, CaseIterable, Sendable {
    case method, path, pathPrefixRemoved, pathPrefixAdded, pathEncodedTwice, pathEncodedOnce
    case pathPlus, pathNormalized, pathNotNormalized, queryParameterMissing, queryParameterAdded
    case queryParameterChanged, queryPlus, headerMissing, headerChanged, headerAdded, host, port
    case payload, unsignedPayload, region, service, date, secretAccessKey

    var code: String { self == .port ? "host" : rawValue }

    var subject: String? {
      switch self {
      case .pathPrefixRemoved, .pathPrefixAdded: "/stage"
      case .queryParameterMissing, .queryParameterAdded, .queryParameterChanged: "zz"
      case .headerMissing, .headerChanged, .headerAdded: "x-amz-meta-zz"
      case .host, .port: "host"
      case .region: "eu-north-1"
      case .service: "other"
      default: nil
      }
    }

    var isSameInURLs: Bool {
      switch self {
      case .headerMissing, .headerAdded, .unsignedPayload, .region, .service, .date: false
      default: true
      }
    }

    func apply(to parts: inout Parts) {
      switch self {
      case .method: parts.method = "HEAD"
      case .path: parts.path += "x"
      case .pathPrefixRemoved: parts.path.removeFirst("/stage".count)
      case .pathPrefixAdded: parts.path = "/stage" + parts.path
      case .pathEncodedTwice, .pathNormalized: parts.rule = .normalizedAndEncodedTwice
      case .pathEncodedOnce, .pathNotNormalized: parts.rule = .encodedOnce
      case .pathPlus: parts.path = parts.path.replacingOccurrences(of: "%20", with: "+")
      case .queryParameterMissing: parts.query.removeAll { $0.0 == "zz" }
      case .queryParameterAdded: parts.query.append(("zz", "1"))
      case .queryParameterChanged: parts.query[0].1 = "other"
      case .queryPlus: parts.query[0].1 = "a+b"
      case .headerMissing: parts.headers.removeAll { $0.0 == "x-amz-meta-zz" }
      case .headerChanged: parts.headers[0].1 = "other"
      case .headerAdded: parts.headers.append(("x-amz-meta-zz", "1"))
      case .host: parts.host = "internal.example.com"
      case .port: parts.host += ":8443"
      case .payload: parts.payload = .text("another body")
      case .unsignedPayload: parts.payload = .text("a body")
      case .region: parts.region = "eu-north-1"
      case .service: parts.service = "other"
      case .date: parts.time = (try? parts.time.advanced(bySeconds: 1)) ?? parts.time
      case .secretAccessKey: parts.secret += "x"
      }
    }
  }

  /// A request and its signer, to be changed.
  struct Parts {
    var method = "GET"
    var host = "example.com"
    var path = ""
    var rule = SigV4.Service.PathRule.encodedOnce
    var query: [(String, String?)] = []
    var headers: [(String, String)] = []
    var payload = SigV4.Payload.text("body")
    var region = "us-east-1"
    var service = "service"
    var secret = Example.secret
    var time: SigV4.Timestamp

    init(_ generator: inout Xorshift64, for change: Change) throws {
      func one(_ choices: [String]) -> String {
        choices[generator.size(upTo: UInt64(choices.count - 1))]
      }
      time = try SigV4.Timestamp(unixSeconds: Int64(generator.size(upTo: 4_000_000_000)))
      path =
        "/"
        + (0...generator.size(upTo: 3)).map { _ in one(["a", "b.txt", "é", "c-d"]) }
        .joined(separator: "/")
      for _ in 0..<generator.size(upTo: 4) {
        query.append((one(["a", "b", "k", "é", "a b", "list-type"]), one(["", "1", "a/b", "é"])))
      }
      for _ in 0..<generator.size(upTo: 3) {
        headers.append(
          (one(["range", "x-amz-acl", "x-amz-meta-a", "date"]), one(["1", "a  b", ""])))
      }
      if generator.size(upTo: 2) == 0 { headers.append(("cookie", "hush-hush")) }
      prepare(for: change, one(["d", "e f", "1"]))
    }

    mutating func prepare(for change: Change, _ word: String) {
      switch change {
      case .pathPrefixRemoved: path = "/stage" + path
      case .pathEncodedTwice: path += "/a b"
      case .pathEncodedOnce:
        path += "/a b"
        rule = .normalizedAndEncodedTwice
      case .pathPlus: path += "/a%20b"
      case .pathNormalized: path = "/plain//" + word.filter { $0 != " " }
      case .pathNotNormalized:
        path = "/plain//" + word.filter { $0 != " " }
        rule = .normalizedAndEncodedTwice
      case .queryParameterMissing: query.append(("zz", word))
      case .queryParameterChanged: query.insert(("zz", word), at: 0)
      case .queryPlus: query.insert(("zz", "a b"), at: 0)
      case .headerMissing: headers.append(("x-amz-meta-zz", word))
      case .headerChanged: headers.insert(("x-amz-meta-zz", word), at: 0)
      case .unsignedPayload: payload = .unsigned
      default: break
      }
    }

    func signer() throws -> SigV4.Signer {
      try SigV4.Signer(
        credentials: SigV4.Credentials(
          accessKeyID: Example.accessKeyID, secretAccessKey: secret, sessionToken: Example.token),
        region: region,
        service: .standard(service).with(\.pathRule, rule).with(\.payloadRule, .declared))
    }

    func request() throws -> SigV4.Request {
      let isEncoded = path.contains("%20") || path.contains("+")
      let sentPath =
        try isEncoded
        ? SigV4.Path.encoded(path.replacingOccurrences(of: "é", with: "%C3%A9")) : .raw(path)
      return try SigV4.Request(
        method, host: host, path: sentPath, query: SigV4.Query(query),
        headers: SigV4.Headers(headers),
        payload: payload)
    }
  }

  /// Everything shown is in the two strings, and nothing is secret.
  func expectHonest(_ diagnosis: SigV4.Diagnosis, _ ours: String, _ theirs: String) {
    expectHidden(diagnosis)
    guard let difference = diagnosis.difference, difference.step == "canonical request" else {
      return
    }
    for (line, text) in [(difference.signed, ours), (difference.received, theirs)] {
      if let line, !line.isEmpty, !line.contains("not shown"), !line.contains("...") {
        #expect(text.contains(line), "\(line)")
      }
    }
  }

  func expectHidden(_ diagnosis: SigV4.Diagnosis) {
    var text = "\(diagnosis)"
    dump(diagnosis, to: &text)
    let hidden = [
      Example.token, "hush-hush",
      Example.token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "",
    ]
    #expect(!hidden.contains { text.contains($0) }, "\(text)")
  }
}

extension ServerAnswer {
  /// The server's strings, and the signature that it received.
  init(_ server: SigV4.PresignedURL, signature: SigV4.Signature) {
    self.init(server)
    self.signature = signature.hexString
  }

  /// The server's strings, and the signature that it received.
  init(_ server: SigV4.SignedRequest, signature: SigV4.Signature) {
    self.init(server)
    self.signature = signature.hexString
  }
}
