// SPDX-License-Identifier: Apache-2.0
// What the steps of a signature give, as values: canonical request, string to sign, signature. And what an algorithm
// changes in the steps: SigV4a is a second one, in MultiRegionSigning.

public import SecureHashing
package import SigningSupport

extension SigV4 {
  /// The canonical request (SigV4, step 1): the form of a request that client and server hash.
  ///
  /// When a server answers SignatureDoesNotMatch, it shows its canonical request: compare the two.
  public struct CanonicalRequest: Hashable, Sendable {
    /// The canonical request. It may hold a session token.
    public let bytes: [UInt8]

    /// Where the names of the signed headers stand.
    private let namesRange: Range<Int>

    package init(bytes: [UInt8], signedHeaders: Range<Int>) {
      self.bytes = bytes
      namesRange = signedHeaders
    }

    /// The canonical request of a request as it was received: all of its headers are signed.
    package init(
      received message: borrowing RequestMessage, _ rule: Service.PathRule,
      _ payload: SignedPayload
    ) {
      let rules = SignatureRules(
        encodesPathTwice: rule.encodesTwice, normalizesPath: rule.isNormalized,
        unsignedNames: UnsignedNames(includesDefault: false), token: nil,
        tokenField: .securityToken, isTokenSigned: true, additions: [])
      var steps = SignatureSteps()
      steps.write(received: message, payload, rules)
      self.init(steps)
    }

    /// The canonical request among the steps of a signature.
    package init(_ steps: borrowing SignatureSteps) {
      let (request, names) = (steps.parts.canonicalRequest, steps.parts.signedHeaders)
      let start = names.lowerBound - request.lowerBound
      self.init(bytes: steps.bytes(request), signedHeaders: start..<start + names.count)
    }

    /// The canonical request as text. It may hold a session token.
    public var text: String { bytes.textInUTF8 }

    /// The names of the signed headers, lowercase and sorted, separated by ';'.
    public var signedHeaders: String { bytes[namesRange].textInUTF8 }

    /// SHA-256 of the canonical request (SigV4, step 2).
    public var digest: SHA256.Digest { SHA256.hash(data: bytes) }
  }

  /// The name of an algorithm, and what it changes in the steps before the signature: the scope, and
  /// headers or parameters of its own. How it signs is not a part of it.
  package struct SignatureAlgorithm: Sendable, CustomStringConvertible {
    /// The first line of the string to sign.
    package let name: String

    /// Whether the region is a part of the credential scope.
    package let scopeHasRegion: Bool

    /// What the algorithm adds: a header, or the parameter of a presigned URL. Their order is that of
    /// the names: headers after `x-amz-date` and before the session token, parameters after
    /// `X-Amz-Expires`.
    package let additions: [Addition]

    package typealias Addition = SignatureAddition

    package init(name: String, scopeHasRegion: Bool, additions: [Addition]) {
      self.name = name
      self.scopeHasRegion = scopeHasRegion
      self.additions = additions
    }

    /// HMAC with SHA-256: a signature of 32 bytes.
    package static var hmacSHA256: SignatureAlgorithm {
      SignatureAlgorithm(
        name: hmacSHA256Name.textInUTF8, scopeHasRegion: true, additions: [])
    }

    package static var hmacSHA256Name: StaticString { "AWS4-HMAC-SHA256" }

    /// Signature Version 4a, which higher modules sign and verify.
    package static var ecdsaP256SHA256Name: StaticString { "AWS4-ECDSA-P256-SHA256" }

    /// The maximum size of a set of regions in bytes, and in regions: a server compares each with its own before
    /// anything is proved. All regions that AWS has take about half of both.
    package static var maximumRegionSetByteCount: Int { 1_024 }
    package static var maximumRegionCount: Int { 64 }

    /// The name.
    package var description: String { name }
  }

  /// The string to sign (SigV4, step 3): algorithm, time, credential scope, and the digest of the
  /// canonical request. It holds no secret.
  public struct StringToSign: Hashable, Sendable, CustomStringConvertible {
    /// The string to sign.
    public let bytes: [UInt8]

