// SPDX-License-Identifier: Apache-2.0
// The payload of a request: the hash of its body, or a value that leaves it unsigned.

public import SecureHashing

extension SigV4 {
  /// The request body, or how it's signed. The body itself is never stored.
  public struct Payload: Sendable {
    package enum Kind: Sendable {
      case digestOfNothing
      case unsigned
      case digest(SHA256.Digest)
      case literal(String)
    }

    package let kind: Kind

    package init(kind: Kind) {
      self.kind = kind
    }

    package static var unsignedText: StaticString { "UNSIGNED-PAYLOAD" }

    /// The SHA-256 hash of the empty message.
    package static var digestOfNothingText: StaticString {
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    }

    /// An empty body. This is the default.
    public static var empty: Payload { Payload(kind: .digestOfNothing) }

    /// Returns the payload of a body in memory, which is hashed immediately.
    public static func bytes(_ body: some Collection<UInt8>) -> Payload {
      Payload(kind: .digest(SHA256.hash(data: body)))
    }

    /// Returns the payload of a body in memory, which is hashed immediately.
    public static func bytes(_ body: Swift.Span<UInt8>) -> Payload {
      Payload(kind: .digest(SHA256.hash(data: body)))
    }

    /// Returns the payload of a string, in UTF-8.
    public static func text(_ body: String) -> Payload { bytes(body.utf8) }

    /// Returns the payload of a body with a known SHA-256 hash.
    public static func digest(_ digest: SHA256.Digest) -> Payload {
      Payload(kind: .digest(digest))
    }

    /// An unsigned body. Use TLS, because changes in transit go undetected.
    public static var unsigned: Payload { Payload(kind: .unsigned) }

    /// Returns a custom `x-amz-content-sha256` value, such as `STREAMING-AWS4-HMAC-SHA256-EVENTS`.
    ///
    /// `UNSIGNED-PAYLOAD` is the same as ``unsigned``.
    ///
    /// - Throws: `invalidPayload` unless the value consists of uppercase ASCII letters, digits and
    ///   '-', and for a hash: 64 hexadecimal digits.
    public static func literal(_ value: String) throws(SigningError) -> Payload {
      let isLiteral = value.utf8.allSatisfy {
        ($0 >= 0x41 && $0 <= 0x5A) || ASCIIByte.isDigit($0) || $0 == 0x2D
      }
      if unsafe value.bytesInUTF8 == Array(unsignedText.bytesInUTF8) { return .unsigned }
      // Signatures contain hashes in lowercase.
      let isHash =
        value.utf8.count == 2 * SHA256.byteCount
        && value.utf8.allSatisfy { ASCIIByte.hexadecimalValue($0) != nil }
      if value.utf8.isEmpty || !isLiteral || isHash {
        throw SigningError(
          .invalidPayload,
          """
          \(quoted: value) isn't a valid payload literal, which contains only A to Z, 0 to 9 and \
          '-', such as STREAMING-AWS4-HMAC-SHA256-PAYLOAD.
          """,
          fix: "Use .digest for a hash, or .bytes for a body.")
      }
      return Payload(kind: .literal(value))
    }

    /// The `x-amz-content-sha256` header value: the hash in 64 hexadecimal digits, or a word
    /// such as `UNSIGNED-PAYLOAD`.
    public var contentSHA256: String { bytes.textInUTF8 }

    /// The last line of the canonical request: 64 hexadecimal digits, or a word.
    var bytes: [UInt8] {
      switch kind {
      case .digestOfNothing: return unsafe Array(Self.digestOfNothingText.bytesInUTF8)
      case .unsigned: return unsafe Array(Self.unsignedText.bytesInUTF8)
      case .literal(let value): return value.bytesInUTF8
      case .digest(let digest):
        var digits: [UInt8] = []
        digest.appendDigits(to: &digits)
        return digits
      }
    }
  }
}

extension SigV4.Payload {
  /// The signed payload, and whether it must be declared in a header.
  struct Declaration {
    /// Whether the signature leaves the body unsigned, whatever the payload.
    let isUnsigned: Bool
    let isHeader: Bool
  }

  /// The size of the last line of the canonical request.
  var byteCount: Int {
    switch kind {
    case .digestOfNothing, .digest: 2 &* SHA256.byteCount
    case .unsigned: Self.unsignedText.utf8CodeUnitCount
    case .literal(let word): word.byteCountInUTF8
    }
  }

  /// Returns the declaration for a service's rule and the signature's location.
  func declared(
    _ placement: SigV4.SignaturePlacement, _ rule: SigV4.Service.PayloadRule
  ) -> Declaration {
    switch (rule, kind, placement) {
    case (.declaredExceptInURLs, .digestOfNothing, .url), (.declaredExceptInURLs, .unsigned, .url):
      Declaration(isUnsigned: true, isHeader: false)
    case (.hashed, .digestOfNothing, _), (.hashed, .digest, _), (.declared, .digestOfNothing, .url),
      (.declared, .digest, .url):
      Declaration(isUnsigned: false, isHeader: false)
    case (.unsigned, _, _): Declaration(isUnsigned: true, isHeader: true)
    default: Declaration(isUnsigned: false, isHeader: true)
    }
  }
}
