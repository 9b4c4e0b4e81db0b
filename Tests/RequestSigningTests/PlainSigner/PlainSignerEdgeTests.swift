// SPDX-License-Identifier: Apache-2.0
// The library and the plain form, with nearly equal names and spaces anywhere.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

/// Source: AWS, "Create a signed AWS API request", as ``PlainSigner`` writes it down.
///
/// Names are often compared, and blanks often sought, eight bytes at a time: so lengths and
/// positions are all those around 8 and 16.
@Suite("Plain form: edges")
struct PlainSignerEdgeTests {
  @Test("Names of headers that share their beginnings, of 1 to 19 bytes")
  func headerNames() {
    (0...18).forEachCase { (shared: Int) in
      var generator = Xorshift64(seed: 0x6E61_6D65_7368_6172)
      let beginning = String("abcdefghijklmnopqr".prefix(shared))
      let ends =
        [""] + Self.tokenCharacters + ["a!", "a-", "aa", "aaaaaaaa", "aaaaaaa-", "-a", "~~"]
      var names = ends.map { beginning + $0 }.filter { !$0.isEmpty }
      names += names.map { $0.uppercased() }
      try scrambled(names, &generator).expectAgreement("from abc")
      names = ends.map { "x-amz-meta-" + beginning + $0 }
      try scrambled(names, &generator).expectAgreement("metadata")
      names =
        Self.tokenCharacters.map { $0 + beginning }
        + Self.tokenCharacters.map { beginning + $0 + "z" }
      try scrambled(names, &generator).expectAgreement("character first or last but one")
    }
  }

  @Test("Header names that differ only in case keep their order")
  func headerCase() throws {
    var generator = Xorshift64(seed: 0x6361_7365_6361_7365)
    for name in ["x", "abcdefg", "abcdefgh", "abcdefghi", "x-amz-meta-aaaaaaaa1", "host-"] {
      let names = (0..<64).map { mask in
        String(
          name.enumerated().map { index, character in
            mask >> (index % 6) & 1 == 1 ? Character(character.uppercased()) : character
          })
      }
      try scrambled(names, &generator).expectAgreement(name)
    }
  }

  @Test("Names similar to those that signing adds")
  func neighboursOfAddedHeaders() throws {
    var generator = Xorshift64(seed: 0x6E65_6967_6862_6F75)
    let added = [
      "host", "x-amz-date", "x-amz-content-sha256", "x-amz-s3session-token",
      "x-amz-security-token",
    ]
    var names: [String] = []
    for name in added {
      let shorter = String(name.dropLast())
      names += [shorter, shorter + "!", shorter + "~"]
      names += Self.tokenCharacters.map { name + $0 }
    }
    try scrambled(names, &generator).expectAgreement()
  }

  @Test("Names similar to those of unsigned headers")
  func neighboursOfUnsignedHeaders() {
    (PlainService.changedOnTheWay + PlainService.unsignedInURLs).forEachCase {
      (pattern: String) in
      let name = String(pattern.prefix { $0 != "*" })
      let names =
        [name, name + "-", name + "a", name + "*", "x" + name, String(name.dropFirst())]
        + (0...name.count).map { String(name.prefix($0)) }
      for name in names where !name.isEmpty && name != "x-amz-" {
        let request = PlainRequest(headers: [(name, "1"), (name.uppercased(), "2")])
        try request.expectAgreement(name)
      }
    }
  }

  @Test("Blanks at each position of values of 0 to 40 bytes")
  func blanks() {
    [" ", "\t", "  ", "\t\t", " \t", "\t ", "   ", "        ", "         \t"].forEachCase {
      (blanks: String) in
      // 0x29 and 0x21 are nearly a tab and nearly a space, for who looks at eight bytes in a word.
      for letter in ["a", "!", ")", "I", "i", "@", "`", "~"] {
        var headers: [(name: String, value: String)] = []
        for length in 0...40 {
          let letters = String(repeating: letter, count: length)
          headers.append(("l-\(length)", letters))
          for position in 0...length where length < 18 || length == 40 {
            let value = String(letters.prefix(position)) + blanks + letters.dropFirst(position)
            headers.append(("p-\(length)-\(position)", value))
            headers.append(("both-\(length)-\(position)", " " + value + blanks))
          }
        }
        try PlainRequest(headers: headers).expectAgreement(letter)
      }
    }
  }

