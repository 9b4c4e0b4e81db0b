// SPDX-License-Identifier: Apache-2.0
// The errors of commands and their exit codes.

internal import CloudFrontSigning
internal import ConnectionTokens
internal import CredentialProviders
internal import RequestSigning
internal import S3Signing

/// The exit codes, as listed in docs/reference/command-line.md.
enum ExitCode: Int32 {
  case success = 0
  case failure = 1
  case usage = 2
  case credentials = 3
}

/// The reason a command failed, with its exit code.
struct CommandError: Error {
  let exitCode: ExitCode

  /// What is wrong, in one or two sentences.
  let problem: String

  /// How to fix it, in one or two sentences.
  let fix: String

  /// The problem and its fix in one line. A usage error also mentions the help of the command, or
  /// the list of commands for an unknown one.
  func message(of command: CommandDescription?) -> String {
    let help =
      command.map { "'sigv4 help \($0.name)' lists options and examples." }
      ?? "'sigv4 help' lists the commands."
    return [problem, fix, exitCode == .usage ? help : ""].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  init(_ exitCode: ExitCode, _ problem: String, fix: String) {
    self.exitCode = exitCode
    self.problem = problem
    self.fix = fix
  }

  /// Wraps an error of a command or the library.
  init(_ error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as SigV4.SigningError: self.init(error)
    case let error as CredentialError:
      self.init(.credentials, "\(error.code.name): \(error.problem)", fix: error.fix)
    // The description of any other error contains its fix.
    default: self.init(.failure, "\(error)", fix: "")
    }
  }

  private init(_ error: SigV4.SigningError) {
    let isOfCredentials = Self.codesOfCredentials.contains(error.code)
    let option = Self.options.first { $0.codes.contains(error.code) }
    let advice = Self.advice.first { $0.codes.contains(error.code) }
    self.init(
      isOfCredentials ? .credentials : .failure, "\(error.code.name): \(error.problem)",
      fix: advice?.text ?? error.fix + (option.map { " Check \($0.text)." } ?? ""))
  }

  private static var codesOfCredentials: [SigV4.SigningError.Code] {
    [.invalidAccessKeyID, .invalidSecretAccessKey, .invalidSessionToken, .credentialsExpired]
  }

  /// The options that a rejected value can come from. The library's messages don't name them.
  private static var options: [(text: String, codes: [SigV4.SigningError.Code])] {
    [
      ("-X", [.invalidMethod]),
      ("--unsigned-header", [.invalidUnsignedHeader]),
      ("-H", [.invalidHeaderName, .invalidHeaderValue, .conflictingHeader]),
      ("--at", [.timestampOutOfRange]),
      ("--region, --region-set, AWS_REGION and the profile", [.invalidRegion]),
      ("--service", [.invalidService]),
      ("--expires", [.invalidLifetime, .lifetimeExceedsCredentials]),
      ("--chunk-size and --size", [.invalidChunkedUpload]),
      ("--username", [.invalidUser]),
      ("--cache-name, --cluster-name or --audience", [.invalidResourceName]),
      ("--challenge or --server-nonce", [.invalidNonce]),
      (
        "--field, --starts-with, --min-bytes and --max-bytes",
        [.invalidPostPolicy, .conflictingFormField]
      ),
      ("the URL, or --hostname, --port and --sts-host", [.invalidHost]),
      ("--key-pair-id", [.invalidKeyPairID]),
      ("--private-key", [.invalidKey, .unsupportedKey]),
      ("--date-less-than and --date-greater-than", [.invalidPolicyDates]),
      ("--ip-address", [.invalidAddressRange]),
      ("--url and --policy-resource, or --resource", [.invalidResource, .urlNotInPolicy]),
    ]
  }

  /// The fixes for the command line, for errors whose library fix names Swift declarations.
  private static var advice: [(text: String, codes: [SigV4.SigningError.Code])] {
    [
      (
        "Percent-encode the URL, or pass an unencoded s3://bucket/key.",
        [.invalidPath, .invalidQuery, .invalidPercentEncoding]
      ),
      ("Remove --service, or use the service's own URL.", [.objectKeyNotSupported]),
      ("Remove --virtual-hosted, or use a different --endpoint.", [.conflictingEndpoint]),
      (
        "Correct the name, or pass the https:// URL with --service and --region.",
        [.invalidBucketName]
      ),
      (
        "Pass --at as 20130524T000000Z or as a Unix time in seconds.",
        [.invalidTimestamp]
      ),
      ("Remove --expires.", [.lifetimeNotSupported]),
      ("Check --size, and that the file doesn't change meanwhile.", [.bodyLengthMismatch]),
      ("Pass the lifetime with --expires.", [.lifetimeRequired]),
      (
        "Percent-encode the value of -H, or encode it as RFC 2047 specifies. For Ceph or MinIO, "
          + "pass --utf8-headers.",
        [.nonASCIIHeader]
      ),
    ]
  }
}
