// SPDX-License-Identifier: Apache-2.0
// From variables and files to credentials, or to the source to ask, as botocore goes.

internal import CredentialProviders
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Profile credentials")
struct ProfileCredentialsTests {
  @Test("Every fixture leads where botocore's chain leads, or is rejected as there")
  func table() throws {
    let records = try VectorTable(named: "profile-credentials.txt", inFolder: setupsFolder)
      .records
    #expect(records.count >= 172)
    for record in records {
      let refusal = try record.optionalText("refused")
      do throws(CredentialError) {
        let found = try Self.found(record)
        #expect(refusal == nil, "\(record) is refused by botocore")
        if refusal == nil {
          #expect(throws: Never.self, "\(record)") { try compare(found, record) }
        }
      } catch {
        if error.code == .notConfigured {
          #expect(try record.optionalText("kind") == "nothing", "\(record): \(error)")
        } else {
          #expect(refusal != nil, "\(record): \(error)")
          try #expect(error.code == Self.code(of: record), "\(record): \(error)")
        }
        #expect(!error.description.contains("secret/"), "\(record)")
      }
    }
  }

  /// The chain: variables, unless a profile is requested, and then the profile.
  private static func found(_ record: VectorRecord) throws(CredentialError) -> Found {
    let (sources, profile): (CredentialSources, String?)
    do {
      (sources, profile) = try (ProfileFixture(record).sources, record.optionalText("profile"))
    } catch {
      throw CredentialError(.init(name: "table"), "\(error)", fix: "Check the record.")
    }
    if profile == nil {
      do throws(CredentialError) {
        let provided = try EnvironmentCredentialProvider(sources: sources).credentials()
        return Found(keys: provided, profile: nil)
      } catch  where error.code == .notConfigured {}
    }
    let resolved = try ProfileCredentials(
      profile: profile, in: ProfileFiles(sources: sources), sources: sources)
    return Found(keys: resolved.source.keys, profile: resolved)
  }

  private struct Found {
    let keys: ResolvedCredentials?
    let profile: ProfileCredentials?
  }

  private static func code(of record: VectorRecord) throws -> CredentialError.Code {
    if try record.text("refused") == "ConfigParseError" { return .invalidFile }
    return record.name == "environment until 2001-01-01T00:00:00Z"
      ? .expired : .invalidConfiguration
  }

  private func compare(_ found: Found, _ record: VectorRecord) throws {
    if let keys = found.keys {
      #expect(
        try keys.credentials.fingerprint == SigV4.Credentials.fingerprint(of: record), "\(record)")
    }
    guard let profile = found.profile else {
      #expect(try record.texts("kind") == ["env"], "\(record)")
      return
    }
    #expect(try profile.region == record.optionalText("region"), "\(record)")
    let assumed = profile.roles.map { _ in "assume-role" }
    #expect(try record.texts("kind") == assumed + [Self.kind(of: profile, record)], "\(record)")
    let source = profile.source
    var roles = profile.roles.map { role in
      let seconds = role.durationSeconds.map(String.init) ?? ""
      return [role.roleARN, role.sessionName ?? "", role.externalID ?? "", seconds]
        .joined(separator: "\n")
    }
    if let role = source.webIdentity {
      roles.append(role.roleARN)
      #expect(try role.webIdentityTokenFile == record.text("token-file"), "\(record)")
      #expect(try role.sessionName == record.optionalText("session"), "\(record)")
    }
    #expect(try roles == record.texts("role"), "\(record)")
    #expect(
      try profile.roles.compactMap(\.mfaSerial) == record.texts("mfa-serial"), "\(record)")
    #expect(try source.loginSession == record.optionalText("login-session"), "\(record)")
    #expect(try source.command == record.texts("word"), "\(record)")
    if let sso = source.sso {
      let values = [sso.startURL, sso.region, sso.accountID, sso.roleName]
      #expect(try values == record.texts("sso"), "\(record)")
      #expect(try sso.session == record.optionalText("sso-session"), "\(record)")
    }
  }

  /// The name that botocore has for a kind of source.
  private static func kind(
    of profile: ProfileCredentials, _ record: VectorRecord
  ) throws -> String? {
    if let keys = profile.source.keys {
      let files = try ProfileFiles(sources: ProfileFixture(record).sources)
      return keys.source.hasSuffix(" of " + files.credentialsPath)
        ? "shared-credentials-file" : "config-file"
    }
    let names: [ProfileCredentials.Kind: String] = [
      .process: "process", .webIdentity: "web-identity", .sso: "sso", .environment: "env",
      .login: "login",
      .container: "EcsContainer", .instanceMetadata: "Ec2InstanceMetadata",
    ]
    return names[profile.source.kind]
  }
}
