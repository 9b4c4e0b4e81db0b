// SPDX-License-Identifier: Apache-2.0
// Why something cannot be signed: a code for programs, a message for people.

package import SigningSupport

extension SigV4 {
  /// Why a request, or a part of one, can't be signed.
  ///
  /// Its texts never contain a secret access key, a session token or the value of a header that may be secret.
  public struct SigningError: Swift.Error, Sendable, CustomStringConvertible {
    /// What kind of mistake it is.
    public let code: Code

    /// Why it can't be signed, in one sentence.
    public var problem: String { problemText.string }

    /// How to fix it.
    public var fix: String { fixText.string }

    private let problemText: UTF8Text
    private let fixText: UTF8Text

    /// The message in UTF-8.
    var messageBytes: [UInt8] { problemText.bytes + [ASCIIByte.space] + fixText.bytes }

    /// The problem and its fix.
    public var message: String { messageBytes.textInUTF8 }

    /// Calls `body` with the message in UTF-8, for callers that need bytes, such as those in C. The bytes are
    /// valid only in `body`.
    public func withMessage<Result, Failure: Swift.Error>(
      _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      // Safety: the bytes live as long as the closure runs.
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

    // TODO: gone when every error has its fix.
    package init(_ code: Code, _ message: UTF8Text) {
      self.init(code, message, fix: UTF8Text())
    }
  }
}

#if !hasFeature(Embedded)  // Embedded Swift has no mirrors.
  extension SigV4.SigningError: CustomReflectable {
    /// The code, the problem and the fix, as `dump` and debuggers show them.
    public var customMirror: Mirror {
      Mirror(self, children: ["code": code, "problem": problem, "fix": fix])
    }
  }
#endif

extension SigV4.SigningError {
  /// What kind of mistake it is. More codes may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, as it is spelled here.
    public let name: String

    package init(name: String) {
      self.name = name
    }

    /// The name of the code.
    public var description: String { name }

    /// Whether two codes have the same name.
    public static func == (left: Self, right: Self) -> Bool {
      left.name.hasSameBytes(as: right.name)
    }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) {
      for byte in name.utf8 { hasher.combine(byte) }
    }
  }
}

