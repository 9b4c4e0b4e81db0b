// SPDX-License-Identifier: Apache-2.0
// A server accepts keys of every kind, and returns them byte for byte.

internal import S3Signing
internal import RequestSigning
import Testing

@Suite("Real server: keys", .enabled(if: RealServer.isNamed, RealServer.reason))
struct ObjectNameTests {
  static let keys = [
    "a b", " leading and trailing ", "a  b", "a+b", "a%2Bb", "a%20b", "100%", "%", "%25", "%zz",
    "%2F",
    "a/b", "a//b", "/leading", "//two", "trailing/", "///", "a/", "a/./b", "a/../b", "../a", ".",
    "..",
    "...", "a.b", ".hidden", "a/..", "./a", "-_.~", "!'()*", "&=?#;:@$,", "\"<>\\^`{|}[]",
    "a?b=c&d",
    "a&amp;b", "caf\u{e9}", "cafe\u{301}", "\u{1F4F7}", "日本語", "\u{202E}abc", "~tilde",
    "UPPER lower",
    "?list-type=2", "tab\there", String(repeating: "k", count: 1_024),
    String(repeating: "\u{e9}", count: 512),
  ]

  @Test(
    "A key is put, headed, got, listed and deleted, signed in headers and in URLs", arguments: keys)
  func key(_ key: String) throws {
    let store = try Store("keys")
    let object = try store.bucket.object(key)
    let body = Array("the object \(key)".utf8)
    let signed = try store.signed(object.putRequest(.bytes(body)), body: body)
    #expect(try store.send(signed).status == 200)
    #expect(try store.send(object.headRequest()).status == 200)
    #expect(try store.contents(of: key) == body)
    #expect(try store.send(store.presigned(object.getRequest())).body == body)
    let listed = try store.keys(prefix: key).map { Array($0.utf8) }
    #expect(listed.contains(Array(key.utf8)))
    // The last character of the path.
    try store.expectRefusal(
      of: store.signed(object.putRequest(.bytes(body)), body: body).flipped(
        after: signed.target, offset: -1))
    try store.expectRefusal(
      of: store.presigned(object.getRequest()).flipped(after: "?X-Amz-Algorithm", offset: -17))
    #expect(try store.send(store.presigned(object.deleteRequest())).status == 204)
    #expect(try store.contents(of: key) == nil)
  }

  @Test("Composed and decomposed letters are two keys")
  func normalization() throws {
    let store = try Store("keys-unicode")
    try store.put([1], at: "caf\u{e9}")
    try store.put([2], at: "cafe\u{301}")
    #expect(try store.contents(of: "caf\u{e9}") == [1])
    #expect(try store.contents(of: "cafe\u{301}") == [2])
    let listed = try store.keys().map { Array($0.utf8) }
    #expect(listed == [Array("cafe\u{301}".utf8), Array("caf\u{e9}".utf8)])
  }
}
