// SPDX-License-Identifier: Apache-2.0
// Whether a server refused credentials or time, so that a second request may succeed.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// An answer after which a second request may succeed.
struct Refusal: Sendable {
  let remedy: Remedy
  let status: Int
  /// The server's own code of the error; nil when it gave none, as for HEAD.
  let code: String?

  enum Remedy: Sendable {
    case newCredentials
    /// The time of the server's clock; nil when it does not show it.
    case rightTime(SigV4.Timestamp?)
  }

  /// Nil for every other answer.
  init?(
    _ answer: LoadedAnswer, to provided: ProvidedCredentials, signedAt timestamp: SigV4.Timestamp
  ) {
    status = answer.response.statusCode
    guard (400..<500).contains(status) else { return nil }
    let body = SigV4.Mismatch.Answer(answer.body)
    code = Self.code(of: answer, body)
    let date = answer.response.value(forHTTPHeaderField: "Date")
      .flatMap { try? SigV4.Timestamp(httpDate: $0) }
    let serverTime = body.serverTime ?? date
    if Self.codesOfCredentials.contains(code ?? "") {
      remedy = .newCredentials
    } else if Self.codesOfTime.contains(code ?? "") || body.showsAge {
      remedy = .rightTime(serverTime)
    } else if code == nil, answer.body.isEmpty, [400, 403].contains(status), let date {
      // A HEAD has no body, so its Date has to tell.
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

  /// `com.example#Code:http://...` in a header, or what the body says.
  private static func code(of answer: LoadedAnswer, _ body: SigV4.Mismatch.Answer) -> String? {
    let text = answer.response.value(forHTTPHeaderField: "x-amzn-ErrorType") ?? body.errorCode
    let name = text?.prefix { $0 != ":" }.split(separator: "#").last
    return name.map { String($0) }
  }

  private static let codesOfCredentials: Set<String> = [
    "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired",
  ]

  private static let codesOfTime: Set<String> = [
    "RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture",
  ]

  /// What the strictest services allow between their clock and a signature: 5 minutes.
  static let toleratedSeconds: Int64 = 300
}

nonisolated extension SigV4.Mismatch.Answer {
  /// "Signature expired: ... is now earlier than ...": what JSON services say, under various codes.
  fileprivate var showsAge: Bool {
    guard let serverTime, let requestTime else { return false }
    return abs(serverTime.unixSeconds - requestTime.unixSeconds) >= Refusal.toleratedSeconds
  }
}
