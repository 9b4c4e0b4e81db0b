// SPDX-License-Identifier: Apache-2.0
// What CloudFront states about signed URLs and signed cookies, whatever the request is.

internal import RequestSigning

extension SigV4.ServiceError {
  /// The diagnosis of a response about CloudFront's own signatures, or nil for any other response.
  package var cloudFrontDiagnosis: SigV4.Diagnosis? {
    cloudFrontCause.map { SigV4.Diagnosis(cause: $0, difference: nil, clockOffset: nil) }
  }

  /// Source: AWS knowledge center, "How do I troubleshoot issues related to a signed URL or signed
  /// cookies in CloudFront?"
  var cloudFrontCause: SigV4.Diagnosis.Cause? {
    if isCode("MissingKey") || says("missing key-pair-id query parameter or cookie value") {
      return .cloudFrontSignatureMissing
    }
    return isCode("InvalidKey") && says("unknown key") ? .cloudFrontKeyUnknown : nil
  }
}

extension SigV4.Diagnosis.Cause {
  fileprivate static var cloudFrontSignatureMissing: Self {
    Self(
      .cloudFrontSignatureMissing,
      "CloudFront requires a signed URL or signed cookies, but the request has no key pair ID.",
      fix:
        "Sign the URL with CloudFrontSigner or 'sigv4 cloudfront sign'. If you use cookies, check "
        + "that their domain and path cover the URL.")
  }

  fileprivate static var cloudFrontKeyUnknown: Self {
    Self(
      .cloudFrontKeyUnknown,
      "CloudFront doesn't trust the key pair ID of the signed URL or cookies.",
      fix:
        "Use the ID of the public key in CloudFront, and add the key to a key group of the "
        + "distribution's behavior.")
  }
}
