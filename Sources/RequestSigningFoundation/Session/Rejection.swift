// SPDX-License-Identifier: Apache-2.0
// Detects responses that reject the credentials or the time, so that a retry may succeed.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import SignatureDiagnosis

/// A response that rejects the credentials or the time, so that a retry may succeed.
struct Rejection: Sendable {
  let remedy: Remedy
  let status: Int
  /// The server's error code, or nil if the response has none, as for HEAD.
  let code: String?

  enum Remedy: Sendable {
    case newCredentials
    /// The server's time, or nil if the response doesn't contain it.
    case rightTime(SigV4.Timestamp?)
  }

  /// Returns nil for all other responses.
  init?(
    _ answer: LoadedResponse, to provided: ResolvedCredentials, signedAt timestamp: SigV4.Timestamp
  ) {
    status = answer.response.statusCode
    guard (400..<500).contains(status) else { return nil }
    let body = answer.error
    code = body.plainCode
    let date = answer.response.value(forHTTPHeaderField: "Date")
      .flatMap { try? SigV4.Timestamp(httpDate: $0) }
    let serverTime = body.serverTime ?? date
    if ExpiredCredentials.codes.contains(code ?? "") {
      remedy = .newCredentials
    } else if body.saysTokenExpired {
      remedy = .newCredentials
    } else if Self.codesOfTime.contains(code ?? "") || body.showsAge {
      remedy = .rightTime(serverTime)
    } else if code == nil, answer.body.isEmpty, [400, 403].contains(status), let date {
      // The response to a HEAD has no body, so only its Date shows the cause.
      if abs(date.unixSeconds - timestamp.unixSeconds) >= Self.toleratedSeconds {
        remedy = .rightTime(date)
      } else if let end = provided.credentials.identity.expiration, end <= date {
        remedy = .newCredentials
      } else {
        return nil
      }
    } else {
      return nil
    }
  }

  private static let codesOfTime: Set<String> = [
    "RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture",
  ]

  /// The clock skew that the strictest services allow: 5 minutes.
  static let toleratedSeconds: Int64 = 300
}

extension LoadedResponse {
  /// The response, parsed as an error.
  var error: SigV4.ServiceError { SigV4.ServiceError(data: body, response: response) }
}

extension SigV4.ServiceError {
  /// The code if it's safe to show: up to 64 letters, digits, '.', '-' and '_'. Anything else may
  /// repeat parts of the request.
  var plainCode: String? {
    guard let code, code.utf8.count <= 64,
      code.utf8.allSatisfy({ byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: ".-_".utf8.contains(byte)
        }
      })
    else { return nil }
    return code
  }

  /// Whether the message is like "Signature expired: ... is now earlier than ...". JSON services
  /// send it with various codes.
  fileprivate var showsAge: Bool {
    guard let serverTime, let requestTime else { return false }
    return abs(serverTime.unixSeconds - requestTime.unixSeconds) >= Rejection.toleratedSeconds
  }
}
