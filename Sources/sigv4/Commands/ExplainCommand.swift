// SPDX-License-Identifier: Apache-2.0
// sigv4 explain: explains why a server rejected a request, and how to fix it.

internal import DocumentSupport
internal import SignatureDiagnosis
internal import RequestSigning

/// `sigv4 explain [--response FILE] [--presigned] [options of sign or presign] URL`
enum ExplainCommand {
  static func run(_ arguments: [String]) async throws {
    let given = try Arguments(arguments, specifications)
    let answer = SigV4.ServiceError(try body(given))
    let diagnosis = try await diagnosis(answer, given, arguments)
    let text =
      given.has("--json")
      ? json(diagnosis).indented + "\n" : page(diagnosis) + note(diagnosis, answer, given)
    try System.write(text, to: .standardOutput)
    if diagnosis.cause.code == .unknownCause {
      throw CommandError(
        .failure, "The response doesn't say why the request was rejected.",
        fix: "Check the advice in the output.")
    }
  }

  static var specifications: [OptionSpecification] {
    SigningOptions.specifications.filter { $0.names != ["--curl"] }
      + [.value("--expires"), .value("--response"), .flag("--presigned")]
  }

  static func body(_ arguments: Arguments) throws -> [UInt8] {
    let path = arguments.value("--response") ?? "-"
    let isRead = arguments.values("-d").contains {
      $0.hasPrefix("@") && System.isStandardInput($0.dropFirst())
    }
    if isRead && System.isStandardInput(path) {
      throw CommandError(
        .usage, "Standard input can't be both the body and the response.",
        fix: "Pass one of them as a file.")
    }
    return try System.contents(of: path, atMost: 1 << 20)
  }

  private static func diagnosis(
    _ answer: SigV4.ServiceError, _ given: Arguments, _ arguments: [String]
  ) async throws -> SigV4.Diagnosis {
    if let diagnosis = answer.cloudFrontDiagnosis { return diagnosis }
    let url = try GivenURL.only(given.operands)
    if isPresigned(url) { return answer.diagnosis(for: try await sentURL(url, given)) }
    // Use the time of the rejected request, unless the arguments contain --at: the last one counts.
    let time = answer.requestTime.map { ["--at", $0.text] } ?? []
    let dated = try Arguments(time + arguments, specifications)
    let options = try await SigningOptions(dated)
    if dated.has("--presigned") || dated.value("--expires") != nil {
      return answer.diagnosis(for: try PresignCommand.presign(options, dated))
    }
    let signed = try options.signer.sign(options.request, at: options.timestamp)
    let diagnosis = answer.diagnosis(for: signed)
    if given.value("--at") != nil || diagnosis.cause.code != .secretAccessKey { return diagnosis }
    if answer.signature == nil && answer.requestTime != nil {
      return answer.diagnosis(datedByItself: signed)
    }
    return answer.diagnosis(for: try signedEarlier(options, as: answer.signature) ?? signed)
  }

  /// Finds the request whose signature was received, within 15 minutes. The response shows the
  /// received time, which can differ from the signed one.
  private static func signedEarlier(
    _ options: SigningOptions, as signature: String?
  ) throws -> SigV4.SignedRequest? {
    guard let signature else { return nil }
    for seconds: Int64 in -900...900 {
      let time = try options.timestamp.advanced(bySeconds: seconds)
      let signed = try options.signer.sign(options.request, at: time)
      if signed.signature.hexString == signature.lowercased() { return signed }
    }
    return nil
  }
}

// Presigned URLs that were sent.
extension ExplainCommand {
  /// Whether a URL contains a signature or the start of one. A shell may have cut off the rest.
  private static func isPresigned(_ url: String) -> Bool {
    let text = Array(url.lowercased().utf8)[...]
    let names = SignatureNames.allCases.flatMap { names in
      [SignatureField.signature, .algorithm].map { names.header($0).string + "=" }
    }
    return !url.hasPrefix("s3://")
      && names.contains { BytewiseSearch.range(of: $0, in: text) != nil }
  }

