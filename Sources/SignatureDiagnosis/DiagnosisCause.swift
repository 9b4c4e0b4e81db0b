// SPDX-License-Identifier: Apache-2.0
// What can be wrong between us and a server: a code for programs, words for people.

public import RequestSigning

extension SigV4.Diagnosis {
  /// What is wrong, and what to do.
  public struct Cause: Hashable, Sendable, CustomStringConvertible {
    /// What kind of cause it is.
    public let code: Code

    /// What it is about: the name of a header or parameter, the prefix of a path, the region, service
    /// or endpoint that the server names.
    public let subject: String?

    /// What is different, and how that probably came about.
    public let explanation: String

    /// What to do.
    public let advice: String

    /// Code, explanation and advice.
    public var description: String { code.name + ": " + explanation + ". " + advice + "." }

    init(_ code: Code, subject: String? = nil, _ explanation: String, advice: String) {
      self.code = code
      self.subject = subject
      self.explanation = explanation
      self.advice = advice
    }
  }

  /// What kind of cause it is. More codes may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, as it is spelled here.
    public let name: String

    /// The name of the code.
    public var description: String { name }
  }
}

extension SigV4.Diagnosis.Code {
  /// Another method arrived. Sign the method that is sent; look for a client that turns POST into
  /// GET when it follows a redirect.
  public static var method: Self { Self(name: "method") }
  /// Another path arrived. Send exactly the URL that was signed, and look for a proxy that rewrites
  /// it.
  public static var path: Self { Self(name: "path") }
  /// One side reads a '+' of the path as a space. Send a space as %20 and a plus sign as %2B.
  public static var pathPlus: Self { Self(name: "pathPlus") }
  /// The server encodes the path once more than we do. Sign with the service's own name, since only
  /// S3 and compatible stores encode once.
  public static var pathEncodedTwice: Self { Self(name: "pathEncodedTwice") }
  /// We encode the path once more than the server does. Sign with `.s3`, or give a path that was
  /// encoded before as `.encoded`.
  public static var pathEncodedOnce: Self { Self(name: "pathEncodedOnce") }
  /// The path is the same, spelled with other escapes. Send exactly the URL that was signed:
  /// something on the way encodes it again.
  public static var pathEncoding: Self { Self(name: "pathEncoding") }
  /// Empty or dot segments of the path were dropped by the server, or before it. Look for a URL
  /// type or a proxy that merges slashes or resolves '..'; sign with the service's own name when it
  /// does so itself.
  public static var pathNormalized: Self { Self(name: "pathNormalized") }
  /// The server keeps empty or dot segments that we dropped. Sign with `.s3` for S3 and
  /// compatible stores, which keep them.
  public static var pathNotNormalized: Self { Self(name: "pathNotNormalized") }
  /// The path lost its beginning on the way. Let the proxy keep it, or sign the path that the
  /// server sees.
  public static var pathPrefixRemoved: Self { Self(name: "pathPrefixRemoved") }
  /// The path got another beginning on the way. Sign the path that the server sees; look for a
  /// gateway's base path.
  public static var pathPrefixAdded: Self { Self(name: "pathPrefixAdded") }
  /// A parameter did not arrive. Look for a client, proxy or cache that drops parameters or joins
  /// repeated ones.
  public static var queryParameterMissing: Self { Self(name: "queryParameterMissing") }
  /// A parameter arrived that was not signed. Sign the URL with all its parameters: nothing can be
  /// added afterwards.
  public static var queryParameterAdded: Self { Self(name: "queryParameterAdded") }
  /// A parameter arrived with another value. Look for something on the way that rewrites it.
  public static var queryParameterChanged: Self { Self(name: "queryParameterChanged") }
  /// The same parameters in another order. Avoid repeated names and escapes in names: one side
  /// sorts in another way.
  public static var queryOrder: Self { Self(name: "queryOrder") }
  /// One side reads a '+' of the query as a space. Send a space as %20 and a plus sign as %2B.
  public static var queryPlus: Self { Self(name: "queryPlus") }
  /// The escapes of the query have digits of another case. Send exactly the URL that was signed,
  /// whose escapes are uppercase.
  public static var queryHexadecimalCase: Self { Self(name: "queryHexadecimalCase") }
  /// The query is the same, spelled with other escapes. Send exactly the URL that was signed:
  /// something on the way encodes it again.
  public static var queryEncoding: Self { Self(name: "queryEncoding") }
  /// A signed header did not arrive. Send all headers that were signed; when a proxy removes one,
  /// let it stay or leave it unsigned.
  public static var headerMissing: Self { Self(name: "headerMissing") }
  /// The server counts a header as signed that is not. Send the Authorization header, or the URL,
  /// exactly as it was made; look for what signs again.
  public static var headerAdded: Self { Self(name: "headerAdded") }
  /// A signed header arrived with another value. Send the value that was signed; when a client or
  /// proxy sets it, sign exactly that value or leave it out.
  public static var headerChanged: Self { Self(name: "headerChanged") }
  /// Another Host header arrived. Sign the host that reaches the server, or let the proxy keep the
  /// Host header.
  public static var host: Self { Self(name: "host") }
  /// The header lines differ in another way than those above. Compare the two lines; one side sorts
  /// in another way when only the order differs.
  public static var headers: Self { Self(name: "headers") }
  /// Another list of signed headers arrived. Send the Authorization header, or the URL, exactly as
  /// it was made.
  public static var signedHeaders: Self { Self(name: "signedHeaders") }
  /// Another body arrived, or another digest of it was declared. Sign the very bytes that are sent,
  /// after compression and encoding.
  public static var payload: Self { Self(name: "payload") }
  /// The server does not accept an unsigned body. Sign the body.
  public static var unsignedPayload: Self { Self(name: "unsignedPayload") }
  /// The canonical requests differ in another way than those above, or the server does not show
  /// its. Compare the two lines, or the server's log with the canonical request that was signed.
  public static var canonicalRequest: Self { Self(name: "canonicalRequest") }
  /// Another algorithm. Sign for a region set (`regionSet:`) where the host is a Multi-Region Access
  /// Point, and for one region everywhere else.
  public static var algorithm: Self { Self(name: "algorithm") }
  /// Another time, or another day in the scope. Compare with the answer to this request, and send
  /// x-amz-date as it was signed.
  public static var date: Self { Self(name: "date") }
  /// Another region in the scope. Sign for the region of the endpoint, which is in `subject` where
  /// the server says it.
  public static var region: Self { Self(name: "region") }
  /// Another service in the scope. Sign with the signing name, which often differs from the one in
  /// the host.
  public static var service: Self { Self(name: "service") }
  /// The strings to sign differ in another way than those above. Look for characters outside of
  /// ASCII, and for whitespace that the answer does not keep.
  public static var stringToSign: Self { Self(name: "stringToSign") }
  /// Another access key ID arrived. Look for something on the way that signs again, or for an
  /// answer to another request.
  public static var accessKeyID: Self { Self(name: "accessKeyID") }
  /// All is equal but the key. Look at the secret: a line end, a cut copy, or the one of another
  /// key ID.
  public static var secretAccessKey: Self { Self(name: "secretAccessKey") }
  /// The URL was changed after it was signed, or another secret made it. Send exactly the URL that
  /// was made, or make a new one with the right secret.
  public static var signature: Self { Self(name: "signature") }
  /// The clocks differ by too much. Correct the clock, or add `clockOffset` to the next timestamps.
  public static var clock: Self { Self(name: "clock") }
  /// The presigned URL, or the request, is too old. Presign a new one, with a longer life if need
  /// be; sign requests right before they are sent.
  public static var expired: Self { Self(name: "expired") }
  /// Headers arrived that have to be signed and are not. Give every x-amz-* header to the request
  /// before it is signed, and look for what adds some.
  public static var unsignedHeaders: Self { Self(name: "unsignedHeaders") }
  /// The Host header is not signed. Send the Authorization header, or the URL, as it was made: this
  /// library always signs it.
  public static var hostNotSigned: Self { Self(name: "hostNotSigned") }
  /// The server does not accept the day, region or service of the scope, and does not say which.
  /// Compare region and service with those that the server expects, and the day with x-amz-date.
  public static var credentialScope: Self { Self(name: "credentialScope") }
  /// The bucket has another endpoint. Sign for the host in `subject` and the region of the bucket,
  /// and send there.
  public static var endpoint: Self { Self(name: "endpoint") }
  /// The server cannot read the Authorization header, or the parameters of the URL. Send it exactly
  /// as it was made: look for a line end in the key ID, and for what encodes again.
  public static var malformedAuthorization: Self { Self(name: "malformedAuthorization") }
  /// A signature arrived in the URL, and another one in the headers. Send a presigned URL without
  /// an Authorization header; clients that follow a redirect may carry it along.
  public static var multipleSignatures: Self { Self(name: "multipleSignatures") }
  /// The header x-amz-content-sha256 did not arrive. Sign with `.s3` for S3 and compatible
  /// stores, and send the header as it was signed.
  public static var payloadNotDeclared: Self { Self(name: "payloadNotDeclared") }
  /// The server doesn't support chunked uploads, or this form of them. Sign the body as a whole, leave it
  /// unsigned over TLS, or upload it in parts.
  public static var chunksNotSupported: Self { Self(name: "chunksNotSupported") }
  /// The server doesn't support a header of the request, which is in `subject` if the server names it. Leave
  /// the header out and sign again.
  public static var headerNotSupported: Self { Self(name: "headerNotSupported") }
  /// The request needs a checksum of its body. Add Content-MD5 or an x-amz-checksum-* header before
  /// signing.
  public static var checksumMissing: Self { Self(name: "checksumMissing") }
  /// No signature arrived. Look for a proxy or a redirect that drops the Authorization header.
  public static var notSigned: Self { Self(name: "notSigned") }
  /// The temporary credentials have expired. Fetch new ones and sign again.
  public static var credentialsExpired: Self { Self(name: "credentialsExpired") }
  /// The session token is missing, or not the one of the credentials. Take key ID, secret and token
  /// together from one set of credentials.
  public static var sessionToken: Self { Self(name: "sessionToken") }
  /// The server does not know the credentials. Look for a key that was deleted, or belongs to
  /// another store, account or partition.
  public static var credentialsUnknown: Self { Self(name: "credentialsUnknown") }
  /// The signature is not the cause: the answer comes after it was accepted. Check whether the key,
  /// version or upload exists, and what the policies allow.
  public static var accepted: Self { Self(name: "accepted") }
  /// The answer does not tell why. If its code says that the signature is wrong, check secret, region and
  /// service first. Otherwise check the permissions.
  public static var unknownCause: Self { Self(name: "unknownCause") }
}
