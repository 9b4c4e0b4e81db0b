// SPDX-License-Identifier: Apache-2.0
// Why a request of Foundation was not signed, sent or taken: a code and a message.

/// Why a request was not signed, sent or taken by its server.
///
/// What the loader itself reports, such as a lost connection, comes as its own `URLError`, and what
/// the core refuses as `SigV4.SigningError`. The message never holds a secret.
public struct TransferError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public let code: Code

  /// What is wrong, why it matters, and what to do, for people.
  public let message: String

  /// The status of the server's answer; nil when there is none.
  public let status: Int?

  /// The server's own code of the error, such as `NoSuchKey`; nil when it gave none, or no such name.
  public let serverCode: String?

  /// The code and the message.
  public var description: String { code.name + ": " + message }

  init(_ code: Code, _ message: String, status: Int? = nil, serverCode: String? = nil) {
    self.code = code
    self.message = message
    self.status = status
    self.serverCode = serverCode
  }
}

extension TransferError {
  /// What kind of failure it is. More codes may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, as it is spelled here.
    public let name: String

    /// The name of the code.
    public var description: String { name }

    /// The request has no absolute URL.
    public static let missingURL = Code(name: "missingURL")
    /// Foundation or its loader would send another URL than the one that is signed.
    public static let urlWouldChange = Code(name: "urlWouldChange")
    /// The body is a stream, and nothing says what is to be signed of it.
    public static let streamWithoutPayload = Code(name: "streamWithoutPayload")
    /// A digest is signed, and the body that it is of is not there.
    public static let bodyMissing = Code(name: "bodyMissing")
    /// A URL alone is not enough: its holder has to send headers too.
    public static let headersRequired = Code(name: "headersRequired")
    /// A file cannot be read or written.
    public static let invalidFile = Code(name: "invalidFile")
    /// A body that is not signed was to be sent without TLS.
    public static let unprotectedBody = Code(name: "unprotectedBody")
    /// The server refused credentials or time, and the body cannot be sent a second time.
    public static let bodyNotRepeatable = Code(name: "bodyNotRepeatable")
    /// The server refused credentials or time, and again with new ones.
    public static let refusedAgain = Code(name: "refusedAgain")
    /// A server without TLS says that our clock is wrong, which nobody can check.
    public static let untrustedClock = Code(name: "untrustedClock")
    /// The server answered a download with something other than what was asked for.
    public static let unexpectedStatus = Code(name: "unexpectedStatus")
    /// The answer is none of HTTP.
    public static let invalidAnswer = Code(name: "invalidAnswer")
  }
}
