// SPDX-License-Identifier: Apache-2.0
// The two files of profiles together, as botocore puts them together, and which profile is meant.

/// The profiles, SSO sessions and services of a config file and a credentials file.
///
/// In the config file a profile is `[profile NAME]`, the name in quotes if it has blanks, or
/// `[default]`; in the credentials file it is `[NAME]`. What both say of a profile is put together,
/// setting by setting; the credentials file wins.
public struct ProfileFiles: Sendable, CustomStringConvertible {
  /// Where the credentials file was looked for.
  public let credentialsPath: String

  /// Where the config file was looked for.
  public let configPath: String

  private let configProfiles: [ExactText: ProfileFile.Section]
  private let credentialsProfiles: [ExactText: ProfileFile.Section]
  private let sessions: [ExactText: ProfileFile.Section]
  private let serviceSections: [ExactText: ProfileFile.Section]

  /// Both files of some sources: `AWS_CONFIG_FILE`, or else `~/.aws/config`, and
  /// `AWS_SHARED_CREDENTIALS_FILE`, or else `~/.aws/credentials`. A file that is not there is empty.
  ///
  /// Throws `invalidFile` when one of them cannot be read.
  public init(sources: CredentialSources) throws(CredentialError) {
    let paths = ProfilePaths(sources: sources)
    try self.init(
      config: sources.file(paths.config), at: paths.config,
      credentials: sources.file(paths.credentials), at: paths.credentials)
  }

  /// Two files by their bytes; nil for one that is not there.
  ///
  /// Throws `invalidFile`.
  public init(
    config: [UInt8]?, at configPath: String, credentials: [UInt8]?, at credentialsPath: String
  ) throws(CredentialError) {
    self.configPath = configPath
    self.credentialsPath = credentialsPath
    let config = try ProfileFile(bytes: config ?? [], path: configPath)
    let credentials = try ProfileFile(bytes: credentials ?? [], path: credentialsPath)
    var profiles: [ExactText: ProfileFile.Section] = [:]
    var sessions: [ExactText: ProfileFile.Section] = [:]
    var services: [ExactText: ProfileFile.Section] = [:]
    for section in config.sections {
      // botocore goes by how a header begins, so [profiles x] is a profile, too.
      let second = Self.secondWord(of: section.name)
      if section.name.hasPrefix("profile") {
        if let second { profiles[ExactText(second)] = section }
      } else if section.name.hasPrefix("sso-session") {
        if let second { sessions[ExactText(second)] = section }
      } else if section.name.hasPrefix("services") {
        if let second { services[ExactText(second)] = section }
      } else if section.name == "default" {
        profiles[ExactText("default")] = section
      }
    }
    configProfiles = profiles
    self.sessions = sessions
    serviceSections = services
    credentialsProfiles = Dictionary(
      credentials.sections.map { (ExactText($0.name), $0) }, uniquingKeysWith: { _, last in last })
  }

  /// The names of all profiles, in the order of their bytes.
  public var profileNames: [String] {
    let names = Set(configProfiles.keys).union(credentialsProfiles.keys)
    return names.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// What both files say of a profile; nil when none of them has it.
  public func profile(named name: String) -> ProfileFile.Section? {
    let config = profileOfConfig(named: name)?.settings
    guard let credentials = profileOfCredentials(named: name)?.settings else {
      return config.map { ProfileFile.Section(name: name, own: $0, inherited: []) }
    }
    let overruled = Set(credentials.map { ExactText($0.name) })
    let kept = (config ?? []).filter { !overruled.contains(ExactText($0.name)) }
    return ProfileFile.Section(name: name, own: kept + credentials, inherited: [])
  }

  /// The section `[sso-session NAME]` of the config file.
  public func ssoSession(named name: String) -> ProfileFile.Section? { sessions[ExactText(name)] }

  /// The section `[services NAME]` of the config file.
  public func services(named name: String) -> ProfileFile.Section? {
    serviceSections[ExactText(name)]
  }

  /// The paths, and how many profiles there are.
  public var description: String {
    "\(configPath) and \(credentialsPath) with \(profileNames.count) profiles"
  }

  func profileOfConfig(named name: String) -> ProfileFile.Section? {
    configProfiles[ExactText(name)]
  }

  func profileOfCredentials(named name: String) -> ProfileFile.Section? {
    credentialsProfiles[ExactText(name)]
  }

  /// The second word of a header that has two, in quotes or not.
  private static func secondWord(of header: String) -> String? {
    guard let words = ShellWords.split(header), words.count == 2 else { return nil }
    return words[1]
  }
}

extension ProfileFiles {
  /// The profile that the variables select: `AWS_DEFAULT_PROFILE`, else `AWS_PROFILE` (in this order,
  /// as botocore has it); nil when neither is set, which means `default`.
  public static func selectedName(sources: CredentialSources) -> String? {
    sources.variable("AWS_DEFAULT_PROFILE") ?? sources.variable("AWS_PROFILE")
  }

  /// `AWS_REGION`, `AWS_DEFAULT_REGION`, or the region of a profile; without a name of the one that is
  /// selected, or else of `default`. Nil when none is set.
  ///
  /// Throws `invalidConfiguration` when a profile that was asked for or selected does not exist.
  public func region(
    ofProfile name: String? = nil, sources: CredentialSources
  ) throws(CredentialError) -> String? {
    do throws(CredentialError) {
      return ProfileResolver.region(
        of: try existingProfile(named: name, sources: sources), sources)
    } catch  where error.code == .notConfigured {
      return ProfileResolver.region(of: nil, sources)
    }
  }

  /// The profile of a name or, without one, the selected or the default profile.
  ///
  /// Throws `invalidConfiguration` when a profile that was asked for or selected does not exist, and
  /// `notConfigured` when there is no default profile.
  func existingProfile(
    named name: String?, sources: CredentialSources
  ) throws(CredentialError) -> ProfileFile.Section {
    let wanted = name ?? Self.selectedName(sources: sources)
    if let profile = profile(named: wanted ?? "default") { return profile }
    guard let wanted else {
      throw CredentialError(
        .notConfigured,
        "there is no profile 'default' in \(configPath) or \(credentialsPath); name another one, or "
          + "run 'aws configure'")
    }
    throw CredentialError(
      .invalidConfiguration,
      wanted.isEmpty
        ? "the variable that names the profile is set and empty; unset AWS_PROFILE and "
          + "AWS_DEFAULT_PROFILE, or name a profile"
        : "there is no profile \(wanted.shown): it would be [profile NAME] in \(configPath), or "
          + "[NAME] in \(credentialsPath); look for a mistake in its name")
  }
}
