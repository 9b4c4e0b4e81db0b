// SPDX-License-Identifier: Apache-2.0
// Resolves the same credentials as the AWS CLI, except those that need TLS.

internal import CredentialProviders
internal import DocumentSupport
internal import POSIXCredentialSources
internal import RequestSigning
internal import SecureHashing

/// Credentials and region from --profile, the environment and the profile files.
struct CommandCredentials {
  private let arguments: Arguments
  private let profile: String?
  private let sources: CredentialSources

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    profile = arguments.value("--profile")
    if profile == "" {
      throw CommandError(
        .usage, "--profile needs a profile name.", fix: "Pass a name, or remove --profile.")
    }
    sources = System.credentialSources(ofProfile: profile)
  }

  /// Resolves credentials from the environment and files only, without querying containers or EC2.
  /// For commands that work without credentials.
  func atHand() async throws -> SigV4.Credentials {
    var sources = sources
    sources.http = { request in
      throw CredentialError(
        .notConfigured, "\(request) wasn't sent because this command doesn't need credentials.",
        fix: "Pass --profile NAME to use its credentials.")
    }
    return try await DefaultCredentialProvider(profile: profile, sources: sources).credentials()
      .credentials
  }

  /// The credentials that `provided()` returns, without their source.
  func credentials() async throws -> SigV4.Credentials { try await provided().credentials }

  /// Resolves the same credentials as the AWS CLI, except those that need TLS. Prints their
  /// warning, if any.
  func provided() async throws -> ResolvedCredentials {
    let provided = try await found()
    if let warning = provided.warning { arguments.tell(warning) }
    return provided
  }

  private func found() async throws -> ResolvedCredentials {
    do throws(CredentialError) {
      return try await DefaultCredentialProvider(profile: profile, sources: sources).credentials()
    } catch {
      let isMissing = error.code == .notConfigured
      if let meant = await missingInMeantSource() {
        let others =
          isMissing
          ? "Containers and EC2 instances have no role here, either."
          : "The other sources failed, too: \(error.problem)"
        throw CommandError(
          .credentials, meant.problem, fix: meant.fix + (error == meant ? "" : " " + others))
      }
      // EC2 is queried even if it isn't set up. Outside EC2, something else may respond there.
      let instance = InstanceMetadataProvider.name + ": "
      let isOfInstance =
        error.problem.hasPrefix(instance) && error.code != .invalidConfiguration
      if profile != nil || !isMissing && !isOfInstance { throw error }
      let others = isMissing ? ", and no container or EC2 instance has a role" : ""
      throw CommandError(
        .credentials, "No credentials found\(others).",
        fix: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN for temporary "
          + "credentials), or use --profile NAME."
          + (isMissing ? "" : " " + error.problem.dropFirst(instance.count) + " " + error.fix))
    }
  }

  /// What is missing in the source that the user chose, if it has no credentials: a variable next
  /// to others that are set, or keys in a profile that is named.
  private func missingInMeantSource() async -> CredentialError? {
    func isSet(_ name: String) -> Bool { sources.variable(name)?.isEmpty == false }
    let others = ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]
    if profile == nil, !isSet("AWS_ACCESS_KEY_ID"), let other = others.first(where: isSet) {
      return CredentialError(
        .notConfigured, "\(other) is set but AWS_ACCESS_KEY_ID isn't.",
        fix: "Set both. Check the spelling of the environment variable.")
    }
    if profile == nil && !isSet("AWS_PROFILE") && !isSet("AWS_DEFAULT_PROFILE") { return nil }
    do throws(CredentialError) {
      // A profile without credentials is known before its source is queried.
      var sources = sources
      sources.http = { _ in throw CredentialError(.unreachable, "Not queried.", fix: "None.") }
      sources.run = { _ in throw CredentialError(.accessDenied, "Not run.", fix: "None.") }
      _ = try await ProfileCredentialProvider(profile: profile, sources: sources).credentials()
      return nil
    } catch {
      return error.code == .notConfigured ? error : nil
    }
  }

  /// The region from the environment or the profile, or nil.
  func region() throws -> String? {
    let region =
      try System.environmentVariable("AWS_REGION")
      ?? System.environmentVariable("AWS_DEFAULT_REGION")
      ?? files().region(ofProfile: profile, sources: sources)
    return region.map(ServiceRegion.withoutFIPS)
  }

  /// The endpoint settings from the environment and the profile.
  func settings() throws -> ServiceSettings {
    try ServiceSettings(profile: profile, in: files(), sources: sources)
  }

  private func files() throws -> ProfileFiles { try ProfileFiles(sources: sources) }
}

extension System {
  /// The credential sources of this process, without TLS. The profile is that of --profile.
  fileprivate static func credentialSources(ofProfile profile: String?) -> CredentialSources {
    var sources = sourcesOfProcess
    let near = sources.http
    let name =
      profile ?? ["AWS_PROFILE", "AWS_DEFAULT_PROFILE"].lazy.compactMap(SystemFacts.variable).first
    let option = name.map { " --profile " + CurlCommand.quoted($0) } ?? ""
    let fix =
      "Run eval \"$(aws configure export-credentials\(option) --format env)\" to get these "
      + "credentials with the AWS CLI\(profile == nil ? "." : ", and then omit --profile.")"
    sources.http = { request in
      // A request that needs no TLS, or an invalid URL, for which `near` throws a better error.
      if request.url.prefix(6).lowercased() != "https:" { return try await near(request) }
      throw CredentialError(
        .invalidConfiguration,
        "\(request) wasn't sent because sigv4 has no TLS.", fix: fix)
    }
    sources.mfaCode = { serialNumber in
      throw CredentialError(
        .invalidConfiguration,
        "sigv4 doesn't prompt for the code of MFA device \(serialNumber.shown) (mfa_serial).",
        fix: fix)
    }
    return sources
  }

