// SPDX-License-Identifier: Apache-2.0
// From variables and files to credentials, or to whom to ask for what, as botocore goes.

internal import CredentialProviders
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Profile credentials")
struct ProfileCredentialsTests {
  @Test("Every world leads where botocore's chain leads, or is refused as there")
  func table() throws {
    let records = try VectorTable(named: "profile-credentials.txt").records
    #expect(records.count == 154)
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

  /// The chain: variables, unless a profile was asked for; then the profile.
  private static func found(_ record: VectorRecord) throws(CredentialError) -> Found {
    let (sources, profile): (CredentialSources, String?)
    do {
      (sources, profile) = try (ProfileWorld(record).sources, record.optionalText("profile"))
    } catch {
      throw CredentialError(.init(name: "table"), "\(error)")
    }
    if profile == nil {
      do throws(CredentialError) {
        let provided = try EnvironmentCredentialProvider(sources: sources).credentials()
        return Found(source: .keys(provided), profile: nil)
      } catch  where error.code == .notConfigured {}
    }
    let resolved = try ProfileCredentials(
      profile: profile, in: ProfileFiles(sources: sources), sources: sources)
    return Found(source: resolved.source, profile: resolved)
  }

  private struct Found {
    let source: ProfileCredentials.Source
    let profile: ProfileCredentials?
  }

  private static func code(of record: VectorRecord) throws -> CredentialError.Code {
    if try record.text("refused") == "ConfigParseError" { return .invalidFile }
    return record.name == "environment until 2001-01-01T00:00:00Z"
      ? .expired : .invalidConfiguration
  }

  private func compare(_ found: Found, _ record: VectorRecord) throws {
    if let profile = found.profile {
      #expect(try profile.region == record.optionalText("region"), "\(record)")
    }
    var kinds = try record.texts("kind")[...]
    var roles = try record.texts("role")[...]
    var source = found.source
    while case .assumeRole(let settings, let next) = source {
      #expect(kinds.popFirst() == "assume-role", "\(record)")
      let seconds = settings.durationSeconds.map(String.init) ?? ""
      let words = [settings.roleSessionName ?? "", settings.externalID ?? "", seconds]
      #expect(
        roles.popFirst() == ([settings.roleARN] + words).joined(separator: "\n"), "\(record)")
      #expect(settings.region == found.profile?.region, "\(record)")
      source = next
    }
    #expect(try kinds == [Self.kind(of: source, record)], "\(record)")
    try compareEnd(source, record)
  }

  private func compareEnd(_ source: ProfileCredentials.Source, _ record: VectorRecord) throws {
    switch source {
    case .keys(let provided):
      #expect(
        try provided.credentials.fingerprint == SigV4.Credentials.fingerprint(of: record),
        "\(record)")
    case .process(let words):
      #expect(try words == record.texts("word"), "\(record)")
    case .webIdentity(let settings):
      #expect(try settings.roleARN == record.texts("role").last, "\(record)")
      #expect(try settings.webIdentityTokenFile == record.text("token-file"), "\(record)")
      #expect(try settings.roleSessionName == record.optionalText("session"), "\(record)")
    case .sso(let settings):
      let values = [
        settings.ssoStartURL, settings.ssoRegion, settings.ssoAccountID, settings.ssoRoleName,
      ]
      #expect(try values == record.texts("sso"), "\(record)")
      #expect(try settings.ssoSession == record.optionalText("sso-session"), "\(record)")
    case .environment, .container, .instanceMetadata, .assumeRole:
      break
    }
  }

  /// The name that botocore has for a kind of source.
  private static func kind(
    of source: ProfileCredentials.Source, _ record: VectorRecord
  ) throws -> String {
    switch source {
    case .keys(let provided):
      if provided.origin == "environment variables" { return "env" }
      let files = try ProfileFiles(sources: ProfileWorld(record).sources)
      return provided.origin.hasSuffix(" of " + files.credentialsPath)
        ? "shared-credentials-file" : "config-file"
    case .process: return "process"
    case .assumeRole: return "assume-role"
    case .webIdentity: return "web-identity"
    case .sso: return "sso"
    case .environment: return "env"
    case .container: return "EcsContainer"
    case .instanceMetadata: return "Ec2InstanceMetadata"
    }
  }
}
