// SPDX-License-Identifier: Apache-2.0
// What an algorithm changes in the steps. SigV4a is a second one, in MultiRegionSigning.

extension SigV4 {
  /// The name of an algorithm, and what it changes in the steps before the signature: the scope, and
  /// headers or parameters of its own. How it signs is not a part of it.
  package struct SignatureAlgorithm: Sendable, CustomStringConvertible {
    /// The first line of the string to sign.
    package let name: String

    /// Whether the region is a part of the credential scope.
    let scopeHasRegion: Bool

    /// What the algorithm adds: a header, or the parameter of a presigned URL. Their order is that of
    /// the names: headers after `x-amz-date` and before the session token, parameters after
    /// `X-Amz-Expires`.
    let additions: [Addition]

    package struct Addition: Sendable {
      let header: StaticString
      let parameter: StaticString
      let value: String

      package init(header: StaticString, parameter: StaticString, value: String) {
        self.header = header
        self.parameter = parameter
        self.value = value
      }
    }

    package init(name: String, scopeHasRegion: Bool, additions: [Addition]) {
      self.name = name
      self.scopeHasRegion = scopeHasRegion
      self.additions = additions
    }

    /// HMAC with SHA-256: a signature of 32 bytes.
    package static var hmacSHA256: SignatureAlgorithm {
      SignatureAlgorithm(
        name: hmacSHA256Name.description, scopeHasRegion: true, additions: [])
    }

    package static var hmacSHA256Name: StaticString { "AWS4-HMAC-SHA256" }

    /// Signature Version 4a, which higher modules sign and verify.
    package static var ecdsaP256SHA256Name: StaticString { "AWS4-ECDSA-P256-SHA256" }

    /// The name.
    package var description: String { name }
  }
}
