// SPDX-License-Identifier: Apache-2.0
// The codes of MessageSignatureError, each with what to do.

// MARK: Messages

extension MessageSignatureError.Code {
  /// The method, URL or status isn't valid. Pass the method as sent, an absolute and encoded URL
  /// without a fragment or user name, and a status of three digits.
  public static var invalidRequest: Self {
    Self(
      "invalidRequest",
      "Pass the method, the encoded absolute URL or the request line's target, as sent, or a "
        + "status of three digits.")
  }
  /// A field of the signature isn't a structured field of its type. Check for a proxy that changes
  /// it, and for a label that appears twice.
  public static var malformedField: Self {
    Self(
      "malformedField",
      "Check for two signatures with one label, and for a proxy that changes the field.")
  }
  /// The component isn't in RFC 9421, or isn't supported, such as one with `tr`. Cover different
  /// components.
  public static var invalidComponent: Self {
    Self(
      "invalidComponent",
      "Cover components of RFC 9421, each once, without trailers (tr) and other parameters.")
  }
  /// The message doesn't have a component, or its value can't be signed. Add the field before you
  /// sign, or don't cover the component.
  public static var unavailableComponent: Self {
    Self(
      "unavailableComponent",
      "Add the field to the message, or cover other components. A response needs its request.")
  }
}

// MARK: Signing

extension MessageSignatureError.Code {
  /// The message already has a signature with this label, or a `Signature-Agent` field. Use a
  /// different label, or remove the existing fields.
  public static var labelInUse: Self {
    Self("labelInUse", "Use a different label, or remove the existing fields of a signature.")
  }
  /// The key can't sign: its secret is empty, or its signature was wrong. Check that the secret was
  /// loaded, and check the machine's memory.
  public static var unusableKey: Self {
    Self("unusableKey", "Check that the secret was loaded, and export the key again.")
  }
}

// MARK: Verification

extension MessageSignatureError.Code {
  /// The message has no signature with the verifier's tag and label. Check the client's tag and
  /// label: a verifier without a tag accepts only signatures without one.
  public static var missingSignature: Self {
    Self(
      "missingSignature", "Sign the message, with the verifier's tag and label, or without a tag.")
  }
  /// The message has several matching signatures. Choose one with a tag or a label.
  public static var severalSignatures: Self {
    Self("severalSignatures", "Choose one in the verifier, with its tag or its label.")
  }
  /// A parameter of the signature is missing, has the wrong type or can't be a number. Let the
  /// client send `created` in seconds and `keyid`.
  public static var invalidParameter: Self {
    Self(
      "invalidParameter",
      "Sign with created (in whole seconds) and keyid, and with strings for the others.")
  }
  /// The signature doesn't cover a required component, or the body. Let the client cover it, with
  /// exactly these parameters.
  public static var notCovered: Self {
    Self("notCovered", "Cover it in the client, with exactly these parameters.")
  }
  /// The signature was created in the future. Compare the clocks of both machines.
  public static var createdInFuture: Self {
    Self("createdInFuture", "Compare the clocks of both machines.")
  }
  /// The signature is older than this verifier allows. Sign right before sending, or compare the
  /// clocks.
  public static var tooOld: Self {
    Self("tooOld", "Sign right before sending, and compare the clocks of both machines.")
  }
  /// The signature has expired. Sign again, with a longer lifetime if it's too short.
  public static var expired: Self {
    Self("expired", "Sign again, with a longer lifetime if it's too short.")
  }
  /// The verifier has no key with this ID. Check the key ID, and whether the key was replaced.
  public static var unknownKey: Self {
    Self("unknownKey", "Check the client's key ID, and whether its key was replaced.")
  }
  /// The message's algorithm isn't the key's. Use each key for only one algorithm.
  public static var wrongAlgorithm: Self {
    Self("wrongAlgorithm", "Leave out alg, or name the algorithm of the key.")
  }
  /// The signature doesn't match this message and this key. Compare both signature bases, line for
  /// line.
  public static var wrongSignature: Self {
    Self(
      "wrongSignature",
      "Compare the signature bases of both sides, and check that the keys belong together.")
  }
  /// The body doesn't match `Content-Digest`, or that field has neither SHA-256 nor SHA-512. Pass
  /// the body as received, before it's decompressed or parsed.
  public static var wrongContentDigest: Self {
    Self(
      "wrongContentDigest",
      "Pass the body's bytes as sent, before decompression, and a sha-256 or sha-512 digest.")
  }
  /// The application has seen this signature before. Sign each message again, with a new nonce.
  public static var replayed: Self {
    Self("replayed", "Sign each message anew, with a new nonce.")
  }
}
