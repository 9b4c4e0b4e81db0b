// SPDX-License-Identifier: Apache-2.0
// From the settings of a profile to the source of its credentials, in botocore's order.

internal import RequestSigning

/// Follows a profile and its source profiles.
struct ProfileResolver {
  /// More source profiles than anybody chains; each costs a request.
  static let greatestChain = 32

  /// `AWS_REGION`, `AWS_DEFAULT_REGION`, or `region` of the profile that was asked for.
  let region: String?

  private let profile: ProfileFile.Section
  private let files: ProfileFiles
  private let sources: CredentialSources
  private var visited: [ExactText]

  init(of profile: ProfileFile.Section, in files: ProfileFiles, sources: CredentialSources) {
    self.profile = profile
    self.files = files
    self.sources = sources
    visited = [ExactText(profile.name)]
    region = Self.region(of: profile, sources)
  }

  static func region(
    of profile: ProfileFile.Section?, _ sources: CredentialSources
  ) -> String? {
    let candidates = [
      sources.variable("AWS_REGION"), sources.variable("AWS_DEFAULT_REGION"), profile?["region"],
    ]
    return candidates.compactMap(\.self).first { !$0.isEmpty }
  }

  /// The source of the profile's credentials; nil when it says nothing about them.
  mutating func source() throws(CredentialError) -> ProfileCredentials.Source? {
    if assumesRole(profile) { return try role(of: profile) }
    return try ownSource(of: profile)
  }

  private func assumesRole(_ profile: ProfileFile.Section) -> Bool {
    profile.setting("role_arn") != nil && profile.setting("web_identity_token_file") == nil
  }

  // MARK: - A role assumed with other credentials

  private mutating func role(
    of profile: ProfileFile.Section
  ) throws(CredentialError) -> ProfileCredentials.Source {
    let settings = try roleSettings(of: profile)
    let sourceProfile = try text("source_profile", of: profile)
    let credentialSource = try text("credential_source", of: profile)
    switch (sourceProfile, credentialSource) {
    case (nil, nil):
      throw invalid(
        profile,
        "has a role_arn, and neither source_profile nor credential_source says with which "
          + "credentials to assume the role; set one of them")
    case (.some, .some):
      throw invalid(
        profile,
        "has both source_profile and credential_source, and only one can be meant; delete "
          + "the other one")
    case (nil, let name?):
      return .assumeRole(settings, source: try namedSource(name, of: profile))
    case (let name?, nil):
      return .assumeRole(settings, source: try source(ofProfile: name, for: profile))
    }
  }

  private func roleSettings(
    of profile: ProfileFile.Section
  ) throws(CredentialError) -> AssumeRoleSettings {
    if profile.setting("mfa_serial") != nil {
      throw invalid(
        profile,
        "has mfa_serial, so that its role needs the code of a device, and nothing here can "
          + "ask for one; get a session in another way, such as 'aws configure "
          + "export-credentials', and name its profile")
    }
    guard let role = try text("role_arn", of: profile), !role.isEmpty else {
      throw invalid(profile, "has an empty role_arn; name the role, or delete the setting")
    }
    var settings = AssumeRoleSettings(roleARN: role)
    settings.roleSessionName = try text("role_session_name", of: profile)
    settings.externalID = try text("external_id", of: profile)
    // As botocore does, what is no number counts as not set.
    settings.durationSeconds = try text("duration_seconds", of: profile).flatMap { Int($0) }
    settings.region = region
    settings.stsRegionalEndpoints = try stsRegionalEndpoints()
    return settings
  }

  private func namedSource(
    _ name: String, of profile: ProfileFile.Section
  ) throws(CredentialError) -> ProfileCredentials.Source {
    switch name {
    case "Environment": return .environment
    case "EcsContainer": return .container
    case "Ec2InstanceMetadata": return .instanceMetadata
    default:
      throw invalid(
        profile,
        "has the credential_source \(name.shown); it is Environment, EcsContainer or "
          + "Ec2InstanceMetadata, in this spelling")
    }
  }

  private mutating func source(
    ofProfile name: String, for parent: ProfileFile.Section
  ) throws(CredentialError) -> ProfileCredentials.Source {
    guard let profile = files.profile(named: name) else {
      throw invalid(
        parent,
        "has the source_profile \(name.shown), which does not exist; look for a mistake in "
          + "its name")
    }
    let hasKeys =
      profile.setting("aws_access_key_id") != nil || profile.setting("aws_secret_access_key") != nil
    let isItself = ExactText(name) == ExactText(parent.name)
    if visited.contains(ExactText(name)) && !(isItself && hasKeys)
      || visited.count > Self.greatestChain
    {
      throw invalid(
        parent,
        "has the source_profile \(name.shown), which leads round in a circle or on without "
          + "an end; let the last profile of the chain have credentials of its own")
    }
    visited.append(ExactText(name))
    if !hasKeys && assumesRole(profile) { return try role(of: profile) }
    if let source = try ownSource(of: profile) { return source }
    throw invalid(
      parent,
      "has the source_profile \(name.shown), which says nothing about credentials; give it "
        + "some, or name another one")
  }

