// SPDX-License-Identifier: Apache-2.0
// What the client may be told: S3's error in XML, and that of other services in JSON.

internal import DocumentSupport
public import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import SigningSupport

extension SigV4.VerificationError {
  /// An answer to send.
  public struct Answer: Sendable {
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
  /// When the signature does not match, it holds the canonical request and the string to sign, as long
  /// as they have at most 65,536 bytes: what the client sent, in the form in which the server signed it.
  /// A HEAD request is answered without the body.
  public func xmlAnswer(requestID: String) -> Answer {
    var xml: [UInt8] = Array(#"<?xml version="1.0" encoding="UTF-8"?>"#.utf8)
    xml.append(ASCIIByte.newline)
    xml.append(contentsOf: "<Error>".utf8)
    Self.append("Code", code.reply.s3Code.description.utf8, to: &xml)
    Self.append("Message", code.text.utf8, to: &xml)
    for element in elements { Self.append(element.name, element.value, to: &xml) }
    if let rooms = shownRooms {
      Self.append("StringToSign", rooms.stringToSign, to: &xml)
      Self.append("StringToSignBytes", Self.pairs(rooms.stringToSign), to: &xml)
      Self.append("CanonicalRequest", rooms.canonicalRequest, to: &xml)
      Self.append("CanonicalRequestBytes", Self.pairs(rooms.canonicalRequest), to: &xml)
    }
    Self.append("RequestId", requestID.utf8, to: &xml)
    xml.append(contentsOf: "</Error>".utf8)
    return Answer(
      status: code.reply.s3Status, errorType: code.reply.s3Code.description,
      contentType: "application/xml", body: String(decoding: xml, as: UTF8.self))
  }

  /// The answer as the services of AWS that speak JSON give it.
  ///
  /// What it holds is what ``xmlAnswer(requestID:)`` holds, in one message.
  public func jsonAnswer() -> Answer {
    var message = Array((sentence ?? code.text).utf8)
    if let rooms = shownRooms {
      message.append(
        contentsOf: "\n\nThe Canonical String for this request should have been\n'".utf8)
      message.append(contentsOf: rooms.canonicalRequest)
      message.append(contentsOf: "'\n\nThe String-to-Sign should have been\n'".utf8)
      message.append(contentsOf: rooms.stringToSign)
      message.append(contentsOf: "'\n".utf8)
    }
    var json: [UInt8] = Array(#"{"message":"#.utf8)
    json.append(contentsOf: JSONString.bytes(of: message))
    json.append(contentsOf: "}".utf8)
    return Answer(
      status: code.reply.status, errorType: code.reply.errorType.description,
      contentType: "application/json", body: String(decoding: json, as: UTF8.self))
  }
}

extension SigV4.VerificationError {
  /// The texts of both rooms, unless they are so long that nobody reads them.
  private var shownRooms: (canonicalRequest: [UInt8], stringToSign: [UInt8])? {
    guard let rooms, rooms.canonicalRequestBytes.count <= 65_536 else { return nil }
    return (rooms.canonicalRequest.bytes, rooms.stringToSign.bytes)
  }

  /// Adds an element of XML.
  private static func append(
    _ name: StaticString, _ value: some Collection<UInt8>, to xml: inout [UInt8]
  ) {
    xml.append(contentsOf: "<\(name)>".utf8)
    for scalar in String(decoding: value, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0x26: xml.append(contentsOf: "&amp;".utf8)
      case 0x3C: xml.append(contentsOf: "&lt;".utf8)
      case 0x3E: xml.append(contentsOf: "&gt;".utf8)
      case 0x22: xml.append(contentsOf: "&quot;".utf8)
      case 0x27: xml.append(contentsOf: "&apos;".utf8)
      case 0x0D: xml.append(contentsOf: "&#13;".utf8)
      // XML 1.0, 2.2: characters that cannot stand in a document in any form.
      case 0x00...0x08, 0x0B, 0x0C, 0x0E...0x1F, 0xFFFE, 0xFFFF:
        xml.append(contentsOf: "\u{FFFD}".utf8)
      default: xml.append(contentsOf: String(scalar).utf8)
      }
    }
    xml.append(contentsOf: "</\(name)>".utf8)
  }

  /// Each byte in two hexadecimal digits, separated by spaces.
  private static func pairs(_ bytes: [UInt8]) -> [UInt8] {
    var pairs: [UInt8] = []
    for byte in bytes {
      if !pairs.isEmpty { pairs.append(ASCIIByte.space) }
      pairs.append(Hexadecimal.digit(byte &>> 4))
      pairs.append(Hexadecimal.digit(byte & 15))
    }
    return pairs
  }
}
