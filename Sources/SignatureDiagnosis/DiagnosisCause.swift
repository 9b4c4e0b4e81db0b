// SPDX-License-Identifier: Apache-2.0
// The causes of a rejected signature: a code for programs, and a problem and a fix for people.

public import RequestSigning

extension SigV4.Diagnosis {
  /// The cause of a rejected signature, and how to fix it.
  public struct Cause: Hashable, Sendable, CustomStringConvertible {
    /// The kind of cause.
    public let code: Code

    /// The name of the header or parameter, the path prefix, or the region, service or endpoint
    /// that the cause is about. Nil for other causes.
    public let subject: String?

    /// What's wrong, in one or two sentences.
    public let problem: String

    /// How to fix it.
    public let fix: String

    /// The code, the problem and the fix.
    public var description: String { code.name + ": " + problem + " " + fix }

    init(_ code: Code, subject: String? = nil, _ problem: String, fix: String) {
      self.code = code
      self.subject = subject
      self.problem = problem
      self.fix = fix
    }
  }

  /// The kind of cause. New codes may be added. Include a default in a switch.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, as spelled here.
    public let name: String

    /// The code's name.
    public var description: String { name }
  }
}

extension SigV4.Diagnosis.Code {
  /// A different method arrived. Sign the method that you send, and check for a client that turns
  /// POST into GET when it follows a redirect.
  public static var method: Self { Self(name: "method") }
  /// A different path arrived. Send the signed URL unchanged, and check for a proxy that rewrites
  /// it.
  public static var path: Self { Self(name: "path") }
  /// One side reads a '+' in the path as a space. Send a space as %20 and a plus sign as %2B.
  public static var pathPlus: Self { Self(name: "pathPlus") }
  /// The server encodes the path twice, but the signer encoded it once. Sign with the service's own
  /// name, since only S3 and compatible stores encode once.
  public static var pathEncodedTwice: Self { Self(name: "pathEncodedTwice") }
  /// The signer encoded the path twice, but the server encodes it once. Sign with `.s3`, or pass a
  /// path that's already encoded as `.encoded`.
  public static var pathEncodedOnce: Self { Self(name: "pathEncodedOnce") }
  /// The paths are equivalent but percent-encoded differently. Send the signed URL unchanged, and
  /// check for a proxy that encodes it again.
  public static var pathEncoding: Self { Self(name: "pathEncoding") }
  /// The received path lacks empty or dot segments of the signed path. Check for a URL type or a
  /// proxy that merges slashes or resolves '..'. If the service does this itself, sign with its own
  /// name.
  public static var pathNormalized: Self { Self(name: "pathNormalized") }
  /// The server keeps empty or dot segments that the signed path lacks. Sign with `.s3` for S3 and
  /// compatible stores, which keep them.
  public static var pathNotNormalized: Self { Self(name: "pathNotNormalized") }
  /// The path lost its first part in transit. Configure the proxy to keep it, or sign the path that
  /// the server sees.
  public static var pathPrefixRemoved: Self { Self(name: "pathPrefixRemoved") }
  /// The path gained a first part in transit. Sign the path that the server sees, and check for a
  /// gateway's base path.
  public static var pathPrefixAdded: Self { Self(name: "pathPrefixAdded") }
  /// A signed query parameter didn't arrive. Check for a client, proxy or cache that drops
  /// parameters or merges repeated ones.
  public static var queryParameterMissing: Self { Self(name: "queryParameterMissing") }
  /// An unsigned query parameter arrived. Sign the URL with all its parameters. You can't add any
  /// after signing.
  public static var queryParameterAdded: Self { Self(name: "queryParameterAdded") }
  /// A query parameter arrived with a different value. Check for a proxy that rewrites it.
  public static var queryParameterChanged: Self { Self(name: "queryParameterChanged") }
  /// The query parameters are in a different order. Avoid repeated names and escapes in names,
  /// since one side sorts differently.
  public static var queryOrder: Self { Self(name: "queryOrder") }
  /// One side reads a '+' in the query as a space. Send a space as %20 and a plus sign as %2B.
  public static var queryPlus: Self { Self(name: "queryPlus") }
  /// The query's escapes use a different letter case. Send the signed URL unchanged. Its escapes
  /// are uppercase.
  public static var queryHexadecimalCase: Self { Self(name: "queryHexadecimalCase") }
  /// The queries are equivalent but percent-encoded differently. Send the signed URL unchanged, and
  /// check for a proxy that encodes it again.
  public static var queryEncoding: Self { Self(name: "queryEncoding") }
  /// A signed header didn't arrive. Send all signed headers. If a proxy removes one, configure the
  /// proxy to keep it, or leave the header unsigned.
  public static var headerMissing: Self { Self(name: "headerMissing") }
  /// The server treats an unsigned header as signed. Send the Authorization header, or the URL,
  /// unchanged, and check for a proxy that re-signs requests.
  public static var headerAdded: Self { Self(name: "headerAdded") }
  /// A signed header arrived with a different value. Send the signed value. If a client or proxy
  /// sets the header, sign exactly that value or leave the header unsigned.
  public static var headerChanged: Self { Self(name: "headerChanged") }
  /// A different Host header arrived. Sign the host that reaches the server, or configure the proxy
  /// to keep the Host header.
  public static var host: Self { Self(name: "host") }
  /// The signed headers are in a different order. Compare the two lines, since one side sorts
  /// differently.
  public static var headers: Self { Self(name: "headers") }
  /// A different list of signed headers arrived. Send the Authorization header, or the URL,
  /// unchanged.
  public static var signedHeaders: Self { Self(name: "signedHeaders") }
  /// A different body arrived, or a different hash of it was declared. Sign exactly the bytes that
  /// you send, after compression and encoding.
  public static var payload: Self { Self(name: "payload") }
  /// The server doesn't accept an unsigned body. Sign the body.
  public static var unsignedPayload: Self { Self(name: "unsignedPayload") }
  /// The canonical requests differ in a way that no other code describes, or the server doesn't
  /// show its own. Compare the two lines, or compare the server's log with the signed canonical
  /// request.
  public static var canonicalRequest: Self { Self(name: "canonicalRequest") }
  /// The server requires a different algorithm. Sign for a region set (`regionSet:`) if the host is
  /// a Multi-Region Access Point, and for one region otherwise.
  public static var algorithm: Self { Self(name: "algorithm") }
  /// The server uses a different time, or a different date in the scope. Check that the response
  /// belongs to this request, and send x-amz-date as signed.
  public static var date: Self { Self(name: "date") }
  /// The server uses a different region in the scope. Sign for the endpoint's region, which is in
  /// `subject` if the server names it.
  public static var region: Self { Self(name: "region") }
  /// The server uses a different service in the scope. Sign with the signing name, which often
  /// differs from the name in the host.
  public static var service: Self { Self(name: "service") }
  /// The strings to sign differ in a way that no other code describes. Check for non-ASCII
  /// characters, and for whitespace that the response doesn't preserve.
  public static var stringToSign: Self { Self(name: "stringToSign") }
  /// A different access key ID arrived. Check for a proxy that re-signs requests, and that the
  /// response belongs to this request.
  public static var accessKeyID: Self { Self(name: "accessKeyID") }
  /// Everything matches except the key. Check the secret access key for a newline, for a truncated
  /// copy, and whether it belongs to a different access key ID.
  public static var secretAccessKey: Self { Self(name: "secretAccessKey") }
  /// The URL or request was changed after signing, or signed with a different secret. Send it
  /// unchanged, or sign again with the right secret.
  public static var signature: Self { Self(name: "signature") }
  /// The clocks differ by too much. Correct the clock, or add `clockOffset` to the next timestamps.
  public static var clock: Self { Self(name: "clock") }
  /// The presigned URL or the request is too old. Presign a new URL, with a longer lifetime if
  /// needed, and sign requests right before you send them.
  public static var expired: Self { Self(name: "expired") }
  /// Headers arrived unsigned that must be signed, or that some stores reject without a reason.
  /// Pass every x-amz-* header and Content-Type to the request before signing, and check for a
  /// client or proxy that adds some.
  public static var unsignedHeaders: Self { Self(name: "unsignedHeaders") }
  /// The Host header isn't signed. Send the Authorization header, or the URL, unchanged. This
  /// library always signs the Host header.
  public static var hostNotSigned: Self { Self(name: "hostNotSigned") }
  /// The server rejects the date, region or service of the scope, without naming which. Check the
  /// region and service against what the server expects, and the date against x-amz-date.
  public static var credentialScope: Self { Self(name: "credentialScope") }
  /// The bucket has a different endpoint. Sign for the host in `subject` and the bucket's region,
  /// and send the request there.
  public static var endpoint: Self { Self(name: "endpoint") }
  /// The server can't parse the Authorization header or the URL's parameters, or doesn't accept the
  /// lifetime, which is then in `subject`. Send it unchanged. Check for a newline in the access key
  /// ID, and for a proxy that encodes the request again.
  public static var malformedAuthorization: Self { Self(name: "malformedAuthorization") }
  /// The request has two signatures: one in the URL and one in the headers. Send a presigned URL
  /// without an Authorization header. Clients that follow a redirect may keep it.
  public static var multipleSignatures: Self { Self(name: "multipleSignatures") }
  /// The header x-amz-content-sha256 didn't arrive. Sign with `.s3` for S3 and compatible stores,
  /// and send the header as signed.
  public static var payloadNotDeclared: Self { Self(name: "payloadNotDeclared") }
  /// The server doesn't support chunked uploads, or this form of them. Sign the whole body, leave
  /// it unsigned over TLS, or upload it in parts.
  public static var chunksNotSupported: Self { Self(name: "chunksNotSupported") }
  /// The server doesn't support a header of the request, which is in `subject` if the server names
  /// it. Remove the header and sign again.
  public static var headerNotSupported: Self { Self(name: "headerNotSupported") }
  /// The request needs a checksum of its body. Add Content-MD5 or an x-amz-checksum-* header before
  /// signing.
  public static var checksumMissing: Self { Self(name: "checksumMissing") }
  /// No signature arrived. Check for a proxy or a redirect that drops the Authorization header.
  public static var notSigned: Self { Self(name: "notSigned") }
  /// CloudFront requires a signed URL or signed cookies, but the request has none. Sign the URL
  /// with `CloudFrontSigner` or `sigv4 cloudfront sign`, and check the cookies' domain and path.
  public static var cloudFrontSignatureMissing: Self { Self(name: "cloudFrontSignatureMissing") }
  /// CloudFront doesn't trust the key pair ID of the signed URL or cookies. Use the ID of a public
  /// key in a key group of the behavior.
  public static var cloudFrontKeyUnknown: Self { Self(name: "cloudFrontKeyUnknown") }
  /// The temporary credentials have expired. Get new ones and sign again.
  public static var credentialsExpired: Self { Self(name: "credentialsExpired") }
  /// The session token is missing, or doesn't belong to the credentials. Use the access key ID,
  /// secret access key and session token from one set of credentials.
  public static var sessionToken: Self { Self(name: "sessionToken") }
  /// The server doesn't recognize the credentials. Check for a key that was deleted, or that
  /// belongs to another store, account or partition.
  public static var credentialsUnknown: Self { Self(name: "credentialsUnknown") }
  /// The signature isn't the cause: the server accepted it, or is too busy to check it. Check
  /// whether the key, version or upload exists, and what the policies allow, or compare a form's
  /// fields with its policy. If the server is busy, send the request again later.
  public static var accepted: Self { Self(name: "accepted") }
  /// The response doesn't show the cause. If it's about the signature, check the secret, region and
  /// service first. If it denies access without a reason, check the permissions. Otherwise check
  /// what its words mean in the server's documentation.
  public static var unknownCause: Self { Self(name: "unknownCause") }
}
