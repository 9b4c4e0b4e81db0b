// SPDX-License-Identifier: Apache-2.0
// Errors about S3-compatible stores, checksums, chunked uploads and forms.

public import RequestSigning

/// Errors about stores, uploads and forms.
extension SigV4.SigningError.Code {
  /// The store doesn't support this operation. Use the alternative that the message names.
  public static var unsupportedByStore: Self { Self(name: "unsupportedByStore") }
  /// The string isn't a valid endpoint or part of one. Use only the scheme, host, port and path of
  /// a URL, or only the account, namespace or partition.
  public static var invalidEndpoint: Self { Self(name: "invalidEndpoint") }
  /// The endpoint, its variant, the bucket name and the addressing don't fit together. Use the
  /// alternative that the message names.
  public static var conflictingEndpoint: Self { Self(name: "conflictingEndpoint") }
  /// The endpoint doesn't allow this bucket name. Use the name as the store shows it. For an older
  /// AWS bucket, use `addressing: .path`.
  public static var invalidBucketName: Self { Self(name: "invalidBucketName") }
  /// The checksum doesn't fit its algorithm, or the checksums can't be combined. Pass the checksum
  /// without quotes, not the ETag. To combine checksums, pass those of all parts, in order.
  public static var invalidChecksum: Self { Self(name: "invalidChecksum") }
  /// No upload could satisfy the policy, or a name can't have a condition. Change the condition
  /// that the message names. A policy needs a condition on the key.
  public static var invalidPostPolicy: Self { Self(name: "invalidPostPolicy") }
  /// A browser wouldn't keep the file name of a Content-Disposition. Use the last component of a
  /// path, without control characters.
  public static var invalidFileName: Self { Self(name: "invalidFileName") }
  /// The part number isn't one that the store accepts, or the upload ID is empty. Use numbers from
  /// 1 to the store's maximum, and the upload ID in the response to CreateMultipartUpload.
  public static var invalidPart: Self { Self(name: "invalidPart") }
  /// The policy has no condition on a form field. Add `.field` with this name to the policy and
  /// sign it again.
  public static var fieldNotInPolicy: Self { Self(name: "fieldNotInPolicy") }
  /// A form field appears twice or contradicts the policy. Remove the field, or use a value that
  /// the policy allows.
  public static var conflictingFormField: Self { Self(name: "conflictingFormField") }
  /// The length, chunk size or trailers of a chunked upload aren't valid. Use chunks of at least
  /// 8,192 bytes, and declare each trailer once with the exact size of its value.
  public static var invalidChunkedUpload: Self { Self(name: "invalidChunkedUpload") }
  /// The signed request doesn't belong to this upload. Sign the request that `uploading(_:)`
  /// returns for this upload.
  public static var requestMismatch: Self { Self(name: "requestMismatch") }
  /// The body is shorter or longer than the request declares. Pass exactly the declared number of
  /// bytes, or sign the request for the actual length.
  public static var bodyLengthMismatch: Self { Self(name: "bodyLengthMismatch") }
  /// The trailers differ from the ones that the request declares. Pass one value of the declared
  /// size for each trailer.
  public static var trailerMismatch: Self { Self(name: "trailerMismatch") }
  /// The output buffer is too small. Pass a larger buffer, or fewer bytes of the body at once. No
  /// input was consumed.
  public static var bufferTooSmall: Self { Self(name: "bufferTooSmall") }
}
