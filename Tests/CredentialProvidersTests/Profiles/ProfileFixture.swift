// SPDX-License-Identifier: Apache-2.0
// Variables, files and programs for providers, and credentials that can be compared.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import TestSupport

/// The folder of tables that may be generated anew: `.ci/check-generated-setups` names another one.
let setupsFolder =
  ProcessInfo.processInfo.environment["SIGV4_GENERATED_SETUPS"] ?? VectorTable.folder

/// Variables, files and one program, with which a provider is tested.
struct ProfileFixture {
  static let home = "/home/someone"

  var variables = ["HOME": home]
  var files: [String: String] = [:]

  /// What every program prints.
  var output: [UInt8] = []

  init() {}

  /// The variables and the files of a record of profile-credentials.txt.
  init(_ record: VectorRecord) throws {
    for variable in try record.texts("variable") {
      let (name, value) = Self.firstLine(of: variable)
      variables[name] = value
    }
    for file in try record.texts("file") {
      let (path, text) = Self.firstLine(of: file)
      files[Self.home + "/" + path] = text
    }
  }

  var sources: CredentialSources {
    get throws {
      let now = try SigV4.Timestamp("20240102T030405Z")
      var sources = CredentialSources(now: { now })
      sources.variable = { [variables] in variables[$0] }
      sources.file = { [files] (path) throws(CredentialError) in files[path].map { Array($0.utf8) }
      }
      sources.run = { [output] (_) async throws(CredentialError) in output }
      return sources
    }
  }

  static func firstLine(of text: String) -> (line: String, rest: String) {
    let scalars = text.unicodeScalars
    guard let end = scalars.firstIndex(of: "\n") else { return (text, "") }
    return (String(scalars[..<end]), String(scalars[scalars.index(after: end)...]))
  }
}

extension SigV4.Credentials {
  /// A signature, and all that is public: two credentials that agree in it have the same secret.
  var fingerprint: [String] {
    get throws {
      let time = try SigV4.Timestamp("20240102T030405Z")
      let signer = try SigV4.Signer(credentials: self, region: "r", service: .s3)
      let request = try SigV4.Request("GET", host: "h.example")
      let signature = try signer.sign(request, at: time).signature.hexString
      return [
        identity.accessKeyID, signature, identity.sessionToken ?? "no token",
        identity.expiration.map { String($0.unixSeconds) } ?? "no end",
      ]
    }
  }

  /// The credentials in a record.
  static func fingerprint(of record: VectorRecord) throws -> [String] {
    let expiration = try record.optionalText("expires").flatMap { Int64($0) }
    return try SigV4.Credentials(
      accessKeyID: record.text("access-key"), secretAccessKey: record.text("secret-key"),
      sessionToken: record.optionalText("token"),
      expiration: expiration.map { try SigV4.Timestamp(unixSeconds: $0) }
    ).fingerprint
  }
}
