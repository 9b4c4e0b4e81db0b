// SPDX-License-Identifier: Apache-2.0
// What can be wrong between us and a server: a code for programs, words for people.

public import RequestSigning

extension SigV4.Mismatch {
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

extension SigV4.Mismatch.Code {
  /// Another method arrived.
  public static var method: Self { Self(name: "method") }
  /// Another path arrived.
  public static var path: Self { Self(name: "path") }
  /// One side takes a '+' of the path for a space.
  public static var pathPlus: Self { Self(name: "pathPlus") }
  /// The server encodes the path once more than we do.
  public static var pathEncodedTwice: Self { Self(name: "pathEncodedTwice") }
  /// We encode the path once more than the server does.
  public static var pathEncodedOnce: Self { Self(name: "pathEncodedOnce") }
  /// The path is the same, spelled with other escapes.
  public static var pathEncoding: Self { Self(name: "pathEncoding") }
  /// Empty or dot segments of the path were dropped by the server, or before it.
  public static var pathNormalized: Self { Self(name: "pathNormalized") }
  /// The server keeps empty or dot segments that we dropped.
  public static var pathNotNormalized: Self { Self(name: "pathNotNormalized") }
  /// The path lost its beginning on the way.
  public static var pathPrefixRemoved: Self { Self(name: "pathPrefixRemoved") }
  /// The path got another beginning on the way.
  public static var pathPrefixAdded: Self { Self(name: "pathPrefixAdded") }
  /// A parameter did not arrive.
  public static var queryParameterMissing: Self { Self(name: "queryParameterMissing") }
  /// A parameter arrived that was not signed.
  public static var queryParameterAdded: Self { Self(name: "queryParameterAdded") }
  /// A parameter arrived with another value.
  public static var queryParameterChanged: Self { Self(name: "queryParameterChanged") }
  /// The same parameters in another order.
  public static var queryOrder: Self { Self(name: "queryOrder") }
  /// One side takes a '+' of the query for a space.
  public static var queryPlus: Self { Self(name: "queryPlus") }
  /// The escapes of the query have digits of another case.
  public static var queryHexadecimalCase: Self { Self(name: "queryHexadecimalCase") }
  /// The query is the same, spelled with other escapes.
  public static var queryEncoding: Self { Self(name: "queryEncoding") }
  /// A signed header did not arrive.
  public static var headerMissing: Self { Self(name: "headerMissing") }
  /// The server counts a header as signed that is not.
  public static var headerAdded: Self { Self(name: "headerAdded") }
  /// A signed header arrived with another value.
  public static var headerChanged: Self { Self(name: "headerChanged") }
  /// Another Host header arrived.
  public static var host: Self { Self(name: "host") }
  /// The header lines differ in another way than those above.
  public static var headers: Self { Self(name: "headers") }
  /// Another list of signed headers arrived.
  public static var signedHeaders: Self { Self(name: "signedHeaders") }
  /// Another body arrived, or another digest of it was declared.
  public static var payload: Self { Self(name: "payload") }
  /// The server does not take an unsigned body.
  public static var unsignedPayload: Self { Self(name: "unsignedPayload") }
  /// The canonical requests differ in another way than those above, or the server does not show its.
  public static var canonicalRequest: Self { Self(name: "canonicalRequest") }
  /// Another algorithm.
  public static var algorithm: Self { Self(name: "algorithm") }
  /// Another time, or another day in the scope.
  public static var date: Self { Self(name: "date") }
  /// Another region in the scope.
  public static var region: Self { Self(name: "region") }
  /// Another service in the scope.
  public static var service: Self { Self(name: "service") }
  /// The strings to sign differ in another way than those above.
  public static var stringToSign: Self { Self(name: "stringToSign") }
  /// Another access key ID arrived.
  public static var accessKeyID: Self { Self(name: "accessKeyID") }
  /// All is equal but the key.
  public static var secretAccessKey: Self { Self(name: "secretAccessKey") }
  /// The URL was changed after it was signed, or another secret made it.
  public static var signature: Self { Self(name: "signature") }
  /// The clocks differ by too much.
  public static var clock: Self { Self(name: "clock") }
  /// The presigned URL, or the request, is too old.
  public static var expired: Self { Self(name: "expired") }
  /// Headers arrived that have to be signed and are not.
  public static var unsignedHeaders: Self { Self(name: "unsignedHeaders") }
  /// The Host header is not signed.
  public static var hostNotSigned: Self { Self(name: "hostNotSigned") }
  /// The server does not take the day, region or service of the scope, and does not say which.
  public static var credentialScope: Self { Self(name: "credentialScope") }
  /// The bucket has another endpoint.
  public static var endpoint: Self { Self(name: "endpoint") }
  /// The server cannot read the Authorization header, or the parameters of the URL.
  public static var malformedAuthorization: Self { Self(name: "malformedAuthorization") }
  /// A signature arrived in the URL, and another one in the headers.
  public static var twoSignatures: Self { Self(name: "twoSignatures") }
  /// The header x-amz-content-sha256 did not arrive.
  public static var payloadNotDeclared: Self { Self(name: "payloadNotDeclared") }
  /// No signature arrived.
  public static var notSigned: Self { Self(name: "notSigned") }
  /// The temporary credentials have ended.
  public static var credentialsExpired: Self { Self(name: "credentialsExpired") }
  /// The session token is missing, or not the one of the credentials.
  public static var sessionToken: Self { Self(name: "sessionToken") }
  /// The server does not know the credentials.
  public static var credentialsUnknown: Self { Self(name: "credentialsUnknown") }
  /// The signature is not the cause: the answer comes after it was accepted.
  public static var accepted: Self { Self(name: "accepted") }
  /// The answer does not tell why.
  public static var notExplained: Self { Self(name: "notExplained") }
}
