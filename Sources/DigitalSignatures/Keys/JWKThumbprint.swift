// SPDX-License-Identifier: Apache-2.0
// JWK thumbprints (RFC 7638): names of public keys that everybody computes alike.

internal import SecureHashing

extension Curve25519.Signing.PublicKey {
  /// The JWK thumbprint with SHA-256 in base64url, 43 characters (RFC 8037, A.3). It identifies the
  /// key, as `kid` in JSON Web Tokens and `keyid` in Web Bot Auth.
  public var jwkThumbprint: String {
    thumbprint(#"{"crv":"Ed25519","kty":"OKP","x":"\#(base64URL(rawRepresentation))"}"#)
  }
}

extension P256.Signing.PublicKey {
  /// The JWK thumbprint with SHA-256 in base64url, 43 characters (RFC 7638). It identifies the key,
  /// as `kid` in JSON Web Tokens.
  public var jwkThumbprint: String {
    let (x, y) = (rawRepresentation.prefix(32), rawRepresentation.suffix(32))
    return thumbprint(
      #"{"crv":"P-256","kty":"EC","x":"\#(base64URL(x))","y":"\#(base64URL(y))"}"#)
  }
}

extension RSA.Signing.PublicKey {
  /// The JWK thumbprint with SHA-256 in base64url, 43 characters (RFC 7638). It identifies the key,
  /// as `kid` in JSON Web Tokens and `keyid` in Web Bot Auth.
  public var jwkThumbprint: String {
    thumbprint(
      #"{"e":"\#(base64URL(exponentBytes))","kty":"RSA","n":"\#(base64URL(modulusBytes))"}"#)
  }
}

/// The hash of the required members in their order, without spaces (RFC 7638, 3).
private func thumbprint(_ members: String) -> String {
  base64URL(SHA256.hash(data: members.utf8))
}

private func base64URL(_ bytes: some Collection<UInt8>) -> String {
  Base64.encode(bytes, as: .urlSafeUnpadded)
}
