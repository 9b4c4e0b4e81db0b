// SPDX-License-Identifier: Apache-2.0
// Why a webhook was rejected, or can't be signed. No text contains a secret or a signature.

extension MessageSignatureError.Code {
  /// A header of the webhook is missing. Pass all headers of the request, and check that this is
  /// the sender's scheme.
  public static var missingHeader: Self {
    Self(
      "missingHeader",
      "Pass all headers of the request, and check that this sender uses this scheme.")
  }
  /// A header of the webhook appears more than once, so it's unclear which one counts. Check for a
  /// proxy that adds it.
  public static var repeatedHeader: Self {
    Self("repeatedHeader", "Check for a proxy that adds headers.")
  }
  /// A header of the webhook doesn't have the expected form. Pass its value unchanged, and check
  /// that this is the sender's scheme.
  public static var malformedHeader: Self {
    Self(
      "malformedHeader", "Pass its value unchanged, and check that this sender uses this scheme.")
  }
  /// No signature of the webhook matches. Pass the body as received, and the secret of this
  /// endpoint.
  public static var noMatchingSignature: Self {
    Self(
      "noMatchingSignature",
      "Pass the body's bytes as received, not parsed and encoded again, and this endpoint's "
        + "secret: a test and a live endpoint have different ones.")
  }
  /// The webhook's secret or key isn't valid. Copy it again, and check that it was loaded.
  public static var invalidSecret: Self {
    Self("invalidSecret", "Copy it again from the sender's settings, and check that it was loaded.")
  }
  /// The webhook's ID isn't valid, or the sender's scheme has no ID. Pass an ID only for Standard
  /// Webhooks: printable ASCII without spaces and '.'.
  public static var invalidID: Self {
    Self(
      "invalidID", "Pass an ID for Standard Webhooks only: printable ASCII without spaces and '.'.")
  }
}

extension MessageSignatureError {
  static func malformedHeader(_ name: String, _ problem: String) -> Self {
    Self(.malformedHeader, "The header \(name) \(problem).")
  }

  static func tooOld(_ time: Int64, _ now: Int64) -> Self {
    Self(.tooOld, "The webhook's time \(time) is \(now - time) s before the current time, \(now).")
  }

  static func inFuture(_ time: Int64, _ now: Int64) -> Self {
    Self(
      .createdInFuture,
      "The webhook's time \(time) is \(time - now) s after the current time, \(now).")
  }
}
