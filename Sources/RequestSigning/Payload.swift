// SPDX-License-Identifier: Apache-2.0
// What is said of the body: its digest, or that it is not signed.

public import SecureHashing
package import SigningSupport

extension SigV4 {
  /// What a request says of its body. The body itself is never kept.
  public struct Payload: Sendable {
    package let kind: SignedPayload

    package init(kind: SignedPayload) {
      self.kind = kind
    }

    /// No body: the default.
    public static var empty: Payload { Payload(kind: .digestOfNothing) }

    /// A body that is in memory. It is hashed here and now.
    public static func bytes(_ body: some Collection<UInt8>) -> Payload {
      Payload(kind: .digest(SHA256.hash(data: body)))
    }

    /// A body that is in memory. It is hashed here and now.
    public static func bytes(_ body: Swift.Span<UInt8>) -> Payload {
      Payload(kind: .digest(SHA256.hash(data: body)))
    }

    /// A text as body, in UTF-8.
    public static func text(_ body: String) -> Payload { bytes(body.utf8) }

    /// A body whose SHA-256 digest is known.
    public static func digest(_ digest: SHA256.Digest) -> Payload {
      Payload(kind: .digest(digest))
    }

    /// The body is not signed. A change on the way is not noticed, so use TLS.
    public static var unsigned: Payload { Payload(kind: .unsigned) }

    /// Another value of `x-amz-content-sha256`, such as `STREAMING-AWS4-HMAC-SHA256-EVENTS`.
    ///
    /// Throws `invalidPayload` unless it consists of uppercase ASCII letters, digits and '-'.
    public static func literal(_ value: String) throws(SigningError) -> Payload {
      let isLiteral = value.utf8.allSatisfy {
        ($0 >= 0x41 && $0 <= 0x5A) || ASCIIByte.isDigit($0) || $0 == 0x2D
      }
      if value.utf8.isEmpty || !isLiteral {
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

    /// The last line of the canonical request: 64 hexadecimal digits, or a word.
    var bytes: [UInt8] {
      switch kind {
      case .digestOfNothing: return unsafe Array(SignedPayload.digestOfNothingText.bytesInUTF8)
      case .unsigned: return unsafe Array(SignedPayload.unsignedText.bytesInUTF8)
      case .literal(let value): return value.bytesInUTF8
      case .digest(let digest):
        var digits: [UInt8] = []
        unsafe digest.withUnsafeBytes { unsafe Hexadecimal.append($0, to: &digits) }
        return digits
      }
    }
  }
}

extension SigV4.Payload {
  /// What is signed of a payload, and whether the server has to be told so in a header.
  struct Declaration {
    let payload: SigV4.Payload
    let isHeader: Bool
  }

  /// By the rule of a service, and by where the signature stands.
  func declared(
    _ placement: SigV4.Preparer.Placement, _ rule: SigV4.Service.PayloadRule
  ) -> Declaration {
    switch (rule, kind, placement) {
    case (.declaredExceptInURLs, .digestOfNothing, .url), (.declaredExceptInURLs, .unsigned, .url):
      Declaration(payload: .unsigned, isHeader: false)
    case (.hashed, .digestOfNothing, _), (.hashed, .digest, _), (.declared, .digestOfNothing, .url),
      (.declared, .digest, .url):
      Declaration(payload: self, isHeader: false)
    case (.unsigned, _, _): Declaration(payload: .unsigned, isHeader: true)
    default: Declaration(payload: self, isHeader: true)
    }
  }
}
