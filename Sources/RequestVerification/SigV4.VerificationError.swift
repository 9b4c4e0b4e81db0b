// SPDX-License-Identifier: Apache-2.0
// Why a request is refused: a code for programs, a message for the log; the client hears less.

internal import DocumentSupport
public import RequestSigning
internal import S3Signing
internal import SigningSupport

extension SigV4 {
  /// Why a request is refused.
  ///
  /// ``message`` is for the server's log. What the client may know is in ``xmlAnswer(requestID:)``
  /// and ``jsonAnswer()``: never the signature that was expected, and no secret.
  public struct VerificationError: Swift.Error, Sendable, CustomStringConvertible {
    /// What kind of refusal it is.
    public let code: Code

    /// What is wrong, why it matters, and what to do, for the log: one line of ASCII, without secrets.
    public let message: String

    /// What the answer in XML holds beside code and message.
    let elements: [(name: StaticString, value: [UInt8])]

    /// What the answer in JSON says in place of the code's text.
    let sentence: String?

    /// The texts that were signed by the server, for a signature that does not match.
    let rooms: SigningBuffer?

    /// What the server has signed, when the signature does not match; nil for other refusals. A session
    /// token that is signed stands in it.
    public var canonicalRequest: CanonicalRequest? { rooms?.canonicalRequest }

    /// The code and the message.
    public var description: String { code.name + ": " + message }

    init(
      _ code: Code, _ message: String, elements: [(name: StaticString, value: [UInt8])] = [],
      sentence: String? = nil, rooms: SigningBuffer? = nil
    ) {
      self.code = code
      self.message = message
      self.elements = elements
      self.sentence = sentence
      self.rooms = rooms
    }
  }
}

extension SigV4.VerificationError {
  /// What kind of refusal it is. More codes may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, as it is spelled here.
    public let name: String

    /// How the client hears of it.
    let reply: Reply

    /// What the client reads.
    let text: String

    init(_ name: String, _ reply: Reply, _ text: String) {
      self.name = name
      self.reply = reply
      self.text = text
    }

    /// The name of the code.
    public var description: String { name }

    /// Whether two codes have the same name.
    public static func == (left: Self, right: Self) -> Bool {
      left.name.utf8.elementsEqual(right.name.utf8)
    }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) {
      for byte in name.utf8 { hasher.combine(byte) }
    }
  }

  /// Code and status of an answer, as S3 and as the other services of AWS have them.
  struct Reply: Sendable {
    let s3Code: StaticString
    let s3Status: Int
    let errorType: StaticString
    let status: Int
  }
}

extension SigV4.VerificationError.Reply {
  static var badRequest: Self { s3("InvalidRequest", 400, "ValidationException", 400) }
  static var denied: Self { s3("AccessDenied", 403, "InvalidSignatureException", 403) }
  static var notSigned: Self {
    s3("AccessDenied", 403, "MissingAuthenticationTokenException", 403)
  }
  static var malformedHeader: Self {
    s3("AuthorizationHeaderMalformed", 400, "IncompleteSignatureException", 400)
  }
  static var malformedQuery: Self {
    s3("AuthorizationQueryParametersError", 400, "IncompleteSignatureException", 400)
  }
  static var skewed: Self { s3("RequestTimeTooSkewed", 403, "InvalidSignatureException", 403) }
  static var mismatch: Self { s3("SignatureDoesNotMatch", 403, "InvalidSignatureException", 403) }
  static var unknownKey: Self {
    s3("InvalidAccessKeyId", 403, "UnrecognizedClientException", 403)
  }
  static var invalidToken: Self { s3("InvalidToken", 400, "UnrecognizedClientException", 403) }
  static var expiredToken: Self { s3("ExpiredToken", 400, "ExpiredTokenException", 403) }
  static var otherBody: Self {
    s3("XAmzContentSHA256Mismatch", 400, "InvalidSignatureException", 403)
  }
  static var incompleteBody: Self { s3("IncompleteBody", 400, "ValidationException", 400) }
  static var malformedTrailer: Self {
    s3("MalformedTrailerError", 400, "ValidationException", 400)
  }
  static var badDigest: Self { s3("BadDigest", 400, "ValidationException", 400) }
  static var longForm: Self {
    s3("MaxPostPreDataLengthExceededError", 400, "ValidationException", 400)
  }
  static var invalidArgument: Self { s3("InvalidArgument", 400, "ValidationException", 400) }
  static var invalidPolicy: Self { s3("InvalidPolicyDocument", 400, "ValidationException", 400) }
  static var largeEntity: Self { s3("EntityTooLarge", 400, "ValidationException", 400) }
  static var smallEntity: Self { s3("EntityTooSmall", 400, "ValidationException", 400) }
  static var internalError: Self { s3("InternalError", 500, "InternalFailure", 500) }

  static func s3(
    _ s3Code: StaticString, _ s3Status: Int, _ errorType: StaticString, _ status: Int
  ) -> Self {
    Self(s3Code: s3Code, s3Status: s3Status, errorType: errorType, status: status)
  }
}
