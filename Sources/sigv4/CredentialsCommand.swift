// SPDX-License-Identifier: Apache-2.0
// With which credentials a command signs: the environment, profiles, and programs that they name.

internal import CredentialProviders
internal import DocumentSupport
internal import RequestSigning

/// Credentials and region, as --profile, the environment and the files of profiles have them.
struct CommandCredentials {
  private let profile: String?
  private var sources: CredentialSources

  init(_ arguments: Arguments) throws {
    profile = arguments.value("--profile")
    if profile == "" { throw CommandError.usage("--profile needs the name of a profile") }
    sources = try System.credentialSources()
  }

  /// What `provided()` gives, without their origin.
  func credentials() async throws -> SigV4.Credentials { try await provided().credentials }

  /// The credentials of --profile; without it those of the environment, or else of the profile that
  /// the environment selects.
  func provided() async throws -> ProvidedCredentials {
    do {
      if profile == nil {
        if let provided = try ofEnvironment() { return provided }
        try refuseWebIdentity()
      }
      try refuseHTTP(ProfileCredentials(profile: profile, in: files(), sources: sources))
      return try await ProfileCredentialProvider(profile: profile, sources: sources).credentials()
    } catch let error as CredentialError where error.code == .notConfigured && profile == nil {
      throw CommandError(
        .credentials,
        "there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and "
          + "AWS_SESSION_TOKEN for temporary ones) in the environment, or give --profile NAME")
    }
  }

  /// Who signs, with the secret, for programs that take it.
  func exported() async throws -> (SigV4.Identity, secret: String) {
    var found = self
    var secret = System.variable("AWS_SECRET_ACCESS_KEY")
    if try profile != nil || ofEnvironment() == nil {
      try refuseWebIdentity()
      let resolved = try ProfileCredentials(profile: profile, in: files(), sources: sources)
      if resolved.source.kind == .process && resolved.roles.isEmpty {
        let output = try ChildProcess.output(of: resolved.source.command)
        found.sources.run = { (_) async throws(CredentialError) in output }
        secret = try? JSONReader.value(of: output)["SecretAccessKey"]?.text
      } else if resolved.source.kind == .keys {
        secret = try files().profile(named: resolved.profile)?["aws_secret_access_key"]
      }
    }
    let identity = try await found.credentials().identity
    guard let secret else {
      throw CommandError(.credentials, "the secret access key of \(identity) was not found")
    }
    return (identity, secret)
  }

  /// The credentials of the environment; nil when it has none.
  private func ofEnvironment() throws(CredentialError) -> ProvidedCredentials? {
    do {
      return try EnvironmentCredentialProvider(sources: sources).credentials()
    } catch {
      if error.code == .notConfigured { return nil }
      throw error
    }
  }

  /// The region of the environment or else of the profile; nil when none is set.
  func region() throws -> String? {
    try System.environmentVariable("AWS_REGION")
      ?? System.environmentVariable("AWS_DEFAULT_REGION")
      ?? files().region(ofProfile: profile, sources: sources)
  }

  /// Where services are asked, as the environment and the profile say.
  func settings() throws -> ServiceSettings {
    try ServiceSettings(profile: profile, in: files(), sources: sources)
  }

  private func files() throws -> ProfileFiles { try ProfileFiles(sources: sources) }

  /// A web identity of the environment comes before the profile, which must not sign in its place.
  private func refuseWebIdentity() throws {
    let name = "AWS_WEB_IDENTITY_TOKEN_FILE"
    if System.environmentVariable(name) == nil { return }
    throw CommandError(
      .credentials,
      "\(name) names a web identity, whose credentials have to be fetched over HTTP, which sigv4 does "
        + "not do; unset it, give --profile NAME, or let aws-cli 2 fetch them: eval \"$(aws configure "
        + "export-credentials --format env)\"")
  }

