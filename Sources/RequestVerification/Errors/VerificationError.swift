// SPDX-License-Identifier: Apache-2.0
// The reason for rejecting a request: a code, a message for the log, and a response to the client.

internal import DocumentSupport
public import RequestSigning

extension SigV4 {
  /// The reason the verifier rejected a request.
  ///
  /// Write ``message`` to the server's log. Send the client ``xmlResponse(requestID:)`` or
  /// ``jsonResponse()``. They never contain the expected signature, and no secrets except values
  /// that the client signed.
  public struct VerificationError: Swift.Error, Sendable, CustomStringConvertible {
    /// The reason, for programs.
    public let code: Code

    /// What's wrong, for the log: one line of ASCII, without secrets.
    public let problem: String

    /// What to do about it, for the log.
    public let fix: String

    /// The problem and its fix, for the log.
    public var message: String { problem + " " + fix }

    /// Elements of the XML response, in addition to the code and message.
    let elements: [(name: String, text: String)]

    /// The message of the JSON response, if it differs from the code's text.
    let sentence: String?

    /// The code, status and message of the XML response, if they differ from the code's.
    let statement: (reply: Reply, text: String)?

    /// The server's canonical request, if the signature doesn't match. It contains the values of
    /// all signed headers and parameters: possibly a session token, a cookie, an API key, or a
    /// customer's encryption key (SSE-C). Don't show it to anyone but the client.
    public let canonicalRequest: CanonicalRequest?

    /// The server's string to sign, if the signature doesn't match.
    let stringToSign: StringToSign?

    /// The code and the message.
    public var description: String { code.name + ": " + message }

    init(
      _ code: Code, _ problem: String, fix: String,
      elements: [(name: String, text: String)] = [],
      sentence: String? = nil, statement: (reply: Reply, text: String)? = nil,
      canonicalRequest: CanonicalRequest? = nil, stringToSign: StringToSign? = nil
    ) {
      self.code = code
      self.problem = problem
      self.fix = fix
      self.elements = elements
      self.sentence = sentence
      self.statement = statement
      self.canonicalRequest = canonicalRequest
      self.stringToSign = stringToSign
    }

    /// The reason for a rejection. New codes may be added. Include a default in a `switch`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      /// The name of the code, spelled like the property.
      public let name: String

      /// The error code and status of the response.
      let reply: Reply

      /// The client's message.
      let text: String

      /// Creates a code named after the property it's the value of.
      init(_ reply: Reply, _ text: String, name: String = #function) {
        self.name = name
        self.reply = reply
        self.text = text
      }

      /// The name of the code.
      public var description: String { name }
    }
  }
}

extension SigV4.VerificationError: Hashable, CustomReflectable {
  /// Whether two errors have the same code, message and canonical request.
  public static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.message == right.message
      && left.canonicalRequest == right.canonicalRequest
  }

  /// Hashes the code and message.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
  }

  /// The code, the problem and the fix, as `dump` and debuggers show them.
  public var customMirror: Mirror {
    Mirror(self, children: ["code": code, "problem": problem, "fix": fix])
  }
}

// Errors that several files throw, or that tell the client more than their code does.
extension SigV4.VerificationError {
  /// Tells the client which algorithms it can use.
  static func unsupportedAlgorithm(
    _ problem: String, fix: String, accepted names: String
  ) -> Self {
    let text =
      "The authorization mechanism you have provided is not supported."
      + (names.isEmpty ? "" : " Please use \(names).")
    return Self(
      .unsupportedAlgorithm, problem, fix: fix, sentence: text,
      statement: (Code.unsupportedAlgorithm.reply, text))
  }

  static var requestTooLarge: Self {
    Self(
      .requestTooLarge,
      "The target and headers are larger than \(SigV4.ReceivedRequest.maximumByteCount) bytes.",
      fix: "Check what adds headers or parameters, or treat the request as an attack.")
  }

  static func dotSegment(_ service: SigV4.Service) -> Self {
    Self(
      .invalidRequest,
      "The path contains a '.' or '..' segment, which \(service.name) removes before signing, so "
        + "the signature is valid for other paths too.",
      fix: "Check how the client builds paths, or set verifier.dotSegments to .allowed and use "
        + "pathSegments.")
  }

  static func emptyFirstSegment(_ service: SigV4.Service) -> Self {
    Self(
      .invalidRequest,
      "The target starts with '//', which some URL parsers read as a host, but \(service.name) "
        + "removes the empty segment before signing.",
      fix: "Check how the client joins paths, or set verifier.dotSegments to .allowed and use "
        + "pathSegments.")
  }

  /// The verifier's setting that requires the header, or nil: what must always be signed.
  static func unsignedHeader(
    _ name: some Collection<UInt8>, requiredBy setting: StaticString? = nil
  ) -> Self {
    let isType = name.elementsEqual("content-type".utf8)
    let setting = setting ?? (isType ? "unsignedContentTypes" : nil)
    return Self(
      .unsignedHeader,
      "Header \(UTF8Text.quoted(name)) is missing or unsigned, so it could be added or changed in "
        + "transit.",
      fix: setting.map {
        "Check for a proxy that adds or removes it or a client that doesn't sign it, or change "
          + "verifier.\($0)."
      } ?? "Check for a proxy that adds or removes it.",
      elements: [("HeadersNotSigned", String(decoding: name, as: UTF8.self))])
  }