  // MARK: - What a profile has itself

  private func ownSource(
    of profile: ProfileFile.Section
  ) throws(CredentialError) -> ProfileCredentials.Source? {
    if let settings = try webIdentitySettings(of: profile) { return .webIdentity(settings) }
    if let settings = try SSOProfile(profile, files, self).settings() { return .sso(settings) }
    let (credentials, config) = (
      files.profileOfCredentials(named: profile.name), files.profileOfConfig(named: profile.name)
    )
    if let keys = try keys(in: credentials, of: profile) { return .keys(keys) }
    if profile.setting("login_session") != nil {
      throw invalid(
        profile,
        "has a login_session of 'aws login', which nothing here can use; let 'aws configure "
          + "export-credentials' be its credential_process")
    }
    if let command = try text("credential_process", of: profile) {
      do throws(CredentialError) {
        return .process(try ProcessCredentialProvider.words(of: command))
      } catch {
        throw CredentialError(error.code, "in the profile \(profile.name.shown), \(error.message)")
      }
    }
    return try keys(in: config, of: profile).map { .keys($0) }
  }

  private func webIdentitySettings(
    of profile: ProfileFile.Section
  ) throws(CredentialError) -> WebIdentitySettings? {
    guard let file = try text("web_identity_token_file", of: profile), !file.isEmpty else {
      return nil
    }
    guard let role = try text("role_arn", of: profile), !role.isEmpty else {
      throw invalid(
        profile,
        "has a web_identity_token_file and no role_arn, and a token is good for a role "
          + "only; set role_arn")
    }
    var settings = WebIdentitySettings(webIdentityTokenFile: file, roleARN: role)
    settings.roleSessionName = try text("role_session_name", of: profile)
    settings.region = region
    settings.stsRegionalEndpoints = try stsRegionalEndpoints()
    return settings
  }

  /// The keys in one of the files: they have to stand in the same one.
  private func keys(
    in section: ProfileFile.Section?, of profile: ProfileFile.Section
  ) throws(CredentialError) -> ProvidedCredentials? {
    guard let section, let setting = section.setting("aws_access_key_id") else { return nil }
    let place = "profile \(profile.name.shown) of \(setting.path)"
    guard let secret = try text("aws_secret_access_key", of: section) else {
      throw CredentialError(
        .invalidConfiguration,
        "\(setting) of the profile \(profile.name.shown) has no aws_secret_access_key beside it; "
          + "nothing can be signed with one of them: add it to the same file")
    }
    // botocore: aws_security_token counts even when it is empty.
    var token = try text("aws_security_token", of: section)
    if token == nil { token = try text("aws_session_token", of: section) }
    let parts = CredentialParts(
      accessKeyID: try text("aws_access_key_id", of: section) ?? "", secretAccessKey: secret,
      sessionToken: token)
    return try parts.provided(
      from: place, at: sources.now(), orThrow: .invalidConfiguration,
      hint: " (the access key ID is on line \(setting.line); a comment needs a line of its own)")
  }

  // MARK: - Settings

  /// The text of a setting, or nil when there is none.
  ///
  /// Throws for one that holds settings of its own.
  func text(
    _ name: String, of profile: ProfileFile.Section
  ) throws(CredentialError) -> String? {
    guard let setting = profile.setting(name) else { return nil }
    if case .text(let text) = setting.value { return text }
    throw CredentialError(
      .invalidConfiguration,
      "\(setting) is followed by indented settings, and should be one text; write its value on the "
        + "same line")
  }

  private func stsRegionalEndpoints() throws(CredentialError) -> STSRegionalEndpoints? {
    var given = sources.variable("AWS_STS_REGIONAL_ENDPOINTS")
    if given == nil { given = try text("sts_regional_endpoints", of: profile) }
    guard let given, !given.isEmpty else { return nil }
    if let endpoints = STSRegionalEndpoints(rawValue: given.lowercased()) { return endpoints }
    throw invalid(
      profile, "has the sts_regional_endpoints \(given.shown); it is regional or legacy")
  }

  func invalid(_ profile: ProfileFile.Section, _ reason: String) -> CredentialError {
    CredentialError(.invalidConfiguration, "the profile \(profile.name.shown) \(reason)")
  }
}
