// SPDX-License-Identifier: Apache-2.0
// Garbage at every entry: thousands of generated inputs give a value that can be signed, or a SigningError.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Refusals: garbage")
struct GarbageRefusalTests {
  @Test("Valid strings with changed bytes cause a value or an error, never a trap")
  func mutations() {
    [
      "url", "host", "header", "path", "query", "timestamp", "http date", "scope", "region",
      "access key ID", "unsigned header", "payload literal", "signature",
    ].forEachCase { (entry: String) in
      var generator = Xorshift64(seed: 0x6D75_7461_7465_0000 + UInt64(entry.utf8.count))
      let seeds = try #require(Self.seeds[entry])
      var given = 0
      var refused = 0
      for _ in 0..<1_600 {
        let seed = seeds[generator.size(upTo: UInt64(seeds.count - 1))]
        let text = String(decoding: mutated(Array(seed.utf8), &generator), as: UTF8.self)
        do {
          try open(entry, text)
          given += 1
        } catch let error as SigV4.SigningError {
          let problems = problems(
            of: error.problem, error.fix, showing: nil, hiding: [Example.secret])
          #expect(problems.isEmpty, "\(error.message)")
          refused += 1
        }
      }
      // Mutations that are all rejected, or all accepted, would test nothing.
      #expect(given > 4 && refused > 4, "\(given) given, \(refused) refused")
    }
  }

  @Test("Random bytes cause a value or an error, never a trap")
  func randomBytes() throws {
    var generator = Xorshift64(seed: 0x7261_6E64_6F6D_0001)
    for _ in 0..<sampleSize(250, of: 2_500) {
      let bytes = generator.bytes(generator.size(upTo: 40))
      let text = String(decoding: bytes, as: UTF8.self)
      for entry in Self.seeds.keys.sorted() {
        do {
          try open(entry, text)
        } catch let error as SigV4.SigningError {
          #expect(problems(of: error.problem, error.fix, showing: nil, hiding: []).isEmpty)
        }
      }
      try expectSigned(request(path: .received([0x2F] + bytes)), isOnWire: false)
      try expectSigned(request(path: .raw(bytes: [0x2F] + bytes)))
      try expectSigned(request(query: .received(bytes)))
      try expectSigned(request(query: .received(bytes, plus: .literal)))
      try expectSigned(request(query: [text: text, "": nil]))
      if !bytes.isEmpty { try expectSigned(request(path: .key(bytes: bytes))) }
    }
  }

  @Test("Any number of seconds causes a timestamp or an error, never a trap")
  func randomNumbers() throws {
    var generator = Xorshift64(seed: 0x7365_636F_6E64_7300)
    let signer = try Example.signer(.s3)
    let request = try request()
    for _ in 0..<20_000 {
      let shift = generator.size(upTo: 63)
      let seconds = Int64(bitPattern: generator.next()) >> shift
      let moment = try? SigV4.Timestamp(unixSeconds: seconds)
      #expect((moment != nil) == (-62_135_596_800...253_402_300_799 ~= seconds))
      guard let moment else { continue }
      #expect(try SigV4.Timestamp(moment.text) == moment)
      let later = try? moment.advanced(bySeconds: Int64(bitPattern: generator.next()) >> shift)
      #expect(later.map { $0.text.utf8.count == 16 } ?? true)
      let lifetime = Int(truncatingIfNeeded: generator.next()) >> shift
      let presigned = try? signer.presignedURL(
        for: request, expiresIn: .seconds(lifetime), at: moment)
      #expect(presigned == nil || 1...604_800 ~= lifetime)
    }
  }

