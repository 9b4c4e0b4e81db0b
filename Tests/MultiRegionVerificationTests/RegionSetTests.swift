// SPDX-License-Identifier: Apache-2.0
// Sets of regions at a server: how they are read, and that they cost nothing before they are signed.

internal import MultiRegionSigning
internal import MultiRegionVerification
internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Verification of Signature Version 4a: region sets")
struct RegionSetTests {
  /// A request whose set of regions is one that the signer doesn't make, signed with it. SigV4, step 1: the
  /// ends of a value are trimmed, and runs of spaces folded, before it is signed.
  private func sent(_ set: String) throws -> SentRequest {
    let credentials = try Example.credentials()
    let folded = set.split(separator: " ").joined(separator: " ")
    let preparing = SigV4.Signer(
      try SigV4.Preparer(identity: credentials.identity, regionSet: folded, service: .s3))
    let pending = try preparing.prepare(SentToRegions.request(), at: Example.moment())
    let key = SigV4.MultiRegionKey(credentials)
    return SentRequest(pending.signed(with: key.signature(of: pending.stringToSign)))
      .replacing("x-amz-region-set", with: [set])
  }

  @Test("Spaces before and after a region are ignored, and an empty region is rejected")
  func spaces() throws {
    let server = try MultiRegionServer()
    for set in [
      "us-east-1", " us-east-1", "us-east-1 ", "eu-west-1 ,us-east-1", "eu-west-1, us-east-1 ,a",
      "eu-west-1 , us-* ", ",us-east-1", "us-east-1,",
    ] {
      #expect(throws: Never.self, "\(set)") { try server.verify(sent(set)) }
    }
    for set in ["eu-west-1", "us east-1", "us-east -1", ",", " , ", "us-east-1a ,", "us- *"] {
      expectRefused(.wrongScope) { try server.verify(sent(set)) }
    }
  }

  @Test("A policy without a region that can be one accepts no set, not even of all regions")
  func emptyRegions() throws {
    var server = try MultiRegionServer()
    for regions in [[], [""], ["", ""], ["*"], ["us-east-1 "], ["us-east-1,eu-west-1"]] {
      server.verifier.regions = regions
      for set in ["*", "**", "", "us-east-1", ",", "us-*"] where !set.isEmpty {
        expectRefused(.wrongScope) { try server.verify(sent(set)) }
      }
    }
    server.verifier.regions = ["", "us-east-1"]
    try server.verify(sent("*"))
  }

  @Test("A set of more than 1,024 bytes or 64 regions is rejected, in headers and in URLs")
  func length() throws {
    let server = try MultiRegionServer()
    func list(_ count: Int, _ region: String) -> String {
      [String](repeating: region, count: count).joined(separator: ",")
    }
    for (set, isAccepted) in [
      (String(repeating: "a", count: 1_024), true), (String(repeating: "a", count: 1_025), false),
      (list(63, "a") + ",b*", true), (list(64, "a") + ",b*", false), (list(64, "a") + ",", false),
      (list(10_000, "a"), false), (list(63, "abcdefghijklmno") + ",abcdefghijklmnop", true),
      (list(64, "abcdefghijklmnop"), false),
    ] {
      let sent = try sent(set)
      let url = try SentToRegions.presigned().replacing(
        "X-Amz-Region-Set=%2A", with: "X-Amz-Region-Set=" + set)
      if isAccepted {
        expectRefused(.wrongScope) { try server.check(sent) }
        expectRefused(.wrongScope) { try server.check(url) }
      } else {
        expectRefused(.malformedAuthorization) { try server.check(sent) }
        expectRefused(.malformedQueryAuthorization) { try server.check(url) }
      }
    }
  }

  @Test("An unsigned set is rejected as such, whatever it contains")
  func unsigned() throws {
    let server = try MultiRegionServer()
    for set in ["*", "us-east-1", "eu-west-1", String(repeating: "a,", count: 14_000)] {
      let unsigned = try sent("*").replacing(";x-amz-region-set", with: "")
        .replacing("x-amz-region-set", with: [set])
      expectRefused(.unsignedHeader) { try server.check(unsigned) }
      var open = server
      open.verifier.unsignedHeaders = ["x-amz-region-set"]
      expectRefused(.unsignedHeader) { try open.check(unsigned) }
    }
    // One that is signed and not sent is an empty one.
    let lost = try sent("*").replacing("x-amz-region-set", with: [])
    expectRefused(.malformedAuthorization) { try server.check(lost) }
  }

  @Test("Patterns match as in an independent implementation")
  func patterns() throws {
    var draw = Xorshift64(seed: 0x7265_6769_6F6E)
    var server = try MultiRegionServer()
    var accepted = 0
    let pieces = ["a", "b", "*", "ab", "-", ",", " "]
    for _ in 0..<sampleSize(400, of: 10_000) {
      let set = (0...draw.size(upTo: 7)).map { _ in pieces[draw.size(upTo: 6)] }.joined()
      let region = (0...draw.size(upTo: 3)).map { _ in ["a", "b", "-"][draw.size(upTo: 2)] }
        .joined()
      if set.allSatisfy({ $0 == " " }) { continue }
      server.verifier.regions = [region]
      let isIn = set.split(separator: ",").contains { part in
        Self.matches(Array(part.trimmingSpaces), Array(region))
      }
      let sent = try sent(set)
      if isIn {
        accepted += 1
        #expect(throws: Never.self, "\(region) in \(set)") { try server.check(sent) }
      } else {
        expectRefused(.wrongScope) { try server.check(sent) }
      }
    }
    #expect(accepted > 50)
  }

  /// By recursion over both texts.
  private static func matches(_ pattern: [Character], _ text: [Character]) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = Array(pattern.dropFirst())
    if first == "*" {
      return (0...text.count).contains { matches(rest, Array(text.dropFirst($0))) }
    }
    return first == text.first && matches(rest, Array(text.dropFirst()))
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
