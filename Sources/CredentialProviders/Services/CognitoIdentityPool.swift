// SPDX-License-Identifier: Apache-2.0
// The requests to an Amazon Cognito identity pool, and their responses.

internal import DocumentSupport
package import RequestSigning

/// An Amazon Cognito identity pool, as requests and their responses.
///
/// They aren't signed, since their caller has no credentials yet.
///
/// Source: Amazon Cognito Federated Identities API Reference, GetId and GetCredentialsForIdentity.
package struct CognitoIdentityPool: Sendable, CustomStringConvertible {
  /// The pool ID: `us-east-1:01234567-89ab-cdef-0123-456789abcdef`.
  package let id: String

  /// The region at the start of the ID.
  package let region: String

  let endpoint: ServiceURL

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - id: The pool ID, which starts with the region.
  ///   - endpoint: The endpoint URL, if it isn't the region's, such as that of a test server.
  /// - Throws: `invalidConfiguration`.
  package init(_ id: String, endpoint: String? = nil) throws(CredentialError) {
    self.id = id
    region = try Self.region(of: id, "pool")
    let domain = try ServiceRegion.domain(of: region)
    self.endpoint = try ServiceURL(
      base: endpoint ?? "https://cognito-identity.\(region).\(domain)",
      named: "the Amazon Cognito endpoint")
  }

  /// The ID.
  package var description: String { id }

  /// Returns the first request, for an identity ID. Without logins, each request creates a guest in
  /// the pool, so store the ID.
  package func identityRequest(logins: [CognitoLogin] = []) -> SigV4.HTTPRequest {
    request("GetId", [("IdentityPoolId", .string(id))], logins)
  }

  /// Returns the identity ID in the response to ``identityRequest(logins:)``.
  ///
  /// - Throws: `accessDenied` and `invalidResponse`. The message contains no token of `logins`.
  package func identityID(
    in response: SigV4.HTTPResponse, logins: [CognitoLogin] = []
  ) throws(CredentialError) -> String {
    let answer = try answer(in: response, logins, "an identity")
    guard let identityID = answer["IdentityId"]?.text, Self.isID(identityID) else {
      throw CredentialError(
        .invalidResponse, "The response from \(serviceName) has no valid IdentityId.",
        fix: "Check the endpoint URL.")
    }
    return identityID
  }

  /// Returns the second request, for an identity's credentials.
  ///
  /// - Parameters:
  ///   - identityID: The result of the first request.
  ///   - logins: The user's tokens, or none for a guest. For an identity from your own server
  ///     (developer-authenticated), `.developer` with its token.
  ///   - roleARN: One of the roles in a token, if the pool lets the user choose.
  package func credentialsRequest(
    identityID: String, logins: [CognitoLogin] = [], roleARN: String? = nil
  ) -> SigV4.HTTPRequest {
    request(
      "GetCredentialsForIdentity", [("IdentityId", .string(identityID))], logins,
      then: roleARN.map { [("CustomRoleArn", .string($0))] } ?? [])
  }

  /// Returns the credentials in the response to ``credentialsRequest(identityID:logins:roleARN:)``.
  ///
  /// - Throws: `accessDenied`, `expired` and `invalidResponse`. The message contains no token of
  ///   `logins`.
  package func credentials(
    in response: SigV4.HTTPResponse, logins: [CognitoLogin] = [], at now: SigV4.Timestamp
  ) throws(CredentialError) -> ResolvedCredentials {
    let answer = try answer(in: response, logins, "credentials")["Credentials"]
    let user =
      logins.isEmpty ? "a guest" : logins.map(\.provider).joined(separator: ", ").shown
    return try CredentialParts(
      answer, id: "AccessKeyId", secret: "SecretKey", token: "SessionToken",
      expiration: answer?["Expiration"]?.moment(unitsPerSecond: 1)
    ).provided(
      from: "the Cognito identity pool \(id) (\(user))", by: serviceName, at: now)
  }
}

extension CognitoIdentityPool {
  /// The name of the service, for people.
  var serviceName: String { "Amazon Cognito (\(endpoint.origin))" }

  /// Returns whether a string is a valid pool or identity ID: a region and a name.
  static func isID(_ text: String) -> Bool { (try? region(of: text, "")) != nil }

  private static func region(of id: String, _ what: String) throws(CredentialError) -> String {
    let parts = id.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
    if parts.count == 2, !parts[1].isEmpty, id.utf8.count <= 128,
      parts[1].consistsOfLettersAndDigits(or: "-"),
      (try? ServiceRegion.domain(of: parts[0])) != nil
    {
      return parts[0]
    }
    throw CredentialError(
      .invalidConfiguration, "\(id.shown) isn't a valid identity \(what) ID.",
      fix: "Use a region and an ID, such as us-east-1:01234567-89ab-cdef-0123-456789abcdef.")
  }

  private typealias Member = (name: String, value: JSONText)

  private func request(
    _ operation: String, _ members: [Member], _ logins: [CognitoLogin], then last: [Member] = []
  ) -> SigV4.HTTPRequest {
    let tokens = JSONText.object(logins.map { ($0.provider, .string($0.token)) })
    let loginMembers: [Member] = logins.isEmpty ? [] : [("Logins", tokens)]
    return SigV4.HTTPRequest(
      "POST", ServiceURL.root(of: endpoint.text),
      headers: [
        "X-Amz-Target": "AWSCognitoIdentityService." + operation,
        "Content-Type": "application/x-amz-json-1.1",
      ],
      body: JSONText.object(members + loginMembers + last).compact.bytesInUTF8,
      timeout: .seconds(10))
  }

  private func answer(
    in response: SigV4.HTTPResponse, _ logins: [CognitoLogin], _ what: String
  ) throws(CredentialError) -> JSONReader.Value {
    if response.status == 200 {
      return try ServiceResponse.object(in: response.body, of: serviceName)
    }
    let refusal = ServiceRejection(response)
    throw CredentialError(
      .accessDenied,
      "Can't get \(what) from \(serviceName): \(refusal.text(hiding: logins.map(\.token))).",
      fix: Self.fix(refusal, logins))
  }

  private static func fix(_ refusal: ServiceRejection, _ logins: [CognitoLogin]) -> String {
    switch refusal.code {
    case "NotAuthorizedException" where logins.isEmpty:
      "Check whether the pool allows guests, or pass a login."
    case "NotAuthorizedException":
      "Check that the token is for this pool and hasn't expired. "
        + "If the stored identity belongs to another user, call signOut first."
    case "InvalidIdentityPoolConfigurationException":
      "Check the pool's roles and their trust policies."
    case "ResourceNotFoundException":
      "Check the pool ID, and whether the identity was deleted."
    default:
      refusal.fix(orCheck: "the pool and the login")
    }
  }
}
