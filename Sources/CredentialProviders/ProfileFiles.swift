// SPDX-License-Identifier: Apache-2.0
// The two files of profiles together, as botocore puts them together, and which profile is meant.

internal import SecureHashing
internal import SigningSupport

/// The profiles, SSO sessions and services of a config file and a credentials file.
///
/// In the config file a profile is `[profile NAME]`, the name in quotes if it has blanks, or
/// `[default]`; in the credentials file it is `[NAME]`. The settings of both are put together; where
/// both have a setting, the credentials file wins.
package struct ProfileFiles: Sendable, CustomStringConvertible, Redacted {
  /// Where the credentials file was looked for.
  package let credentialsPath: String

  /// Where the config file was looked for.
  package let configPath: String

  /// The sections of the config file by their kinds and names, and those of the credentials file under
  /// "credentials". Names are bytes: Swift's strings are equal when Unicode says so.
  private var sections: [String: [[UInt8]: Section]] = [:]

  /// Both files of some sources: `AWS_CONFIG_FILE`, or else `~/.aws/config`, and
  /// `AWS_SHARED_CREDENTIALS_FILE`, or else `~/.aws/credentials`. A file that does not exist is empty.
  ///
  /// Throws `invalidFile` when one of them cannot be read.
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

  /// Two files by their bytes; nil for one that does not exist.
  ///
  /// Throws `invalidFile`.
  package init(
    config: [UInt8]?, at configPath: String, credentials: [UInt8]?, at credentialsPath: String
  ) throws(CredentialError) {
    self.configPath = configPath
    self.credentialsPath = credentialsPath
    for section in try ProfileFile(bytes: config ?? [], path: configPath).sections {
      // botocore goes by how a header begins, so [profiles x] is a profile, too.
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

  /// The names of all profiles, in the order of their bytes.
  package var profileNames: [String] {
    Set(["profile", "credentials"].flatMap { sections[$0]?.keys.map(\.self) ?? [] })
      .sorted { $0.lexicographicallyPrecedes($1) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The settings that both files have for a profile; nil when neither file has it.
  package func profile(named name: String) -> Section? {
    let config = section("profile", name)
    let credentials = section("credentials", name)
    if config == nil && credentials == nil { return nil }
    let own = credentials?.settings ?? []
    return Section(name: name, own: (config?.settings ?? []).without(own) + own, inherited: [])
  }

  /// The section `[sso-session NAME]` of the config file.
  package func ssoSession(named name: String) -> Section? { section("sso-session", name) }

  /// The section `[services NAME]` of the config file.
  package func services(named name: String) -> Section? { section("services", name) }

  func section(_ kind: String, _ name: String) -> Section? { sections[kind]?[name.bytesInUTF8] }

  /// The paths, and how many profiles there are.
  package var description: String {
    "\(configPath) and \(credentialsPath) with \(profileNames.count) profiles"
  }
}

extension ProfileFiles {
  /// A section of a file, or the profile that sections of two files make together.
  package struct Section: Hashable, Sendable, CustomStringConvertible, Redacted {
    /// The text in the brackets, or the name of the profile.
    package let name: String

    let own: [Setting]

    /// The settings of `[DEFAULT]`, shared by all sections of a file.
    let inherited: [Setting]

    /// The settings in their order, its own before those of `[DEFAULT]`; no name occurs twice.
    package var settings: [Setting] { own + inherited.without(own) }

    /// The text of a setting; nil when there is none, or when it holds settings of its own.
    package subscript(name: String) -> String? { setting(name)?.text }

    /// A setting by its name, in lower case.
    package func setting(_ name: String) -> Setting? {
      func isWanted(_ setting: Setting) -> Bool { setting.name.utf8.elementsEqual(name.utf8) }
      return own.first(where: isWanted) ?? inherited.first(where: isWanted)
    }

    /// The text of a setting, or nil when there is none.
    ///
    /// Throws `invalidConfiguration` for one that holds settings of its own.
    func text(_ name: String) throws(CredentialError) -> String? {
      guard let setting = setting(name) else { return nil }
      if let text = setting.text { return text }
      throw .invalidConfiguration(
        "\(setting) must have a value, not indented settings.",
        fix: "Write the value on the same line.")
    }

    /// The name of the section and those of its settings. Values may be secret.
    package var description: String {
      "[\(name)] with " + settings.map(\.name).joined(separator: ", ")
    }
  }

  /// A setting. Its value may be secret.
  package struct Setting: Hashable, Sendable, CustomStringConvertible, Redacted {
    /// The name, in lower case.
    package let name: String

    /// The value, with a line end where it is continued; nil when it holds settings of its own.
    package let text: String?

    /// The settings one level down, in their order; no name occurs twice.
    package let settings: [Setting]

    /// The path of the file.
    package let path: String

    /// The line that the setting begins on, from 1.
    package let line: Int

    /// The name, and where it stands.
    package var description: String { "\(name) (\(path), line \(line))" }
  }
}

extension [ProfileFiles.Setting] {
  /// The settings that others do not set as well.
  fileprivate func without(_ others: [ProfileFiles.Setting]) -> [ProfileFiles.Setting] {
    let names = Set(others.map { $0.name.bytesInUTF8 })
    return filter { !names.contains($0.name.bytesInUTF8) }
  }
}

extension ProfileFiles {
  /// The profile that the variables select: `AWS_DEFAULT_PROFILE`, else `AWS_PROFILE` (in this order,
  /// as in botocore); nil when neither is set, which means `default`.
  package static func selectedName(sources: CredentialSources) -> String? {
    sources.variable("AWS_DEFAULT_PROFILE") ?? sources.variable("AWS_PROFILE")
  }

  /// `AWS_REGION`, `AWS_DEFAULT_REGION`, or the region of a profile: the named, the selected or the
  /// default one. Nil when none is set.
  ///
  /// Throws `invalidConfiguration` when a profile that was asked for or selected does not exist.
  package func region(
    ofProfile name: String? = nil, sources: CredentialSources
  ) throws(CredentialError) -> String? {
    Self.region(of: try profileIfAny(named: name, sources: sources), sources)
  }

  static func region(of profile: Section?, _ sources: CredentialSources) -> String? {
    [sources.variable("AWS_REGION"), sources.variable("AWS_DEFAULT_REGION"), profile?["region"]]
      .compactMap(\.self).first { !$0.isEmpty }
  }

  /// The profile of a name or, without one, the selected or the default profile; nil when there is no
  /// default profile.
  ///
  /// Throws `invalidConfiguration` when a profile that was asked for or selected does not exist.
  func profileIfAny(
    named name: String?, sources: CredentialSources
  ) throws(CredentialError) -> Section? {
    do throws(CredentialError) {
      return try existingProfile(named: name, sources: sources)
    } catch  where error.code == .notConfigured {
      return nil
    }
  }

  /// The profile of a name or, without one, the selected or the default profile.
  ///
  /// Throws `invalidConfiguration` when a profile that was asked for or selected does not exist, and
  /// `notConfigured` when there is no default profile.
  func existingProfile(
    named name: String?, sources: CredentialSources
  ) throws(CredentialError) -> Section {
    let wanted = name ?? Self.selectedName(sources: sources)
    if let profile = profile(named: wanted ?? "default") { return profile }
    guard let wanted else {
      throw .notConfigured(
        "Profile \"default\" not found in \(configPath) or \(credentialsPath).",
        fix: "Add it with 'aws configure', or use a different profile.")
    }
    if wanted.isEmpty {
      throw .invalidConfiguration(
        "The profile name in AWS_PROFILE or AWS_DEFAULT_PROFILE is empty.",
        fix: "Use a profile name, or unset the variable.")
    }
    throw .invalidConfiguration(
      "Profile \(wanted.shown) not found in \(configPath) ([profile NAME]) or "
        + "\(credentialsPath) ([NAME]).",
      fix: "Check the spelling.")
  }
}

/// Paths that leave a part to the environment.
enum ProfilePath {
  /// A path in which `$NAME`, `${NAME}` and a `~/` at the beginning are replaced by the values of the
  /// variables and the home folder; what is not set, and `~user`, stay as they are.
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
