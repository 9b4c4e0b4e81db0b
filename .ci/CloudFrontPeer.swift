// SPDX-License-Identifier: Apache-2.0
// CloudFront's signatures for `.ci/check-cloudfront`.

import CloudFrontSigning
import SecureHashing

func time(_ text: String) throws -> SigV4.Timestamp {
  try SigV4.Timestamp(unixSeconds: Int64(text) ?? 0)
}

/// key NAME PEM; sign NAME HASH ID URL EXPIRES, and RESOURCE STARTS ADDRESS of a custom policy: the URL and the cookies;
/// verify NAME ID URL COOKIES ADDRESS NOW: the URL, or a code.
func answer(_ words: Words, _ keys: inout [String: String]) throws -> String {
  let text = words.text
  switch text(0) {
  case "key":
    keys[text(1)] = text(2)
    return "ok"
  case "sign":
    let signer = try CloudFrontSigner(
      keyPairID: text(3), privateKeyPEM: keys[text(1)] ?? "",
      hashAlgorithm: text(2) == "SHA1" ? .sha1 : .sha256)
    guard let resource = words[6] else {
      let url = try signer.signedURL(text(4), expiresAt: time(text(5)))
      return try url.url + " "
        + signer.signedCookies(for: text(4), expiresAt: time(text(5))).cookieValue
    }
    let policy = try CloudFrontPolicy(
      resource: resource, expiresAt: time(text(5)), startsAt: words[7].map(time),
      ipAddress: words[8])
    let url = try signer.signedURL(text(4), policy: policy)
    return try url.url + " " + signer.signedCookies(policy: policy).cookieValue
  default:
    let key = try CloudFrontVerifier.PublicKey(pemRepresentation: keys[text(1)] ?? "")
    let access = try CloudFrontVerifier(publicKeys: [text(2): key]).verify(
      url: text(3), cookies: words[4], from: text(5), at: time(text(6)))
    return access.url
  }
}

var keys: [String: String] = [:]
try await Words.answerAll { words in
  do { return try answer(words, &keys) } catch let error as SigV4.SigningError {
    return "error " + error.code.name
  } catch let error as CloudFrontVerificationError {
    return "error " + error.code.name
  }
}
