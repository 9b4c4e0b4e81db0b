// SPDX-License-Identifier: Apache-2.0
// sigv4 explain: why a server refused a request, and what to do.

internal import DocumentSupport
internal import SignatureDiagnosis
internal import RequestSigning

/// `sigv4 explain [--answer FILE] [--presigned] [options of sign or presign] URL`
enum ExplainCommand {
  static func run(_ arguments: [String]) async throws {
    let given = try Arguments(arguments, specifications)
    let answer = SigV4.Mismatch.Answer(try body(given))
    // The request that was refused has its own time, and an option --at after this one counts.
    let time = answer.requestTime.map { ["--at", $0.text] } ?? []
    let dated = try Arguments(time + arguments, specifications)
    let mismatch = try mismatch(answer, await SigningOptions(dated), dated)
    let text = dated.has("--json") ? json(mismatch).indented + "\n" : page(mismatch)
    try System.write(text, to: .standardOutput)
    if mismatch.cause.code == .notExplained {
      throw CommandError(.failure, "the answer does not tell why the request was refused")
    }
  }

  static var specifications: [OptionSpecification] {
    SigningOptions.specifications + [.value("--expires"), .value("--answer"), .flag("--presigned")]
  }

  static func body(_ arguments: Arguments) throws -> [UInt8] {
    if arguments.has("--curl") {
      throw CommandError.usage("explain prints no curl command; leave --curl out")
    }
    let path = arguments.value("--answer") ?? "-"
    if path == "-" && arguments.values("-d").contains("@-") {
      throw CommandError.usage(
        "standard input cannot be both the body and the answer; give one of them as a file")
    }
    return try System.contents(of: path, atMost: 1 << 20)
  }

  static func mismatch(
    _ answer: SigV4.Mismatch.Answer, _ options: SigningOptions, _ arguments: Arguments
  ) throws -> SigV4.Mismatch {
    if arguments.has("--presigned") || arguments.value("--expires") != nil {
      return SigV4.Mismatch(answer, to: try PresignCommand.presign(options, arguments))
    }
    return SigV4.Mismatch(
      answer, to: try options.signer.sign(options.request, at: options.timestamp))
  }

  static func page(_ mismatch: SigV4.Mismatch) -> String {
    let cause = mismatch.cause
    var page = Page.section(
      "What is wrong: \(cause.code.name)", Page.sentence(cause.explanation))
    if let difference = mismatch.difference {
      page += Page.section(
        "Where: \(difference.step), line \(difference.line), from byte \(difference.offset) on",
        ["ours    " + (difference.ours ?? "(none)"), "theirs  " + (difference.theirs ?? "(none)")])
    }
    return page + Page.section("What to do", Page.sentence(cause.advice))
  }

  static func json(_ mismatch: SigV4.Mismatch) -> JSONText {
    let difference = mismatch.difference
    return .texts([
      ("code", mismatch.cause.code.name), ("subject", mismatch.cause.subject),
      ("explanation", mismatch.cause.explanation), ("advice", mismatch.cause.advice),
      ("step", difference?.step.description), ("line", difference.map { String($0.line) }),
      ("offset", difference.map { String($0.offset) }), ("ours", difference?.ours),
      ("theirs", difference?.theirs),
      ("clockOffset", mismatch.clockOffset.map { String($0.seconds) }),
    ])
  }
}

/// Texts for people, in sections.
enum Page {
  static func section(_ title: String, _ lines: [some StringProtocol]) -> String {
    title + "\n" + lines.map { ($0.isEmpty ? "" : "  ") + $0 + "\n" }.joined() + "\n"
  }

  static func section(_ title: String, _ text: String) -> String {
    section(title, text.split(separator: "\n", omittingEmptySubsequences: false))
  }

  /// One sentence in lines of at most 78 columns, where words allow it.
  static func sentence(_ text: String) -> [String] {
    wrapped(text.prefix(1).uppercased() + text.dropFirst() + ".")
  }

  /// Lines of at most 78 columns, where words allow it.
  static func wrapped(_ text: String) -> [String] {
    text.split(separator: " ").reduce(into: [String]()) { lines, word in
      if let last = lines.last, last.count + word.count < 78 {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
  }
}
