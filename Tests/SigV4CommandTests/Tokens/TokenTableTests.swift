// SPDX-License-Identifier: Apache-2.0
// The table of tokens: what a row says is what the library does, and the page shows each row.

internal import Foundation
internal import ConnectionTokens
internal import RequestSigning
internal import SigningTestSupport
internal import TestSupport
internal import Testing

@testable import sigv4

@Suite("The table of tokens")
struct TokenTableTests {
  /// The rows of the page, without the quotation of code in all cells but the first.
  static func rows() throws -> [[String]] {
    let lines = try HowToPage("connection-tokens.md").lines
    let start = try #require(lines.firstIndex { $0.hasPrefix("| `sigv4 token` |") })
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      line.dropFirst().dropLast().split(separator: "|").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
  }

  @Test("The page has a row for each kind: options, function, service, host, lifetime, form")
  func page() throws {
    let expected = TokenKind.all.map { kind in
      [
        "`" + ([kind.name] + kind.options.map(Self.shown)).joined(separator: " ") + "`",
        "`\(kind.function)`", "`\(kind.service)`", kind.host.map { "`\($0)`" } ?? "none",
        Self.shown(kind.lifetime),
        kind.form,
      ]
    }
    let rows = try Self.rows()
    #expect(rows.count == expected.count)
    for (row, wanted) in zip(rows, expected) {
      #expect(row == wanted, "| \(wanted.joined(separator: " | ")) |")
    }
  }

  /// `--name VALUE`, in brackets if it's optional.
  private static func shown(_ option: TokenOption) -> String {
    let text = option.name + (option.valueName.map { " " + $0 } ?? "")
    return option.isRequired ? text : "[\(text)]"
  }

  private static func shown(_ lifetime: TokenKind.Lifetime) -> String {
    switch lifetime {
    case .fixed(let seconds): "\(seconds)"
    case .chosen(let range, let seconds):
      "\(range.lowerBound) to \(range.upperBound) (default: \(seconds))"
    case .unlimited: "no limit"
    }
  }

  @Test("A token of the example values has the service, the host and the lifetime of its row")
  func facts() throws {
    for kind in TokenKind.all {
      let token = try Self.token(kind)
      #expect(token.service == kind.service, "\(kind.name)")
      #expect(token.host == kind.host, "\(kind.name)")
      #expect(try Self.lifetime(of: token) == kind.lifetime.seconds.map(Int64.init), "\(kind.name)")
      guard case .chosen(let range, _) = kind.lifetime else { continue }
      for seconds in [range.lowerBound, range.upperBound] {
        let token = try Self.token(kind, ["--expires", "\(seconds)"])
        #expect(try Self.lifetime(of: token) == Int64(seconds), "\(kind.name)")
      }
      for seconds in [range.lowerBound - 1, range.upperBound + 1] {
        expectRefusal(.invalidLifetime, showing: "\(seconds)") {
          try Self.token(kind, ["--expires", "\(seconds)"])
        }
      }
    }
  }

  @Test("An empty value of a required option is rejected, and so is a missing one")
  func empty() throws {
    for kind in TokenKind.all {
      for option in kind.options where option.isRequired {
        let others = kind.options.filter { $0.isRequired && $0 != option }.flatMap(\.use)
        for arguments in [others, others + [option.name, ""]] {
          let error = #expect(throws: (any Error).self, "\(kind.name) \(option.name)") {
            try Self.token(kind, of: arguments)
          }
          let wrapped = try CommandError(#require(error))
          #expect(!wrapped.problem.isEmpty && !wrapped.fix.isEmpty, "\(kind.name) \(option.name)")
        }
      }
    }
  }

  @Test("A kind has --expires if its lifetime can be chosen, and one vector or more")
  func completeness() throws {
    let tested = try Set(TokenVectors.all().map { try $0.tokenKind().name })
    for kind in TokenKind.all {
      var isChosen = false
      if case .chosen = kind.lifetime { isChosen = true }
      #expect(kind.options.contains { $0.name == "--expires" } == isChosen, "\(kind.name)")
      #expect(tested.contains(kind.name), "\(kind.name) has no vector")
    }
  }

  /// The initializers and static functions that return a token, as the sources declare them.
  @Test("Each function of the library that creates a token is in the table, and on the page")
  func functions() throws {
    let folder = Repository.root.appendingPathComponent("Sources/ConnectionTokens")
    var declared: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where file.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      let type =
        text.firstMatch(of: /public struct (\w+): (?:Redacted, )?Sendable/)
        ?? text.firstMatch(of: /extension SigV4\.(\w+) \{/)
      for match in text.matches(of: /public static func (\w+)\([^{]*-> Self \{/) {
        declared.insert("\(type?.1 ?? "?").\(match.1)")
      }
    }
    // A role and a viewer, not tokens.
    declared.remove("WebSocketURL.viewer")
    #expect(declared == Set(TokenKind.all.map(\.function)))
    let code = try HowToPage("connection-tokens.md").block("swift").joined(separator: "\n")
    for kind in TokenKind.all {
      #expect(code.contains("SigV4.\(kind.function)("), "the page has no \(kind.function)")
    }
  }

  @Test("A token is the one of the vectors, and expires with its lifetime")
  func vectors() throws {
    try TokenVectors.all().forEachCase { (vector: VectorRecord) in
      let kind = try vector.tokenKind()
      let arguments = try Arguments(vector.tokenArguments(of: kind), kind.specifications)
      let token = try kind.create(
        TokenInputs(
          credentials: vector.credentials(), timestamp: vector.timestamp(), arguments: arguments
        ) { try vector.text("region") })
      try expect("\(vector): text", token.text, is: vector.text("text"))
      let seconds =
        try (vector.optionalText("lifetime") ?? vector.optionalText("expires")).flatMap(Int64.init)
        ?? kind.lifetime.seconds.map(Int64.init)
      let expiration = try seconds.map { try vector.timestamp().unixSeconds + $0 }
      #expect(token.expiration?.unixSeconds == expiration, "\(vector)")
    }
  }

  /// The token of the example values.
  private static func token(
    _ kind: TokenKind, _ more: [String] = []
  ) throws -> CreatedToken {
    try token(kind, of: kind.options.filter(\.isRequired).flatMap(\.use) + more)
  }

  private static func token(_ kind: TokenKind, of arguments: [String]) throws -> CreatedToken {
    try kind.create(
      TokenInputs(
        credentials: Example.credentials(), timestamp: Example.moment(),
        arguments: Arguments(arguments, kind.specifications)
      ) { "us-east-1" })
  }

  private static func lifetime(of token: CreatedToken) throws -> Int64? {
    try token.expiration.map { try $0.unixSeconds - Example.moment().unixSeconds }
  }
}

extension CreatedToken {
  /// The signing name.
  var service: String {
    switch self {
    case .token(let token): token.presignedURL.credentialScope.service
    case .proof(let proof): proof.credentialScope.service
    case .password: "ses"
    }
  }

  /// The signed host.
  var host: String? {
    switch self {
    case .token(let token): token.presignedURL.host
    case .proof(let proof): proof.host
    case .password: nil
    }
  }
}
