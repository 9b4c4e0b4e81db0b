// SPDX-License-Identifier: Apache-2.0
// What the two ways to assume a role have in common: what is asked, and what is answered.

internal import RequestSigning

/// The part of a request to assume a role that does not depend on how one proves who one is.
///
/// Source: AWS Security Token Service API Reference, AssumeRole and AssumeRoleWithWebIdentity.
struct RoleRequest: Sendable {
  let roleARN: String
  let sessionName: String?
  let policy: String?
  let duration: Int?

  /// Throws `invalidConfiguration` for what the service refuses whoever asks.
  init(
    roleARN: String, sessionName: String?, policy: String?, duration: Int?
  ) throws(CredentialError) {
    let isRole =
      roleARN.hasPrefix("arn:") && roleARN.firstPlace(of: ":role/") != nil
      && (20...2048).contains(roleARN.utf8.count)
      && roleARN.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    if !isRole {
      throw CredentialError(
        .invalidConfiguration,
        "\(roleARN.shown) is no ARN of a role, so there is nothing to assume; give "
          + "one such as arn:aws:iam::123456789012:role/name")
    }
    if let duration, !(900...43_200).contains(duration) {
      throw CredentialError(
        .invalidConfiguration,
        "a session of \(duration) seconds cannot be asked for: AWS gives 900 to 43,200, and 3,600 "
          + "when one role assumes another; give so many seconds")
    }
    if let sessionName {
      try Self.check(sessionName, "session name of a role", 2...64, alsoAllowed: "_=,.@+-")
    }
    self.roleARN = roleARN
    self.sessionName = sessionName
    self.policy = policy
    self.duration = duration
  }

  /// Letters, digits and a few more, so many bytes.
  static func check(
    _ text: String, _ what: String, _ counts: ClosedRange<Int>, alsoAllowed: String
  ) throws(CredentialError) {
    let isAllowed = text.unicodeScalars.allSatisfy { scalar in
      let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
      return scalar.isASCII && (isPlain || alsoAllowed.unicodeScalars.contains(scalar))
    }
    if isAllowed && counts.contains(text.utf8.count) { return }
    throw CredentialError(
      .invalidConfiguration,
      "the \(what) (\(text.utf8.count) bytes) is none that AWS takes: \(counts.lowerBound) to "
        + "\(counts.upperBound) ASCII letters, digits and \(alsoAllowed)")
  }

  /// The body of the request, its fields in the order of botocore.
  func body(
    _ action: String, proof: [(name: String, value: String)] = [], externalID: String? = nil,
    at now: SigV4.Timestamp
  ) -> [UInt8] {
    var fields = [("Action", action), ("Version", "2011-06-15"), ("RoleArn", roleARN)]
    fields.append(("RoleSessionName", sessionName ?? "sigv4-\(now.unixSeconds)"))
    fields += proof.map { ($0.name, $0.value) }
    if let policy { fields.append(("Policy", policy)) }
    if let duration { fields.append(("DurationSeconds", String(duration))) }
    if let externalID { fields.append(("ExternalId", externalID)) }
    return FormEncoding.form(fields.map { (name: $0.0, value: $0.1) })
  }

  /// The credentials in an answer; `secrets` are what its message must not repeat.
  func credentials(
    in response: HTTPResponse, of service: String, origin: String, hiding secrets: [String],
    at now: SigV4.Timestamp
  ) throws(CredentialError) -> ProvidedCredentials {
    if response.status == 200 {
      let answer = try ServiceDocument.xml(response.body, of: service)
      return try CredentialParts(answer).provided(by: service, origin: origin, at: now)
    }
    let refusal = ServiceRefusal(response)
    throw CredentialError(
      ["ExpiredTokenException", "ExpiredToken"].contains(refusal.code) ? .expired : .refused,
      "\(service) did not give the role \(roleARN.shown) ("
        + "\(refusal.words(hiding: secrets))), so there are no credentials; \(Self.advice(refusal))"
    )
  }

  static let contentType = "application/x-www-form-urlencoded; charset=utf-8"

  private static func advice(_ refusal: ServiceRefusal) -> String {
    switch refusal.code {
    case "AccessDenied":
      return "look at the trust policy of the role (who may assume it, with which external ID or "
        + "token), and at sts:AssumeRole in the caller's own policies"
    case "ExpiredTokenException", "ExpiredToken", "InvalidIdentityToken":
      return "look at who renews the token, and at the identity provider in IAM"
    case "InvalidClientTokenId", "SignatureDoesNotMatch":
      return "look at the credentials that the role is assumed with"
    case "RegionDisabledException":
      return "ask in a region that the account has enabled"
    default:
      return refusal.status >= 500 ? "try again later" : "look at the settings of the role"
    }
  }
}
