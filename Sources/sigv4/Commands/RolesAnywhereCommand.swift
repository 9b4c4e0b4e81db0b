// SPDX-License-Identifier: Apache-2.0
// sigv4 credentials --certificate: credentials from IAM Roles Anywhere, as aws_signing_helper
// prints them. curl sends the request, because sigv4 has no TLS.

internal import CredentialProviders
internal import POSIXCredentialSources
internal import RequestSigning

/// `sigv4 credentials --certificate FILE`, with the options of `aws_signing_helper
/// credential-process`.
enum RolesAnywhereCommand {
  static var specifications: [OptionSpecification] {
    .named("--certificate")
      + .named("--private-key", "--intermediates", "--trust-anchor-arn", "--profile-arn")
      + .named("--role-arn", "--role-session-name", "--session-duration")
      + .named("--region", "--endpoint").meaning([
        "--region": "region (default: the trust anchor's)",
        "--endpoint": "URL of IAM Roles Anywhere",
      ])
  }

  /// The provider of the options, or nil without a certificate.
  static func provider(_ arguments: Arguments) throws -> RolesAnywhereProvider? {
    guard let certificate = arguments.value("--certificate") else {
      let names = specifications.map { $0.names[0] }
      guard let name = names.first(where: arguments.has) else { return nil }
      throw CommandError(
        .usage, "\(name) needs --certificate.", fix: "Add --certificate FILE, or remove \(name).")
    }
    if let name = ["--profile", "--json"].first(where: arguments.has) {
      throw CommandError(
        .usage, "\(name) can't be combined with --certificate.", fix: "Remove one of them.")
    }
    var settings = try ServiceSettings(sources: .posix)
    if let url = arguments.value("--endpoint") {
      settings.setEndpointURL(url, of: .rolesAnywhere)
    }
    return try RolesAnywhereProvider(
      certificate: .files(
        certificate: FileArgument.path(certificate),
        privateKey: FileArgument.path(required("--private-key", arguments)),
        intermediates: arguments.value("--intermediates").map(FileArgument.path)),
      trustAnchorARN: required("--trust-anchor-arn", arguments),
      profileARN: required("--profile-arn", arguments),
      roleARN: required("--role-arn", arguments),
      sessionName: arguments.value("--role-session-name"),
      duration: arguments.number("--session-duration", of: "seconds").map { .seconds($0) },
      region: arguments.value("--region"), settings: settings,
      sources: .posix { request in try Self.response(to: request) })
  }

  private static func required(_ name: String, _ arguments: Arguments) throws -> String {
    if let value = arguments.value(name) { return value }
    throw CommandError(.usage, "--certificate needs \(name).", fix: "Add \(name).")
  }

  #if os(tvOS) || os(watchOS)
    // No command can run there. sigv4 compiles because Xcode builds all targets of a package.
    private static func response(to request: SigV4.HTTPRequest) throws -> SigV4.HTTPResponse {
      throw CommandError(.failure, "Can't run curl on this system.", fix: "Use the library.")
    }
  #else
    /// Sends a request with curl, which reads all of it from its standard input: anybody who sees
    /// a signed request can get its credentials for some minutes.
    private static func response(to request: SigV4.HTTPRequest) throws -> SigV4.HTTPResponse {
      let headers = request.headers.map { ("header", $0.name + ": " + $0.value as String?) }
      let configuration =
        [
          ("url", request.url as String?), ("request", request.method), ("globoff", nil),
          ("path-as-is", nil), ("no-location", nil), ("silent", nil), ("show-error", nil),
          ("proto", "=https"), ("http1.1", nil), ("include", nil), ("raw", nil),
          ("suppress-connect-headers", nil), ("max-time", "\(request.timeout.wholeSeconds)"),
          ("data-raw", String(decoding: request.body, as: UTF8.self)),
        ] + headers
      let output = try ChildProcess.output(
        of: ["curl", "--disable", "--config", "-"],
        input: Array(SendCommand.text(configuration).utf8), upTo: 2 * request.maximumByteCount)
      guard let output else {
        throw CredentialError(
          .unreachable, "curl couldn't send \(request).", fix: "Check curl's own message.")
      }
      var reader = ResponseReader(to: request.method, upTo: request.maximumByteCount)
      try reader.read(output[...])
      if let response = reader.responseAtEnd { return response }
      throw CredentialError(
        .invalidResponse, "The response to \(request) isn't complete.",
        fix: "Check the endpoint URL and the network.")
    }
  #endif
}
