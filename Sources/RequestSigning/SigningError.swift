// SPDX-License-Identifier: Apache-2.0
// Why something cannot be signed: a code for programs, a message for people.

package import SigningSupport

extension SigV4 {
  /// Why something cannot be signed.
  ///
  /// The message says what is wrong, why it matters and what to do. It never holds a secret access
  /// key, a session token or the value of a header that may be one.
  public struct SigningError: Swift.Error, Sendable, CustomStringConvertible {
    /// What kind of mistake it is.
    public let code: Code

    private let text: UTF8Text

    /// What is wrong, why it matters, and what to do, for people.
    public var message: String { text.string }

    /// Calls `body` with the message in UTF-8, which stays valid in `body` only: for callers that
    /// need bytes, such as those in C.
    public func withMessage<Result, Failure: Swift.Error>(
      _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      // Safety: the bytes live as long as the closure runs.
      try unsafe text.bytes.withUnsafeBufferPointer { bytes throws(Failure) in
        try unsafe body(UnsafeRawBufferPointer(bytes))
      }
    }

    #if !hasFeature(Embedded)
      /// The message up to its last semicolon: what is wrong and why it matters, for those who say
      /// themselves what to do.
      package var problem: String {
        let end = text.bytes.lastIndex(of: ASCIIByte.semicolon) ?? text.bytes.endIndex
        return String(decoding: text.bytes[..<end], as: UTF8.self)
      }
    #endif

    /// The code and the message.
    public var description: String { code.name + ": " + message }

    package init(_ code: Code, _ message: UTF8Text) {
      self.code = code
      text = message
    }
  }
}

#if !hasFeature(Embedded)  // Embedded Swift has no mirrors.
  extension SigV4.SigningError: CustomReflectable {
    /// The code and the message, as `dump` and debuggers show them.
    public var customMirror: Mirror {
      Mirror(self, children: ["code": code, "message": message])
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
  /// The method is not a valid token of HTTP.
  public static var invalidMethod: Self { Self(name: "invalidMethod") }
  /// The text is not an absolute URL with a scheme that can be signed.
  public static var invalidURL: Self { Self(name: "invalidURL") }
  /// The host or its port cannot stand in a Host header.
  public static var invalidHost: Self { Self(name: "invalidHost") }
  /// The path is not what its kind promises.
  public static var invalidPath: Self { Self(name: "invalidPath") }
  /// An object key was given to a service that has no objects.
  public static var keyOutsideObjectStorage: Self { Self(name: "keyOutsideObjectStorage") }
  /// The query has characters that no query can have.
  public static var invalidQuery: Self { Self(name: "invalidQuery") }
  /// A '%' is not followed by two hexadecimal digits.
  public static var invalidPercentEncoding: Self { Self(name: "invalidPercentEncoding") }
  /// The name of a header is not a valid token of HTTP.
  public static var invalidHeaderName: Self { Self(name: "invalidHeaderName") }
  /// The value of a header holds a control character.
  public static var invalidHeaderValue: Self { Self(name: "invalidHeaderValue") }
  /// The value of a header holds bytes outside of ASCII.
  public static var nonASCIIHeader: Self { Self(name: "nonASCIIHeader") }
  /// A header is set to another value than the one that would be signed.
  public static var conflictingHeader: Self { Self(name: "conflictingHeader") }
  /// The list of unsigned headers names one that must be signed, or no header at all.
  public static var invalidUnsignedHeader: Self { Self(name: "invalidUnsignedHeader") }
  /// The request carries a signature already.
  public static var alreadySigned: Self { Self(name: "alreadySigned") }
  /// The payload declaration is not a valid one.
  public static var invalidPayload: Self { Self(name: "invalidPayload") }
  /// The text is not a valid timestamp.
  public static var invalidTimestamp: Self { Self(name: "invalidTimestamp") }
  /// The time is outside of the years 1 to 9999.
  public static var timestampOutOfRange: Self { Self(name: "timestampOutOfRange") }
  /// The access key ID cannot stand in a credential.
  public static var invalidAccessKeyID: Self { Self(name: "invalidAccessKeyID") }
  /// The secret access key cannot be one.
  public static var invalidSecretAccessKey: Self { Self(name: "invalidSecretAccessKey") }
  /// The session token cannot stand in a header.
  public static var invalidSessionToken: Self { Self(name: "invalidSessionToken") }
  /// The credentials have expired at the time of signing.
  public static var credentialsExpired: Self { Self(name: "credentialsExpired") }
  /// The region cannot stand in a credential scope.
  public static var invalidRegion: Self { Self(name: "invalidRegion") }
  /// The name of the service cannot stand in a credential scope.
  public static var invalidService: Self { Self(name: "invalidService") }
  /// The text is not a valid credential scope.
  public static var invalidScope: Self { Self(name: "invalidScope") }
  /// The signing key belongs to another day, region or service.
  public static var outsideScope: Self { Self(name: "outsideScope") }
  /// The bytes are not a signing key.
  public static var invalidSigningKey: Self { Self(name: "invalidSigningKey") }
  /// The lifetime of a presigned URL is not 1 to 604,800 seconds.
  public static var invalidLifetime: Self { Self(name: "invalidLifetime") }
  /// The service does not support X-Amz-Expires.
  public static var lifetimeNotSupported: Self { Self(name: "lifetimeNotSupported") }
  /// The service requires X-Amz-Expires.
  public static var lifetimeRequired: Self { Self(name: "lifetimeRequired") }
  /// The presigned URL would outlive the credentials.
  public static var outlivesCredentials: Self { Self(name: "outlivesCredentials") }
  /// The text is not a valid signature.
  public static var invalidSignature: Self { Self(name: "invalidSignature") }
  /// The stream has ended already.
  public static var streamFinished: Self { Self(name: "streamFinished") }
}