    package init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    /// The string to sign of a request as it was received.
    package init(
      _ algorithm: StaticString = SignatureAlgorithm.hmacSHA256Name, scope: CredentialScope,
      at time: Timestamp, digest: SHA256.Digest
    ) {
      let byteCount =
        algorithm.utf8CodeUnitCount + Timestamp.byteCount + scope.byteCount
        + 2 * SHA256.byteCount + 3  // line feeds
      var bytes: [UInt8] = []
      bytes.append(addingCapacity: byteCount) { text in
        text.appendUTF8(algorithm)
        text.append(ASCIIByte.newline)
        time.append(to: &text)
        text.append(ASCIIByte.newline)
        scope.append(to: &text)
        text.append(ASCIIByte.newline)
        digest.append(hexadecimalTo: &text)
      }
      self.bytes = bytes
    }

    /// The string to sign as text.
    public var text: String { bytes.textInUTF8 }

    /// The string to sign as text.
    public var description: String { text }
  }

  /// A signature (SigV4, step 5). It is public: it travels with the request.
  public struct Signature: Hashable, Sendable, CustomStringConvertible {
    /// A code of 32 bytes needs no memory of its own.
    private enum Form: Hashable {
      case digest(SHA256.Digest)
      case bytes([UInt8])
    }

    private let form: Form

    /// The signature: 32 bytes for HMAC-SHA-256.
    public var bytes: [UInt8] {
      switch form {
      case .digest(let digest): Array(digest)
      case .bytes(let bytes): bytes
      }
    }

    /// An authentication code as signature.
    public init(_ code: HMAC<SHA256>.MAC) {
      form = .digest(code.digest)
    }

    package init(digest: SHA256.Digest) {
      form = .digest(digest)
    }

    /// The signature of any algorithm.
    package init(bytes: [UInt8]) {
      form = SHA256.Digest(bytes: bytes).map { .digest($0) } ?? .bytes(bytes)
    }

    /// A signature in hexadecimal, made elsewhere: 64 digits for HMAC-SHA-256.
    ///
    /// Throws `invalidSignature` unless there are 64 hexadecimal digits.
    public init(hexString text: String) throws(SigningError) {
      guard let digest = try? SHA256.Digest(hexString: text) else {
        throw SigningError(
          .invalidSignature,
          "An AWS4-HMAC-SHA256 signature is 64 hexadecimal digits, but this one is \(quoted: text).",
          fix: "Check for digits that were lost after signing.")
      }
      form = .digest(digest)
    }

    /// The signature in lowercase hexadecimal digits, as it is sent.
    public var hexString: String {
      var digits: [UInt8] = []
      digits.append(addingCapacity: hexadecimalCount) { append(hexadecimalTo: &$0) }
      return digits.textInUTF8
    }

    /// The signature in lowercase hexadecimal digits.
    public var description: String { hexString }

    /// Whether two signatures are equal, in constant time for their sizes.
    public static func == (left: Self, right: Self) -> Bool {
      if case .digest(let digest) = left.form, case .digest(let other) = right.form {
        return digest == other
      }
      return ConstantTime.equal(left.bytes, right.bytes)
    }

    /// How many digits the signature has.
    package var hexadecimalCount: Int {
      switch form {
      case .digest: 2 * SHA256.byteCount
      case .bytes(let bytes): 2 * bytes.count
      }
    }

    /// Appends the digits of ``hexString``.
    func append(to text: inout TextOutput, _ end: inout Int) {
      switch form {
      case .digest(let digest): text.append(digest, &end)
      case .bytes(let bytes):
        var digits: [UInt8] = []
        Hexadecimal.append(bytes, to: &digits)
        text.append(digits, &end)
      }
    }

    package func append(hexadecimalTo text: inout OutputSpan<UInt8>) {
      switch form {
      case .digest(let digest): digest.append(hexadecimalTo: &text)
      case .bytes(let bytes):
        unsafe bytes.withUnsafeBytes { unsafe Hexadecimal.append($0, to: &text) }
      }
    }
  }
}

extension SHA256.Digest {
  package func append(hexadecimalTo text: inout OutputSpan<UInt8>) {
    unsafe withUnsafeBytes { unsafe Hexadecimal.append($0, to: &text) }
  }
}

extension SigV4.CanonicalRequest: CustomStringConvertible {
  /// Size and digest. The text itself, which may hold a session token, is ``text``.
  public var description: String {
    "canonical request of \(bytes.count) bytes, SHA-256 \(digest.hexString)"
  }
}

extension SigV4.CanonicalRequest: Redacted {}
