// SPDX-License-Identifier: Apache-2.0
// The codes of refusals, each with what the client reads of it.

public import RequestSigning
internal import S3Signing

extension SigV4.VerificationError.Code {
  /// HTTP does not allow the request line, or a header. Look at what builds the request line; a
  /// path with '.' or '..' can be accepted by the policy.
  public static var invalidRequest: Self { Self(.badRequest, "The request is not valid.") }
  /// Target and headers are larger than `ReceivedRequest.maximumByteCount`. Check what adds headers or
  /// parameters, or treat the request as an attack.
  public static var requestTooLarge: Self {
    Self(
      .largeHead,
      "The request header and query parameters used to make the request exceed the maximum allowed "
        + "size.")
  }
  /// The request carries no signature. Look for a proxy that removes the signature, or treat the
  /// client as unknown.
  public static var notSigned: Self { Self(.notSigned, "Missing Authentication Token") }
  /// The request carries a signature in its headers and in its query. Treat it as an attack: others
  /// may act on the one that is not verified.
  public static var multipleSignatures: Self {
    Self(.badRequest, "Only one auth mechanism allowed.")
  }
  /// A header or parameter of the signature is there more than once. Look for a proxy that adds it,
  /// or refuse the client.
  public static var repeatedField: Self {
    Self(.badRequest, "A header or parameter of the signature is given more than once.")
  }
  /// The Authorization header cannot be read. Look for a client or a proxy that cuts the header.
  public static var malformedAuthorization: Self {
    Self(.malformedHeader, "The authorization header is malformed.")
  }
  /// The parameters of the signature cannot be read. Look for a URL that was cut, or unescaped on
  /// its way.
  public static var malformedQueryAuthorization: Self {
    Self(.malformedQuery, "The query-string parameters of the authorization are malformed.")
  }
  /// The algorithm is not one that the policy accepts: AWS4-HMAC-SHA256, unless it says otherwise.
  /// Set `algorithms` of the verifier when the server takes another one.
  public static var unsupportedAlgorithm: Self {
    Self(
      .badRequest,
      "The authorization mechanism you have provided is not supported. Please use "
        + "AWS4-HMAC-SHA256.")
  }
  /// The credential scope is for another day, region or service. Put the region or service into the
  /// policy when such requests are meant for this server; look for a client that keeps keys over
  /// midnight.
  public static var wrongScope: Self {
    Self(.otherScope, "Credential should be scoped to a valid day, region and service.")
  }
  /// The clocks of client and server differ by more than the window. Look at the clocks of both
  /// machines, or treat it as a replay.
  public static var requestTimeTooSkewed: Self {
    Self(.skewed, "The difference between the request time and the current time is too large.")
  }
  /// The presigned URL begins in the future. Look at the clocks of both machines.
  public static var urlNotYetValid: Self { Self(.denied, "Request is not valid yet") }
  /// The presigned URL has expired. Ask the client to get a new one.
  public static var urlExpired: Self { Self(.denied, "Request has expired") }
  /// X-Amz-Expires is not a number of seconds that is accepted. Ask the client for a shorter
  /// lifetime, in decimal digits.
  public static var invalidLifetime: Self {
    Self(.malformedQuery, "X-Amz-Expires must be a number of seconds that this server accepts.")
  }
  /// SignedHeaders is not lowercase, sorted and unique, or it names more than 16 headers that the
  /// request does not have. Check for a proxy that removes signed headers.
  public static var invalidSignedHeaders: Self {
    Self(
      .malformedHeader,
      "SignedHeaders must name headers of the request, in lowercase, sorted and each "
        + "once.")
  }
  /// A header that has to be signed is not. Look for a proxy that adds it, or for a client that
  /// does not sign Content-Type (`unsignedContentTypes` of the policy).
  public static var unsignedHeader: Self {
    Self(.denied, "There were headers present in the request which were not signed")
  }
  /// The service wants x-amz-content-sha256, and the request does not have it. Look for a proxy
  /// that removes the header.
  public static var payloadNotDeclared: Self {
    Self(.badRequest, "Missing required header for this request: x-amz-content-sha256")
  }
  /// x-amz-content-sha256, or what belongs to it, has a value that is not accepted. Look at what
  /// the client sends, or for a proxy that removes x-amz-decoded-content-length.
  public static var invalidPayloadDeclaration: Self {
    Self(
      .badRequest,
      "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, "
        + "STREAMING-AWS4-HMAC-SHA256-PAYLOAD, or a valid sha256 value.")
  }
  /// The signature does not cover the body, and the policy wants it to. Accept it behind TLS by the
  /// policy, or ask the client to sign the payload.
  public static var unsignedPayload: Self {
    Self(.denied, "The payload of this request must be signed.")
  }
  /// The server has to give the digest of the body. Read the body, and give its digest to
  /// `verify(with:bodyDigest:)`, also of an empty one.
  public static var bodyDigestRequired: Self {
    Self(.internalError, "We encountered an internal error.")
  }
  /// A digest of the body was passed, but the signature covers none. Reject the request, or verify the body
  /// with `bodyVerifier()`.
  public static var bodyNotCovered: Self {
    Self(.denied, "The payload of this request must be signed as a whole.")
  }
  /// The session token is given in two ways, in the wrong place, or not accepted. Ask the
  /// client to sign with one set of credentials; the policy says whether temporary ones are accepted.
  public static var sessionTokenNotAllowed: Self {
    Self(.invalidToken, "The provided token is malformed or not accepted.")
  }
  /// The access key ID is not known. Check whether the key was deleted, or belongs to another
  /// installation.
  public static var unknownAccessKey: Self {
    Self(.unknownKey, "The AWS Access Key Id you provided does not exist in our records.")
  }
  /// The server looked up the key of another access key ID, or for another scope. Look up the key
  /// that the claim names, for its scope and algorithm.
  public static var wrongKey: Self { Self(.internalError, "We encountered an internal error.") }
  /// The credentials have expired. Ask the client to get new ones.
  public static var credentialsExpired: Self {
    Self(.expiredToken, "The provided token has expired.")
  }
  /// The signature is not that of the request. Compare the canonical request of the answer with the
  /// client's, and look for a proxy that changes paths or headers.
  public static var signatureMismatch: Self {
    Self(
      .mismatch,
      "The request signature we calculated does not match the signature you provided. "
        + "Check your key and signing method.")
  }
  /// The session token is not the one that belongs to the key. Ask the client to take key ID,
  /// secret and token from one set of credentials.
  public static var sessionTokenMismatch: Self {
    Self(.invalidToken, "The security token in the request is invalid.")
  }
  /// The body is not the one that was signed. Look for a proxy that changes bodies, or treat it as
  /// an attack.
  public static var bodyMismatch: Self {
    Self(.otherBody, "The provided 'x-amz-content-sha256' header does not match what was computed.")
  }
  /// The framing of the chunks cannot be read, or a chunk is too large. Look for a proxy that
  /// reframes the body, or a client that does not send aws-chunked.
  public static var malformedChunk: Self {
    Self(.badRequest, "The chunks of the body are malformed or too large.")
  }
  /// The signature of a chunk, or of the trailers, is missing or wrong. Treat it as an attack, and
  /// keep nothing of the body.
  public static var chunkSignatureMismatch: Self {
    Self(
      .mismatch, "The signature of a chunk that we calculated does not match the one you provided.")
  }
  /// The body has more or fewer bytes than were announced, or does not end. Look for a connection
  /// that was cut, and keep nothing of the body.
  public static var bodyLengthMismatch: Self {
    Self(
      .incompleteBody,
      "The request body does not have the number of bytes that its headers announce.")
  }
  /// Bytes follow the end of the body. Treat it as an attack, or look for a client that counts
  /// wrongly.
  public static var bytesAfterEnd: Self {
    Self(.badRequest, "There are bytes after the last chunk.")
  }
  /// The trailers cannot be read, or are not those that were announced. Look at what the client
  /// sends after the last chunk.
  public static var trailerMismatch: Self {
    Self(
      .malformedTrailer,
      "The request contained trailing data that was not well-formed or did not conform "
        + "to our published schema.")
  }
  /// The checksum in a trailer is not that of the body. Keep nothing of the body, and let the
  /// client send it again.
  public static var checksumMismatch: Self {
    Self(.badDigest, "The checksum you specified did not match what we received.")
  }
  /// The request has a checksum that the verifier can't compute, or several. Use one checksum of a
  /// supported algorithm.
  public static var unsupportedChecksum: Self {
    Self(
      .badRequest,
      "Checksum algorithm provided is unsupported. Please try again with any of the valid types: "
        + "[\(checksumNames)]")
  }
  /// Those that Amazon S3 has too.
  private static var checksumNames: String {
    SigV4.Checksum.Algorithm.all.filter { $0 != .md5 }.map(\.name).joined(separator: ", ")
  }
  /// The fields of a form before its file have more bytes than are accepted. Look for a file in a
  /// field that is not called file, or treat it as an attack.
  public static var formTooLarge: Self {
    Self(.longForm, "Your POST request fields preceding the upload file were too large.")
  }
  /// A field of a form that is needed is missing, or cannot be read. Look for a page that leaves
  /// the field out, puts it after the file, or does not post in UTF-8.
  public static var malformedForm: Self {
    Self(.invalidArgument, "A field of the form is missing or malformed.")
  }
  /// The policy of a form cannot be read, or is not accepted. Look at what makes the policies.
  public static var malformedPolicy: Self {
    Self(.invalidPolicy, "The policy document of the form is not valid.")
  }
  /// The policy of a form has expired. Ask the client to load its page again.
  public static var policyExpired: Self {
    Self(.denied, "Invalid according to Policy: Policy expired.")
  }
  /// The form is not what its policy allows. Look for a page that changes or adds fields after
  /// signing.
  public static var policyConditionFailed: Self {
    Self(.denied, "Invalid according to Policy: Policy Condition failed.")
  }
  /// The file has more bytes than its policy allows. Keep nothing of the file.
  public static var fileTooLarge: Self {
    Self(.largeEntity, "Your proposed upload exceeds the maximum allowed size")
  }
  /// The file has fewer bytes than its policy wants. Keep nothing of the file.
  public static var fileTooSmall: Self {
    Self(.smallEntity, "Your proposed upload is smaller than the minimum allowed size")
  }
}

extension SigV4.VerificationError {
  /// Code and status of an answer, as S3 and as the other services of AWS have them.
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

    /// A request that other services than S3 call invalid as a whole.
    private static func invalid(_ s3Code: String) -> Self {
      Self(s3Code, 400, "ValidationException", 400)
    }

    static var badRequest: Self { invalid("InvalidRequest") }
    static var largeHead: Self { invalid("RequestHeaderSectionTooLarge") }
    static var incompleteBody: Self { invalid("IncompleteBody") }
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