  static func neverSigned(_ service: SigV4.Service) -> Self {
    Self(
      .unsignedPayload,
      "Requests to \(service.name) never sign the body, but the connection doesn't use TLS, or the "
        + "verifier rejects unsigned bodies.",
      fix: "Use TLS, and set verifier.unsignedPayloads to .allowedInURLs.")
  }

  static var unsignedPayload: Self {
    Self(
      .unsignedPayload,
      "The body is unsigned, but the verifier requires a signed body here, or the connection "
        + "doesn't use TLS.",
      fix:
        "Ask the client to sign the body, or use TLS and set verifier.unsignedPayloads to .allowed."
    )
  }

  static var bodyMismatch: Self {
    Self(
      .bodyMismatch,
      "The body doesn't match its signed SHA-256 hash.",
      fix: "Check for a proxy that changes bodies, or treat it as an attack.")
  }

  static func bodyNotCovered(_ state: StaticString) -> Self {
    Self(
      .bodyNotCovered,
      "The signature \(state), so it can't verify the digest you passed.",
      fix: "Treat the request as unsigned, or verify its body with bodyVerifier().")
  }

  /// An unsupported checksum. Without this error, it would be accepted unverified.
  static func unsupportedChecksum(_ name: some Collection<UInt8>, _ problem: String) -> Self {
    Self(
      .unsupportedChecksum,
      "\(UTF8Text.quoted(name)) \(problem), so the body can't be compared with it.",
      fix: "Ask the client to send one checksum, such as x-amz-checksum-crc32.")
  }

  /// The clocks of client and server differ by more than the allowed skew.
  static func skewed(
    _ timestamp: SigV4.Timestamp, _ now: SigV4.Timestamp, _ window: Int64
  ) -> Self {
    let isEarly = timestamp < now
    // The edge may be outside the supported dates.
    let edge = (try? now.advanced(bySeconds: isEarly ? -window : window)) ?? now
    let (state, order, sign) =
      isEarly ? ("expired", "now earlier than", "-") : ("not yet current", "still later than", "+")
    return Self(
      .requestTimeTooSkewed,
      "Request time \(timestamp.text) differs from server time \(now.text) by more than \(window) "
        + "seconds.",
      fix: "Check both clocks. The request may be a replay.",
      elements: [
        ("RequestTime", timestamp.text), ("ServerTime", now.extendedText),
        ("MaxAllowedSkewMilliseconds", "\(min(window, .max / 1_000) * 1_000)"),
      ],
      sentence: "Signature \(state): \(timestamp.text) is \(order) \(edge.text) "
        + "(\(now.text) \(sign) \(window / 60) min.)")
  }

  /// A credential for a region or service that the verifier doesn't accept. If the verifier accepts
  /// only one, the response names it, as AWS does.
  static func wrongScope(
    _ scope: SigV4.CredentialScope, _ claimedRegions: [UInt8]?, _ verifier: SigV4.Verifier,
    isRegionKnown: Bool, _ source: SigV4.Claim.Source
  ) -> Self {
    let region = verifier.regions.count == 1 ? verifier.regions.first : nil
    let service = verifier.services.count == 1 ? verifier.services.first?.name : nil
    let regions = claimedRegions.map { SigV4.shown($0) }
    var (problem, sentence): (String?, String?) = (nil, nil)
    if !isRegionKnown {
      let wrong = regions ?? "'\(scope.region)'"
      sentence = "Credential should be scoped to a valid region, not \(wrong)."
      problem = region.map { "the region \(wrong) is wrong; expecting '\($0)'" }
    } else if let service {
      sentence = "Credential should be scoped to correct service: '\(service)'."
      problem =
        "incorrect service \"\(scope.service)\". This endpoint belongs to \"\(service)\"."
    }
    var elements: [(name: String, text: String)] = []
    if !isRegionKnown, let region { elements = [("Region", region)] }
    return Self(
      .wrongScope,
      "The request is signed for \(UTF8Text.quoted(scope.text))"
        + (regions.map { " in the regions \($0)" } ?? "")
        + ", but the verifier doesn't accept this service or region.",
      fix: "Add the service or region to the verifier if such requests are meant for this server.",
      elements: elements, sentence: sentence,
      statement: statement(problem, source))
  }

  /// S3's code and message for a credential, depending on its location. The problem is nil if it
  /// doesn't name an expected value.
  static func statement(
    _ problem: String?, _ source: SigV4.Claim.Source
  ) -> (reply: Reply, text: String)? {
    let start: String? =
      switch source {
      case .header: "The authorization header is malformed; "
      case .query: "Error parsing the X-Amz-Credential parameter; "
      case .form: nil  // S3's message for forms is unknown
      }
    return start.map { start in
      (source.malformed.reply, problem.map { start + $0 } ?? Code.wrongScope.text)
    }
  }