extension SigV4.SigningError.Code {
  /// The method is not a valid token of HTTP. Give one word such as GET, in the case in which it is
  /// sent.
  public static var invalidMethod: Self { Self(name: "invalidMethod") }
  /// The text is not an absolute URL with a scheme that can be signed. Write
  /// https://host/path?query; http, wss and ws work too.
  public static var invalidURL: Self { Self(name: "invalidURL") }
  /// The host or its port cannot stand in a Host header. Give the name and the port as they are
  /// sent, such as example.com:8080, without a scheme, a user or a path.
  public static var invalidHost: Self { Self(name: "invalidHost") }
  /// The path is not what its kind promises. Begin with '/', percent-encode what is given as
  /// `.encoded`, and give a key that is not empty.
  public static var invalidPath: Self { Self(name: "invalidPath") }
  /// An object key was given to a service that has no objects. Sign with `.s3` or its like, or give
  /// the path as `.raw` or `.encoded`.
  public static var objectKeyNotSupported: Self { Self(name: "objectKeyNotSupported") }
  /// The query has characters that no query can have. Percent-encode it, or give the parameters
  /// unencoded.
  public static var invalidQuery: Self { Self(name: "invalidQuery") }
  /// A '%' is not followed by two hexadecimal digits. Write a percent sign as %25, or give the text
  /// unencoded.
  public static var invalidPercentEncoding: Self { Self(name: "invalidPercentEncoding") }
  /// The name of a header is not a valid token of HTTP. Look for a colon or a space at its end.
  public static var invalidHeaderName: Self { Self(name: "invalidHeaderName") }
  /// The value of a header holds a control character. Remove line ends and the like; join a folded
  /// value with spaces.
  public static var invalidHeaderValue: Self { Self(name: "invalidHeaderValue") }
  /// The value of a header holds bytes outside of ASCII. Encode the value, for example by
  /// percent-encoding, or give `headers.encodedAsUTF8` for Ceph and MinIO.
  public static var nonASCIIHeader: Self { Self(name: "nonASCIIHeader") }
  /// A header is set to another value than the one that would be signed. Leave the header out: it
  /// is added. The message names it.
  public static var conflictingHeader: Self { Self(name: "conflictingHeader") }
  /// The list of unsigned headers names one that must be signed, or no header at all. Take the name
  /// off the list; host, content-type and x-amz-* have to be signed.
  public static var invalidUnsignedHeader: Self { Self(name: "invalidUnsignedHeader") }
  /// The request carries a signature already. Sign the request as it was before the first
  /// signature.
  public static var alreadySigned: Self { Self(name: "alreadySigned") }
  /// The payload declaration is not a valid one. Give `.bytes`, `.text`, `.digest`, `.unsigned` or
  /// `.empty`, and leave it out for a chunked upload.
  public static var invalidPayload: Self { Self(name: "invalidPayload") }
  /// The text is not a valid timestamp. Write it in UTC, such as 20130524T000000Z.
  public static var invalidTimestamp: Self { Self(name: "invalidTimestamp") }
  /// The time is outside of the years 1 to 9999. Give seconds, not milliseconds.
  public static var timestampOutOfRange: Self { Self(name: "timestampOutOfRange") }
  /// The access key ID cannot stand in a credential. Look for a space or a line end that came along
  /// when it was copied.
  public static var invalidAccessKeyID: Self { Self(name: "invalidAccessKeyID") }
  /// The secret access key cannot be one. Look for a line end or a space that came along when it
  /// was read.
  public static var invalidSecretAccessKey: Self { Self(name: "invalidSecretAccessKey") }
  /// The session token cannot stand in a header. Leave it out when there is none, and look for a
  /// space or a line end.
  public static var invalidSessionToken: Self { Self(name: "invalidSessionToken") }
  /// The credentials have expired at the time of signing. Get new credentials, or correct the
  /// clock.
  public static var credentialsExpired: Self { Self(name: "credentialsExpired") }
  /// The region cannot stand in a credential scope. Give the code of the region, such as eu-west-1,
  /// or auto for Cloudflare R2.
  public static var invalidRegion: Self { Self(name: "invalidRegion") }
  /// The name of the service cannot stand in a credential scope. Give the signing name, in
  /// lowercase, or use the preset.
  public static var invalidService: Self { Self(name: "invalidService") }
  /// The text is not a valid credential scope. Write it as 20130524/us-east-1/s3/aws4_request.
  public static var invalidScope: Self { Self(name: "invalidScope") }
  /// The signing key belongs to another day, region or service. Derive the key for this request
  /// from the secret access key, or give the key that belongs to it.
  public static var scopeMismatch: Self { Self(name: "scopeMismatch") }
  /// The bytes are not a signing key. Give the 32 bytes of the derivation, not the secret access
  /// key, decoded from hexadecimal or base64.
  public static var invalidSigningKey: Self { Self(name: "invalidSigningKey") }
  /// The signer has no secret. Call `prepare(_:at:)`, or create the signer with credentials.
  public static var secretRequired: Self { Self(name: "secretRequired") }
  /// The lifetime of a presigned URL is not 1 to 604,800 seconds. Ask for a time in that range; for
  /// a connection token the message says which is the longest.
  public static var invalidLifetime: Self { Self(name: "invalidLifetime") }
  /// The service does not support X-Amz-Expires. Presign without `expiresIn`.
  public static var lifetimeNotSupported: Self { Self(name: "lifetimeNotSupported") }
  /// The service requires X-Amz-Expires. Presign with `expiresIn`.
  public static var lifetimeRequired: Self { Self(name: "lifetimeRequired") }
  /// The presigned URL would outlive the credentials. Ask for the time that is left, which the
  /// message says, or sign with credentials that live longer.
  public static var lifetimeExceedsCredentials: Self { Self(name: "lifetimeExceedsCredentials") }
  /// The text is not a valid signature. Give 64 hexadecimal digits; look for digits that were lost
  /// on the way from the signer.
  public static var invalidSignature: Self { Self(name: "invalidSignature") }
  /// The stream has ended already. Sign a request of its own for what comes now.
  public static var streamFinished: Self { Self(name: "streamFinished") }
}
