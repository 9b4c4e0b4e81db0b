// SPDX-License-Identifier: Apache-2.0
// Signed URLs and cookies of CloudFront: what is signed is verified, and what was changed isn't.

internal import CloudFrontSigning
internal import DigitalSignatures
internal import SecureHashing

enum CloudFrontTargets {
  /// A byte to change, a URL, a resource, an address, a Cookie header, and any statement.
  static func cloudfront(_ input: FuzzInput) {
    var input = input
    let (place, url, resource) = (input.number(), input.line(), input.line())
    let (address, cookies, statement) = (input.line(), input.line(), input.bytes)
    _ = try? verifier.verify(url: url, cookies: cookies, from: address, at: now)
    if let signed = try? signer.signedURL(url, expiresAt: end) {
      expectAccess(signed.url, to: url)
      let sent = required("cookies are signed alike") {
        try signer.signedCookies(for: url, expiresAt: end)
      }
      expectAccess(url, to: url, cookies: sent.cookieValue)
      var changed = Array(signed.url.utf8)
      changed[place % changed.count] ^= 1
      let access = try? verifier.verify(url: changed.text, from: "", at: now)
      expect(access == nil, "a changed byte is noticed")
    }
    if let policy = try? CloudFrontPolicy(resource: resource, expiresAt: end, ipAddress: address) {
      let own = required("a policy is signed") { try signer.signedCookies(policy: policy) }
      // The first address of the range, since a range begins with it.
      let client = String(address.prefix { $0 != "/" })
      let access = try? verifier.verify(
        url: url, cookies: own.cookieValue, from: client, at: now)
      let isCovered = (try? signer.signedURL(url, policy: policy)) != nil
      if isCovered { expect(access != nil, "cookies open what the URL opens") }
    }
    // Whatever is signed is read without a trap.
    let (policy, signature) = (encoded(statement), encoded(key.signature(for: statement)))
    _ = try? verifier.verify(
      url:
        "https://a/b?Policy=\(policy)&Signature=\(signature)&Key-Pair-Id=K&Hash-Algorithm=SHA256",
      from: address, at: now)
  }

  private static func expectAccess(_ requested: String, to url: String, cookies: String? = nil) {
    let access = required("what is signed is valid") {
      try verifier.verify(url: requested, cookies: cookies, from: "", at: now)
    }
    expect(same(access.url, url), "and is the URL that was signed")
  }

  private static func encoded(_ signature: P256.Signing.ECDSASignature) -> String {
    encoded(signature.derRepresentation)
  }

  private static func encoded(_ bytes: [UInt8]) -> String {
    String(Base64.encode(bytes).map { ["+": "-", "=": "_", "/": "~"][$0] ?? $0 })
  }

  private static let now = Signing.now
  private static let end = required("the end is a time") { try now.advanced(by: .seconds(60)) }
  private static let key = required("the key is one") {
    try P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 32))
  }
  private static let signer = required("the signer is good") {
    try CloudFrontSigner(keyPairID: "K", privateKey: key)
  }
  private static let verifier = CloudFrontVerifier(publicKeys: ["K": .p256(key.publicKey)])
}
