// SPDX-License-Identifier: Apache-2.0
// Sources of credentials by name: roles of AWS STS and IAM Roles Anywhere.

public import RequestSigning

/// Roles.
extension CredentialResolver where Self == SigV4.CredentialProvider {
  /// Assumes a role with other credentials (AssumeRole of AWS STS).
  ///
  ///     let session = try bucket.session(
  ///       credentials: .assumeRole(
  ///         "arn:aws:iam::123456789012:role/reader", using: .container(sources: sources),
  ///         sources: sources))
  ///
  /// - Parameters:
  ///   - roleARN: The role: `arn:aws:iam::123456789012:role/name`.
  ///   - source: The credentials that assume the role.
  ///   - sessionName: The session name in logs, 2 to 64 characters. If nil, `sigv4-` and the Unix
  ///     time.
  ///   - externalID: The ID that the role's trust policy requires, 2 to 1,224 characters.
  ///   - duration: The lifetime of the session, 15 minutes to 12 hours, rounded down to whole
  ///     seconds. If nil, one hour.
  ///   - options: Policies, tags and MFA.
  ///   - settings: The region and the endpoint of AWS STS. If nil, those of the environment and the
  ///     profile.
  ///   - sources: HTTP, the clock, and MFA codes.
  /// - Throws: `invalidConfiguration` for values that AWS STS rejects.
  ///   Without `settings`, also the errors of ``ServiceSettings/init(profile:sources:)``.
  public static func assumeRole(
    _ roleARN: String, using source: some CredentialResolver, sessionName: String? = nil,
    externalID: String? = nil, duration: Duration? = nil,
    options: SigV4.CredentialProvider.RoleOptions = .init(), settings: ServiceSettings? = nil,
    sources: CredentialSources
  ) throws(CredentialError) -> Self {
    Self(
      try AssumeRoleProvider(
        roleARN: roleARN, sessionName: sessionName, externalID: externalID, policy: options.policy,
        policyARNs: options.policyARNs,
        tags: SessionTag.all(options.tags, transitive: options.transitiveTagKeys),
        sourceIdentity: options.sourceIdentity, mfaSerial: options.mfaSerial, duration: duration,
        endpoint: STSEndpoint(ServiceSettings(settings, orOf: sources)), source: source,
        sources: sources),
      sources: sources)
  }

  /// Assumes a role with the credentials that the AWS CLI finds: those of `default(sources:)`.
  ///
  /// - Parameters:
  ///   - roleARN: The role: `arn:aws:iam::123456789012:role/name`.
  ///   - sessionName: The session name in logs, 2 to 64 characters. If nil, `sigv4-` and the Unix
  ///     time.
  ///   - externalID: The ID that the role's trust policy requires, 2 to 1,224 characters.
  ///   - duration: The lifetime of the session, 15 minutes to 12 hours, rounded down to whole
  ///     seconds. If nil, one hour.
  ///   - options: Policies, tags and MFA.
  ///   - settings: The region and the endpoint of AWS STS. If nil, those of the environment and the
  ///     profile.
  ///   - sources: Variables, files, commands, HTTP, the clock, and MFA codes.
  /// - Throws: `invalidConfiguration` for values that AWS STS rejects.
  ///   Without `settings`, also the errors of ``ServiceSettings/init(profile:sources:)``.
  public static func assumeRole(
    _ roleARN: String, sessionName: String? = nil, externalID: String? = nil,
    duration: Duration? = nil, options: SigV4.CredentialProvider.RoleOptions = .init(),
    settings: ServiceSettings? = nil, sources: CredentialSources
  ) throws(CredentialError) -> Self {
    try assumeRole(
      roleARN, using: Self.default(sources: sources), sessionName: sessionName,
      externalID: externalID, duration: duration, options: options, settings: settings,
      sources: sources)
  }

  /// Assumes a role with a web identity token, from `AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN`
  /// and `AWS_ROLE_SESSION_NAME`: EKS, GitHub Actions. If the last two aren't set, it uses
  /// `role_arn` and `role_session_name` of the selected or default profile.
  public static func webIdentity(sources: CredentialSources) -> Self {
    Self(WebIdentityProvider(sources: sources), sources: sources)
  }