  /// This program has no HTTP, so it cannot fetch credentials from a service.
  private func refuseHTTP(_ credentials: ProfileCredentials) throws {
    let isLocal = [.keys, .process, .environment].contains(credentials.source.kind)
    if credentials.roles.isEmpty && isLocal { return }
    throw CommandError(
      .credentials,
      "the credentials of the \(credentials) have to be fetched over HTTP, which sigv4 does not do; "
        + "let aws-cli 2 fetch them: eval \"$(aws configure export-credentials --profile NAME --format "
        + "env)\"")
  }
}

extension System {
  /// Clock, variables, files and programs of this machine, without HTTP.
  fileprivate static func credentialSources() throws -> CredentialSources {
    let now = try SigV4.Timestamp(unixSeconds: unixSeconds())
    var sources = CredentialSources(now: { now })
    sources.variable = { variable($0) }
    sources.homeFolder = { homeFolder() }
    sources.file = { (path) throws(CredentialError) in
      do {
        guard isRegularFile(path) else { return nil }
        return try contents(of: path, atMost: ProfileFile.maximumByteCount)
      } catch {
        throw CredentialError(.invalidFile, CommandError(error).message)
      }
    }
    sources.run = { (command) async throws(CredentialError) in
      try ChildProcess.output(of: command)
    }
    return sources
  }
}

/// `sigv4 credentials [--profile NAME] [--json]`
enum CredentialsCommand {
  static var specifications: [OptionSpecification] { .named("--profile", "--json", "--format") }

  static func run(_ arguments: [String]) async throws {
    let arguments = try Arguments(arguments, specifications)
    if let operand = arguments.operands.first {
      throw CommandError.usage("credentials takes options only, not \(operand)")
    }
    let found = try CommandCredentials(arguments)
    if let format = arguments.value("--format") {
      return try System.writeLine(try await export(found, format))
    }
    let provided = try await found.provided()
    let region = try found.region()
    try System.writeLine(
      arguments.has("--json") ? json(provided, region).indented : page(provided, region))
  }

  /// The credentials as credential_process prints them (AWS SDKs and Tools Reference Guide, "Process
  /// credential provider"), or as variables for a POSIX shell.
  private static func export(_ found: CommandCredentials, _ format: String) async throws -> String {
    if format != "process" && format != "env" {
      throw CommandError.usage("--format takes process or env, not \(format)")
    }
    let (identity, secret) = try await found.exported()
    let variables = [
      ("AWS_ACCESS_KEY_ID", "AccessKeyId", identity.accessKeyID),
      ("AWS_SECRET_ACCESS_KEY", "SecretAccessKey", secret),
      ("AWS_SESSION_TOKEN", "SessionToken", identity.sessionToken),
      ("AWS_CREDENTIAL_EXPIRATION", "Expiration", identity.expiration?.extendedText),
    ]
    if format == "env" {
      return variables.map { name, _, value in
        value.map { "export \(name)=\(CurlCommand.quoted($0))" } ?? "unset \(name)"
      }.joined(separator: "\n")
    }
    let members = variables.compactMap { _, name, value in
      value.map { (name, JSONText.string($0)) }
    }
    // The version is a number, which JSONText does not write.
    return "{\n  \"Version\": 1," + JSONText.object(members).indented.dropFirst()
  }

  static func page(_ provided: ProvidedCredentials, _ region: String?) throws -> String {
    var end = "no end is known"
    if let expiration = provided.credentials.identity.expiration {
      let now = try SigningOptions.timestamp(nil)
      end = "\(expiration.text), \(VerificationReport.distance(from: now, to: expiration))"
    }
    return """
      signed by    \(provided.credentials)
      from         \(provided.origin)
      valid until  \(end)
      region       \(region ?? "not set")
      """
  }

  static func json(_ provided: ProvidedCredentials, _ region: String?) -> JSONText {
    let identity = provided.credentials.identity
    return .texts([
      ("accessKeyID", identity.accessKeyID), ("origin", provided.origin),
      ("expires", identity.expiration?.text), ("region", region),
    ])
  }
}

extension JSONText {
  /// An object of the texts that are known.
  static func texts(_ members: [(name: String, value: String?)]) -> JSONText {
    .object(members.compactMap { name, value in value.map { (name, .string($0)) } })
  }
}
