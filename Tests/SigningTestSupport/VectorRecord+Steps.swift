// SPDX-License-Identifier: Apache-2.0
// A signing vector: every step is compared, in order.

internal import Foundation
package import RequestSigning
package import TestSupport
internal import Testing

extension VectorRecord {
  /// Signs the request of the vector, in its headers or in its URL, and compares every step.
  package func expectEveryStep() throws {
    try expectEveryStep(by: signer())
  }

  package func expectEveryStep(by signer: SigV4.Signer) throws {
    if try optionalText("presigned-url") == nil {
      try expectSteps(of: signed(by: signer))
    } else {
      try expectSteps(of: presigned(by: signer))
    }
  }

  package func signed(by signer: SigV4.Signer) throws -> SigV4.SignedRequest {
    try signer.sign(request(), at: timestamp())
  }

  /// A record without `lifetime` is for a service whose URLs have none.
  package func presigned(by signer: SigV4.Signer) throws -> SigV4.PresignedURL {
    if try optionalText("lifetime") == nil {
      return try signer.presignedURL(for: request(), expiresIn: nil, at: timestamp())
    }
    return try signer.presignedURL(
      for: request(), expiresIn: .seconds(integer("lifetime")), at: timestamp())
  }

  package func preparedURL(by preparing: SigV4.Signer) throws
    -> SigV4.PendingSignature<SigV4.PresignedURL>
  {
    if try optionalText("lifetime") == nil {
      return try preparing.prepare(request(), expiresIn: nil, at: timestamp())
    }
    return try preparing.prepare(
      request(), expiresIn: .seconds(integer("lifetime")), at: timestamp())
  }

  package func expectSteps(of signed: SigV4.SignedRequest) throws {
    expect("canonical request", signed.canonicalRequest.text, is: try text("canonical-request"))
    expect("string to sign", signed.stringToSign.text, is: try text("string-to-sign"))
    expect("signature", signed.signature.hexString, is: try text("signature"))
    expect("Authorization", signed.authorization, is: try text("authorization"))
    if let url = try optionalText("url") { expect("URL", signed.url, is: url) }
  }

  package func expectSteps(of presigned: SigV4.PresignedURL) throws {
    let canonicalRequest = try text("canonical-request")
    expect("canonical request", presigned.canonicalRequest.text, is: canonicalRequest)
    expect("string to sign", presigned.stringToSign.text, is: try text("string-to-sign"))
    expect("signature", presigned.signature.hexString, is: try text("signature"))
    try expectURL(presigned.url, is: text("presigned-url"))
    try expectOrder(of: decodedParameters(of: presigned.url))
    #expect(lines(of: presigned.requiredHeaders) == lines(of: try headers("required-header")))
    let lifetime = try optionalText("lifetime").flatMap(Int64.init)
    let end = try lifetime.map { try timestamp().unixSeconds + $0 }
    #expect(presigned.expiration?.unixSeconds == end)
  }

  /// Scheme, host and path byte for byte; parameters as decoded pairs, whatever their order.
  private func expectURL(_ url: String, is expected: String) throws {
    let beforeQuery = { (url: String) in String(url.prefix { $0 != "?" }) }
    expect("URL before its query", beforeQuery(url), is: beforeQuery(expected))
    let parameters = try decodedParameters(of: url).sorted()
    #expect(parameters == (try decodedParameters(of: expected).sorted()))
  }

  /// The caller's parameters come first, then those of the signature, the signature itself last;
  /// after it only a token that is not signed.
  private func expectOrder(of parameters: [String]) throws {
    let given = try optionalText("url").map(decodedParameters(of:)) ?? texts("parameter")
    #expect(Array(parameters.prefix(given.count)) == given)
    var added = parameters.dropFirst(given.count)
    if try text("service") == "iotdevicegateway", try optionalText("token") != nil {
      #expect(added.popLast()?.hasPrefix("X-Amz-Security-Token=") == true)
    }
    #expect(added.popLast()?.hasPrefix("X-Amz-Signature=") == true)
    #expect(added.first == "X-Amz-Algorithm=AWS4-HMAC-SHA256")
    #expect(added.allSatisfy { $0.hasPrefix("X-Amz-") && !$0.hasPrefix("X-Amz-Signature=") })
  }
}
