// SPDX-License-Identifier: Apache-2.0
// Credentials from a command's output: credential_process.

internal import DocumentSupport
internal import RequestSigning
internal import SecureHashing

/// Credentials that a command prints as JSON, `Version` 1. It never prints the command's arguments,
/// which may be secret.
///
/// Source: AWS SDKs and Tools Reference Guide, "Process credential provider".
package struct ProcessCredentialProvider: CredentialResolver, Redacted {
  private let command: [String]
  private let source: String
  /// The profile's account, used if the command's output has none.
  private let accountID: String?
  private let sources: CredentialSources

  /// Creates a provider that runs a command, from its name and arguments, on each call.
  package init(command: [String], sources: CredentialSources) {
    self.init(command: command, source: "credential_process", sources: sources)
  }

  init(
    command: [String], source: String, accountID: String? = nil, sources: CredentialSources
  ) {
    self.command = command
    self.source = source
    self.accountID = accountID
    self.sources = sources
  }

  /// The setting with the command. Never its arguments.
  package var description: String { "ProcessCredentialProvider(\(source))" }

  /// Runs the command and returns the credentials that it prints.
  ///
  /// - Throws: The errors of `sources.run`, `invalidResponse` for unexpected output, `expired`, and
  ///   `invalidConfiguration` for an empty command. Messages never contain the output or the
  ///   arguments, but may contain the command's standard error.
  package func credentials() async throws(CredentialError) -> ResolvedCredentials {
    if command.isEmpty { throw Self.emptyCommand }
    let parts = try parts(of: try await sources.output(of: command))
    return try parts.provided(from: source, at: sources.now())
  }

  static func words(of commandLine: String) throws(CredentialError) -> [String] {
    guard let words = ShellWords.split(commandLine) else {
      throw CredentialError(
        .invalidConfiguration, "credential_process has an unclosed quote or a trailing backslash.",
        fix: "Add the closing quote, or double the backslash.")
    }
    if words.isEmpty { throw emptyCommand }
    return words
  }

  private static var emptyCommand: CredentialError {
    CredentialError(
      .invalidConfiguration, "credential_process is empty.",
      fix: "Use a command, or remove the setting.")
  }

  private func parts(of output: [UInt8]) throws(CredentialError) -> CredentialParts {
    let answer: JSONReader.Value
    do throws(DocumentError) {
      answer = try JSONReader.value(of: output)
    } catch {
      throw invalid("\(output.count) bytes that aren't a JSON object (\(error.code.name))")
    }
    guard case .number(let version)? = answer["Version"], Double(version) == 1 else {
      throw invalid("no \"Version\": 1 (the only version)")
    }
    let accessKeyID = try text("AccessKeyId", of: answer)
    let secretAccessKey = try text("SecretAccessKey", of: answer)
    if accessKeyID == nil { throw invalid("no AccessKeyId") }
    if secretAccessKey == nil { throw invalid("no SecretAccessKey") }
    let end = try text("Expiration", of: answer)
    let expiration = end.flatMap(SigV4.Timestamp.init(expiration:))
    if end != nil && expiration == nil {
      throw invalid(
        "an Expiration that isn't a time with a UTC offset, such as 2024-01-29T18:53:01Z")
    }
    return CredentialParts(
      accessKeyID: accessKeyID, secretAccessKey: secretAccessKey,
      sessionToken: try text("SessionToken", of: answer), expiration: expiration,
      accountID: Self.accountID(in: answer) ?? accountID)
  }

  /// Returns the account in the output, which may be a string or a number.
  private static func accountID(in answer: JSONReader.Value) -> String? {
    switch answer["AccountId"] {
    case .string(let text)? where !text.isEmpty: text
    case .number(let digits)?: digits
    default: nil
    }
  }

  private func text(
    _ name: String, of answer: JSONReader.Value
  ) throws(CredentialError) -> String? {
    switch answer[name] {
    case nil, .null: return nil
    case .string(let text): return text
    case let other?: throw invalid("a value for \(name) that isn't a string (\(other))")
    }
  }

  private func invalid(_ found: String) -> CredentialError {
    CredentialError(
      .invalidResponse, "\((command.first ?? "").shown) (\(source)) printed \(found).",
      fix: "Check that it prints one JSON object with Version, AccessKeyId and SecretAccessKey. "
        + "SessionToken and Expiration are optional.")
  }
}

/// Splits a line into words at blanks, with quotes and backslashes and without expansion.
///
/// The rules are those of Python's `shlex.split`, which botocore applies to `credential_process`
/// and to section headers (POSIX, Shell Command Language, 2.2 and 2.3).
enum ShellWords {
  /// Returns the words, or nil for an unclosed quote or a trailing backslash.
  static func split(_ line: String) -> [String]? {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    var isInWord = false
    var rest = line.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case " ", "\t", "\r", "\n":
        if isInWord { words.append(String(word)) }
        word.removeAll()
        isInWord = false
        continue
      case "\\":
        guard let escaped = rest.popFirst() else { return nil }
        word.append(escaped)
      case "'", "\"":
        guard let text = quoted(until: scalar, in: &rest) else { return nil }
        word.append(contentsOf: text)
      default:
        word.append(scalar)
      }
      isInWord = true
    }
    return isInWord ? words + [String(word)] : words
  }

  private static func quoted(
    until quote: Unicode.Scalar, in rest: inout Substring.UnicodeScalarView
  ) -> String.UnicodeScalarView? {
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == quote { return text }
      guard quote == "\"", scalar == "\\" else {
        text.append(scalar)
        continue
      }
      // A backslash escapes only a double quote or a backslash (2.2.3).
      guard let escaped = rest.popFirst() else { return nil }
      if escaped != "\"" && escaped != "\\" { text.append("\\") }
      text.append(escaped)
    }
    return nil
  }
}
