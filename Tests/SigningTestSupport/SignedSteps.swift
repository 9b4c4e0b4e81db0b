// SPDX-License-Identifier: Apache-2.0
// The results of a signature's steps, to compare one by one.

package import RequestSigning
package import Testing

/// The steps of a signed request or of a presigned URL.
package struct SignedSteps {
  package let canonicalRequest: String
  package let stringToSign: String
  package let signature: String
  /// Empty for a presigned URL.
  package let authorization: String
  package let url: String
  /// The headers added to a request, or those that a URL's holder must send.
  package let headers: [(name: String, value: String)]

  /// The first step in which a result differs from the plain one, or nil.
  package func difference(from plain: SignedSteps) -> String? {
    let steps = [
      ("canonical request", canonicalRequest, plain.canonicalRequest),
      ("string to sign", stringToSign, plain.stringToSign),
      ("signature", signature, plain.signature),
      ("Authorization", authorization, plain.authorization),
      ("URL", url, plain.url),
      ("headers", headerLines, plain.headerLines),
    ]
    for (step, text, plainText) in steps where !text.utf8.elementsEqual(plainText.utf8) {
      return step + ", " + Self.firstDifference(of: text, plainText)
    }
    return nil
  }

  /// The first line that is another one; of long lines the part around the difference.
  private static func firstDifference(of text: String, _ plainText: String) -> String {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let plainLines = plainText.utf8
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let same = zip(lines, plainLines).prefix { $0.elementsEqual($1) }.count
    guard same < min(lines.count, plainLines.count) else {
      return "of \(lines.count) lines that should be \(plainLines.count)"
    }
    let offset = max(0, zip(lines[same], plainLines[same]).prefix { $0 == $1 }.count - 40)
    let (part, plainPart) = (lines[same].dropFirst(offset), plainLines[same].dropFirst(offset))
    return "line \(same + 1) from byte \(offset) on\n--- is\n\(Substring(part.prefix(200)))"
      + "\n--- should be\n\(Substring(plainPart.prefix(200)))"
  }

  /// In no order that matters between different names.
  private var headerLines: String {
    headers.map { $0.name + ": " + $0.value }.sorted().joined(separator: "\n")
  }
}

extension SignedSteps {
  package init(_ signed: SigV4.SignedRequest) {
    self.init(
      canonicalRequest: signed.canonicalRequest.text, stringToSign: signed.stringToSign.text,
      signature: signed.signature.hexString, authorization: signed.authorization,
      url: signed.url, headers: signed.addedHeaders.map { ($0.name, $0.value) })
  }

  package init(_ presigned: SigV4.PresignedURL) {
    self.init(
      canonicalRequest: presigned.canonicalRequest.text,
      stringToSign: presigned.stringToSign.text, signature: presigned.signature.hexString,
      authorization: "", url: presigned.url,
      headers: presigned.requiredHeaders.map { ($0.name, $0.value) })
  }
}

extension PlainSigner {
  /// The first step in which the library's signed request differs from the plain one, or nil.
  package func differenceOfSigned() throws -> String? {
    let time = try SigV4.Timestamp(unixSeconds: caller.time)
    return try SignedSteps(caller.signer().sign(request.signable(), at: time))
      .difference(from: signed())
  }

  /// The first step in which the library's presigned URL differs from the plain one, or nil.
  package func differenceOfPresigned() throws -> String? {
    let plain = ofURL
    let time = try SigV4.Timestamp(unixSeconds: caller.time)
    let signer = try caller.signer()
    let presigned =
      if service.hasLifetime {
        try signer.presignedURL(
          for: plain.request.signable(), expiresIn: .seconds(caller.lifetime), at: time)
      } else {
        try signer.presignedURL(for: plain.request.signable(), expiresIn: nil, at: time)
      }
    return SignedSteps(presigned).difference(from: plain.presigned())
  }
}

extension PlainRequest {
  /// Expects the library to agree with the plain form for S3, in headers and in URLs.
  package func expectAgreement(
    _ what: String = "", sourceLocation: SourceLocation = #_sourceLocation
  )
    throws
  {
    let plain = PlainSigner(self, by: PlainCaller(token: Example.token))
    for difference in [try plain.differenceOfSigned(), try plain.differenceOfPresigned()] {
      if let difference { Issue.record("\(what): \(difference)", sourceLocation: sourceLocation) }
    }
  }
}
