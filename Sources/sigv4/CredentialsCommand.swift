// SPDX-License-Identifier: Apache-2.0
// With which credentials a command signs: those that aws-cli would find, but for what needs TLS.

internal import CredentialProviders
internal import DocumentSupport
internal import POSIXCredentialSources
internal import RequestSigning
internal import SecureHashing
internal import SigningSupport

/// Credentials and region, as --profile, the environment and the files of profiles have them.
struct CommandCredentials {
  private let arguments: Arguments
  private let profile: String?
  private let sources: CredentialSources

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    profile = arguments.value("--profile")
    if profile == "" { throw CommandError.usage("--profile needs the name of a profile") }
    sources = System.credentialSources
  }

  /// Those of the environment and of files, for what needs no credentials: no container and no instance
  /// is asked.
  func atHand() async throws -> SigV4.Credentials {
    var sources = sources
    sources.http = { request in
      throw CredentialError(.notConfigured, "\(request) was not sent")
    }
    return try await DefaultCredentialProvider(profile: profile, sources: sources).credentials()
      .credentials
  }

  /// What `provided()` gives, without their origin.
  func credentials() async throws -> SigV4.Credentials { try await provided().credentials }

  /// The credentials that aws-cli would find, as far as they can be had without TLS. Tells what is to
  /// be known of them.
  func provided() async throws -> ResolvedCredentials {
    let provided = try await found()
    if let warning = provided.warning { try arguments.tell(warning) }
    return provided
  }

  private func found() async throws -> ResolvedCredentials {
    do throws(CredentialError) {
      return try await DefaultCredentialProvider(profile: profile, sources: sources).credentials()
    } catch {
      if error.code != .notConfigured || profile != nil { throw error }
      if sources.variable("AWS_SECRET_ACCESS_KEY")?.isEmpty == false {
        throw CommandError(
          .credentials,
          "AWS_SECRET_ACCESS_KEY is set and AWS_ACCESS_KEY_ID is not; set both: look for a mistake in "
            + "the name of the variable")
      }
      throw CommandError(
        .credentials,
        "there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and "
          + "AWS_SESSION_TOKEN for temporary ones) in the environment, or give --profile NAME; no "
          + "container and no instance has a role here")
    }
  }

  /// The region of the environment or else of the profile; nil when none is set.
  func region() throws -> String? {
    let region =
      try System.environmentVariable("AWS_REGION")
      ?? System.environmentVariable("AWS_DEFAULT_REGION")
      ?? files().region(ofProfile: profile, sources: sources)
    return region.map(ServiceRegion.withoutFIPS)
  }

  /// Where services are asked, as the environment and the profile say.
  func settings() throws -> ServiceSettings {
    try ServiceSettings(profile: profile, in: files(), sources: sources)
  }

  private func files() throws -> ProfileFiles { try ProfileFiles(sources: sources) }
}

extension System {
  /// What this process has without TLS. Programs are attended by the user, and the files of profiles are
  /// read once, so that all parts of a command see the same.
  fileprivate static let credentialSources: CredentialSources = {
    var sources = CredentialSources.posix
    sources.readProfilesOnce()
    let near = sources.http
    sources.http = { request in
      // What needs no TLS, or is no URL at all: the error says so.
      if request.url.prefix(6).lowercased() != "https:" { return try await near(request) }
      throw CredentialError(
        .invalidConfiguration,
        "\(request) was not sent: sigv4 has no TLS, so these credentials cannot be fetched; let aws-cli 2 "
          + "fetch them: eval \"$(aws configure export-credentials --profile NAME --format env)\"")
    }
    sources.run = { command in
      try ChildProcess.output(of: command)
    }
    return sources
  }()
}

extension CredentialSources {
  /// Keeps the bytes of the files of profiles. Other files, such as those of sign-ins, change while a
  /// command runs.
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
    let credentials = try await found.credentials()
    let identity = credentials.identity
    // Safety: the bytes are copied before the closure ends.
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
      return variables.map { name, _, value in
        value.map { "export \(name)=\(CurlCommand.quoted($0))" } ?? "unset \(name)"
      }.joined(separator: "\n")
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
      from         \(provided.origin)
      expires      \(end)
      region       \(region ?? "not set")
      """
  }

  static func json(_ provided: ResolvedCredentials, _ region: String?) -> JSONText {
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
