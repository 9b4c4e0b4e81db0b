// SPDX-License-Identifier: Apache-2.0
// The config and credentials files, merged as in botocore, and the selected profile.

internal import SecureHashing
internal import RequestSigning

/// The profiles, SSO sessions and services in a config file and a credentials file.
///
/// In the config file, a profile is `[profile NAME]` (with quotes if the name contains blanks) or
/// `[default]`. In the credentials file, it's `[NAME]`. The settings of both are merged. If both
/// have a setting, the credentials file wins.
package struct ProfileFiles: Sendable, CustomStringConvertible, Redacted {
  /// The path of the credentials file.
  package let credentialsPath: String

  /// The path of the config file.
  package let configPath: String

  /// The sections of the config file by kind and name, and those of the credentials file under
  /// "credentials". Names are bytes, since Swift's strings compare by Unicode equivalence.
  private var sections: [String: [[UInt8]: Section]] = [:]

  /// Reads both files: `AWS_CONFIG_FILE`, or else `~/.aws/config`, and
  /// `AWS_SHARED_CREDENTIALS_FILE`, or else `~/.aws/credentials`. A missing file counts as empty.
  ///
  /// - Throws: `invalidFile` if a file can't be read.
  package init(sources: CredentialSources) throws(CredentialError) {
    func path(_ variable: String, _ usual: String) -> String {
      ProfilePath.expanded(sources.variable(variable) ?? usual, sources)
    }
    let config = path("AWS_CONFIG_FILE", "~/.aws/config")
    let credentials = path("AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials")
    try self.init(
      config: sources.contents(of: config), at: config,
      credentials: sources.contents(of: credentials), at: credentials)
  }

  /// Parses both files. Pass nil for a missing file.
  ///
  /// - Throws: `invalidFile`.
  package init(
    config: [UInt8]?, at configPath: String, credentials: [UInt8]?, at credentialsPath: String
  ) throws(CredentialError) {
    self.configPath = configPath
    self.credentialsPath = credentialsPath
    for section in try ProfileFile(bytes: config ?? [], path: configPath).sections {
      // botocore checks only how a header begins, so [profiles x] is a profile too.
      let kinds = ["profile", "sso-session", "services"]
      if section.name == "default" {
        sections["profile", default: [:]]["default".bytesInUTF8] = section
      } else if let kind = kinds.first(where: { section.name.hasPrefix($0) }),
        let words = ShellWords.split(section.name), words.count == 2
      {
        sections[kind, default: [:]][words[1].bytesInUTF8] = section
      }
    }
    for section in try ProfileFile(bytes: credentials ?? [], path: credentialsPath).sections {
      sections["credentials", default: [:]][section.name.bytesInUTF8] = section
    }
  }

  /// The names of all profiles, sorted by bytes.
  package var profileNames: [String] {
    Set(["profile", "credentials"].flatMap { sections[$0]?.keys.map(\.self) ?? [] })
      .sorted { $0.lexicographicallyPrecedes($1) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns a profile's settings in both files, or nil if neither file has the profile.
  package func profile(named name: String) -> Section? {
    let config = section("profile", name)
    let credentials = section("credentials", name)
    if config == nil && credentials == nil { return nil }
    let own = credentials?.settings ?? []
    return Section(name: name, own: (config?.settings ?? []).without(own) + own, inherited: [])
  }

  /// Returns the section `[sso-session NAME]` of the config file.
  package func ssoSession(named name: String) -> Section? { section("sso-session", name) }

  /// Returns the section `[services NAME]` of the config file.
  package func services(named name: String) -> Section? { section("services", name) }

  func section(_ kind: String, _ name: String) -> Section? { sections[kind]?[name.bytesInUTF8] }

  /// The paths and the number of profiles.
  package var description: String {
    "\(configPath) and \(credentialsPath) with \(profileNames.count) profiles"
  }
}

extension ProfileFiles {
  /// A section of a file, or a profile merged from both files.
  package struct Section: Hashable, Sendable, CustomStringConvertible, Redacted {
    /// The string in the brackets, or the name of the profile.
    package let name: String

    let own: [Setting]

    /// The settings of `[DEFAULT]`, shared by all sections of a file.
    let inherited: [Setting]

    /// The settings in order, the section's own before those of `[DEFAULT]`. Names are unique.
    package var settings: [Setting] { own + inherited.without(own) }

    /// The value of a setting, or nil if it's missing or has nested settings.
    package subscript(name: String) -> String? { setting(name)?.text }

    /// Returns a setting by its lowercase name.
    package func setting(_ name: String) -> Setting? {
      func isWanted(_ setting: Setting) -> Bool { setting.name.utf8.elementsEqual(name.utf8) }
      return own.first(where: isWanted) ?? inherited.first(where: isWanted)
    }

    /// Returns the value of a setting, or nil if it's missing.
    ///
    /// - Throws: `invalidConfiguration` if it has nested settings.
    func text(_ name: String) throws(CredentialError) -> String? {
      guard let setting = setting(name) else { return nil }
      if let text = setting.text { return text }
      throw CredentialError(
        .invalidConfiguration, "\(setting) must have a value, not indented settings.",
        fix: "Write the value on the same line.")
    }

    /// The name of the section and the names of its settings. Values may be secret.
    package var description: String {
      "[\(name)] with " + settings.map(\.name).joined(separator: ", ")
    }
  }

  /// A setting. Its value may be secret.
  package struct Setting: Hashable, Sendable, CustomStringConvertible, Redacted {
    /// The name, in lowercase.
    package let name: String

    /// The value, with a newline before each continuation, or nil if it has nested settings.
    package let text: String?

    /// The nested settings in order. Names are unique.
    package let settings: [Setting]

    /// The path of the file.
    package let path: String

    /// The first line of the setting, counted from 1.
    package let line: Int

    /// The name and location.
    package var description: String { "\(name) (\(path), line \(line))" }
  }
}

extension [ProfileFiles.Setting] {
  /// Returns the settings that `others` doesn't contain.
  fileprivate func without(_ others: [ProfileFiles.Setting]) -> [ProfileFiles.Setting] {
    let names = Set(others.map { $0.name.bytesInUTF8 })
    return filter { !names.contains($0.name.bytesInUTF8) }
  }
}

extension ProfileFiles {
  /// Returns the profile in `AWS_PROFILE`, else `AWS_DEFAULT_PROFILE` (in the order of the AWS
  /// CLI 2), or nil if neither is set, which means `default`.
  package static func selectedName(sources: CredentialSources) -> String? {
    sources.variable("AWS_PROFILE") ?? sources.variable("AWS_DEFAULT_PROFILE")
  }

  /// Returns `AWS_REGION`, `AWS_DEFAULT_REGION`, or the region of a profile: the given one, the
  /// selected one or the default. Nil if none is set.
  ///
  /// - Throws: `invalidConfiguration` if a given or selected profile doesn't exist.
  package func region(
    ofProfile name: String? = nil, sources: CredentialSources
  ) throws(CredentialError) -> String? {
    Self.region(of: try profileIfAny(named: name, sources: sources), sources)
  }

  static func region(of profile: Section?, _ sources: CredentialSources) -> String? {
    [sources.variable("AWS_REGION"), sources.variable("AWS_DEFAULT_REGION"), profile?["region"]]
      .compactMap(\.self).first { !$0.isEmpty }
  }

  /// Returns the given profile, the selected one or the default, or nil if there's no default
  /// profile.
  ///
  /// - Throws: `invalidConfiguration` if a given or selected profile doesn't exist.
  func profileIfAny(
    named name: String?, sources: CredentialSources
  ) throws(CredentialError) -> Section? {
    do throws(CredentialError) {
      return try existingProfile(named: name, sources: sources)
    } catch  where error.code == .notConfigured {
      return nil
    }
  }

  /// Returns the given profile, the selected one or the default.
  ///
  /// - Throws: `invalidConfiguration` if a given or selected profile doesn't exist, and
  ///   `notConfigured` if there's no default profile.
  func existingProfile(
    named name: String?, sources: CredentialSources
  ) throws(CredentialError) -> Section {
    let wanted = name ?? Self.selectedName(sources: sources)
    if let profile = profile(named: wanted ?? "default") { return profile }
    guard let wanted else {
      throw CredentialError(
        .notConfigured, "Profile \"default\" not found in \(configPath) or \(credentialsPath).",
        fix: "Add it with 'aws configure', or use a different profile.")
    }
    if wanted.isEmpty {
      throw CredentialError(
        .invalidConfiguration, "The profile name in AWS_PROFILE or AWS_DEFAULT_PROFILE is empty.",
        fix: "Use a profile name, or unset the variable.")
    }
    throw CredentialError(
      .invalidConfiguration,
      "Profile \(wanted.shown) not found in \(configPath) ([profile NAME]) or "
        + "\(credentialsPath) ([NAME]).",
      fix: "Check the spelling.")
  }
}

/// Paths with variables.
enum ProfilePath {
  /// Replaces `$NAME`, `${NAME}` and a leading `~/` with the values of variables and the home
  /// directory. Leaves unset variables and `~user` unchanged.
  static func expanded(_ path: String, _ sources: CredentialSources) -> String {
    var expanded = ""
    var rest = path[...]
    while let dollar = rest.firstIndex(of: "$") {
      let start = rest.index(after: dollar)
      var name = rest[start...].prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
      var end = name.endIndex
      if rest[start...].first == "{", let brace = rest[start...].firstIndex(of: "}") {
        name = rest[start..<brace].dropFirst()
        end = rest.index(after: brace)
      }
      let value = name.isEmpty ? nil : sources.variable(String(name))
      expanded += rest[..<dollar] + (value ?? String(rest[dollar..<end]))
      rest = rest[end...]
    }
    expanded += rest
    let home = sources.variable("HOME") ?? sources.variable("USERPROFILE") ?? sources.homeFolder()
    guard expanded.hasPrefix("~/"), let home else { return expanded }
    let slashes = home.reversed().prefix { $0 == "/" }.count
    return String(home.dropLast(slashes) + expanded.dropFirst())
  }
}