  @Test("Two blanks at each two positions of a value of 24 bytes")
  func pairsOfBlanks() throws {
    var headers: [(name: String, value: String)] = []
    for first in 0..<24 {
      for second in first..<24 {
        for (one, other) in [(" ", " "), (" ", "\t"), ("\t", " ")] {
          let value = (0..<24).map { $0 == first ? one : $0 == second ? other : "a" }.joined()
          headers.append(("x-\(first)-\(second)", value))
        }
      }
    }
    try PlainRequest(headers: headers).expectAgreement()
  }

  @Test("Values of blanks alone, of 0 to 40 bytes, repeated with others and without")
  func onlyBlanks() throws {
    let values = (0...40).flatMap { count in
      [" ", "\t", " \t"].map { String(repeating: $0, count: count) }
    }
    let single = values.enumerated().map { (name: "x-\($0)", value: $1) }
    try PlainRequest(headers: single).expectAgreement("each a header")
    try PlainRequest(headers: single.map { ("x-a", $0.value) }).expectAgreement("one header")
  }

  @Test("Every visible character in a value")
  func visibleCharacters() throws {
    let characters = (UInt8(0x20)...0x7E).map { String(decoding: [$0], as: UTF8.self) }
    let headers = characters.enumerated().flatMap { index, character in
      [
        (name: "one-\(index)", value: character),
        (name: "few-\(index)", value: "\t" + character + "  " + character + "\t" + character),
      ]
    }
    try PlainRequest(headers: headers).expectAgreement()
  }

  @Test("Parameters that share their beginnings, of 0 to 17 bytes")
  func parameterNames() {
    [0, 1, 6, 7, 8, 9, 15, 16, 17].forEachCase { (shared: Int) in
      var generator = Xorshift64(seed: 0x7175_6572_7973_6861)
      let beginning = Array("abcdefghijklmnopqr".utf8.prefix(shared))
      // Any byte after the shared ones is encoded or itself.
      let names = [beginning] + (UInt8.min...UInt8.max).map { beginning + [$0] }
      let values = ["", "=", "=a", "=B", "=a%20"].map { Array($0.utf8) }
      var pairs = names.flatMap { name in values.map { escaped(name) + $0 } }
      try scrambled(pairs, &generator).expectAgreement("names")
      pairs = names.map { Array("k=".utf8) + escaped($0) }
      try scrambled(pairs + pairs, &generator).expectAgreement("values")
      pairs = names.flatMap { [escaped($0) + Array("=1".utf8), escaped($0 + beginning) + [0x3D]] }
      try scrambled(pairs, &generator).expectAgreement("names of two lengths")
    }
  }

  @Test("Parameters similar to a presigned URL's")
  func neighboursOfAddedParameters() throws {
    var generator = Xorshift64(seed: 0x7072_6573_6967_6E65)
    let added = [
      "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires", "X-Amz-Security-Token",
      "X-Amz-SignedHeaders", "X-Amz-Signature",
    ]
    let pairs = added.flatMap { name in
      ["", "%00", "-", "0", "A", "a", "~", "=0"].map { Array((name.dropLast() + $0).utf8) }
        + ["%00", "-", "0", "A", "a", "~"].map { Array((name + $0).utf8) }
    }
    try scrambled(pairs, &generator).expectAgreement()
  }

  @Test("One signer signs the requests of many days, one after the other")
  func oneSigner() throws {
    let caller = PlainCaller()
    let signer = try caller.signer()
    for day in [0, 1, 0, 0, 400, 1, 2_932_000, 0] as [Int64] {
      for second in [0, 86_399] as [Int64] {
        let time = day * 86_400 + second
        let plain = PlainSigner(PlainRequest(), by: PlainCaller(time: time))
        let signed = try signer.sign(
          PlainRequest().signable(), at: SigV4.Timestamp(unixSeconds: time))
        #expect(SignedSteps(signed).difference(from: plain.signed()) == nil)
      }
    }
  }

  /// A header for each name, in arbitrary order, each with its own value.
  func scrambled(_ names: [String], _ generator: inout Xorshift64) -> PlainRequest {
    PlainRequest(
      headers: names.shuffled(using: &generator).enumerated().map { ($1, "value \($0)") })
  }

  func scrambled(_ pairs: [[UInt8]], _ generator: inout Xorshift64) -> PlainRequest {
    let query = pairs.shuffled(using: &generator).joined(separator: "&".utf8)
    return PlainRequest(query: .received(Array(query), plus: .literal))
  }

  /// The separators, which would end a name or value, as escapes.
  func escaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte in
      "&=%".utf8.contains(byte) ? Array(PlainSigner.encoded([byte]).utf8) : [byte]
    }
  }

  private static let tokenCharacters =
    "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCXYZ".map(String.init)
}
