// SPDX-License-Identifier: Apache-2.0
// The settings of IAM Identity Center in a profile, and in the session that it refers to.

/// A profile that may have settings of IAM Identity Center.
struct SSOProfile {
  private let profile: ProfileFile.Section
  private let files: ProfileFiles
  private let resolver: ProfileResolver

  init(_ profile: ProfileFile.Section, _ files: ProfileFiles, _ resolver: ProfileResolver) {
    self.profile = profile
    self.files = files
    self.resolver = resolver
  }

  /// The settings, or nil when the profile names neither a role nor an account.
  ///
  /// Throws `invalidConfiguration` when one is missing, when the session does not exist, or when it
  /// says something else than the profile.
  func settings() throws(CredentialError) -> SSOSettings? {
    if profile.setting("sso_role_name") == nil && profile.setting("sso_account_id") == nil {
      return nil
    }
    let session = try session()
    let names = ["sso_start_url", "sso_region", "sso_account_id", "sso_role_name"]
    var values: [String] = []
    var missing: [String] = []
    for name in names {
      var value = try resolver.text(name, of: profile)
      if let session, value == nil { value = try resolver.text(name, of: session) }
      if let value { values.append(value) } else { missing.append(name) }
    }
    if !missing.isEmpty {
      throw resolver.invalid(
        profile,
        "is one of IAM Identity Center and lacks \(missing.joined(separator: ", ")); run "
          + "'aws configure sso', or add what is missing")
    }
    return SSOSettings(
      ssoStartURL: values[0], ssoRegion: values[1], ssoAccountID: values[2], ssoRoleName: values[3],
      ssoSession: try resolver.text("sso_session", of: profile))
  }

  /// The section [sso-session NAME] that the profile refers to.
  private func session() throws(CredentialError) -> ProfileFile.Section? {
    guard let name = try resolver.text("sso_session", of: profile) else { return nil }
    guard let session = files.ssoSession(named: name) else {
      throw resolver.invalid(
        profile,
        "refers to [sso-session \(name.shown)], which \(files.configPath) does not have; "
          + "look for a mistake in its name")
    }
    let ownSettings = Dictionary(
      profile.settings.map { (ExactText($0.name), $0) }, uniquingKeysWith: { $1 })
    for setting in session.settings {
      guard let own = ownSettings[ExactText(setting.name)],
        !Self.isSame(own.value, setting.value)
      else { continue }
      throw resolver.invalid(
        profile,
        "says another \(setting.name) than its sso-session (\(own.path), line \(own.line); "
          + "\(setting.path), line \(setting.line)), and only one can be meant; delete one of them")
    }
    return session
  }

  private static func isSame(_ left: ProfileFile.Value, _ right: ProfileFile.Value) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): ExactText(left) == ExactText(right)
    case (.settings(let left), .settings(let right)):
      Dictionary(left.map { (ExactText($0.name), ExactText($0.value)) }, uniquingKeysWith: { $1 })
        == Dictionary(
          right.map { (ExactText($0.name), ExactText($0.value)) }, uniquingKeysWith: { $1 })
    case (.text, .settings), (.settings, .text): false
    }
  }
}
