// SPDX-License-Identifier: Apache-2.0
// Requests from a seed, combined from parts that are easy to get wrong.

internal import RequestSigning
internal import TestSupport

/// Draws requests, and callers for them, that nothing is wrong with.
package struct PlainRequestGenerator {
  private var generator: Xorshift64
  private let services: [PlainService]

  package init(seed: UInt64) throws {
    generator = Xorshift64(seed: seed)
    services = try PlainService.all()
  }

  package mutating func next() -> PlainSigner {
    var caller = caller()
    var request = PlainRequest()
    request.method = one(of: Self.methods)
    (request.scheme, request.host) = one(of: Self.hosts)
    // For AWS's hosts, an ID like a secret is rejected.
    if request.host.contains("amazonaws.com") && caller.accessKeyID.contains("/") {
      caller.accessKeyID = "A"
    }
    request.path = path(for: caller.service)
    request.query = query()
    request.payload = payload()
    request.headers = (0..<few(6)).map { _ in header() }.filter { header in
      !Self.reservedHeaders.contains(header.name.lowercased())
    }
    // HTTP forbids the two in one request.
    if request.headers.contains(where: { $0.name.lowercased() == "transfer-encoding" }) {
      request.headers.removeAll { $0.name.lowercased() == "content-length" }
    }
    if chance(8) { request.headers.append((one(of: ["Host", "host", "hOST"]), request.host)) }
    repeatAnswers(in: &request, caller)
    return PlainSigner(request, by: caller)
  }

  /// Sometimes the caller has set what signing would add, to the same value.
  private mutating func repeatAnswers(in request: inout PlainRequest, _ caller: PlainCaller) {
    let plain = PlainSigner(request, by: caller)
    let blank = one(of: ["", "", " ", "\t "])
    if chance(8) { request.headers.append((one(of: ["X-Amz-Date", "x-amz-date"]), plain.date)) }
    if chance(8), let token = caller.token {
      request.headers.insert((caller.service.tokenName, blank + token), at: 0)
    }
    // An empty payload is another one in a URL of S3's family.
    if chance(8), !plain.isPayloadLeftOpen {
      request.headers.append(("X-Amz-Content-SHA256", plain.payload + blank))
    }
  }

  private mutating func caller() -> PlainCaller {
    var caller = PlainCaller()
    caller.accessKeyID = one(of: ["AKIDEXAMPLE", "A", "key/with+signs=~", "ASIA0123456789ABCDEF"])
    // "AWS4" and 60 bytes fill a block of SHA-256; longer keys are hashed.
    caller.secret = String(repeating: "s/", count: 50).prefix(1 + few(99)) + "k"
    if chance(3) { caller.token = one(of: ["a/b+c==", "t", Example.token, Self.longToken]) }
    caller.region = one(of: ["us-east-1", "auto", "r", "ap-southeast-7", "a.b_c-d"])
    caller.service = one(of: services)
    caller.lifetime = 1 + few(604_799)
    // Up to the last second of 9999 in which a URL can still be valid for a week.
    caller.time = chance(4) ? Int64(few(4_102_444_800)) : Int64(few(253_402_300_799 - 604_800))
    // The first second of a day, and the last one.
    if chance(4) { caller.time = caller.time / 86_400 * 86_400 + (chance(2) ? 0 : 86_399) }
    caller.time = min(caller.time, 253_402_300_799 - 604_800)
    return caller
  }

  private mutating func payload() -> PlainRequest.Payload {
    switch few(5) {
    case 0: .unsigned
    case 1: .literal(one(of: ["STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "A", "0-Z"]))
    case 2: .bytes(bytes(few(200)))
    case 3: .digest(of: bytes(few(3)))
    default: .empty
    }
  }
}

// Paths and queries.
extension PlainRequestGenerator {
  private mutating func path(for service: PlainService) -> PlainRequest.Path {
    let hasKeys = !service.encodesPathTwice && !service.normalizesPath
    return switch few(hasKeys ? 3 : 2) {
    case 0: chance(10) ? .encoded("") : .encoded("/" + text(Self.pathPieces, few(10)))
    case 1: chance(10) ? .raw([]) : .raw(Array("/".utf8) + mixture(Self.pathPieces, few(10)))
    case 2:
      chance(10)
        ? .received([]) : .received(Array("/".utf8) + mixture(Self.receivedPieces, few(10)))
    default: .key([one(of: Array("/.a%\u{0} ~".utf8))] + mixture(Self.pathPieces, few(10)))
    }
  }

  private mutating func query() -> PlainRequest.Query {
    switch few(2) {
    case 0: .plain((0..<few(6)).map { _ in parameter() })
    case 1: .encoded(text(Self.queryPieces, few(20)), plus: chance(2) ? .space : .literal)
    default: .received(mixture(Self.receivedPieces, few(20)), plus: chance(2) ? .space : .literal)
    }
  }

  private mutating func parameter() -> (name: String, value: String?) {
    // On the wire nothing would be left of a parameter without name and value.
    let name = one(of: Self.nameBeginnings) + text(Self.plainPieces, few(3))
    if name.isEmpty || !chance(4) { return (name, text(Self.plainPieces, few(4))) }
    return (name, nil)
  }

  private static let pathPieces = [
    "/", "/", "//", ".", "..", "/./", "/../", "a", "bc", "~", "-", "_", "%20", "%2f", "%2F", "%2e",
    "%2E%2E", "%25", "%7E", "%00", "%e1%88%b4", "%ff", "+", "=", "@:!$&'()*,;", "%41",
    "abcdefgh", "abcdefghi",
  ]
  private static let queryPieces = [
    "&", "&", "&", "=", "=", "a", "a", "A", "b", "a1", "k=", "&k=", "&k=a", "%20", "%3d", "%3D",
    "%26", "%2B", "+", "~", "%7e", "-", ".", "/", "?", ";", "%e1%88%b4", "%C3%BC", "e%CC%81", "%FF",
    "%41", "abcdefgh", "&abcdefgh", "&abcdefg", "!*'()", "\"<>", "%20", "X-Amz-",
  ]
  private static let receivedPieces =
    pathPieces + queryPieces.filter { $0 != "?" } + [
      "%", "%4", "%zz", "%%41", "%+1", "%-1", "%4g", "ü", "e\u{301}", " ",
    ]
  private static let plainPieces = [
    "", "a", "b", "A", "1", "2", "-", "_", ".", "~", "%", "%41", "/", ":", ";", "=", "&", "+", " ",
    "é", "e\u{301}", "\u{0}", "\u{1F600}", "abcdefg", "abcdefgh",
  ]
  private static let nameBeginnings = [
    "", "", "Param", "abcdefg", "abcdefgh", "abcdefghi", "X-Amz-", "X-Amz-Al", "X-Amz-Algorith",
    "X-Amz-Dat", "X-Amz-DateX", "X-Amz-SignedHeader", "X-Amz-SignedHeadersS", "x-amz-meta-",
    "prefix", "prefixes",
  ]
}

// Headers.
extension PlainRequestGenerator {
  private mutating func header() -> (name: String, value: String) {
    let name = one(of: Self.headerBeginnings) + text(Self.tokenCharacters, few(3))
    return (
      chance(4) ? name.uppercased() : name.isEmpty ? "!" : name,
      chance(3) ? text(Self.blankPieces, few(16)) : text(Self.visiblePieces, few(4))
    )
  }

  /// Headers that a caller can't set, or sets elsewhere.
  private static let reservedHeaders: Set<String> = [
    "", "authorization", "host", "x-amz-date", "x-amz-content-sha256", "x-amz-security-token",
    "x-amz-s3session-token",
  ]
  private static let headerBeginnings =
    [
      "", "a", "x", "h", "hos", "host-", "hostile", "content-typ", "content-type",
      "Content-Type", "content-length", "date", "Date", "Range", "Cache-Control", "cookie",
      "x-custom", "X-Custom-", "aaaaaaa", "aaaaaaaa", "aaaaaaaaa", "x-amz-", "x-amz-a",
      "x-amz-me", "x-amz-meta-", "x-amz-meta-aaaaaaaa", "x-amz-meta-aaaaaaaaaaaaaaaa",
      "x-amz-date-", "x-amz-dat", "x-amz-content-sha25", "x-amz-content-sha2566",
      "x-amz-security-toke", "x-amz-user-agent", "x-amz-checksum-mode", "x-amzn-", "accept",
    ] + PlainService.changedOnTheWay.map { String($0.prefix { $0 != "*" }) }
  private static let tokenCharacters =
    "!#$%&'*+-.^_`|~0189abyzABYZ".map(String.init) + ["", "", ""]
  private static let blankPieces = [" ", " ", "\t", "  ", "\t ", "a", "b", ",", "abcdefg"]
  private static let visiblePieces = [
    "", "a", "B", "\"a  b\"", ",", ";", "=", ":", "%20", "~", "!", "x-amz-", "2 3", "abcdefgh",
  ]
  private static let methods = [
    "GET", "GET", "PUT", "POST", "HEAD", "DELETE", "OPTIONS", "M-SEARCH", "post", "!",
  ]
  private static let hosts: [(SigV4.Scheme, String)] = [
    (.https, "example.com"), (.https, "EXAMPLE.com:443"), (.https, "example.com:80"),
    (.https, "user:secret@example.com:8443"), (.http, "example.com:80"),
    (.http, "Example.Com:443"), (.wss, "a.b.amazonaws.com:443"), (.ws, "a:80"), (.ws, "a:8080"),
    (.http, "127.0.0.1:9000"), (.https, "[::1]:9000"), (.https, "[FE80::1]:443"),
    (.https, "[::1]"), (.https, "example.com."), (.https, "a_b~c.d-e"), (.http, "h:1"),
    (.https, "localhost:4430"),
  ]
  private static let longToken = String(repeating: "Fw/+", count: 80) + "=="
}

// Draws.
extension PlainRequestGenerator {
  /// A number of 0 to `largest`.
  private mutating func few(_ largest: UInt64) -> Int { generator.size(upTo: largest) }

  /// True once in `times` calls, on average.
  private mutating func chance(_ times: UInt64) -> Bool { few(times - 1) == 0 }

  private mutating func one<Element>(of elements: [Element]) -> Element {
    elements[few(UInt64(elements.count - 1))]
  }

  private mutating func bytes(_ count: Int) -> [UInt8] { generator.bytes(count) }

  private mutating func text(_ pieces: [String], _ count: Int) -> String {
    (0..<count).map { _ in one(of: pieces) }.joined()
  }

  /// Pieces, and bytes of any value among them.
  private mutating func mixture(_ pieces: [String], _ count: Int) -> [UInt8] {
    (0..<count).flatMap { _ in chance(4) ? bytes(1) : Array(one(of: pieces).utf8) }
  }
}
