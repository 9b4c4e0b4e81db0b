// SPDX-License-Identifier: Apache-2.0
// Why a request to object storage, a checksum, a chunked upload or a form cannot be made.

public import RequestSigning

extension SigV4.SigningError.Code {
  /// The store does not have what the request asks for.
  public static var unsupportedByStore: Self { Self(name: "unsupportedByStore") }
  /// The text cannot be what a part of an endpoint is made of.
  public static var invalidEndpoint: Self { Self(name: "invalidEndpoint") }
  /// The endpoint, its variant, the bucket's name and its addressing do not go together.
  public static var conflictingEndpoint: Self { Self(name: "conflictingEndpoint") }
  /// No bucket of the endpoint can have this name.
  public static var invalidBucketName: Self { Self(name: "invalidBucketName") }
  /// The checksum does not fit its algorithm, or checksums cannot be put together so.
  public static var invalidChecksum: Self { Self(name: "invalidChecksum") }
  /// No upload could satisfy the policy, or a condition is on what cannot have one.
  public static var invalidPostPolicy: Self { Self(name: "invalidPostPolicy") }
  /// The policy has no condition on a field of the form.
  public static var uncoveredFormField: Self { Self(name: "uncoveredFormField") }
  /// A field of the form comes twice, or contradicts the policy.
  public static var conflictingFormField: Self { Self(name: "conflictingFormField") }
  /// Length, chunk size or trailers of a chunked upload are not those that services take.
  public static var invalidChunkedUpload: Self { Self(name: "invalidChunkedUpload") }
  /// The signed request is not the beginning of this upload.
  public static var unrelatedRequest: Self { Self(name: "unrelatedRequest") }
  /// The body has fewer or more bytes than the request says.
  public static var bodyLengthMismatch: Self { Self(name: "bodyLengthMismatch") }
  /// The trailers are not the ones that the request says.
  public static var trailerMismatch: Self { Self(name: "trailerMismatch") }
  /// The buffer is too small for what has to be written.
  public static var bufferTooSmall: Self { Self(name: "bufferTooSmall") }
}
