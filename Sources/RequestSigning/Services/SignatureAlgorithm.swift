// SPDX-License-Identifier: Apache-2.0
// The algorithms of signatures, each with its names.

extension SigV4 {
  /// An algorithm: its name, the names in the request, and whether the credential scope contains
  /// the region. It doesn't contain the signing itself.
  package enum SignatureAlgorithm: Hashable, Sendable {
    /// Signature Version 4: HMAC with SHA-256, with a key for one day, region and service.
    case hmacSHA256(SignatureNames)
    /// Signature Version 4a, which higher modules sign and verify.
    case ecdsaP256SHA256
    /// A certificate, whose private key signs in higher modules.
    case x509(CertificateNames)

    /// The first line of the string to sign.
    package var name: StaticString {
      switch self {
      case .hmacSHA256(let names): names.algorithm
      case .ecdsaP256SHA256: "AWS4-ECDSA-P256-SHA256"
      case .x509(let names): names.algorithm
      }
    }

    /// The prefixes in the request, and the end of the credential scope.
    package var names: SignatureNames {
      switch self {
      case .hmacSHA256(let names): names
      case .ecdsaP256SHA256, .x509: .aws
      }
    }

    /// Whether the credential scope contains the region. If not, a region set is signed.
    package var scopeHasRegion: Bool {
      switch self {
      case .hmacSHA256, .x509: true
      case .ecdsaP256SHA256: false
      }
    }

    /// Whether it has signing keys for one day, region and service.
    var hasDailyKeys: Bool {
      switch self {
      case .hmacSHA256: true
      case .ecdsaP256SHA256, .x509: false
      }
    }

    /// The maximum size of a region set, in bytes and in regions. A server compares each region
    /// with its own before it verifies anything. All AWS regions together need about half of both.
    package static var maximumRegionSetByteCount: Int { 1_024 }
    package static var maximumRegionCount: Int { 64 }
  }
}

/// The names of a signature with an X.509 certificate, besides those of AWS. The access key ID is
/// its serial number.
///
/// Source: AWS IAM Roles Anywhere User Guide, "Signing process for authentication".
package enum CertificateNames: CaseIterable, Hashable, Sendable {
  /// PKCS #1 v1.5.
  case rsa
  /// ECDSA in DER.
  case ecdsa

  /// The first line of the string to sign.
  package var algorithm: StaticString {
    switch self {
    case .rsa: "AWS4-X509-RSA-SHA256"
    case .ecdsa: "AWS4-X509-ECDSA-SHA256"
    }
  }

  /// The header with the certificate, in base64 of its DER.
  package static var certificateHeader: StaticString { "X-Amz-X509" }

  /// The header with the certificates between it and the trust anchor, separated by commas.
  package static var chainHeader: StaticString { "X-Amz-X509-Chain" }
}
