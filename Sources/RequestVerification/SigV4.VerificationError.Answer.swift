// SPDX-License-Identifier: Apache-2.0
// What the client may be told: S3's error in XML, and that of other services in JSON.

internal import DocumentSupport
public import RequestSigning

extension SigV4.VerificationError {
  /// An answer to send.
  public struct Answer: Hashable, Sendable {
    /// The status of HTTP.
    public let status: Int

    /// The code of the error, such as `SignatureDoesNotMatch`: also the value of the header
    /// `x-amzn-ErrorType` for an answer in JSON.
    public let errorType: String

    /// The value of the header Content-Type.
    public let contentType: String

    /// The body in UTF-8.
    public let body: String
  }

  /// The answer as Amazon S3 gives it.
  ///
  /// When the signature does not match, it holds the canonical request and the string to sign, as
  /// long as they have at most 65,536 bytes: what the client sent, in the form in which the server
  /// signed it. A HEAD request is answered without the body.
  public func xmlAnswer(requestID: String) -> Answer {
    var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error>"
    func append(_ name: String, _ text: some Collection<UInt8>) {
      xml += CharacterReference.element(name, text)
    }
    append("Code", code.reply.s3Code.utf8)
    append("Message", code.text.utf8)
    for element in elements { append(element.name, element.text.utf8) }
    if let (canonicalRequest, stringToSign) = shownTexts {
      append("StringToSign", stringToSign)
      append("StringToSignBytes", Self.pairs(stringToSign).utf8)
      append("CanonicalRequest", canonicalRequest)
      append("CanonicalRequestBytes", Self.pairs(canonicalRequest).utf8)
    }
    append("RequestId", requestID.utf8)
    return Answer(
      status: code.reply.s3Status, errorType: code.reply.s3Code, contentType: "application/xml",
      body: xml + "</Error>")
  }

  /// The answer as the services of AWS that speak JSON give it.
  ///
  /// What it holds is what ``xmlAnswer(requestID:)`` holds, in one message.
  public func jsonAnswer() -> Answer {
    var message = sentence ?? code.text
    if let (canonicalRequest, stringToSign) = shownTexts {
      message +=
        "\n\nThe Canonical String for this request should have been\n'"
        + String(decoding: canonicalRequest, as: UTF8.self)
        + "'\n\nThe String-to-Sign should have been\n'"
        + String(decoding: stringToSign, as: UTF8.self) + "'\n"
    }
    let json = JSONText.object([("message", .string(message))])
    return Answer(
      status: code.reply.status, errorType: code.reply.errorType, contentType: "application/json",
      body: json.compact)
  }
}

extension SigV4.VerificationError {
  /// Both texts that the server signed, unless they are too long to be read.
  private var shownTexts: (canonicalRequest: [UInt8], stringToSign: [UInt8])? {
    guard let canonicalRequest, let stringToSign, canonicalRequest.bytes.count <= 65_536 else {
      return nil
    }
    return (canonicalRequest.bytes, stringToSign.bytes)
  }

  /// Each byte in two hexadecimal digits, separated by spaces.
  private static func pairs(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }
}
