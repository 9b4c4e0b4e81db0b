// SPDX-License-Identifier: Apache-2.0
// Finds the source of a profile's credentials, in botocore's order.

internal import RequestSigning

/// Follows a profile and its source profiles.
struct ProfileResolver {
  typealias Profile = ProfileFiles.Section
  typealias Source = ProfileCredentials.Source

  /// The maximum number of source profiles. Each costs a request, and real chains are shorter.
  static let maximumChain = 32

  let profile: Profile
  let files: ProfileFiles
  let sources: CredentialSources

  /// The roles found so far.
  private(set) var roles: [RoleSettings] = []

  /// Whether environment variables override the settings of a web identity. As in botocore, they
  /// don't if the profile was given by name.
  private let readsVariables: Bool

  init(
    profile: Profile, readingVariables readsVariables: Bool, files: ProfileFiles,
    sources: CredentialSources
  ) {
    self.profile = profile
    self.readsVariables = readsVariables
    self.files = files
    self.sources = sources
  }

  /// Returns the source of the first credentials, or nil if the profile has none.
  mutating func source() throws(CredentialError) -> Source? {
    var current = profile
    var visited = [profile.name.bytesInUTF8]
    var parent: Profile?
    // A source profile with both keys and a role supplies its keys.
    while Self.assumesRole(current), parent == nil || !hasKeys(current) {
      roles.append(try role(of: current))
      let sourceProfile = try current.text("source_profile")
      let credentialSource = try current.text("credential_source")
      if sourceProfile != nil, credentialSource != nil {
        throw current.invalid(
          "sets both source_profile and credential_source", fix: "Remove one.")
      }
      if let credentialSource { return try source(named: credentialSource, in: current) }
      guard let sourceProfile else {
        throw current.invalid(
          "sets role_arn but neither source_profile nor credential_source",
          fix: "Add one of them.")
      }
      parent = current
      current = try nextProfile(sourceProfile, after: current, visited: &visited)
    }
    if let source = try ownSource(of: current, readsVariables && parent == nil) { return source }
    guard let parent else { return nil }
    throw parent.invalid(
      "uses source_profile \(current.name.shown), which has no credentials",
      fix: "Add credentials to it, or use a different source_profile.")
  }

  /// Returns whether a profile has a role that is assumed with other credentials.
  static func assumesRole(_ profile: Profile) -> Bool {
    profile.setting("role_arn") != nil && profile.setting("web_identity_token_file") == nil
  }

  private func hasKeys(_ profile: Profile) -> Bool {
    profile.setting("aws_access_key_id") != nil || profile.setting("aws_secret_access_key") != nil
  }

  // MARK: - A role assumed with other credentials

  private mutating func role(of profile: Profile) throws(CredentialError) -> RoleSettings {
    guard let roleARN = try profile.text("role_arn"), !roleARN.isEmpty else {
      throw profile.invalid(
        "has an empty role_arn", fix: "Use the role's ARN, or remove the setting.")
    }
    // As in botocore, a duration that isn't a number counts as not set.
    return RoleSettings(
      roleARN: roleARN, sessionName: try sessionName(of: profile),
      externalID: try profile.text("external_id"), mfaSerial: try profile.text("mfa_serial"),
      durationSeconds: try profile.text("duration_seconds").flatMap { Int($0) })
  }

  /// As in botocore, an empty name counts as not set.
  private func sessionName(of profile: Profile) throws(CredentialError) -> String? {
    let name = try profile.text("role_session_name")
    return name == "" ? nil : name
  }

  private func source(
    named name: String, in profile: Profile
  ) throws(CredentialError) -> Source {
    switch name {
    case "Environment": return Source(kind: .environment)
    case "EcsContainer": return Source(kind: .container)
    case "Ec2InstanceMetadata": return Source(kind: .instanceMetadata)
    default:
      throw profile.invalid(
        "has an invalid credential_source: \(name.shown)",
        fix: "Use Environment, EcsContainer or Ec2InstanceMetadata, with this capitalization.")
    }
  }

  private func nextProfile(
    _ name: String, after parent: Profile, visited: inout [[UInt8]]
  ) throws(CredentialError) -> Profile {
    guard let next = files.profile(named: name) else {
      throw parent.invalid(
        "uses source_profile \(name.shown), which doesn't exist", fix: "Check the spelling.")
    }
    let bytes = name.bytesInUTF8
    let isItself = parent.name.utf8.elementsEqual(bytes)
    if visited.contains(bytes) && !(isItself && hasKeys(next)) || visited.count > Self.maximumChain
    {
      throw parent.invalid(
        "uses source_profile \(name.shown), which leads back to itself or to more than "
          + "\(Self.maximumChain) profiles",
        fix: "Add credentials to the last profile of the chain.")
    }
    visited.append(bytes)
    return next
  }

  // MARK: - A profile's own source

  private func ownSource(
    of profile: Profile, _ readsVariables: Bool
  ) throws(CredentialError) -> Source? {
    if let role = try webIdentity(of: profile, readsVariables) {
      return Source(kind: .webIdentity, webIdentity: role)
    }
    if let settings = try ssoSettings(of: profile) { return Source(kind: .sso, sso: settings) }
    if let keys = try keys(in: files.section("credentials", profile.name), of: profile) {
      return Source(kind: .keys, keys: keys)
    }
    if let session = try profile.text("login_session") {
      return Source(kind: .login, loginSession: session)
    }
    if let command = try profile.text("credential_process") {
      do throws(CredentialError) {
        return Source(
          kind: .process, command: try ProcessCredentialProvider.words(of: command),
          accountID: try profile.text("aws_account_id"))
      } catch {
        throw error.with("Profile \(profile.name.shown) isn't valid. \(error.problem)")
      }
    }
    return try keys(in: files.section("profile", profile.name), of: profile).map {
      Source(kind: .keys, keys: $0)
    }
  }

