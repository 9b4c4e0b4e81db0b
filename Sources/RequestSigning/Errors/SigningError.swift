// SPDX-License-Identifier: Apache-2.0
// Signing errors: a code for programs, and a message for people.

extension SigV4 {
  /// The reason a request, or a part of one, can't be signed.
  ///
  /// Messages never contain a secret access key, a session token, or the value of a header that may
  /// be secret.
  public struct SigningError: Swift.Error, Sendable, CustomStringConvertible {
    /// The kind of error.
    public let code: Code

    /// What's wrong, without the fix.
    public var problem: String { problemText.string }

    /// Advice on how to fix it.
    public var fix: String { fixText.string }

    private let problemText: UTF8Text
    private let fixText: UTF8Text

    /// The message in UTF-8.
    var messageBytes: [UInt8] { problemText.bytes + [ASCIIByte.space] + fixText.bytes }

    /// The problem and its fix.
    public var message: String { messageBytes.textInUTF8 }

    /// Calls `body` with the message in UTF-8, for callers that need bytes, such as C. The bytes
    /// are valid only in `body`.
    public func withMessage<Result, Failure: Swift.Error>(
      _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try unsafe messageBytes.withUnsafeBufferPointer { bytes throws(Failure) in
        try unsafe body(UnsafeRawBufferPointer(bytes))
      }
    }

    /// The code and the message.
    public var description: String { code.name + ": " + message }

    package init(_ code: Code, _ problem: UTF8Text, fix: UTF8Text) {
      self.code = code
      problemText = problem
      fixText = fix
    }
  }
}

#if !hasFeature(Embedded)  // Embedded Swift has no mirrors.
  extension SigV4.SigningError: CustomReflectable {
    /// The code, problem and fix, for `dump` and debuggers.
    public var customMirror: Mirror {
      Mirror(self, children: ["code": code, "problem": problem, "fix": fix])
    }
  }
#endif

extension SigV4.SigningError {
  /// The kind of error. New codes may be added. Include a default in a switch.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, as spelled here.
    public let name: String

    package init(name: String) {
      self.name = name
    }

    /// The name of the code.
    public var description: String { name }

    /// Returns whether two codes have the same name.
    public static func == (left: Self, right: Self) -> Bool {
      left.name.hasSameBytes(as: right.name)
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
      for byte in name.utf8 { hasher.combine(byte) }
    }
  }
}