  /// Assumes a role with an identity provider's token (AssumeRoleWithWebIdentity of AWS STS). The
  /// token is in a file, which the identity provider refreshes.
  ///
  /// - Parameters:
  ///   - roleARN: The role: `arn:aws:iam::123456789012:role/name`.
  ///   - tokenFile: The path of the token file. Spaces and newlines around the token are ignored.
  ///   - sessionName: The session name in logs, 2 to 64 characters. If nil, `sigv4-` and the Unix
  ///     time.
  ///   - policy: A JSON policy that limits the session's permissions.
  ///   - policyARNs: Managed policies that limit the session's permissions, at most 10.
  ///   - duration: The lifetime of the session, 15 minutes to 12 hours, rounded down to whole
  ///     seconds. If nil, one hour.
  ///   - settings: The region and the endpoint of AWS STS. If nil, those of the environment and the
  ///     profile.
  ///   - sources: Files, HTTP and the clock.
  /// - Throws: `invalidConfiguration` for values that AWS STS rejects.
  ///   Without `settings`, also the errors of ``ServiceSettings/init(profile:sources:)``.
  public static func webIdentity(
    _ roleARN: String, tokenFile: String, sessionName: String? = nil, policy: String? = nil,
    policyARNs: [String] = [], duration: Duration? = nil, settings: ServiceSettings? = nil,
    sources: CredentialSources
  ) throws(CredentialError) -> Self {
    Self(
      try WebIdentityProvider(
        roleARN: roleARN, tokenFile: tokenFile, sessionName: sessionName, policy: policy,
        policyARNs: policyARNs, duration: duration,
        endpoint: STSEndpoint(ServiceSettings(settings, orOf: sources)), sources: sources),
      sources: sources)
  }

  /// Assumes a role on a machine outside AWS that has an X.509 certificate, with IAM Roles
  /// Anywhere.
  ///
  ///     let session = try bucket.session(
  ///       credentials: .rolesAnywhere(
  ///         .files(certificate: "device.pem", privateKey: "device.key"),
  ///         trustAnchorARN: trustAnchorARN, profileARN: profileARN, roleARN: roleARN,
  ///         sources: sources))
  ///
  /// - Parameters:
  ///   - certificate: The certificate and its private key. Files are read for each refresh.
  ///   - trustAnchorARN: The trust anchor, which trusts the certificate's authority. Its region is
  ///     called.
  ///   - profileARN: The profile, which lists the role, in the same region.
  ///   - roleARN: The role: `arn:aws:iam::123456789012:role/name`.
  ///   - sessionName: The session name in logs, 2 to 64 characters, if the profile accepts one. If
  ///     nil, the serial number of the certificate.
  ///   - duration: The lifetime of the session, 15 minutes to 12 hours, rounded down to whole
  ///     seconds. If nil, the profile's own setting.
  ///   - settings: FIPS and dual-stack endpoints, the endpoint URL, and the number of attempts. If
  ///     nil, those of the environment and the profile.
  ///   - sources: Files, HTTP and the clock.
  /// - Throws: `invalidConfiguration` for values that the service rejects, and for a trust anchor
  ///   and a profile in different regions.
  ///   Without `settings`, also the errors of ``ServiceSettings/init(profile:sources:)``.
  public static func rolesAnywhere(
    _ certificate: ClientCertificate, trustAnchorARN: String, profileARN: String, roleARN: String,
    sessionName: String? = nil, duration: Duration? = nil, settings: ServiceSettings? = nil,
    sources: CredentialSources
  ) throws(CredentialError) -> Self {
    Self(
      try RolesAnywhereProvider(
        certificate: certificate, trustAnchorARN: trustAnchorARN, profileARN: profileARN,
        roleARN: roleARN, sessionName: sessionName, duration: duration,
        settings: ServiceSettings(settings, orOf: sources), sources: sources),
      sources: sources)
  }
}

extension SigV4.CredentialProvider {
  /// Rare options of an assumed role.
  ///
  ///     let credentials = try SigV4.CredentialProvider.assumeRole(
  ///       roleARN, options: .init(tags: ["team": "blue"]), sources: sources)
  ///
  /// Source: AWS Security Token Service API Reference, AssumeRole.
  public struct RoleOptions: Hashable, Sendable {
    /// A JSON policy that limits the session's permissions.
    public var policy: String?

    /// Managed policies that limit the session's permissions, at most 10.
    public var policyARNs: [String]

    /// The session tags, at most 50, which policies can use: `aws:PrincipalTag/team`.
    public var tags: [String: String]

    /// The keys of tags that roles assumed from this one inherit.
    public var transitiveTagKeys: [String]

    /// The person or app that uses the session, 2 to 64 characters. It appears in the logs of every
    /// role assumed from this one.
    public var sourceIdentity: String?

    /// The serial number or ARN of an MFA device, if the role requires its code. The closure
    /// ``CredentialSources/mfaCode`` returns a code for each request.
    public var mfaSerial: String?

    /// Creates options.
    public init(
      policy: String? = nil, policyARNs: [String] = [], tags: [String: String] = [:],
      transitiveTagKeys: [String] = [], sourceIdentity: String? = nil, mfaSerial: String? = nil
    ) {
      self.policy = policy
      self.policyARNs = policyARNs
      self.tags = tags
      self.transitiveTagKeys = transitiveTagKeys
      self.sourceIdentity = sourceIdentity
      self.mfaSerial = mfaSerial
    }
  }
}
