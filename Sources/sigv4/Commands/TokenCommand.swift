// SPDX-License-Identifier: Apache-2.0
// sigv4 token: prints a token or a proof of a kind in the table of tokens.

internal import DocumentSupport
internal import RequestSigning

/// `sigv4 token [options] KIND`
enum TokenCommand {
  static var specifications: [OptionSpecification] {
    var options: [TokenOption] = []
    for option in TokenKind.all.flatMap(\.options) where !options.contains(option) {
      options.append(option)
    }
    return options.map(\.specification) + commonSpecifications
  }

  static var commonSpecifications: [OptionSpecification] {
    .named("--profile", "--region", "--at", "--json")
  }

  static func run(_ arguments: [String]) async throws {
    let kind = try Arguments(arguments, specifications).choice(
      of: "token", "token kind", among: TokenKind.all, name: \.name)
    let options = try Arguments(arguments, kind.specifications)
    try write(try kind.create(try await inputs(options)), options)
  }

  private static func write(_ token: CreatedToken, _ options: Arguments) throws {
    let expiration = token.expiration.map { [("expires", JSONText.string($0.text))] }
    let object = JSONText.object([("token", .string(token.text))] + (expiration ?? []))
    try System.writeLine(options.has("--json") ? object.indented : token.text)
  }

  private static func inputs(_ arguments: Arguments) async throws -> TokenInputs {
    let host = arguments.value("--hostname")?.lowercased() ?? ""
    return TokenInputs(
      credentials: try await CommandCredentials(arguments).credentials(),
      timestamp: try SigningOptions.timestamp(arguments.value("--at")), arguments: arguments
    ) {
      try SigningOptions.region(
        arguments, ServiceGuess(host: host), of: host.isEmpty ? "this token" : host)
    }
  }
}

extension TokenKind {
  /// The options of this kind.
  var specifications: [OptionSpecification] {
    options.map(\.specification)
      + TokenCommand.commonSpecifications.filter { !unused.contains($0.longName) }
  }
}
