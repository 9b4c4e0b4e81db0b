// SPDX-License-Identifier: Apache-2.0
// sigv4 verify: checks whether a request was signed with your credentials.

internal import DocumentSupport
internal import RequestSigning
internal import RequestVerification

/// `sigv4 verify [options] [URL]`
enum VerifyCommand {
  static var specifications: [OptionSpecification] {
    .named(
      "-X", "-H", "--profile", "--region", "--service", "--at", "--clock-window", "--json"
    ).meaning([
      "-X": "method of the URL (default: GET)",
      "-H": "header sent with the URL (repeatable)",
      "--profile": "profile with the expected credentials",
      "--region": "accept only this region (default: any)",
      "--service": "accept only this service (default: any)",
      "--at": "20130524T000000Z or a Unix time (default: now)",
    ])
  }

  static func run(_ arguments: [String]) async throws {
    let arguments = try Arguments(arguments, specifications)
    let acceptance = try VerificationAcceptance(arguments)
    let now = try SigningOptions.timestamp(arguments.value("--at"))
    let url = try url(arguments)
    let headers = try SigningOptions.headers(arguments.values("-H"))
    let credentials = try await CommandCredentials(arguments).credentials()
    let finding = try VerificationFinding(acceptance, credentials, at: now) {
      guard let url else { return try ReceivedMessage(reading: System.readStandardInput) }
      return try ReceivedMessage(arguments.value("-X") ?? "GET", url: url, headers: headers)
    }
    let report = VerificationReport(finding)
    try System.write(
      arguments.has("--json") ? report.json.indented + "\n" : report.page, to: .standardOutput)
    if let refusal = finding.refusal {
      throw CommandError(
        .failure, "The request isn't valid: \(refusal.code).", fix: "Check the output for details.")
    }
  }

  /// The URL to verify, or nil for a request on standard input.
  private static func url(_ arguments: Arguments) throws -> String? {
    let isInput = arguments.operands.isEmpty || arguments.operands == ["-"]
    let url = isInput ? nil : try GivenURL.only(arguments.operands)
    if url == nil && (arguments.has("-X") || arguments.has("-H")) {
      throw CommandError(
        .usage, "-X and -H can be used only with a URL.",
        fix: "Remove them. A request on standard input contains its method and headers.")
    }
    if let url, url.hasPrefix("s3://") {
      throw CommandError(
        .usage, "\(url) has no signature.", fix: "Pass a presigned URL, which begins with https://."
      )
    }
    return url
  }
}

/// The accepted regions, services and clock skew, from the options.
struct VerificationAcceptance {
  let region: String?
  let service: SigV4.Service?
  let clockWindow: Int?

  init(_ arguments: Arguments) throws {
    region = arguments.value("--region")
    service = try arguments.value("--service").map { try .named($0) }
    clockWindow = try arguments.number("--clock-window", of: "seconds")
  }

  /// Creates a verifier that accepts the claimed scope unless the options restrict it. The verifier
  /// rejects a scope that can't be parsed here.
  func verifier(for message: ReceivedMessage) -> SigV4.Verifier {
    let scope = Self.claimedScope(message)
    let claimedService = scope.flatMap { try? SigV4.Service.named($0.service) }
    var verifier = SigV4.Verifier(
      services: [service ?? claimedService].compactMap { $0 },
      regions: region.map { [$0] } ?? scope?.regions ?? [])
    verifier.algorithms = [.hmacSHA256, .ecdsaP256SHA256]
    verifier.clockTolerance = clockWindow.map { .seconds($0) }
    // The report shows whether the body is signed, so the user can decide.
    verifier.unsignedPayloads = .allowed
    verifier.dotSegments = .allowed
    verifier.unsignedContentTypes = .allowed
    return verifier
  }

  /// The regions and service in the credential. For SigV4a, the regions also contain the first
  /// region or pattern of the signed region set.
  private static func claimedScope(
    _ message: ReceivedMessage
  ) -> (regions: [String], service: String)? {
    guard let credential = credential(message) else { return nil }
    let parts = credential.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count < 4 { return nil }
    let sets =
      message.headers.values(named: "x-amz-region-set") + values(of: "X-Amz-Region-Set", message)
    let regions = sets.compactMap { $0.split(separator: ",").first } + [parts[parts.count - 3]]
    return (regions.map(String.init), String(parts[parts.count - 2]))
  }

  /// The credential in the Authorization header or in the query.
  private static func credential(_ message: ReceivedMessage) -> String? {
    for value in message.headers.values(named: "authorization") {
      for part in value.split(whereSeparator: { $0 == " " || $0 == "," })
      where part.hasPrefix("Credential=") {
        return String(part.dropFirst("Credential=".count))
      }
    }
    return values(of: "X-Amz-Credential", message).first
  }

  /// The values of a query parameter.
  private static func values(of name: String, _ message: ReceivedMessage) -> [String] {
    message.target.split(whereSeparator: { $0 == "?" || $0 == "&" })
      .filter { $0.hasPrefix(name + "=") }
      .map {
        String(
          decoding: URIEncoding.decode(Array($0.utf8)[(name.utf8.count + 1)...]), as: UTF8.self)
      }
  }
}
