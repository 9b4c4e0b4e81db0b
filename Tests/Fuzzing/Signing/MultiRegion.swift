// SPDX-License-Identifier: Apache-2.0
// Signature Version 4a: what is signed for a set of regions is accepted there, and no claim of a
// received request is accepted with another key.

internal import MultiRegionSigning
internal import MultiRegionVerification
internal import RequestSigning
internal import RequestVerification

enum MultiRegionTargets {
  private static let key = SigV4.MultiRegionPublicKey(Signing.credentials).prepared()
  private static let request = required("the request is one") {
    try SigV4.Request("GET", url: "https://examplebucket.s3.amazonaws.com/a%20b?x=%2B")
  }
  private static let verifier = {
    var verifier = SigV4.Verifier(region: "eu-west-1", service: .s3)
    verifier.algorithms = [.ecdsaP256SHA256]
    return verifier
  }()

  /// The names of a region set, then METHOD, target, headers, an empty line.
  static func claims(_ input: FuzzInput) {
    var input = input
    let regions = input.line()
    // Signing takes milliseconds, so only sets that are valid are signed for.
    if let set = try? SigV4.RegionSet(regions) { accept(set) }
    let (method, target, pairs) = (input.line(), input.field(), input.pairs())
    var received = SigV4.ReceivedRequest(method, target: target)
    for pair in pairs { received.append(pair.name, pair.value) }
    guard let unverified = try? verifier.check(received, at: Signing.now) else { return }
    expect(!unverified.accessKeyID.isEmpty, "a claim names a key")
    expect((try? unverified.verify(with: key)) == nil, "only signed claims are accepted")
  }

  private static func accept(_ regions: SigV4.RegionSet) {
    let signed = required("a request is signed for any set") {
      try SigV4.Signer(credentials: Signing.credentials, regionSet: regions, service: .s3)
        .sign(request, at: Signing.now)
    }
    let received = SigV4.ReceivedRequest(
      "GET", target: signed.target,
      headers: SigV4.Headers([("Host", signed.host)]) + signed.headers)
    let isMember = regions.regions.contains { matches($0.utf8[...], "eu-west-1".utf8[...]) }
    guard let unverified = try? verifier.check(received, at: Signing.now) else {
      expect(!isMember, "a set with the region is accepted: \(regions)")
      return
    }
    expect(isMember, "a set without the region is rejected: \(regions)")
    expect((try? unverified.verify(with: key)) != nil, "what is signed is accepted")
  }

  /// Whether a text has the form of a pattern, in which `*` stands for any characters.
  private static func matches(
    _ pattern: Substring.UTF8View, _ text: Substring.UTF8View
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == UInt8(ascii: "*") {
      let rest = pattern.drop { $0 == first }
      return rest.isEmpty || text.indices.contains { matches(rest, text[$0...]) }
    }
    return text.first == first && matches(pattern.dropFirst(), text.dropFirst())
  }
}
