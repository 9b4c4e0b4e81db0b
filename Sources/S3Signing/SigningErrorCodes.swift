// SPDX-License-Identifier: Apache-2.0
// Why a request to object storage, a checksum, a chunked upload or a form cannot be made.

public import RequestSigning

/// Why a store, an upload or a form cannot be signed for.
extension SigV4.SigningError.Code {
  /// The store does not have what the request asks for. Upload in another way; the message says
  /// which.
  public static var unsupportedByStore: Self { Self(name: "unsupportedByStore") }
  /// The text is not a valid endpoint or part of one. Use only the scheme, host, port and path of a URL,
  /// or the account, namespace or partition alone.
  public static var invalidEndpoint: Self { Self(name: "invalidEndpoint") }
  /// The endpoint, its variant, the bucket's name and its addressing do not go together. Change the
  /// variant or the addressing; the message says to which.
  public static var conflictingEndpoint: Self { Self(name: "conflictingEndpoint") }
  /// No bucket of the endpoint can have this name. Give the name as the store shows it; for a
  /// bucket with an older name, `addressing: .path`.
  public static var invalidBucketName: Self { Self(name: "invalidBucketName") }
  /// The checksum does not fit its algorithm, or checksums cannot be put together so. Take the text
  /// of the checksum without quotes, and not the ETag; give those of all parts, in order.
  public static var invalidChecksum: Self { Self(name: "invalidChecksum") }
  /// No upload could satisfy the policy, or a condition is on what cannot have one. Change the
  /// condition that the message names; a policy needs one on the key.
  public static var invalidPostPolicy: Self { Self(name: "invalidPostPolicy") }
  /// The policy has no condition on a field of the form. Add `.field` with this name to the policy,
  /// and sign it again.
  public static var fieldNotInPolicy: Self { Self(name: "fieldNotInPolicy") }
  /// A field of the form comes twice, or contradicts the policy. Leave the field out, or give it a
  /// value that the policy allows.
  public static var conflictingFormField: Self { Self(name: "conflictingFormField") }
  /// Length, chunk size or trailers of a chunked upload are not those that services take. Take
  /// chunks of 8,192 bytes or more, and announce each trailer once with the exact size of its
  /// value.
  public static var invalidChunkedUpload: Self { Self(name: "invalidChunkedUpload") }
  /// The signed request is not the beginning of this upload. Sign the request that `uploading(_:)`
  /// gives for this upload.
  public static var requestMismatch: Self { Self(name: "requestMismatch") }
  /// The body has fewer or more bytes than the request says. Give exactly the bytes that were
  /// announced, or sign the request for their number.
  public static var bodyLengthMismatch: Self { Self(name: "bodyLengthMismatch") }
  /// The trailers are not the ones that the request says. Give one value of the announced size for
  /// each announced trailer.
  public static var trailerMismatch: Self { Self(name: "trailerMismatch") }
  /// The buffer is too small for what has to be written. Give a larger buffer, or fewer bytes of
  /// the body at once. Nothing was taken.
  public static var bufferTooSmall: Self { Self(name: "bufferTooSmall") }
}
