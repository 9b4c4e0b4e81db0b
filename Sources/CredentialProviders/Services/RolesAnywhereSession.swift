// SPDX-License-Identifier: Apache-2.0
// The request to IAM Roles Anywhere, signed with a certificate, and its response.

package import DigitalSignatures
internal import DocumentSupport
package import RequestSigning
internal import SecureHashing

/// What a session is requested for: a role, and the trust anchor and profile that allow it.
///
/// Source: AWS IAM Roles Anywhere User Guide, "CreateSession".
struct RolesAnywhereSession: Sendable {
  let trustAnchorARN: String
  let profileARN: String
  let role: RoleRequest

  /// The region of the trust anchor and the profile.
  let region: String

  /// Throws `invalidConfiguration` for values that the service rejects.
  init(
    trustAnchorARN: String, profileARN: String, role: RoleRequest
  ) throws(CredentialError) {
    region = try Self.region(of: trustAnchorARN, "trust-anchor", "trust anchor")
    let region = try Self.region(of: profileARN, "profile", "profile")
    if region != self.region {
      throw CredentialError(
        .invalidConfiguration,
        "The trust anchor is in \(self.region), but the profile is in \(region).",
        fix: "Use a trust anchor and a profile of the same region.")
    }
    self.trustAnchorARN = trustAnchorARN
    self.profileARN = profileARN
    self.role = role
  }

  /// Returns the region in an ARN: `arn:aws:rolesanywhere:us-east-1:123456789012:profile/UUID`.
  private static func region(
    of arn: String, _ kind: String, _ name: String
  ) throws(CredentialError) -> String {
    let parts = arn.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
    if parts.count == 6, arn.utf8.count <= 1_011, arn.isVisibleASCII, parts[0] == "arn",
      parts[2] == "rolesanywhere", parts[5].hasPrefix(kind + "/"),
      (try? ServiceRegion.domain(of: parts[3])) != nil
    {
      return parts[3]
    }
    throw CredentialError(
      .invalidConfiguration, "\(arn.shown) isn't a \(name) ARN of IAM Roles Anywhere.",
      fix: "Use the form arn:aws:rolesanywhere:us-east-1:123456789012:\(kind)/ID.")
  }

  private var body: [UInt8] {
    let members: [(String, JSONText?)] = [
      ("durationSeconds", role.duration.map { .literal(String($0)) }),
      ("profileArn", .string(profileARN)), ("roleArn", .string(role.roleARN)),
      ("roleSessionName", role.sessionName.map { .string($0) }),
      ("trustAnchorArn", .string(trustAnchorARN)),
    ]
    return JSONText.object(
      members.compactMap { name, value in value.map { (name: name, value: $0) } }
    ).compact.bytesInUTF8
  }

  /// Returns the request, signed for a time.
  func request(
    to url: String, region: String, signedBy certificate: SigningCertificate,
    at time: SigV4.Timestamp
  ) async throws(CredentialError) -> SigV4.HTTPRequest {
    let body = body
    var headers: SigV4.Headers = ["Content-Type": "application/json"]
    headers.append(
      CertificateNames.certificateHeader.description,
      Base64.encode(certificate.chain.certificate.derRepresentation))
    let intermediates = certificate.chain.intermediates.map { Base64.encode($0.derRepresentation) }
    if !intermediates.isEmpty {
      headers.append(
        CertificateNames.chainHeader.description, intermediates.joined(separator: ","))
    }
    let pending: SigV4.PendingSignature<SigV4.SignedRequest>
    do throws(SigV4.SigningError) {
      pending = try SigV4.Signer(
        serialNumber: certificate.serialNumber, of: certificate.publicKey, region: region
      ).prepare(
        SigV4.Request("POST", url: url, headers: headers, payload: .bytes(body)), at: time)
    } catch {
      throw CredentialError(
        .invalidConfiguration, "Can't sign the request to \(url.shown). \(error.problem)",
        fix: error.fix)
    }
    let signature = try await certificate.signature(of: pending.stringToSign.bytes)
    let signed = pending.signed(with: SigV4.Signature(bytes: signature))
    return SigV4.HTTPRequest(
      "POST", signed.url, headers: signed.headers, body: body, timeout: .seconds(10))
  }

  /// Returns the credentials in a response.
  func credentials(
    in response: SigV4.HTTPResponse, of service: ServiceExchange, serialNumber: String,
    hiding secrets: [String]
  ) throws(CredentialError) -> ResolvedCredentials {
    if response.status == 200 || response.status == 201 {
      let set = try ServiceResponse.object(in: response.body, of: service.name)["credentialSet"]
      guard case .array(let sets)? = set, let first = sets.first else {
        throw CredentialError(
          .invalidResponse, "The response from \(service.name) has no credentialSet.",
          fix: "Check the endpoint URL.")
      }
      let credentials = first["credentials"]
      let arn = first["assumedRoleUser"]?["arn"]?.text ?? role.roleARN
      return try CredentialParts(
        credentials, id: "accessKeyId", secret: "secretAccessKey", token: "sessionToken",
        expiration: credentials?["expiration"]?.moment,
        accountID: CredentialParts.accountID(ofARN: arn)
      ).provided(
        from: "the role \(role.roleARN), with certificate \(serialNumber)", by: service.name,
        at: service.sources.now())
    }
    let refusal = ServiceRejection(response)
    throw CredentialError(
      .accessDenied,
      "Can't get credentials for role \(role.roleARN.shown) with certificate \(serialNumber): "
        + "\(service.name) returned \(refusal.text(hiding: secrets)).",
      fix: Self.fix(refusal))
  }

  private static func fix(_ refusal: ServiceRejection) -> String {
    switch refusal.code {
    case "AccessDeniedException":
      "Check that the trust anchor and the profile are enabled, that the role trusts "
        + "rolesanywhere.amazonaws.com, and that the certificate is valid and has its chain."
    case "ResourceNotFoundException":
      "Check the ARNs of the trust anchor and the profile, and the region."
    default:
      refusal.fix(orCheck: "the settings of the trust anchor and profile")
    }
  }
}

extension SigV4.Signer {
  /// Creates a signer for IAM Roles Anywhere, whose algorithm is that of a certificate's key. It
  /// prepares requests (`prepare(_:at:)`), which the private key signs.
  package init(
    serialNumber: String, of key: X509PublicKey, region: String
  ) throws(SigV4.SigningError) {
    let names: CertificateNames =
      switch key {
      case .rsa: .rsa
      case .p256: .ecdsa
      }
    self.init(
      try SigV4.Preparer(
        identity: SigV4.Identity(accessKeyID: serialNumber), region: region,
        service: "rolesanywhere", algorithm: .x509(names)))
  }
}