extension SigV4.SigningError.Code {
  /// The method isn't a valid HTTP token. Use one word, such as GET, in the case in which it's
  /// sent.
  public static var invalidMethod: Self { Self(name: "invalidMethod") }
  /// The string isn't an absolute URL with a supported scheme. Use the form
  /// https://host/path?query, or the scheme http, wss or ws.
  public static var invalidURL: Self { Self(name: "invalidURL") }
  /// The host or port isn't valid in a Host header. Use the name and port as they're sent, such as
  /// example.com:8080, without a scheme, user or path.
  public static var invalidHost: Self { Self(name: "invalidHost") }
  /// The path doesn't match its kind. Start it with '/', percent-encode an `.encoded` path, and
  /// pass a nonempty key.
  public static var invalidPath: Self { Self(name: "invalidPath") }
  /// The service doesn't support object keys. Sign with `.s3` or another S3 service, or pass the
  /// path as `.raw` or `.encoded`.
  public static var objectKeyNotSupported: Self { Self(name: "objectKeyNotSupported") }
  /// The query contains an invalid character. Percent-encode it, or pass the parameters unencoded.
  public static var invalidQuery: Self { Self(name: "invalidQuery") }
  /// A '%' isn't followed by two hexadecimal digits. Write a percent sign as %25, or pass the
  /// string unencoded.
  public static var invalidPercentEncoding: Self { Self(name: "invalidPercentEncoding") }
  /// A header name isn't a valid HTTP token. Check for a trailing colon or space.
  public static var invalidHeaderName: Self { Self(name: "invalidHeaderName") }
  /// A header value contains a control character. Remove newlines and other control characters, and
  /// use spaces to join a folded value.
  public static var invalidHeaderValue: Self { Self(name: "invalidHeaderValue") }
  /// A header value contains non-ASCII bytes. Encode the value, for example with percent-encoding,
  /// or use `headers.encodedAsUTF8` for Ceph and MinIO.
  public static var nonASCIIHeader: Self { Self(name: "nonASCIIHeader") }
  /// A header or parameter conflicts with another one, the host or the signed value. Remove the one
  /// that the message names. Signing adds what it needs.
  public static var conflictingHeader: Self { Self(name: "conflictingHeader") }
  /// The list of unsigned headers contains an invalid name, or a header that must be signed. Remove
  /// the name from the list. You can't leave host, content-type or x-amz-* unsigned.
  public static var invalidUnsignedHeader: Self { Self(name: "invalidUnsignedHeader") }
  /// The request already has a signature, or a header or parameter of one. Remove what the message
  /// names, or sign the original request.
  public static var alreadySigned: Self { Self(name: "alreadySigned") }
  /// The payload declaration isn't valid. Use `.bytes`, `.text`, `.digest`, `.unsigned` or
  /// `.empty`, or omit it for a chunked upload.
  public static var invalidPayload: Self { Self(name: "invalidPayload") }
  /// The string isn't a valid timestamp. Use UTC, such as 20130524T000000Z.
  public static var invalidTimestamp: Self { Self(name: "invalidTimestamp") }
  /// The time is outside the years 1 to 9999. Pass seconds, not milliseconds.
  public static var timestampOutOfRange: Self { Self(name: "timestampOutOfRange") }
  /// The access key ID contains an invalid character or is empty, or it may be the secret. Check
  /// for a copied space or newline, and whether the two are swapped.
  public static var invalidAccessKeyID: Self { Self(name: "invalidAccessKeyID") }
  /// The secret access key isn't valid. Check for a trailing newline or space, and whether it and
  /// the ID are swapped.
  public static var invalidSecretAccessKey: Self { Self(name: "invalidSecretAccessKey") }
  /// The session token contains a character that isn't allowed in a header, or a session of S3
  /// Express has no token. Check for a copied space or newline, or pass nil if there is no token.
  public static var invalidSessionToken: Self { Self(name: "invalidSessionToken") }
  /// The credentials have expired at the signing time. Get new credentials, or correct the clock.
  public static var credentialsExpired: Self { Self(name: "credentialsExpired") }
  /// The region isn't valid in a credential scope. Use the region code, such as eu-west-1, or auto
  /// for Cloudflare R2.
  public static var invalidRegion: Self { Self(name: "invalidRegion") }
  /// The service name isn't valid in a credential scope. Use the signing name, in lowercase, or the
  /// preset.
  public static var invalidService: Self { Self(name: "invalidService") }
  /// The string isn't a valid credential scope. Use the form 20130524/us-east-1/s3/aws4_request.
  public static var invalidScope: Self { Self(name: "invalidScope") }
  /// The signing key is for a different day, region or service. Derive a key for this request from
  /// the secret access key, or pass the matching key.
  public static var scopeMismatch: Self { Self(name: "scopeMismatch") }
  /// The bytes aren't a signing key. Pass the 32 bytes of the derived key, decoded from hexadecimal
  /// or base64, and not the secret access key.
  public static var invalidSigningKey: Self { Self(name: "invalidSigningKey") }
  /// The signer has no secret. Call `prepare(_:at:)`, or create the signer with credentials.
  public static var secretRequired: Self { Self(name: "secretRequired") }
  /// The lifetime of a presigned URL isn't 1 to 604,800 seconds. Use a lifetime in this range. For
  /// a connection token, the message contains the maximum.
  public static var invalidLifetime: Self { Self(name: "invalidLifetime") }
  /// The service doesn't support X-Amz-Expires. Pass `expiresIn: nil`.
  public static var lifetimeNotSupported: Self { Self(name: "lifetimeNotSupported") }
  /// The service requires X-Amz-Expires. Presign with `expiresIn`.
  public static var lifetimeRequired: Self { Self(name: "lifetimeRequired") }
  /// The presigned URL would outlive its credentials. Use at most the remaining time, which the
  /// message contains, or credentials that expire later.
  public static var lifetimeExceedsCredentials: Self { Self(name: "lifetimeExceedsCredentials") }
  /// The string isn't a valid signature. Pass 64 hexadecimal digits, and check for digits that were
  /// lost after signing.
  public static var invalidSignature: Self { Self(name: "invalidSignature") }
  /// The stream has already ended. Sign a new request for the remaining data.
  public static var streamFinished: Self { Self(name: "streamFinished") }
}
