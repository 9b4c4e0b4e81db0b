// SPDX-License-Identifier: Apache-2.0
// The Content-Digest field (RFC 9530): made with SHA-256, compared with SHA-256 and SHA-512.

internal import SecureHashing

enum ContentDigest {
  static let fieldName = "Content-Digest"

  /// The value of the field for a body.
  static func value(of body: some Collection<UInt8>) -> String {
    "sha-256=:" + Base64.encode(SHA256.hash(data: body)) + ":"
  }

  /// Compares the field with the body, if the message has one.
  ///
  /// All digests with SHA-256 and SHA-512 must be right, and there must be one. The other
  /// algorithms are deprecated (RFC 9530, section 5).
  static func check(
    _ message: HTTPMessage, _ body: some Collection<UInt8>
  ) throws(MessageSignatureError) {
    guard let members = try message.dictionary(fieldName) else { return }
    var isCompared = false
    for (name, member) in members.all {
      let digest: [UInt8]
      if name.isSpelled("sha-256") {
        digest = Array(SHA256.hash(data: body))
      } else if name.isSpelled("sha-512") {
        digest = Array(SHA512.hash(data: body))
      } else {
        continue
      }
      guard case .item(let item) = member, item.value == .bytes(digest) else {
        throw MessageSignatureError(.wrongContentDigest, "Content-Digest doesn't match the body.")
      }
      isCompared = true
    }
    if !isCompared {
      throw MessageSignatureError(
        .wrongContentDigest, "Content-Digest has neither a sha-256 nor a sha-512 digest.")
    }
  }
}