  static let seeds: [String: [String]] = [
    "url": [
      "https://user@example.com:8443/a%20b/../c?list-type=2&prefix=a%2Fb+c#f",
      "http://[::1]:9000/~u/%7Eu?k", "wss://abc.iot.us-east-1.amazonaws.com/mqtt",
    ],
    "host": ["example.com:8443", "[2001:db8::1]:443", "user:pass@127.0.0.1"],
    "header": ["x-amz-meta-a: a  b", "Host: example.com:443", "Content-Type:text/plain"],
    "path": ["/a%20b/%E2%98%83/./..//c", "/$default/@connections/X=", "/"],
    "query": ["uploads&a=b%20c&k=%e1%88%b4&k=+", "=&==&a=b=c"],
    "timestamp": ["20150830T123600Z", "20000229T235959Z", "99991231T235959Z"],
    "http date": [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994",
    ],
    "scope": ["20130524/us-east-1/s3/aws4_request", "20240229/auto/execute-api/aws4_request"],
    "region": ["us-east-1", "auto"],
    "access key ID": ["AKIDEXAMPLE", "minio/admin"],
    "unsigned header": ["x-custom-*", "user-agent"],
    "payload literal": ["STREAMING-UNSIGNED-PAYLOAD-TRAILER"],
    "signature": [String(repeating: "0123456789abcdeF", count: 4)],
  ]

  func open(_ entry: String, _ text: String) throws {
    switch entry {
    case "url": try expectSigned(SigV4.Request("GET", url: text))
    case "host": try expectSigned(SigV4.Request("GET", host: text))
    case "header":
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let header = SigV4.Header(String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
      try expectSigned(
        SigV4.Request("GET", host: "example.com", headers: SigV4.Headers([header])))
    case "path": try expectSigned(request(path: .encoded(text)))
    case "query": try expectSigned(request(query: .encoded(text)))
    case "timestamp": #expect(try SigV4.Timestamp(text).text == text)
    case "http date": #expect(try SigV4.Timestamp(httpDate: text).text.utf8.count == 16)
    case "scope": #expect(try SigV4.CredentialScope(text).text == text)
    default: try openName(entry, text)
    }
  }

  func openName(_ entry: String, _ text: String) throws {
    switch entry {
    case "region":
      let scope = try SigV4.CredentialScope(
        dayOf: Example.moment(), region: text, service: text)
      #expect(scope.text == "20150830/\(text)/\(text)/aws4_request")
    case "access key ID":
      let credentials = try SigV4.Credentials(
        accessKeyID: text, secretAccessKey: Example.secret, sessionToken: text)
      let signer = try SigV4.Signer(credentials: credentials, region: "auto", service: .s3)
      let signed = try signer.sign(request(), at: Example.moment())
      #expect(signed.authorization.contains("Credential=" + text + "/"))
    case "unsigned header":
      let service = try SigV4.Service.s3.with(\.unsignedHeaders, .names([text]))
      let signed = try Example.signed(request(), service)
      #expect(signed.signedHeaders == "host;x-amz-content-sha256;x-amz-date")
    case "payload literal": _ = try SigV4.Payload.literal(text)
    case "signature":
      #expect(try SigV4.Signature(hexString: text).hexString == text.lowercased())
    default: Issue.record("there is no entry '\(entry)'")
    }
  }

  func request(
    path: SigV4.Path = .root, query: SigV4.Query = .empty
  ) throws -> SigV4.Request {
    try SigV4.Request("GET", host: "example.com", path: path, query: query)
  }

  /// A request that could be made can be signed, and what comes out fits on one request line.
  func expectSigned(_ request: SigV4.Request, isOnWire: Bool = true) throws {
    let signed = try Example.signed(request, .s3)
    let parts = try CanonicalParts(signed.canonicalRequest)
    let isClean = { (text: String) in text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
    #expect(isClean(parts.path) && isClean(parts.query))
    #expect(!parts.query.contains("+"))
    if isOnWire { #expect(isClean(signed.url), "\(signed.url)") }
  }

  /// One to four changes: a byte replaced, inserted, removed or a part repeated.
  func mutated(_ bytes: [UInt8], _ generator: inout Xorshift64) -> [UInt8] {
    var bytes = bytes
    let interesting = Array("%/:@?#&=+. \r\n\t\0[]*-09Zz".utf8) + [0x7F, 0x80, 0xC3, 0xFF]
    for _ in 0...generator.size(upTo: 3) where !bytes.isEmpty {
      let position = generator.size(upTo: UInt64(bytes.count - 1))
      let byte = interesting[generator.size(upTo: UInt64(interesting.count - 1))]
      switch generator.size(upTo: 4) {
      case 0: bytes[position] = byte
      case 1: bytes.insert(byte, at: position)
      case 2: bytes.remove(at: position)
      case 3: bytes[position] = bytes[0]
      default: bytes += bytes[position...]
      }
    }
    return bytes
  }
}