  /// Commands of profiles share the user's terminal. Profile files are read once, so that all parts
  /// of a command see the same content.
  private static let sourcesOfProcess: CredentialSources = {
    var sources = CredentialSources.posix
    sources.readProfilesOnce()
    #if !os(tvOS) && !os(watchOS)
      sources.run = { command in
        try ChildProcess.output(of: command)
      }
    #endif
    return sources
  }()
}

extension CredentialSources {
  /// Caches the content of the profile files. Other files, such as cached sign-ins, can change
  /// while a command runs.
  mutating func readProfilesOnce() {
    let readFile = file
    file = { _ in nil }
    let files = try? ProfileFiles(sources: self)
    let paths = files.map { [$0.configPath, $0.credentialsPath] } ?? []
    let kept = Guarded<[String: Result<[UInt8]?, any Error>]>([:])
    file = { path in
      if !paths.contains(path) { return try readFile(path) }
      let result = kept.withLock { kept in
        if let result = kept[path] { return result }
        let result = Result { try readFile(path) }
        kept[path] = result
        return result
      }
      return try result.get()
    }
  }
}

/// `sigv4 credentials [--profile NAME] [--json]`, or with `--certificate`
enum CredentialsCommand {
  static var specifications: [OptionSpecification] {
    .named("--profile", "--json", "--format") + RolesAnywhereCommand.specifications
  }

  static func run(_ arguments: [String]) async throws {
    let arguments = try Arguments(arguments, specifications)
    if let operand = arguments.operands.first {
      throw CommandError(
        .usage, "credentials accepts options only, not \(operand).",
        fix: "Remove it, or use --profile NAME.")
    }
    let provider = try RolesAnywhereCommand.provider(arguments)
    if arguments.has("--json") && (provider != nil || arguments.value("--format") != nil) {
      throw CommandError(
        .usage, "--json prints no secret, and can't be used with --format or --certificate.",
        fix: "Remove it.")
    }
    if let provider {
      return try System.writeLine(
        try await export(arguments.value("--format") ?? "process") {
          try await provider.credentials().credentials
        })
    }
    let found = try CommandCredentials(arguments)
    if let format = arguments.value("--format") {
      return try System.writeLine(try await export(format) { try await found.credentials() })
    }
    let provided = try await found.provided()
    let region = try found.region()
    try System.writeLine(
      arguments.has("--json") ? json(provided, region).indented : page(provided, region))
  }

  /// The credentials in the format of credential_process (AWS SDKs and Tools Reference Guide,
  /// "Process credential provider"), or as environment variables for a POSIX shell.
  private static func export(
    _ format: String, _ credentials: () async throws -> SigV4.Credentials
  ) async throws -> String {
    if format != "process" && format != "env" {
      throw CommandError(
        .usage, "--format must be process or env, not \(format).",
        fix: "Use process for another program, or env for a shell.")
    }
    let credentials = try await credentials()
    let identity = credentials.identity
    let secret = unsafe credentials.derivationSecret.withUnsafeBytes {
      unsafe String(decoding: $0.dropFirst("AWS4".utf8.count), as: UTF8.self)
    }
    let variables = [
      ("AWS_ACCESS_KEY_ID", "AccessKeyId", identity.accessKeyID),
      ("AWS_SECRET_ACCESS_KEY", "SecretAccessKey", secret),
      ("AWS_SESSION_TOKEN", "SessionToken", identity.sessionToken),
      ("AWS_CREDENTIAL_EXPIRATION", "Expiration", identity.expiration?.extendedText),
    ]
    if format == "env" {
      let lines = variables.map { name, _, value in
        value.map { "export \(name)=\(CurlCommand.quoted($0))" } ?? "unset \(name)"
      }
      // The older name has priority over AWS_SESSION_TOKEN.
      return (lines + ["unset AWS_SECURITY_TOKEN"]).joined(separator: "\n")
    }
    let members = variables.compactMap { _, name, value in
      value.map { (name, JSONText.string($0)) }
    }
    return JSONText.object([("Version", .literal("1"))] + members).indented
  }

  static func page(_ provided: ResolvedCredentials, _ region: String?) throws -> String {
    var end = "unknown"
    if let expiration = provided.credentials.identity.expiration {
      let now = try SigningOptions.timestamp(nil)
      end = "\(expiration.text), \(VerificationReport.distance(from: now, to: expiration))"
    }
    return """
      signed by    \(provided.credentials)
      from         \(provided.source)
      expires      \(end)
      region       \(region ?? "not set")
      """
  }

  static func json(_ provided: ResolvedCredentials, _ region: String?) -> JSONText {
    let identity = provided.credentials.identity
    return .texts([
      ("accessKeyID", identity.shownAccessKeyID), ("source", provided.source),
      ("expires", identity.expiration?.text), ("region", region),
    ])
  }
}

extension JSONText {
  /// An object of the members whose value isn't nil.
  static func texts(_ members: [(name: String, value: String?)]) -> JSONText {
    .object(members.compactMap { name, value in value.map { (name, .string($0)) } })
  }
}
