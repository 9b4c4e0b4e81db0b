// SPDX-License-Identifier: Apache-2.0
// A role for a machine outside AWS that has a certificate (CreateSession of IAM Roles Anywhere).

internal import RequestSigning

/// A role for a machine outside AWS that has an X.509 certificate, from IAM Roles Anywhere.
///
/// Each request reads the certificate and its key again.
///
/// Source: AWS IAM Roles Anywhere User Guide, "Signing process" and "CreateSession".
package struct RolesAnywhereProvider: CredentialResolver {
  private let certificate: ClientCertificate
  private let session: RolesAnywhereSession
  private let region: String
  private let url: ServiceURL
  private let maximumAttempts: Int
  private let sources: CredentialSources

  /// Creates a provider of a role's credentials.
  ///
  /// - Parameters:
  ///   - certificate: The certificate and its private key.
  ///   - trustAnchorARN: The trust anchor, which trusts the certificate's authority:
  ///     `arn:aws:rolesanywhere:us-east-1:123456789012:trust-anchor/ID`.
  ///   - profileARN: The profile, which lists the role, in the same region:
  ///     `arn:aws:rolesanywhere:us-east-1:123456789012:profile/ID`.
  ///   - roleARN: The role: `arn:aws:iam::123456789012:role/name`.
  ///   - sessionName: The session name in logs, 2 to 64 characters, if the profile accepts one. If
  ///     nil, the serial number of the certificate.
  ///   - duration: The lifetime of the session, 15 minutes to 12 hours. If nil, the profile's own
  ///     setting.
  ///   - region: The region. If nil, that of the trust anchor. A name such as `fips-us-east-1`
  ///     means a FIPS endpoint.
  ///   - settings: FIPS and dual-stack endpoints, the endpoint URL, and the number of attempts. Its
  ///     region isn't used.
  ///   - sources: Files, HTTP and the clock.
  /// - Throws: `invalidConfiguration` for values that the service rejects, and for a trust anchor
  ///   and a profile in different regions.
  package init(
    certificate: ClientCertificate, trustAnchorARN: String, profileARN: String, roleARN: String,
    sessionName: String? = nil, duration: Duration? = nil, region: String? = nil,
    settings: ServiceSettings = ServiceSettings(), sources: CredentialSources
  ) throws(CredentialError) {
    session = try RolesAnywhereSession(
      trustAnchorARN: trustAnchorARN, profileARN: profileARN,
      role: RoleRequest(roleARN: roleARN, sessionName: sessionName, duration: duration))
    let region = region ?? session.region
    self.region = ServiceRegion.withoutFIPS(region)
    url = try ServiceURL(
      base: settings.url(of: .rolesAnywhere, in: region),
      named: "the IAM Roles Anywhere endpoint")
    maximumAttempts = settings.maximumAttempts
    self.certificate = certificate
    self.sources = sources
  }

  /// Requests credentials for the role with the current certificate. If the service rejects the
  /// time of the request, retries once with the service's time.
  ///
  /// - Throws: `invalidFile` or `invalidConfiguration` if the certificate or its key isn't valid or
  ///   supported, or if they don't belong together. `accessDenied`, `expired`, `invalidResponse`,
  ///   `unreachable`, `timedOut`.
  package func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let certificate = try certificate.current(sources)
    let service = ServiceExchange(
      name: "IAM Roles Anywhere (\(url.origin))", sources: sources, attempts: maximumAttempts)
    var secrets: [String] = []
    let response = try await service.response { (time) async throws(CredentialError) in
      let request = try await session.request(
        to: url.appending("/sessions"), region: region, signedBy: certificate, at: time)
      secrets += request.headers.values(named: "authorization").flatMap { text in
        text.split(separator: "=").suffix(1).map { String($0) }
      }
      return request
    }
    return try session.credentials(
      in: response, of: service, serialNumber: certificate.serialNumber, hiding: secrets)
  }
}
