// SPDX-License-Identifier: Apache-2.0
// Servers' responses to signed requests: any bytes are explained, and no secret is shown.

internal import RequestSigning
internal import SignatureDiagnosis

enum AnswerTargets {
  private static let request = required("the request is one") {
    try SigV4.Request(
      "PUT", url: "https://examplebucket.s3.amazonaws.com/a%20b?list-type=2&x=%2B",
      headers: ["content-type": "text/plain", "cookie": "a=hidden-value"], payload: .text("hello"))
  }
  private static let signed = required("it is signed") {
    try Signing.signer(.s3, Signing.temporary).sign(request, at: Signing.now)
  }
  private static let url: SigV4.PresignedURL = required("the URL is signed") {
    try Signing.signer(.s3, Signing.temporary).presignedURL(
      for: request, expiresIn: .seconds(60), at: Signing.now)
  }

  /// The response to a request, and to a URL.
  static func diagnosis(_ input: FuzzInput) {
    let toHeaders = SigV4.ServiceError(input.rest).diagnosis(for: signed)
    for diagnosis in [toHeaders, SigV4.ServiceError(input.rest).diagnosis(for: url)] {
      let text = Array(diagnosis.description.utf8)
      expect(!text.isEmpty, "there is an explanation")
      expect(!contains(text, Signing.secret), "it shows no secret")
      expect(!isShown(Signing.token, in: text, of: input), "nor a token")
      expect(!isShown("hidden-value", in: text, of: input), "nor a cookie")
    }
  }

  /// Secrets that the server wrote itself aren't hidden from its reader.
  private static func isShown(_ secret: String, in text: [UInt8], of input: FuzzInput) -> Bool {
    contains(text, secret) && !contains(Array(input.text.utf8), secret)
  }

  /// No function of C: libFuzzer would learn the secret from its call, and write it into the inputs.
  private static func contains(_ text: [UInt8], _ part: String) -> Bool {
    BytewiseSearch.range(of: part, in: text[...]) != nil
  }

  /// Another program's presigned URL, and its response.
  static func sentURLs(_ input: FuzzInput) {
    var input = input
    let url = input.line()
    guard let sent = try? SigV4.SentRequest(url: url) else { return }
    let text = SigV4.ServiceError(input.rest).diagnosis(for: sent).description
    expect(!text.isEmpty, "there is an explanation")
    if let end = sent.expiration { expect(end.unixSeconds != .max, "the end is a moment") }
    _ = sent.description
  }
}
