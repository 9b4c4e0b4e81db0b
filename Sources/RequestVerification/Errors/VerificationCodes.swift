// SPDX-License-Identifier: Apache-2.0
// The error codes, each with its response to the client.

public import RequestSigning
internal import S3Signing

extension SigV4.VerificationError.Code {
  /// The request line or a header isn't valid HTTP. Check the code that builds the request line. To
  /// accept a path with `.` or `..`, set the verifier's `dotSegments`.
  public static var invalidRequest: Self { Self(.badRequest, "The request is not valid.") }
  /// The target and headers are larger than `ReceivedRequest.maximumByteCount`. Check what adds
  /// headers or parameters, or treat the request as an attack.
  public static var requestTooLarge: Self {
    Self(
      .largeHead,
      "The request header and query parameters used to make the request exceed the maximum allowed "
        + "size.")
  }
  /// The request isn't signed. Check for a proxy that removes the signature, or treat the client as
  /// unknown.
  public static var notSigned: Self { Self(.notSigned, "Missing Authentication Token") }
  /// The request has several signatures, such as one in its headers and one in its query. Treat it
  /// as an attack: another server could act on the unverified signature.
  public static var multipleSignatures: Self {
    Self(.invalidArgument, "Only one auth mechanism allowed.")
  }
  /// A header or parameter of the signature appears more than once. Check for a proxy that adds it,
  /// or reject the client.
  public static var repeatedField: Self {
    Self(.badRequest, "A header or parameter of the signature is given more than once.")
  }
  /// The Authorization header is malformed. Check for a client or a proxy that truncates it.
  public static var malformedAuthorization: Self {
    Self(.malformedHeader, "The authorization header is malformed.")
  }
  /// The signature parameters in the query are malformed. Check for a URL that was truncated or
  /// unescaped in transit.
  public static var malformedQueryAuthorization: Self {
    Self(.malformedQuery, "The query-string parameters of the authorization are malformed.")
  }
  /// The verifier doesn't accept the request's algorithm: by default, it accepts AWS4-HMAC-SHA256
  /// only. To accept a different one, set the verifier's `algorithms`.
  public static var unsupportedAlgorithm: Self {
    Self(
      .badRequest,
      "The authorization mechanism you have provided is not supported. Please use "
        + "AWS4-HMAC-SHA256.")
  }
  /// The credential scope is for a different day, region or service. Add the region or service to
  /// the verifier if such requests are meant for this server. If the day is wrong, check for a
  /// client that caches signing keys past midnight.
  public static var wrongScope: Self {
    Self(.otherScope, "Credential should be scoped to a valid day, region and service.")
  }
  /// The clocks of client and server differ by more than the verifier allows. Check both clocks.
  /// The request may be a replay.
  public static var requestTimeTooSkewed: Self {
    Self(.skewed, "The difference between the request time and the current time is too large.")
  }
  /// The presigned URL isn't valid yet. Check both clocks.
  public static var urlNotYetValid: Self { Self(.denied, "Request is not valid yet") }
  /// The presigned URL has expired. Ask the client to get a new one.
  public static var urlExpired: Self { Self(.denied, "Request has expired") }
  /// X-Amz-Expires isn't an accepted number of seconds. Ask the client for a lifetime in decimal
  /// digits, from 1 to the verifier's `maximumLifetime`.
  public static var invalidLifetime: Self {
    Self(.malformedQuery, "X-Amz-Expires must be a number of seconds that this server accepts.")
  }
  /// SignedHeaders isn't lowercase, sorted and unique, or it names more than 16 headers that the
  /// request doesn't have. Check for a proxy that removes signed headers.
  public static var invalidSignedHeaders: Self {
    Self(
      .malformedHeader,
      "SignedHeaders must name headers of the request, in lowercase, sorted and each "
        + "once.")
  }
  /// A header that must be signed isn't. Check for a proxy that adds it, or a client that doesn't
  /// sign Content-Type (see the verifier's `unsignedContentTypes`).
  public static var unsignedHeader: Self {
    Self(.denied, "There were headers present in the request which were not signed")
  }
  /// The service requires x-amz-content-sha256, but the request doesn't have it. Check for a proxy
  /// that removes the header.
  public static var payloadNotDeclared: Self {
    Self(.badRequest, "Missing required header for this request: x-amz-content-sha256")
  }
  /// x-amz-content-sha256 or a related header has an invalid value. Check what the client sends,
  /// and check for a proxy that removes x-amz-decoded-content-length.
  public static var invalidPayloadDeclaration: Self {
    Self(
      .invalidArgument,
      "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, "
        + "STREAMING-AWS4-HMAC-SHA256-PAYLOAD, or a valid sha256 value.")
  }
  /// The signature doesn't cover the body, but the verifier requires it. Ask the client to sign the
  /// body, or use TLS and set the verifier's `unsignedPayloads`.
  public static var unsignedPayload: Self {
    Self(.denied, "The payload of this request must be signed.")
  }
  /// The signature covers a body hash that you didn't pass. Read the body, and pass its digest to
  /// `verify(with:bodyDigest:)`, even if the body is empty.
  public static var bodyDigestRequired: Self {
    Self(.internalError, "We encountered an internal error.")
  }
  /// You passed a body digest, but the signature covers none. Reject the request, or verify the
  /// body with `bodyVerifier()`.
  public static var bodyNotCovered: Self {
    Self(.denied, "The payload of this request must be signed as a whole.")
  }
  /// The request has two different session tokens, one in the wrong place, or one that isn't
  /// accepted. Ask the client to sign with one set of credentials. To accept temporary credentials,
  /// set the verifier's `sessionTokens`.
  public static var sessionTokenNotAllowed: Self {
    Self(.invalidToken, "The provided token is malformed or not accepted.")
  }
  /// The access key ID isn't recognized. Check whether it was deleted or belongs to another
  /// installation.
  public static var unknownAccessKey: Self {
    Self(.unknownKey, "The AWS Access Key Id you provided does not exist in our records.")
  }
  /// The key you passed is for a different access key ID, scope or algorithm. Pass the key that the
  /// request names.
  public static var wrongKey: Self { Self(.internalError, "We encountered an internal error.") }
  /// The credentials have expired. Ask the client to get new ones.
  public static var credentialsExpired: Self {
    Self(.expiredToken, "The provided token has expired.")
  }
  /// The signature doesn't match the request. Compare the response's canonical request with the
  /// client's, and check for a proxy that changes paths or headers.
  public static var signatureMismatch: Self {
    Self(
      .mismatch,
      "The request signature we calculated does not match the signature you provided. "
        + "Check your key and signing method.")
  }
  /// The session token doesn't belong to the key, or is missing. Ask the client to use the access
  /// key ID, secret access key and session token of one set of credentials.
  public static var sessionTokenMismatch: Self {
    Self(.invalidToken, "The security token in the request is invalid.")
  }
  /// The body doesn't match its signed hash. Check for a proxy that changes bodies, or treat it as
  /// an attack.
  public static var bodyMismatch: Self {
    Self(.otherBody, "The provided 'x-amz-content-sha256' header does not match what was computed.")
  }
  /// The chunk framing is malformed, or a chunk is too large or too small. Check for a proxy that
  /// reframes the body, or a client that doesn't send aws-chunked.
  public static var malformedChunk: Self {
    Self(.incompleteBody, "The chunks of the body are malformed or too large.")
  }
  /// The signature of a chunk or of the trailers is missing or wrong. Treat it as an attack, and
  /// discard the body.
  public static var chunkSignatureMismatch: Self {
    Self(
      .mismatch, "The signature of a chunk that we calculated does not match the one you provided.")
  }
  /// The body is incomplete, or its size differs from the announced one. Discard the body, and
  /// check for an interrupted connection.
  public static var bodyLengthMismatch: Self {
    Self(
      .incompleteBody,
      "The request body does not have the number of bytes that its headers announce.")
  }
  /// Bytes follow the end of the body. Treat it as an attack, or check how the client computes the
  /// chunk sizes.
  public static var bytesAfterEnd: Self {
    Self(.badRequest, "There are bytes after the last chunk.")
  }
  /// The trailers are malformed, or don't match the announced ones. Check what the client sends
  /// after the last chunk.
  public static var trailerMismatch: Self {
    Self(
      .malformedTrailer,
      "The request contained trailing data that was not well-formed or did not conform "
        + "to our published schema.")
  }
  /// The body or file doesn't match its checksum. Discard it, and ask the client to send it again.
  public static var checksumMismatch: Self {
    Self(.badDigest, "The checksum you specified did not match what we received.")
  }
  /// The request has several checksums, or one that the verifier can't compute. Use one checksum of
  /// a supported algorithm.
  public static var unsupportedChecksum: Self {
    Self(
      .badRequest,
      "Checksum algorithm provided is unsupported. Please try again with any of the valid types: "
        + "[\(checksumNames)]")
  }
  /// The checksums that Amazon S3 also supports.
  private static var checksumNames: String {
    SigV4.Checksum.Algorithm.named.map(\.name).joined(separator: ", ")
  }
  /// The form's fields before the file are too large. Check for a file in a field not named `file`,
  /// or treat it as an attack.
  public static var formTooLarge: Self {
    Self(.longForm, "Your POST request fields preceding the upload file were too large.")
  }
  /// A required form field is missing or malformed. Check for a page that omits the field, puts it
  /// after the file, or doesn't post in UTF-8.
  public static var malformedForm: Self {
    Self(.invalidArgument, "A field of the form is missing or malformed.")
  }
  /// The form's policy is malformed or isn't accepted. Check the code that creates the policies.
  public static var malformedPolicy: Self {
    Self(.invalidPolicy, "The policy document of the form is not valid.")
  }
  /// The form's policy has expired. Ask the client to load its page again.
  public static var policyExpired: Self {
    Self(.denied, "Invalid according to Policy: Policy expired.")
  }
  /// The form doesn't match its policy. Check for a page that adds or changes fields after signing.
  public static var policyConditionFailed: Self {
    Self(.denied, "Invalid according to Policy: Policy Condition failed.")
  }
  /// The file is larger than its policy allows. Discard the file.
  public static var fileTooLarge: Self {
    Self(.largeEntity, "Your proposed upload exceeds the maximum allowed size")
  }
  /// The file is smaller than its policy allows. Discard the file.
  public static var fileTooSmall: Self {
    Self(.smallEntity, "Your proposed upload is smaller than the minimum allowed size")
  }
}

