// SPDX-License-Identifier: Apache-2.0
// The words with which servers state why they rejected a request, and the cause of each.

internal import RequestSigning

extension SigV4.Diagnosis {
  /// Words of a response that state a cause.
  ///
  /// Tests/Vectors/stated-refusals.txt names the public source of each wording.
  struct StatedWording: Sendable {
    /// Lowercase words. The message contains all of them.
    let words: [String]
    let cause: @Sendable (StatedCause) -> Cause

    fileprivate init(
      _ words: String..., cause: @escaping @Sendable (StatedCause) -> Cause
    ) {
      self.words = words
      self.cause = cause
    }

    /// The cause that the message states, or nil. The first wording counts.
    static func cause(of stated: StatedCause) -> Cause? {
      all.first { $0.words.allSatisfy(stated.answer.says) }?.cause(stated)
    }

    private static let all = signatures + scopes + keys + bodies + permissions
  }
}

// Headers and parameters of the signature.
extension SigV4.Diagnosis.StatedWording {
  private static let signatures: [Self] = [
    Self("headers present in the request which were not signed") { stated in
      .unsignedHeaders(stated.answer.unsignedHeaders.map { stated.shown($0) })
    },
    Self("must be a 'signedheader'") { _ in .hostNotSigned },
    Self("header `host` should be signed") { _ in .hostNotSigned },
    Self("header `", "` should be signed") { .unsignedHeaders($0.quoted(after: "header ")) },
    Self("is named as a signedheader, but it does not exist") { $0.headerMissing(after: "") },
    Self("signed header `", "` is not present") { $0.headerMissing(after: "signed header ") },
    // This library's verifier returns this.
    Self("signedheaders must name headers of the request") { _ in .signedHeaderLost },
    Self("only one auth mechanism allowed") { _ in .multipleSignatures },
    Self("authorization mechanism you have provided is not supported") { $0.otherAlgorithm },
    Self("x-amz-algorithm only supports") { $0.otherAlgorithm },
    Self("unsupported authorization method") { $0.otherAlgorithm },
    Self("sigv2 authorization is not supported") { $0.otherAlgorithm },
    Self("missing required header for this request: x-amz-content-sha256") { _ in
      .payloadNotDeclared
    },
    Self("missing x-amz-content-sha256 field") { _ in .payloadNotDeclared },
    Self("requires a valid date or x-amz-date header") { $0.dateMissing },
    Self("x-amz-date must be in the iso8601") { $0.dateMissing },
    Self("missing x-amz-date field") { $0.dateMissing },
    Self("bad request: invalid date") { $0.dateMissing },
    Self("query-string authentication version 4 requires") { $0.malformed },
    Self("x-amz-expires") { $0.lifetimeRejected },
    Self("x-goog-expires") { $0.lifetimeRejected },
    Self("x-tos-expires") { $0.lifetimeRejected },
    Self("key=value pair (missing equal-sign)") { _ in .notKeyValuePairs },
    Self("authorization header requires '") { $0.malformed },
    Self("authorization header is invalid") { $0.malformed },
    Self("authorization field") { $0.malformed },
    Self("signature header missing") { $0.malformed },
    Self("missing credential field") { $0.malformed },
    Self("not found in query parameters") { $0.malformed },
  ]
}

// The credential scope.
extension SigV4.Diagnosis.StatedWording {
  private static let scopes: [Self] = [
    Self("must be addressed using the specified endpoint") { $0.otherEndpoint },
    Self("the region", "is wrong") {
      $0.statedRegion($0.answer.region ?? $0.answer.quoted(after: "expecting "))
    },
    Self("credential should be scoped to a valid region") { $0.statedRegion($0.answer.region) },
    Self("invalid signing region") { $0.statedRegion($0.answer.region) },
    Self("invalid signing product") { _ in .statedService(nil) },
    Self("incorrect service") { .statedService($0.quoted(after: "this endpoint belongs to ")) },
    Self("credential should be scoped to correct service") {
      .statedService($0.quoted(after: "correct service"))
    },
    Self("credential should be scoped to a valid day, region and service") {
      .credentialScope($0.signed.scope)
    },
    Self("unexpected scope") { $0.otherScope },
  ]
}

// Keys and tokens.
extension SigV4.Diagnosis.StatedWording {
  private static let keys: [Self] = [
    Self("missing authentication token") { _ in .notSigned },
    Self("user: anonymous is not authorized") { _ in .notSigned },
    Self("does not support anonymous access") { _ in .notSigned },
    Self("anonymous requests don't support") { _ in .notSigned },
    Self("missing authorization header") { _ in .notSigned },
    Self("no awsaccesskey was presented") { _ in .notSigned },
    // Google Cloud Storage.
    Self("anonymous caller does not have") { _ in .notSigned },
    Self("token has expired") { $0.expiredToken },
    Self("token included in the request is expired") { _ in .credentialsExpired },
    Self("the provided token is malformed") { $0.otherToken },
    Self("the security token in the request is invalid") { $0.otherToken },
    Self("access key id you provided does not exist") { $0.unknownCredentials },
    Self("forbidden: no such key") { $0.unknownCredentials },
    Self("the security token included in the request is invalid") { $0.unknownCredentials },
    Self("credential access key has length") { $0.unknownCredentials },
  ]
}

// Bodies, checksums and forms.
extension SigV4.Diagnosis.StatedWording {
  private static let bodies: [Self] = [
    Self("unsupported header") {
      .headerNotSupported($0.quoted(after: "unsupported header"))
    },
    Self("content-sha256", "not match") { $0.otherBody },
    Self("verification failed (from x-amz-content-sha256)") { _ in .otherBody },
    Self("checksum verification failed") { _ in .otherChecksum },
    Self("failed to validate checksum") { _ in .otherChecksum },
    Self("payload checksum does not match") { _ in .otherChecksum },
    Self("chunk signature does not match") { _ in .otherChunk },
    Self("invalid payload signature") { _ in .otherChunk },
    Self("last chunk is allowed to have a size less than") { _ in .smallChunk },
    Self("the payload of this request must be signed") { _ in .unsignedPayload },
    Self("content-md5", "required") { _ in .checksumMissing },
    Self("checksum type mismatch") { _ in .otherChecksumType },
    Self("upload was created using", "checksum") { _ in .otherChecksumType },
    Self("multiple checksum types are not allowed") { _ in .otherChecksumHeaders },
    Self("no corresponding x-amz-checksum-") { _ in .otherChecksumHeaders },
    Self("policy expired") { _ in .formExpired },
    Self("post object request has been expired") { _ in .formExpired },
    Self("extra input fields") { .extraField($0.fieldNames) },
    Self("invalid according to policy") { _ in .policyNotMet },
    Self("does not meet the conditions specified in the policy") { _ in .policyNotMet },
    Self("invalid policy: ") { $0.invalidPolicy },
  ]

  /// Servers check permissions only for a caller that they have authenticated.
  private static let permissions: [Self] = [
    Self("is not authorized to perform") { _ in .notPermitted },
    Self("does not have storage.") { _ in .notPermitted },
    Self("operation is not allowed for this key") { _ in .notPermitted },
    Self("no permissions for [") { _ in .notPermitted },
    // Amazon Bedrock.
    Self("is not authorized to invoke this api operation") { _ in .noModelAccess },
    Self("don't have access to the model") { _ in .noModelAccess },
  ]
}