  private func webIdentity(
    of profile: Profile, _ readsVariables: Bool
  ) throws(CredentialError) -> RoleSettings? {
    guard let file = try profile.text("web_identity_token_file"), !file.isEmpty else {
      return nil
    }
    let variable = readsVariables ? sources.setVariable : { _ in nil }
    var roleARN = variable("AWS_ROLE_ARN")
    if roleARN == nil { roleARN = try profile.text("role_arn") }
    var sessionName = variable("AWS_ROLE_SESSION_NAME")
    if sessionName == nil { sessionName = try self.sessionName(of: profile) }
    guard let roleARN, !roleARN.isEmpty else {
      throw profile.invalid(
        "has a web_identity_token_file but no role_arn", fix: "Add role_arn.")
    }
    return RoleSettings(roleARN: roleARN, sessionName: sessionName, webIdentityTokenFile: file)
  }

  /// Returns the keys in one of the files. Both keys must be in the same file.
  private func keys(
    in section: Profile?, of profile: Profile
  ) throws(CredentialError) -> ResolvedCredentials? {
    guard let section, let setting = section.setting("aws_access_key_id") else { return nil }
    guard let secret = try section.text("aws_secret_access_key") else {
      throw profile.invalid(
        "has \(setting) but no aws_secret_access_key in the same file", fix: "Add it there.")
    }
    if let secretSetting = section.setting("aws_secret_access_key"), Self.hasComment(secret) {
      throw profile.invalid(
        "has a comment in the value of \(secretSetting)",
        fix: "Put the comment on its own line.")
    }
    // botocore: aws_security_token wins even if it's empty.
    var token = try section.text("aws_security_token")
    if token == nil { token = try section.text("aws_session_token") }
    let parts = CredentialParts(
      accessKeyID: try section.text("aws_access_key_id"), secretAccessKey: secret,
      sessionToken: token, accountID: try section.text("aws_account_id"))
    return try parts.provided(
      from: "profile \(profile.name.shown) of \(setting.path)", at: sources.now(),
      orThrow: .invalidConfiguration,
      hint: " The access key ID is on line \(setting.line). A comment needs its own line.")
  }

  /// Returns whether a 40-character secret, as AWS issues them, is followed by a comment. Other
  /// stores accept any string as a secret.
  private static func hasComment(_ secret: String) -> Bool {
    let key = secret.utf8.prefix {
      ASCIIByte.isLetter($0) || ASCIIByte.isDigit($0) || [0x2B, 0x2F].contains($0)
    }
    let rest = secret.utf8.dropFirst(key.count)
    let comment = rest.drop(while: ASCIIByte.isWhitespace).first
    return key.count == 40 && rest.first.map(ASCIIByte.isWhitespace) == true
      && (comment == ASCIIByte.hash || comment == ASCIIByte.semicolon)
  }

  // MARK: - IAM Identity Center

  /// Returns the settings, or nil if the profile sets neither a role nor an account.
  private func ssoSettings(of profile: Profile) throws(CredentialError) -> SSOSettings? {
    if profile.setting("sso_role_name") == nil && profile.setting("sso_account_id") == nil {
      return nil
    }
    let session = try ssoSession(of: profile)
    let names = ["sso_start_url", "sso_region", "sso_account_id", "sso_role_name"]
    let values = try names.map { (name) throws(CredentialError) -> String? in
      if let value = try profile.text(name) { return value }
      return try session?.text(name)
    }
    let missing = zip(names, values).filter { $0.1 == nil }.map(\.0)
    if !missing.isEmpty {
      throw profile.invalid(
        "uses IAM Identity Center but doesn't set \(missing.joined(separator: ", "))",
        fix: "Use 'aws configure sso', or add the missing settings.")
    }
    let found = values.compactMap(\.self)
    return SSOSettings(
      session: try profile.text("sso_session"), startURL: found[0], region: found[1],
      accountID: found[2], roleName: found[3])
  }

  /// Returns the `[sso-session NAME]` of a profile, and checks that the two don't conflict.
  private func ssoSession(of profile: Profile) throws(CredentialError) -> Profile? {
    guard let name = try profile.text("sso_session") else { return nil }
    guard let session = files.ssoSession(named: name) else {
      throw profile.invalid(
        "uses [sso-session \(name.shown)], which isn't in \(files.configPath)",
        fix: "Check the spelling.")
    }
    func bytes(_ setting: ProfileFiles.Setting) -> Set<[[UInt8]]> {
      let settings = setting.text == nil ? setting.settings : [setting]
      return Set(settings.map { [$0.name.bytesInUTF8, ($0.text ?? "").bytesInUTF8] })
    }
    for theirs in session.settings {
      guard let own = profile.setting(theirs.name) else { continue }
      if (own.text == nil) == (theirs.text == nil), bytes(own) == bytes(theirs) { continue }
      throw profile.invalid(
        "sets \(own.name) differently than its sso-session "
          + "(\(own.path), line \(own.line); \(theirs.path), line \(theirs.line))",
        fix: "Remove one of them.")
    }
    return session
  }
}

extension ProfileFiles.Section {
  /// Returns an error about this profile. Pass the problem without a subject and a period.
  fileprivate func invalid(_ problem: String, fix: String) -> CredentialError {
    CredentialError(.invalidConfiguration, "Profile \(name.shown) \(problem).", fix: fix)
  }
}