extension SigV4.VerificationError {
  /// The error code and HTTP status of a response, for S3 and for other AWS services.
  struct Reply: Hashable, Sendable {
    let s3Code: String
    let s3Status: Int
    let errorType: String
    let status: Int

    init(_ s3Code: String, _ s3Status: Int, _ errorType: String, _ status: Int) {
      self.s3Code = s3Code
      self.s3Status = s3Status
      self.errorType = errorType
      self.status = status
    }

    /// A reply that services other than S3 send as a `ValidationException`.
    private static func invalid(_ s3Code: String) -> Self {
      Self(s3Code, 400, "ValidationException", 400)
    }

    static var badRequest: Self { invalid("InvalidRequest") }
    static var largeHead: Self { invalid("RequestHeaderSectionTooLarge") }
    static var incompleteBody: Self { invalid("IncompleteBody") }
    static var smallChunk: Self { Self("InvalidChunkSizeError", 403, "ValidationException", 400) }
    static var malformedTrailer: Self { invalid("MalformedTrailerError") }
    static var badDigest: Self { invalid("BadDigest") }
    static var longForm: Self { invalid("MaxPostPreDataLengthExceededError") }
    static var invalidArgument: Self { invalid("InvalidArgument") }
    static var invalidPolicy: Self { invalid("InvalidPolicyDocument") }
    static var largeEntity: Self { invalid("EntityTooLarge") }
    static var smallEntity: Self { invalid("EntityTooSmall") }
    static var denied: Self { Self("AccessDenied", 403, "InvalidSignatureException", 403) }
    static var notSigned: Self {
      Self("AccessDenied", 403, "MissingAuthenticationTokenException", 403)
    }
    static var malformedHeader: Self {
      Self("AuthorizationHeaderMalformed", 400, "IncompleteSignatureException", 400)
    }
    static var otherScope: Self {
      Self("AuthorizationHeaderMalformed", 400, "InvalidSignatureException", 403)
    }
    static var malformedQuery: Self {
      Self("AuthorizationQueryParametersError", 400, "IncompleteSignatureException", 400)
    }
    static var skewed: Self { Self("RequestTimeTooSkewed", 403, "InvalidSignatureException", 403) }
    static var mismatch: Self {
      Self("SignatureDoesNotMatch", 403, "InvalidSignatureException", 403)
    }
    static var otherBody: Self {
      Self("XAmzContentSHA256Mismatch", 400, "InvalidSignatureException", 403)
    }
    static var unknownKey: Self {
      Self("InvalidAccessKeyId", 403, "UnrecognizedClientException", 403)
    }
    static var invalidToken: Self { Self("InvalidToken", 400, "UnrecognizedClientException", 403) }
    static var expiredToken: Self { Self("ExpiredToken", 400, "ExpiredTokenException", 403) }
    static var internalError: Self { Self("InternalError", 500, "InternalFailure", 500) }
  }
}
