// SPDX-License-Identifier: Apache-2.0
// A server that rejects signatures, and shows in every format what it signed.

internal import SigningTestSupport
internal import Foundation
internal import RequestSigning
internal import SecureHashing

/// The strings that a server computed from a request.
struct ServerAnswer {
  var canonicalRequest: String
  var stringToSign: String?
  var signature: String?
  var accessKeyID: String?

  /// A server that computes the same.
  init(_ signed: SigV4.SignedRequest) {
    canonicalRequest = signed.canonicalRequest.text
    stringToSign = signed.stringToSign.text
    signature = signed.signature.hexString
  }

  /// A server that computes the same.
  init(_ presigned: SigV4.PresignedURL) {
    canonicalRequest = presigned.canonicalRequest.text
    stringToSign = presigned.stringToSign.text
    signature = presigned.signature.hexString
  }

  /// The lines of the canonical request; the string to sign follows when they are changed.
  var lines: [String] {
    get {
      canonicalRequest.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    set {
      canonicalRequest = newValue.joined(separator: "\n")
      let digest = SHA256.hash(data: canonicalRequest.utf8).hexString
      stringToSign = stringToSign.map { $0.dropLast(64) + digest }
    }
  }

  /// The lines of the string to sign.
  var linesToSign: [String] {
    get {
      (stringToSign ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
    }
    set { stringToSign = newValue.joined(separator: "\n") }
  }

  /// S3's response.
  var xml: String {
    let fields: [(String, String?)] = [
      ("Code", "SignatureDoesNotMatch"), ("Message", "The request signature & so on"),
      ("AWSAccessKeyId", accessKeyID), ("StringToSign", stringToSign),
      ("SignatureProvided", signature),
      ("StringToSignBytes", stringToSign.map(Self.hexadecimalPairs)),
      ("CanonicalRequest", canonicalRequest),
      ("CanonicalRequestBytes", Self.hexadecimalPairs(canonicalRequest)),
    ]
    let text = fields.compactMap { name, value in
      value.map { "<\(name)>\(Self.escaped($0))</\(name)>" }
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error>" + text.joined() + "</Error>"
  }

  /// Other services' response: a message.
  var message: String {
    "The request signature we calculated does not match the signature you provided.\n\n"
      + "The Canonical String for this request should have been\n'\(canonicalRequest)'\n\n"
      + (stringToSign.map { "The String-to-Sign should have been\n'\($0)'\n" } ?? "")
  }

  /// The response in every format that servers use.
  func answers() throws -> [(format: String, body: [UInt8])] {
    let json = try JSONSerialization.data(withJSONObject: ["message": message])
    let wrapped = try JSONSerialization.data(
      withJSONObject: ["Error": ["Code": "SignatureDoesNotMatch", "Message": message]],
      options: .prettyPrinted)
    let ampersands = try JSONSerialization.data(
      withJSONObject: ["message": message.replacingOccurrences(of: "&", with: "&amp;")])
    let inner = try JSONSerialization.data(withJSONObject: ["message": Self.escaped(message)])
    return [
      ("XML", Array(xml.utf8)),
      (
        "XML of the query services",
        Array("<R><Message>\(Self.escaped(message))</Message></R>".utf8)
      ),
      ("JSON", Array(json)), ("JSON, deeper", Array(wrapped)),
      ("JSON, escaped for HTML", Array(Self.escaped(String(decoding: json, as: UTF8.self)).utf8)),
      ("JSON, its text escaped for HTML", Array(inner)),
      ("JSON, its ampersands escaped", Array(ampersands)), ("text", Array(message.utf8)),
    ]
  }

  static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
      .replacingOccurrences(of: "'", with: "&#39;").replacingOccurrences(of: "\n", with: "&#10;")
  }

  static func hexadecimalPairs(_ text: String) -> String {
    text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }
}