  static func notYetValid(_ timestamp: SigV4.Timestamp, _ now: SigV4.Timestamp) -> Self {
    Self(
      .urlNotYetValid,
      "The URL is dated \(timestamp.text), but the server time is \(now.text).",
      fix: "Check both clocks.",
      elements: [("ServerTime", now.extendedText)])
  }

  static func urlExpired(_ expiration: SigV4.Timestamp, _ now: SigV4.Timestamp) -> Self {
    Self(
      .urlExpired,
      "The URL expired at \(expiration.text) (now \(now.text)).",
      fix: "Ask the client to get a new one.",
      elements: [("Expires", expiration.extendedText), ("ServerTime", now.extendedText)])
  }

  /// A problem with a form's policy, such as "isn't valid base64".
  static func malformedPolicy(_ problem: String) -> Self {
    Self(
      .malformedPolicy,
      "The form's policy \(problem).",
      fix: "Check the code that creates the policies.")
  }

  /// A form field that breaks its policy. The message doesn't show its value, which may be secret.
  static func policyConditionFailed(_ field: String, _ problem: String) -> Self {
    Self(
      .policyConditionFailed,
      "Field \(UTF8Text.quoted(field)) \(problem).",
      fix: "Check for a page that adds or changes fields after signing.")
  }
}

extension SigV4.VerificationError {
  /// The response that your server sends if it rejects a request: the result of
  /// ``xmlResponse(requestID:)`` or `jsonResponse()`.
  public struct ErrorResponse: Hashable, Sendable {
    /// The HTTP status code.
    public let status: Int

    /// The error code, such as `SignatureDoesNotMatch`. For a JSON response, send it in the
    /// `x-amzn-ErrorType` header too.
    public let errorType: String

    /// The `Content-Type` header value.
    public let contentType: String

    /// The body, encoded as UTF-8.
    public let body: String
  }

  /// Returns an XML response in Amazon S3's format.
  ///
  /// If the signature doesn't match, the response contains the server's canonical request and
  /// string to sign, so that people can compare them with the client's, unless the canonical
  /// request is larger than 65,536 bytes. For a HEAD request, don't send the body.
  public func xmlResponse(requestID: String) -> ErrorResponse {
    var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error>"
    func append(_ name: String, _ text: some Collection<UInt8>) {
      xml += CharacterReference.element(name, text)
    }
    let (reply, text) = statement ?? (code.reply, code.text)
    append("Code", reply.s3Code.utf8)
    append("Message", text.utf8)
    for element in elements { append(element.name, element.text.utf8) }
    if let (canonicalRequest, stringToSign) = shownTexts {
      append("StringToSign", stringToSign)
      append("StringToSignBytes", Self.pairs(stringToSign))
      append("CanonicalRequest", canonicalRequest)
      append("CanonicalRequestBytes", Self.pairs(canonicalRequest))
    }
    append("RequestId", requestID.utf8)
    return ErrorResponse(
      status: reply.s3Status, errorType: reply.s3Code, contentType: "application/xml",
      body: xml + "</Error>")
  }

  /// Returns a JSON response in the format of other AWS services.
  ///
  /// If the signature doesn't match, its message also contains the canonical request and the string
  /// to sign, with the same limit as ``xmlResponse(requestID:)``. The other elements of the XML
  /// response aren't included.
  public func jsonResponse() -> ErrorResponse {
    var message = sentence ?? code.text
    if let (canonicalRequest, stringToSign) = shownTexts {
      message +=
        "\n\nThe Canonical String for this request should have been\n'"
        + String(decoding: canonicalRequest, as: UTF8.self)
        + "'\n\nThe String-to-Sign should have been\n'"
        + String(decoding: stringToSign, as: UTF8.self) + "'\n"
    }
    let json = JSONText.object([("message", .string(message))])
    return ErrorResponse(
      status: code.reply.status, errorType: code.reply.errorType, contentType: "application/json",
      body: json.compact)
  }
}

extension SigV4.VerificationError {
  /// The canonical request and the string to sign, unless they're too long to read.
  private var shownTexts: (canonicalRequest: [UInt8], stringToSign: [UInt8])? {
    guard let canonicalRequest, let stringToSign, canonicalRequest.bytes.count <= 65_536 else {
      return nil
    }
    return (canonicalRequest.bytes, stringToSign.bytes)
  }

  /// The bytes as pairs of hexadecimal digits, separated by spaces.
  private static func pairs(_ bytes: [UInt8]) -> [UInt8] {
    var pairs: [UInt8] = []
    pairs.reserveCapacity(3 * bytes.count)
    for byte in bytes {
      if !pairs.isEmpty { pairs.append(ASCIIByte.space) }
      pairs.append(ASCIIByte.lowercased(ASCIIByte.uppercaseDigit(byte >> 4)))
      pairs.append(ASCIIByte.lowercased(ASCIIByte.uppercaseDigit(byte & 15)))
    }
    return pairs
  }
}
