// SPDX-License-Identifier: Apache-2.0
// What a row of the table of tokens says. The command, its help and the pages follow from it.

internal import ConnectionTokens
internal import RequestSigning

/// A kind of token. `all` is the table: add a token there, and the command, its help and its
/// completions have it. Tests name the pages and the vectors that don't.
struct TokenKind: Sendable {
  /// The command's operand.
  let name: String

  /// The function that creates it, as the pages show it.
  let function: String

  /// The signing name.
  let service: String

  /// The signed host for the example values of the options. Nil if none is signed.
  let host: String?

  /// The possible lifetimes.
  let lifetime: Lifetime

  /// What the string looks like, in a few words.
  let form: String

  /// The options that only some kinds have.
  let options: [TokenOption]

  /// The common options that don't affect this kind, so that it rejects them.
  var unused: [String] = []

  let create: @Sendable (TokenInputs) throws -> CreatedToken

  /// A lifetime in seconds.
  enum Lifetime: Sendable {
    case fixed(Int)
    case chosen(ClosedRange<Int>, default: Int)
    case unlimited

    /// The lifetime without `--expires`.
    var seconds: Int? {
      switch self {
      case .fixed(let seconds): seconds
      case .chosen(_, let seconds): seconds
      case .unlimited: nil
      }
    }
  }

  static var names: [String] { all.map(\.name) }
}

/// An option of one or more kinds of tokens. Its help text begins with their names.
struct TokenOption: Sendable, Hashable {
  let name: String

  /// The placeholder of the value. Nil for a flag.
  let valueName: String?
  let text: String

  /// A value for tests, with which the host is the table's.
  let example: String
  let isRequired: Bool

  static func required(
    _ name: String, _ valueName: String, _ text: String, _ example: String
  ) -> Self {
    Self(name: name, valueName: valueName, text: text, example: example, isRequired: true)
  }

  static func optional(
    _ name: String, _ valueName: String, _ text: String, _ example: String
  ) -> Self {
    Self(name: name, valueName: valueName, text: text, example: example, isRequired: false)
  }

  static func flag(_ name: String, _ text: String) -> Self {
    Self(name: name, valueName: nil, text: text, example: "", isRequired: false)
  }

  /// The option as the command declares it, for the kinds that have it.
  var specification: OptionSpecification {
    let kinds = TokenKind.all.filter { $0.options.contains { $0.name == name } }.map(\.name)
    return OptionSpecification(
      names: OptionSpecification.value(name).names, valueName: valueName,
      text: kinds.joined(separator: ", ") + ": " + text)
  }
}

/// The values that a token is created from.
struct TokenInputs {
  let credentials: SigV4.Credentials
  let timestamp: SigV4.Timestamp
  let arguments: Arguments

  /// Determines the region, which some kinds don't need.
  let findRegion: () throws -> String

  var region: String { get throws { try findRegion() } }

  func value(_ name: String) -> String? { arguments.value(name) }

  func has(_ name: String) -> Bool { arguments.has(name) }

  func required(_ name: String) throws -> String {
    if let value = arguments.value(name) { return value }
    throw CommandError(.usage, "This token needs \(name).", fix: "Add \(name).")
  }

  func port() throws -> Int {
    let text = try required("--port")
    if let port = Int(text) { return port }
    throw CommandError(
      .usage, "--port must be a number, not \(text).", fix: "Use a port such as 5432.")
  }

  /// The value of `--expires`, or a number of seconds.
  func lifetime(default seconds: Int) throws -> Duration {
    try arguments.lifetime(default: String(seconds))
  }
}

/// A token to print.
enum CreatedToken {
  case token(SigV4.ConnectionToken)
  case proof(SigV4.IdentityProof)
  case password(SigV4.SMTPPassword)

  var text: String {
    switch self {
    case .token(let token): token.text
    case .proof(let proof): proof.text
    case .password(let password): password.text
    }
  }

  /// Nil if it never expires.
  var expiration: SigV4.Timestamp? {
    switch self {
    case .token(let token): token.expiration
    case .proof(let proof): proof.expiration
    case .password: nil
    }
  }
}
