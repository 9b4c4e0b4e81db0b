// SPDX-License-Identifier: Apache-2.0
// Credentials that a program prints: credential_process.

internal import DocumentSupport
internal import RequestSigning
public import SecureHashing
internal import SigningSupport

/// Credentials that a program writes to its standard output as JSON, `Version` 1. Prints no argument of
/// the program, which may be secret.
///
/// Source: AWS SDKs and Tools Reference Guide, "Process credential provider".
public struct ProcessCredentialProvider: CredentialProvider, Redacted {
  private let command: [String]
  private let origin: String
  /// The account that the profile names, which counts where the program tells none.
  private let accountID: String?
  private let sources: CredentialSources

  /// A provider that runs a program, by its name and its arguments, each time it is asked.
  public init(command: [String], sources: CredentialSources) {
    self.init(command: command, origin: "credential_process", sources: sources)
  }

  /// A provider that runs a command line, split as a POSIX shell splits it, without a shell.
  ///
  /// Throws `invalidConfiguration` for an empty one, and when a quote is not closed.
  public init(commandLine: String, sources: CredentialSources) throws(CredentialError) {
    try self.init(command: Self.words(of: commandLine), sources: sources)
  }

  init(
    command: [String], origin: String, accountID: String? = nil, sources: CredentialSources
  ) {
    self.command = command
    self.origin = origin
    self.accountID = accountID
    self.sources = sources
  }

  /// Which setting names the program. Never its arguments.
  public var description: String { "ProcessCredentialProvider(\(origin))" }

  /// The credentials that the program prints now.
  ///
  /// Throws what the sources throw when it does not run or fails, `invalidResponse` when it prints
  /// something else, `expired`, and `invalidConfiguration` for an empty command. Neither what it
  /// prints nor its arguments are part of a message; what it writes to its standard error may be.
  public func credentials() async throws(CredentialError) -> ResolvedCredentials {
    if command.isEmpty { throw Self.emptyCommand }
    let parts = try parts(of: try await sources.output(of: command))
    return try parts.provided(from: origin, at: sources.now())
  }

  static func words(of commandLine: String) throws(CredentialError) -> [String] {
    guard let words = ShellWords.split(commandLine) else {
      throw .invalidConfiguration(
        "credential_process has an unclosed quote or a trailing backslash.",
        fix: "Add the closing quote, or double the backslash.")
    }
    if words.isEmpty { throw emptyCommand }
    return words
  }

  private static var emptyCommand: CredentialError {
    .invalidConfiguration(
      "credential_process is empty.", fix: "Use a command, or remove the setting.")
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

  /// The account that a program tells, as a text or as a number.
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
    .invalidResponse(
      "\((command.first ?? "").shown) (\(origin)) printed \(found).",
      fix: "Check that it prints one JSON object with Version, AccessKeyId and SecretAccessKey. "
        + "SessionToken and Expiration are optional.")
  }
}

/// Splits a line into words: blanks separate, quotes and backslashes join, and nothing is expanded.
///
/// The rules are those of Python's `shlex.split`, which botocore applies to `credential_process` and
/// to the headers of sections (POSIX, Shell Command Language, 2.2 and 2.3).
enum ShellWords {
  /// The words, or nil when a quote is not closed or nothing follows a backslash.
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
      // A backslash goes before a double quote or a backslash only (2.2.3).
      guard let escaped = rest.popFirst() else { return nil }
      if escaped != "\"" && escaped != "\\" { text.append("\\") }
      text.append(escaped)
    }
    return nil
  }
}
