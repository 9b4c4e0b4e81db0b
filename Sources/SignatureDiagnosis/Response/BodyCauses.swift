// SPDX-License-Identifier: Apache-2.0
// The problems and fixes for bodies and forms, and for responses that aren't about the signature.

internal import RequestSigning

extension SigV4.Diagnosis.Cause {
  /// The body's hash differs from the declared hash, and the server shows both.
  static func payload(
    ours: ArraySlice<UInt8>, theirs: ArraySlice<UInt8>, digests: (String, String)
  ) -> Self {
    let cause = payload(ours: ours, theirs: theirs)
    return Self(
      cause.code,
      cause.problem
        + " The declared hash is \(digests.0), but the body's hash is \(digests.1).",
      fix: cause.fix)
  }

  static var otherBody: Self {
    Self(.payload, "The received body doesn't match x-amz-content-sha256.", fix: bodyFix)
  }

  static var otherChecksum: Self {
    Self(.payload, "The received body doesn't match its checksum or Content-MD5.", fix: bodyFix)
  }

  static var bodyFix: String {
    "Sign exactly the bytes that you send: after compression, after JSON encoding, and with the "
      + "newlines used on the wire."
  }

  static var otherChunk: Self {
    Self(
      .payload, "A received chunk doesn't match its signature.",
      fix:
        "Send each chunk exactly as it was signed, in order, and check for a proxy that splits "
        + "chunks or encodes the body again.")
  }
}

// The signature is right, or isn't the cause.
extension SigV4.Diagnosis.Cause {
  static func accepted(
    _ evidence: String,
    fix: String = "Check the request itself: its size and conditions, whether the bucket, key or "
      + "upload exists, and what the policies allow the caller."
  ) -> Self {
    Self(.accepted, "The signature was accepted, or isn't the cause: \(evidence).", fix: fix)
  }

  static var notPermitted: Self {
    accepted("the caller is authenticated, but the policies don't allow this")
  }

  static var noModelAccess: Self {
    accepted(
      "the account or the caller has no access to this operation or model",
      fix:
        "Check the model ID, request access to the model in this region, and check what the "
        + "policies allow the caller.")
  }

  /// Amazon S3 API Reference, "Signature calculations: transferring payload in multiple chunks".
  static var smallChunk: Self {
    accepted(
      "a chunk is too small",
      fix:
        "Send chunks of at least 8,192 bytes. Only the last one can be smaller. Check for a proxy "
        + "that splits them.")
  }

  /// Amazon S3 API Reference, "CreateMultipartUpload", x-amz-checksum-algorithm.
  static var otherChecksumType: Self {
    accepted(
      "the checksum doesn't fit the multipart upload",
      fix:
        "Create the upload with x-amz-checksum-algorithm, send a checksum of that algorithm with "
        + "each part, and list the checksums when you complete the upload.")
  }

  /// Amazon S3 User Guide, "Checking object integrity": one checksum for each request.
  static var otherChecksumHeaders: Self {
    accepted(
      "the checksum headers don't fit together",
      fix:
        "Send one x-amz-checksum-* header or trailer, with the algorithm that "
        + "x-amz-sdk-checksum-algorithm names.")
  }

  static var formExpired: Self {
    Self(
      .expired, "The policy of the form has expired.",
      fix:
        "Sign a new policy, with a longer lifetime if needed. If this one is new, correct the "
        + "clock of the machine that signed it, which is behind.")
  }

  /// Amazon S3 API Reference, "POST policy": all fields need a condition, except some.
  static func extraField(_ names: String?) -> Self {
    accepted(
      "the form has a field without a condition in its policy" + (names.map { ", \($0)" } ?? ""),
      fix:
        "Add a condition for each field to the policy and sign it again, or remove the field. S3 "
        + "also requires a condition for the bucket.")
  }

  static func invalidPolicy(_ message: String) -> Self {
    accepted(
      "the server can't read the policy of the form: \(withoutPeriod(message))",
      fix: "Sign a policy in S3's format, such as a PostPolicy, and send its base64 unchanged.")
  }

  static var policyNotMet: Self {
    accepted(
      "the form doesn't meet a condition of its policy",
      fix: "Compare the fields of the form with the conditions of its policy.")
  }

  static func busy(_ code: String) -> Self {
    Self(
      .accepted,
      "The signature isn't the cause: the server is busy or failing, and returned \(code).",
      fix: "Sign the request and send it again after a pause. Increase the pause with each retry.")
  }

  static func withoutPeriod(_ message: String) -> String {
    message.hasSuffix(".") ? String(message.dropLast()) : message
  }
}
