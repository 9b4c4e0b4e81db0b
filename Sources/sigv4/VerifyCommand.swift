// SPDX-License-Identifier: Apache-2.0
// sigv4 verify: whether a request was signed with our credentials.

internal import DocumentSupport
internal import RequestSigning

/// `sigv4 verify [options] [URL]`
enum VerifyCommand {
  static func run(_ arguments: some Sequence<String>) async throws(CommandError) {
    let arguments = try Arguments(
      arguments,
      [
        .value("-X", "--request"), .value("-H", "--header"), .value("--region"),
        .value("--service"), .value("--at"), .value("--clock-window"), .flag("--json"),
        CommandCredentials.specification,
      ])
    let acceptance = try VerificationAcceptance(arguments)
    let now = try SigningOptions.timestamp(arguments.value("--at"))
    let url = try url(arguments)
    let headers = try SigningOptions.headers(arguments.values("-H"))
    let credentials = try await CommandCredentials(arguments).credentials()
    let finding = try VerificationFinding(acceptance, credentials, at: now) {
      () throws(VerificationStop) in
      guard let url else { return try ReceivedMessage(reading: System.readStandardInput) }
      do throws(CommandError) {
        return try ReceivedMessage(arguments.value("-X") ?? "GET", url: url, headers: headers)
      } catch {
        throw .failed(error)
      }
    }
    let report = VerificationReport(finding)
    let text = arguments.has("--json") ? report.json.indented + "\n" : report.page
    try System.write(text, to: .standardOutput)
    if let refusal = finding.refusal {
      throw CommandError(.failure, "the request is not valid: \(refusal.code)")
    }
  }

  /// The URL to verify, or nil for a request on standard input.
  private static func url(_ arguments: Arguments) throws(CommandError) -> String? {
    if arguments.operands.count > 1 {
      throw CommandError.usage(
        "one request is verified at a time, and \(arguments.operands[1]) is a second URL")
    }
    let url = arguments.operands.first == "-" ? nil : arguments.operands.first
    if url == nil && (arguments.has("-X") || arguments.has("-H")) {
      throw CommandError.usage(
        "-X and -H go with a URL; a request on standard input has its own method and headers")
    }
    if let url, url.hasPrefix("s3://") {
      throw CommandError.usage("a presigned URL begins with https://, and \(url) carries nothing")
    }
    return url
  }
}
