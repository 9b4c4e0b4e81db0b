// SPDX-License-Identifier: Apache-2.0
// The library and the plain form, where requests are large.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

/// Source: AWS, "Create a signed AWS API request", as ``PlainSigner`` writes it down.
@Suite("Plain form: sizes")
struct PlainSignerSizeTests {
  @Test("1,000 large headers, in reverse order and scrambled, each name once or repeated")
  func headers() throws {
    var generator = Xorshift64(seed: 0x6865_6164_6572_7331)
    let value = { (generator: inout Xorshift64) in
      String(
        decoding: generator.bytes(sampleSize(256, of: 8192)).map { Self.visible[Int($0 % 16)] },
        as: UTF8.self)
    }
    let names = (0..<1000).reversed().map { "x-amz-meta-\($0)" }
    var request = PlainRequest(headers: names.map { ($0, value(&generator)) })
    try request.expectAgreement("in reverse order")
    request.headers.shuffle(using: &generator)
    try request.expectAgreement("scrambled")
    request.headers = request.headers.enumerated().map { ("X-\($0 % 7)", $1.value) }
    try request.expectAgreement("repeated")
  }

  @Test("Thousands of parameters, in reverse order, in order, scrambled, all equal")
  func parameters() throws {
    var generator = Xorshift64(seed: 0x7061_7261_6D65_7431)
    var pairs = (0..<sampleSize(1_000, of: 10_000)).reversed().map {
      "parameter\($0)=value\($0 % 10)"
    }
    try PlainRequest(query: query(pairs)).expectAgreement("in reverse order")
    pairs.reverse()
    try PlainRequest(query: query(pairs)).expectAgreement("in order")
    pairs.shuffle(using: &generator)
    try PlainRequest(query: query(pairs)).expectAgreement("scrambled")
    pairs = pairs.map { "prefix=" + $0 }.shuffled(using: &generator)
    try PlainRequest(query: query(pairs)).expectAgreement("one name")
    pairs = pairs.indices.map { "\($0 % 100 * 7919)=" + String(repeating: "v", count: $0 % 19) }
    try PlainRequest(query: query(pairs)).expectAgreement("names repeated")
    pairs = pairs.map { _ in "parameter=value" }
    try PlainRequest(query: query(pairs)).expectAgreement("all equal")
    pairs = pairs.map { _ in "=" }
    try PlainRequest(query: query(pairs)).expectAgreement("all empty")
  }

  @Test("Thousands of parameters of any bytes")
  func parametersOfAnyBytes() throws {
    var generator = Xorshift64(seed: 0x7061_7261_6D65_7432)
    let query = (0..<sampleSize(2_000, of: 10_000)).flatMap { _ in
      Array("&".utf8) + generator.bytes(generator.size(upTo: 3)) + Array("=".utf8)
        + generator.bytes(generator.size(upTo: 3))
    }
    try PlainRequest(query: .received(query, plus: .space)).expectAgreement()
  }

  @Test("A large path of any bytes, and one of slashes, dots, escapes and letters")
  func paths() throws {
    var generator = Xorshift64(seed: 0x7061_7468_7061_7468)
    let size = sampleSize(1 << 16, of: 1 << 20)
    try expectAgreement(on: generator.bytes(size), isEncoded: false)
    let pieces = ["/", "//", "/..", "/.", "/a", "a", "%2f", "~%7E", "/...", "%2E"]
    let text = (0..<size / 2).map { _ in pieces[generator.size(upTo: 9)] }.joined()
    try expectAgreement(on: Array(text.utf8.prefix(size)) + [0x34, 0x31], isEncoded: true)
  }

  @Test("A path of 8 KiB of one piece repeated")
  func pathOfOnePiece() {
    ["/", "/..", "/.", "/a/..", "a", "%2f", "%2E/", "~", "/a//."].forEachCase { (piece: String) in
      let text = String(repeating: piece, count: 8192 / piece.utf8.count)
      try expectAgreement(on: Array(text.utf8), isEncoded: true)
    }
  }

  @Test("A name, a value and a header's name of 256 KiB")
  func single() throws {
    let long = String(repeating: "a b\t\t=%&", count: 1 << 15)
    try PlainRequest(
      query: .plain([(long, long), (long, nil), (long, "")]),
      headers: [("x-a", long), (String(repeating: "X-", count: 1 << 17), "1")]
    ).expectAgreement()
  }

  @Test("A method, a host, a session token of 64 KiB, and thousands of names without values")
  func longParts() throws {
    var request = PlainRequest()
    request.method = String(repeating: "M", count: 1 << 16)
    try request.expectAgreement("method")
    request = PlainRequest()
    request.host = [String](repeating: "abcdefg", count: 1 << 13).joined(separator: ".")
    try request.expectAgreement("host")
    request = PlainRequest(headers: (0..<2_000).map { ("h\($0)", "") })
    try request.expectAgreement("headers")
    request = PlainRequest(query: query((0..<2_000).map { "\($0)" }))
    try request.expectAgreement("parameters")
    let token = String(repeating: "/+=a", count: 1 << 14)
    let plain = PlainSigner(PlainRequest(), by: PlainCaller(token: token))
    #expect(try plain.differenceOfSigned() == nil)
    #expect(try plain.differenceOfPresigned() == nil)
  }

  /// With every kind of path, for S3 and for a standard service.
  func expectAgreement(on bytes: [UInt8], isEncoded: Bool) throws {
    let path = Array("/".utf8) + bytes
    var paths: [PlainRequest.Path] = [.raw(path), .received(path)]
    if isEncoded { paths.append(.encoded(String(decoding: path, as: UTF8.self))) }
    for path in paths {
      try expectAgreement(on: path, for: .s3)
      try expectAgreement(on: path, for: .standard(.standard("iam"), "iam"))
    }
    try expectAgreement(on: .key(bytes), for: .s3)
  }

  func expectAgreement(on path: PlainRequest.Path, for service: PlainService) throws {
    let plain = PlainSigner(PlainRequest(path: path), by: PlainCaller(service: service))
    if let difference = try plain.differenceOfSigned() {
      Issue.record("\(service): \(difference)")
    }
  }

  func query(_ pairs: [String]) -> PlainRequest.Query {
    .encoded(pairs.joined(separator: "&"), plus: .space)
  }

  private static let visible = Array("aZ0 \t,\"=  !~-)i`".utf8)
}
