// SPDX-License-Identifier: Apache-2.0
// The error codes of signing for CloudFront.

internal import DigitalSignatures
internal import RequestSigning

/// Errors of signing for CloudFront.
extension SigV4.SigningError.Code {
  /// The key pair ID contains a character that no ID has, or is empty. Use the ID of the public key
  /// in CloudFront, such as K2JCJMDEHXQW5F.
  public static var invalidKeyPairID: Self { Self(name: "invalidKeyPairID") }
  /// The string isn't a valid RSA or P-256 key in PEM. Pass the lines from '-----BEGIN' to
  /// '-----END', of an unencrypted key.
  public static var invalidKey: Self { Self(name: "invalidKey") }
  /// The key's size or exponent isn't supported, or a P-256 key is used with SHA-1. Use a 2048-bit
  /// RSA key, or a P-256 key with SHA-256.
  public static var unsupportedKey: Self { Self(name: "unsupportedKey") }
  /// A canned policy has no wildcards. Percent-encode '*' as %2A if it's part of the name, or use a
  /// `CloudFrontPolicy`.
  public static var wildcardsNotSupported: Self { Self(name: "wildcardsNotSupported") }
  /// The resource can't match any URL, or contains a character that URLs don't. Start it with
  /// https://, http:// or '*', and percent-encode it.
  public static var invalidResource: Self { Self(name: "invalidResource") }
  /// The policy's resource doesn't match the URL. Use a URL of this resource, or add wildcards to
  /// the resource.
  public static var urlNotInPolicy: Self { Self(name: "urlNotInPolicy") }
  /// The policy expires before it starts, or one of the two is before 1970. Use a start before the
  /// expiration.
  public static var invalidPolicyDates: Self { Self(name: "invalidPolicyDates") }
  /// The string isn't an IPv4 address or a range of them. Use the form 192.0.2.7 or 192.0.2.0/24.
  public static var invalidAddressRange: Self { Self(name: "invalidAddressRange") }
  /// A cookie attribute isn't valid, or conflicts with another. Correct the attribute in the
  /// message.
  public static var invalidCookieAttribute: Self { Self(name: "invalidCookieAttribute") }
  /// The RSA signature was computed but didn't verify. Don't sign again with this key on this
  /// machine. Its memory or processor is faulty, or the key's factors aren't primes.
  public static var signingFault: Self { Self(name: "signingFault") }
}

extension SigV4.SigningError {
  /// The error for a string that isn't an RSA or P-256 key.
  static func invalidKey(_ reason: KeyDecodingError) -> Self {
    if reason.code == .unsupportedModulus { return unsupportedKeySize("\(reason.problem)") }
    return Self(
      reason.code == .unsupportedExponent ? .unsupportedKey : .invalidKey, "\(reason.problem)",
      fix: "\(reason.fix)")
  }

  static func unsupportedKeySize(_ problem: UTF8Text) -> Self {
    Self(
      .unsupportedKey, problem,
      fix: "Use a 2048-bit RSA or P-256 key pair, and upload its public key.")
  }

  static var sha1WithP256: Self {
    Self(
      .unsupportedKey,
      "A P-256 key can't sign with SHA-1 here.",
      fix: "Use SHA-256, which CloudFront supports for both kinds of keys.")
  }
}
