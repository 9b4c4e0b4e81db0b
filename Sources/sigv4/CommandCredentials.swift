// SPDX-License-Identifier: Apache-2.0
// With which credentials a command signs: the environment, profiles, and programs that they name.

internal import CredentialProviders
internal import RequestSigning

/// Credentials and region, as --profile, the environment and the files of profiles have them.
struct CommandCredentials {
  static var specification: OptionSpecification { .value("--profile") }

  private let profile: String?
  private let sources: CredentialSources

  init(_ arguments: Arguments) throws(CommandError) {
    profile = arguments.value("--profile")
    if profile == "" { throw CommandError.usage("--profile needs the name of a profile") }
    sources = try System.credentialSources()
  }

  /// What `provided()` gives, without their origin.
  func credentials() async throws(CommandError) -> SigV4.Credentials {
    try await provided().credentials
  }

  /// The credentials of --profile; without it those of the environment, or else of the profile that
  /// the environment selects.
  func provided() async throws(CommandError) -> ProvidedCredentials {
    do throws(CredentialError) {
      if profile == nil {
        do throws(CredentialError) {
          return try EnvironmentCredentialProvider(sources: sources).credentials()
        } catch  where error.code == .notConfigured {}
      }
      try refuseHTTP(ProfileCredentials(profile: profile, in: files(), sources: sources))
      return try await ProfileCredentialProvider(profile: profile, sources: sources).credentials()
    } catch  where error.code == .notConfigured && profile == nil {
      throw CommandError(
        .credentials,
        "there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and "
          + "AWS_SESSION_TOKEN for temporary ones) in the environment, or give --profile NAME")
    } catch {
      throw CommandError(.credentials, error.description)
    }
  }

  /// The region of the environment or else of the profile; nil when none is set.
  func region() throws(CommandError) -> String? {
    let ofEnvironment =
      System.environmentVariable("AWS_REGION") ?? System.environmentVariable("AWS_DEFAULT_REGION")
    if let ofEnvironment { return ofEnvironment }
    do throws(CredentialError) {
      return try files().region(ofProfile: profile, sources: sources)
    } catch {
      throw CommandError(.credentials, error.description)
    }
  }

  private func files() throws(CredentialError) -> ProfileFiles {
    try ProfileFiles(sources: sources)
  }

  /// This program speaks no HTTP, so it cannot ask whoever has to be asked in that way.
  private func refuseHTTP(_ credentials: ProfileCredentials) throws(CredentialError) {
    let isLocal = [.keys, .process, .environment].contains(credentials.source.kind)
    if credentials.roles.isEmpty && isLocal { return }
    throw CredentialError(
      .invalidConfiguration,
      "the credentials of the \(credentials) have to be asked for over HTTP, which sigv4 does not do; "
        + "let aws-cli 2 ask: eval \"$(aws configure export-credentials --profile NAME --format env)\""
    )
  }
}
