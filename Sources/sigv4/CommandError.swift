// SPDX-License-Identifier: Apache-2.0
// Why a command stopped, and the exit codes that say so to scripts.

internal import ConnectionTokens
internal import CredentialProviders
internal import RequestSigning
internal import S3Signing

/// The exit codes, as docs/reference/command-line.md lists them.
enum ExitCode: Int32 {
  case success = 0
  case failure = 1
  case usage = 2
  case credentials = 3
}

/// Why a command stopped.
struct CommandError: Error {
  let exitCode: ExitCode
  let message: String

  init(_ exitCode: ExitCode, _ message: String) {
    self.exitCode = exitCode
    self.message = message
  }

  /// A mistake in the arguments.
  static func usage(_ message: String) -> CommandError {
    CommandError(.usage, message + " ('sigv4 help COMMAND' lists options and examples)")
  }

  /// What a command or the library throws, and which exit code it means.
  init(_ error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as SigV4.SigningError: self.init(error)
    default: self.init(error is CredentialError ? .credentials : .failure, "\(error)")
    }
  }

  private init(_ error: SigV4.SigningError) {
    let isOfCredentials = Self.codesOfCredentials.contains(error.code)
    let option = Self.options.first { $0.codes.contains(error.code) }
    let advice = Self.advice.first { $0.codes.contains(error.code) }
    self.init(
      isOfCredentials ? .credentials : .failure,
      advice.map { "\(error.code): \(error.problem); \($0.text)" }
        ?? error.description + (option.map { " (\($0.text))" } ?? ""))
  }

  private static var codesOfCredentials: [SigV4.SigningError.Code] {
    [.invalidAccessKeyID, .invalidSecretAccessKey, .invalidSessionToken, .credentialsExpired]
  }

  /// Where a value came from that the library refuses: its messages name no options.
  private static var options: [(text: String, codes: [SigV4.SigningError.Code])] {
    [
      ("option -X", [.invalidMethod]),
      (
        "option -H",
        [.invalidHeaderName, .invalidHeaderValue, .conflictingHeader]
      ),
      ("option --at", [.timestampOutOfRange]),
      ("options --region and --region-set, AWS_REGION or the profile", [.invalidRegion]),
      ("option --service", [.invalidService]),
      ("option --expires", [.invalidLifetime, .lifetimeExceedsCredentials]),
      ("options --chunk-size and --size", [.invalidChunkedUpload]),
      ("option --username", [.invalidUser]),
      ("option --cache-name or --cluster-name", [.invalidResourceName]),
      (
        "options --field, --starts-with, --min-bytes and --max-bytes",
        [.invalidPostPolicy, .conflictingFormField]
      ),
      ("the URL, or --hostname and --port of token", [.invalidHost]),
    ]
  }

  /// What to do here, where the library's advice names declarations of Swift.
  private static var advice: [(text: String, codes: [SigV4.SigningError.Code])] {
    [
      (
        "encode a URL, and write s3://bucket/key as it is",
        [.invalidPath, .invalidQuery, .invalidPercentEncoding]
      ),
      ("leave --service out, or give the URL of the service", [.objectKeyNotSupported]),
      ("leave --virtual-hosted out, or give another --endpoint", [.conflictingEndpoint]),
      (
        "correct the name, or give the https:// URL with --service and --region",
        [.invalidBucketName]
      ),
      (
        "write it as 20130524T000000Z, or as a Unix time in seconds (option --at)",
        [.invalidTimestamp]
      ),
      ("leave --expires out", [.lifetimeNotSupported]),
      ("say with --expires how long", [.lifetimeRequired]),
      (
        "encode the value of -H, for example by percent-encoding or RFC 2047, or give --utf8-headers "
          + "for Ceph or MinIO",
        [.nonASCIIHeader]
      ),
    ]
  }
}
