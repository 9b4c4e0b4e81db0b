// SPDX-License-Identifier: Apache-2.0
// sigv4 credentials: who would sign, where the credentials come from, and until when they are good.

internal import DocumentSupport
internal import CredentialProviders
internal import RequestSigning

/// `sigv4 credentials [--profile NAME] [--json]`
enum CredentialsCommand {
  static func run(_ arguments: some Sequence<String>) async throws(CommandError) {
    let arguments = try Arguments(arguments, [CommandCredentials.specification, .flag("--json")])
    if let operand = arguments.operands.first {
      throw CommandError.usage("credentials takes options only, not \(operand)")
    }
    let found = try CommandCredentials(arguments)
    let provided = try await found.provided()
    let region = try found.region()
    let text =
      arguments.has("--json") ? json(provided, region).indented : try page(provided, region)
    try System.write(text + "\n", to: .standardOutput)
  }

  static func page(
    _ provided: ProvidedCredentials, _ region: String?
  ) throws(CommandError) -> String {
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
    let members: [(name: String, value: String?)] = [
      ("accessKeyID", identity.accessKeyID), ("origin", provided.origin),
      ("expires", identity.expiration?.text), ("region", region),
    ]
    return .object(members.compactMap { name, value in value.map { (name, .string($0)) } })
  }
}
