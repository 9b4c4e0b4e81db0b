// SPDX-License-Identifier: Apache-2.0
// The reasons a signed URL or signed cookies don't give access.

/// The reason a verifier rejected a request.
///
/// Its texts are constant, so they're safe for a log and for the client.
public struct CloudFrontVerificationError: Swift.Error, Hashable, Sendable, CustomStringConvertible
{
  /// The reason, for programs.
  public let code: Code

  /// What's wrong.
  public var problem: String { code.problem }

  /// How to fix it.
  public var fix: String { code.fix }

  /// The problem and its fix.
  public var message: String { problem + " " + fix }

  /// The code and the message.
  public var description: String { code.name + ": " + message }

  init(_ code: Code) { self.code = code }

  /// The reason, for programs. New codes may be added. Include a default in a switch.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, as spelled here.
    public let name: String
    let problem: String
    let fix: String

    /// The name of the code.
    public var description: String { name }

    /// Returns whether two codes have the same name.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }
}

extension CloudFrontVerificationError.Code {
  /// The request has no signature. Sign the URL, or check that the cookies' domain and path cover
  /// it.
  public static var missingSignature: Self {
    Self(
      name: "missingSignature",
      problem: "The request has neither the parameters of a signed URL nor signed cookies.",
      fix: "Sign the URL, or check that the cookies' domain and path cover it.")
  }
  /// A part of the signature is missing. Send the signed URL unchanged, or all cookies.
  public static var incompleteSignature: Self {
    Self(
      name: "incompleteSignature",
      problem: "The request lacks the policy or expiration, the signature, or the key pair ID.",
      fix: "Send the signed URL unchanged, or all cookies.")
  }
  /// A parameter or cookie appears more than once. Sign only once, and remove old cookies.
  public static var repeatedParameter: Self {
    Self(
      name: "repeatedParameter",
      problem: "A parameter or cookie of the signature appears more than once.",
      fix: "Sign only once, and remove old cookies of other paths.")
  }
  /// The request has an expiration and a policy. Send one of the two.
  public static var conflictingPolicies: Self {
    Self(
      name: "conflictingPolicies",
      problem: "The request has an expiration and a policy, but a signature covers only one.",
      fix: "Remove the parameter or cookie that belongs to another signature.")
  }
  /// The URL isn't absolute, is too long, or has a segment '.' or '..' in its path. Pass the whole
  /// URL as the client requested it. Clients resolve such segments first.
  public static var malformedURL: Self {
    Self(
      name: "malformedURL",
      problem: "The URL doesn't begin with https:// or http://, is longer than 8192 bytes, or has "
        + "a segment '.' or '..', which origins resolve.",
      fix: "Pass the whole URL as the client requested it, without a fragment.")
  }
  /// The hash algorithm isn't supported. Sign with SHA-256 and `Hash-Algorithm=SHA256`.
  public static var unsupportedHashAlgorithm: Self {
    Self(
      name: "unsupportedHashAlgorithm",
      problem: "The hash algorithm isn't SHA1 or SHA256.",
      fix: "Sign with SHA-256, and add Hash-Algorithm=SHA256.")
  }
  /// The verifier has no key with this ID. Check the key pair ID, and add its public key.
  public static var unknownKeyPairID: Self {
    Self(
      name: "unknownKeyPairID",
      problem: "The verifier has no public key with this key pair ID.",
      fix: "Check the key pair ID, or add its public key to the verifier.")
  }
  /// The policy isn't a statement of CloudFront, or the expiration isn't a number. Sign it again
  /// with one statement, one resource and only CloudFront's conditions.
  public static var malformedPolicy: Self {
    Self(
      name: "malformedPolicy",
      problem: "The policy isn't the base64 of a CloudFront statement, or Expires isn't a number.",
      fix: "Use one statement with a resource, DateLessThan, DateGreaterThan and IpAddress only.")
  }
  /// The signature isn't base64 in CloudFront's alphabet. Use '-', '_' and '~' instead of '+', '='
  /// and '/'.
  public static var malformedSignature: Self {
    Self(
      name: "malformedSignature",
      problem: "The signature isn't base64 in CloudFront's alphabet.",
      fix: "Use '-', '_' and '~' instead of '+', '=' and '/'.")
  }
  /// The signature doesn't match the policy and the key. Check the key, and that the URL with its
  /// query is the signed one.
  public static var invalidSignature: Self {
    Self(
      name: "invalidSignature",
      problem: "The signature doesn't match the policy and the key.",
      fix: "Check the key, the hash algorithm, and that the URL with its query is the signed one.")
  }
  /// The policy gives no access to this URL. Sign this URL, or add wildcards to the resource.
  public static var urlNotInPolicy: Self {
    Self(
      name: "urlNotInPolicy",
      problem: "The policy's resource doesn't match the URL.",
      fix: "Sign this URL, or add wildcards to the policy's resource.")
  }
  /// The policy's start is in the future. Wait, or check the clocks of both machines.
  public static var notYetValid: Self {
    Self(
      name: "notYetValid",
      problem: "The policy's start is in the future.",
      fix: "Wait, or check the clocks of both machines.")
  }
  /// The policy has expired. Sign again, with a longer lifetime if it's too short.
  public static var expired: Self {
    Self(
      name: "expired", problem: "The policy has expired.",
      fix: "Sign again, with a longer lifetime if it's too short.")
  }
  /// The policy doesn't allow the client's address. Sign for this address, or without addresses if
  /// clients use IPv6.
  public static var addressNotAllowed: Self {
    Self(
      name: "addressNotAllowed",
      problem: "The policy doesn't allow the client's address.",
      fix: "Sign for this address, or without addresses if clients use IPv6 or a proxy.")
  }
}