  /// The presigned URL with its headers and body. Credentials are optional, but allow more
  /// findings.
  private static func sentURL(_ url: String, _ arguments: Arguments) async throws
    -> SigV4.SentRequest
  {
    for name in [
      "--at", "--expires", "--region", "--region-set", "--service", "--endpoint",
      "--unsigned-payload", "--unsigned-header", "--query", "--virtual-hosted",
    ]
    where arguments.value(name) != nil || arguments.has(name) {
      throw CommandError(
        .usage, "The presigned URL already has the value that \(name) sets.",
        fix: "Remove \(name), or pass the URL without its signature.")
    }
    let body = RequestBody(parts: arguments.values("-d"))
    let isNamed = arguments.value("--profile") != nil
    let credentials =
      isNamed
      ? try await CommandCredentials(arguments).credentials()
      : try? await CommandCredentials(arguments).atHand()
    return try SigV4.SentRequest(
      arguments.value("-X") ?? (body.isEmpty ? nil : "POST"), url: url,
      headers: SigningOptions.headers(of: arguments), payload: body.payload(),
      madeWith: credentials)
  }
}

// The output.
extension ExplainCommand {
  static func page(_ diagnosis: SigV4.Diagnosis) -> String {
    let cause = diagnosis.cause
    var page = Page.section(
      "What is wrong: \(cause.code.name)", Page.wrapped(cause.problem))
    if let difference = diagnosis.difference {
      page += Page.section(
        "Where: \(difference.step), line \(difference.line), starting at byte \(difference.offset)",
        [
          "signed    " + (difference.signed ?? "(none)"),
          "received  " + (difference.received ?? "(none)"),
        ])
    }
    return page + Page.section("What to do", Page.wrapped(cause.commandFix))
  }

  /// A hint for responses that show the request's time but not its signature. A changed date then
  /// looks like a wrong secret.
  private static func note(
    _ diagnosis: SigV4.Diagnosis, _ answer: SigV4.ServiceError, _ arguments: Arguments
  ) -> String {
    let isAssumed = answer.requestTime != nil && arguments.value("--at") == nil
    let isURL = arguments.operands.first.map(isPresigned) ?? false
    if diagnosis.cause.code != .signature || !isAssumed || isURL { return "" }
    return Page.section(
      "How to tell a changed date from a wrong secret",
      Page.wrapped(
        "The time of the request comes from the response. Use --at TIME to set the signed time.")
    )
  }

  static func json(_ diagnosis: SigV4.Diagnosis) -> JSONText {
    let difference = diagnosis.difference
    return .texts([
      ("code", diagnosis.cause.code.name), ("subject", diagnosis.cause.subject),
      ("problem", diagnosis.cause.problem), ("fix", diagnosis.cause.commandFix),
      ("step", difference?.step.description), ("line", difference.map { String($0.line) }),
      ("offset", difference.map { String($0.offset) }), ("signed", difference?.signed),
      ("received", difference?.received),
      ("clockOffset", diagnosis.clockOffset.map { String($0.limitedComponents.seconds) }),
    ])
  }
}

/// Output for people, in sections.
enum Page {
  static func section(_ title: String, _ lines: [some StringProtocol]) -> String {
    title + "\n" + lines.map { ($0.isEmpty ? "" : "  ") + $0 + "\n" }.joined() + "\n"
  }

  static func section(_ title: String, _ text: String) -> String {
    section(title, text.split(separator: "\n", omittingEmptySubsequences: false))
  }

  /// Names and values in two columns, without those that are nil.
  static func rows(_ rows: [(name: String, value: String?)]) -> [String] {
    rows.compactMap { name, value in
      value.map {
        name + String(repeating: " ", count: 13 - name.count) + SigV4.Diagnosis.visible($0.utf8)
      }
    }
  }

  /// Wraps sentences at 78 columns, with a capital first letter and a period at the end.
  static func sentence(_ text: String) -> [String] {
    wrapped(text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : "."))
  }

  /// Wraps words at 78 columns.
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
