// SPDX-License-Identifier: Apache-2.0
// The codes of refusals, each with what the client reads of it.

internal import DocumentSupport
public import RequestSigning
internal import S3Signing
internal import SigningSupport

extension SigV4.VerificationError.Code {
  /// The request line or a header is none that HTTP allows.
  public static var invalidRequest: Self {
    Self("invalidRequest", .badRequest, "The request is not valid.")
  }
  /// The request carries no signature.
  public static var notSigned: Self {
    Self("notSigned", .notSigned, "Missing Authentication Token")
  }
  /// The request carries a signature in its headers and in its query.
  public static var mixedMechanisms: Self {
    Self("mixedMechanisms", .badRequest, "Only one auth mechanism allowed.")
  }
  /// A header or parameter of the signature is there more than once.
  public static var repeatedField: Self {
    Self(
      "repeatedField", .badRequest,
      "A header or parameter of the signature is given more than once.")
  }
  /// The Authorization header cannot be read.
  public static var malformedAuthorization: Self {
    Self("malformedAuthorization", .malformedHeader, "The authorization header is malformed.")
  }
  /// The parameters of the signature cannot be read.
  public static var malformedQueryAuthorization: Self {
    Self(
      "malformedQueryAuthorization", .malformedQuery,
      "The query-string parameters of the authorization are malformed.")
  }
  /// The algorithm is not AWS4-HMAC-SHA256.
  public static var unsupportedAlgorithm: Self {
    Self(
      "unsupportedAlgorithm", .badRequest,
      "The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256."
    )
  }
  /// The credential scope is for another day, region or service.
  public static var wrongScope: Self {
    Self(
      "wrongScope", .malformedHeader,
      "Credential should be scoped to a valid day, region and service.")
  }
  /// The clocks of client and server differ by more than the window.
  public static var requestTimeTooSkewed: Self {
    Self(
      "requestTimeTooSkewed", .skewed,
      "The difference between the request time and the current time is too large.")
  }
  /// The presigned URL begins in the future.
  public static var urlNotYetValid: Self {
    Self("urlNotYetValid", .denied, "Request is not valid yet")
  }
  /// The presigned URL has ended.
  public static var urlExpired: Self { Self("urlExpired", .denied, "Request has expired") }
  /// X-Amz-Expires is no number of seconds that is accepted.
  public static var invalidLifetime: Self {
    Self(
      "invalidLifetime", .malformedQuery,
      "X-Amz-Expires must be a number of seconds that this server accepts.")
  }
  /// SignedHeaders is not sorted, lowercase, unique, or names what the request does not have.
  public static var invalidSignedHeaders: Self {
    Self(
      "invalidSignedHeaders", .malformedHeader,
      "SignedHeaders must name headers of the request, in lowercase, sorted and each once.")
  }
  /// A header that has to be signed is not.
  public static var unsignedHeader: Self {
    Self(
      "unsignedHeader", .denied,
      "There were headers present in the request which were not signed")
  }
  /// The service wants x-amz-content-sha256, and the request does not have it.
  public static var payloadNotDeclared: Self {
    Self(
      "payloadNotDeclared", .badRequest,
      "Missing required header for this request: x-amz-content-sha256")
  }
  /// x-amz-content-sha256, or what belongs to it, is nothing that is accepted.
  public static var invalidPayloadDeclaration: Self {
    Self(
      "invalidPayloadDeclaration", .badRequest,
      "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, or a valid "
        + "sha256 value.")
  }
  /// The signature does not cover the body, and the policy wants it to.
  public static var unsignedPayload: Self {
    Self("unsignedPayload", .denied, "The payload of this request must be signed.")
  }
  /// The server has to give the digest of the body.
  public static var bodyDigestRequired: Self {
    Self("bodyDigestRequired", .internalError, "We encountered an internal error.")
  }
  /// The session token is given in two ways, in the wrong place, or not accepted.
  public static var sessionTokenRefused: Self {
    Self("sessionTokenRefused", .invalidToken, "The provided token is malformed or not accepted.")
  }
  /// Nobody has the access key ID.
  public static var unknownAccessKey: Self {
    Self(
      "unknownAccessKey", .unknownKey,
      "The AWS Access Key Id you provided does not exist in our records.")
  }
  /// The server looked up a key of somebody else, or for another scope.
  public static var wrongKey: Self {
    Self("wrongKey", .internalError, "We encountered an internal error.")
  }
  /// The credentials have ended.
  public static var credentialsExpired: Self {
    Self("credentialsExpired", .expiredToken, "The provided token has expired.")
  }
  /// The signature is not that of the request.
  public static var signatureMismatch: Self {
    Self(
      "signatureMismatch", .mismatch,
      "The request signature we calculated does not match the signature you provided. Check your key "
        + "and signing method.")
  }
  /// The session token is not the one that belongs to the key.
  public static var sessionTokenMismatch: Self {
    Self("sessionTokenMismatch", .invalidToken, "The security token in the request is invalid.")
  }
  /// The body is another one than was signed.
  public static var bodyMismatch: Self {
    Self(
      "bodyMismatch", .otherBody,
      "The provided 'x-amz-content-sha256' header does not match what was computed.")
  }
  /// The framing of the chunks cannot be read, or a chunk is too large.
  public static var malformedChunk: Self {
    Self("malformedChunk", .badRequest, "The chunks of the body are malformed or too large.")
  }
  /// The signature of a chunk, or of the trailers, is missing or wrong.
  public static var chunkSignatureMismatch: Self {
    Self(
      "chunkSignatureMismatch", .mismatch,
      "The signature of a chunk that we calculated does not match the one you provided.")
  }
  /// The body has more or fewer bytes than were announced, or does not end.
  public static var bodyLengthMismatch: Self {
    Self(
      "bodyLengthMismatch", .incompleteBody,
      "The request body does not have the number of bytes that its headers announce.")
  }
  /// Bytes follow the end of the body.
  public static var bytesAfterEnd: Self {
    Self("bytesAfterEnd", .badRequest, "There are bytes after the last chunk.")
  }
  /// The trailers cannot be read, or are not those that were announced.
  public static var trailerMismatch: Self {
    Self(
      "trailerMismatch", .malformedTrailer,
      "The request contained trailing data that was not well-formed or did not conform to our "
        + "published schema.")
  }
  /// The checksum in a trailer is not that of the body.
  public static var checksumMismatch: Self {
    Self(
      "checksumMismatch", .badDigest, "The checksum you specified did not match what we received.")
  }
  /// The fields of a form before its file have more bytes than are accepted.
  public static var formTooLarge: Self {
    Self(
      "formTooLarge", .longForm,
      "Your POST request fields preceding the upload file were too large.")
  }
  /// A field of a form that is needed is missing, or cannot be read.
  public static var malformedForm: Self {
    Self("malformedForm", .invalidArgument, "A field of the form is missing or malformed.")
  }
  /// The policy of a form is none that can be read, or that is accepted.
  public static var malformedPolicy: Self {
    Self("malformedPolicy", .invalidPolicy, "The policy document of the form is not valid.")
  }
  /// The policy of a form has ended.
  public static var policyExpired: Self {
    Self("policyExpired", .denied, "Invalid according to Policy: Policy expired.")
  }
  /// The form is not what its policy allows.
  public static var policyConditionFailed: Self {
    Self(
      "policyConditionFailed", .denied, "Invalid according to Policy: Policy Condition failed.")
  }
  /// The file has more bytes than its policy allows.
  public static var fileTooLarge: Self {
    Self("fileTooLarge", .largeEntity, "Your proposed upload exceeds the maximum allowed size")
  }
  /// The file has fewer bytes than its policy wants.
  public static var fileTooSmall: Self {
    Self(
      "fileTooSmall", .smallEntity,
      "Your proposed upload is smaller than the minimum allowed size")
  }
}
