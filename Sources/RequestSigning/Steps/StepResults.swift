// SPDX-License-Identifier: Apache-2.0
// The results of the signing steps: canonical request, string to sign and signature.

public import SecureHashing

extension SigV4 {
  /// The canonical request (SigV4, step 1): the form of a request that client and server hash.
  ///
  /// Compare it with the server's canonical request, which the error response SignatureDoesNotMatch
  /// contains.
  public struct CanonicalRequest: Hashable, Sendable {
    private let storage: StepText

    /// The canonical request. It may contain a session token.
    public var bytes: [UInt8] { storage.bytes }

    /// The range of the signed header names.
    private let namesRange: Range<Int>

    package init(bytes: [UInt8], signedHeaders: Range<Int>) {
      storage = StepText(memory: ContiguousArray(bytes), range: 0..<bytes.count)
      namesRange = signedHeaders
    }

    /// Creates the canonical request from the steps of a signature, whose memory it shares.
    init(_ memory: TextMemory, _ parts: SigningBuffer.Parts) {
      let (request, names) = (parts.canonicalRequest, parts.signedHeaders)
      let start = names.lowerBound - request.lowerBound
      storage = StepText(memory: memory.bytes, range: request)
      namesRange = start..<start + names.count
    }

    /// The canonical request as a string. It may contain a session token.
    public var text: String { bytes.textInUTF8 }

    /// The signed header names, lowercase and sorted, separated by ';'.
    public var signedHeaders: String { bytes[namesRange].textInUTF8 }

    /// The SHA-256 hash of the canonical request (SigV4, step 2).
    public var digest: SHA256.Digest { SHA256.hash(data: bytes) }
  }

  /// The string to sign (SigV4, step 3): algorithm, time, credential scope, and the hash of the
  /// canonical request. For a form, it's the policy instead, which contains the session token of
  /// temporary credentials. Otherwise, it contains no secret.
  public struct StringToSign: Hashable, Sendable, CustomStringConvertible {
    private let storage: StepText

    /// The string to sign.
    public var bytes: [UInt8] { storage.bytes }

    package init(bytes: [UInt8]) {
      storage = StepText(memory: ContiguousArray(bytes), range: 0..<bytes.count)
    }

    /// Creates the string to sign from the steps of a signature, whose memory it shares.
    init(_ memory: TextMemory, _ parts: SigningBuffer.Parts) {
      storage = StepText(memory: memory.bytes, range: parts.stringToSign)
    }

    /// Calls `body` with the string to sign.
    @inline(__always)
    package func withText<Result>(_ body: (TextSpan) -> Result) -> Result {
      body(storage.memory.span.extracting(storage.range))
    }

    /// The string to sign as a string.
    public var text: String { bytes.textInUTF8 }

    /// The string to sign as a string. A policy, which may contain a session token, isn't shown.
    public var description: String {
      bytes.contains(ASCIIByte.newline) ? text : "StringToSign(\(bytes.count) bytes)"
    }
  }

  /// A signature (SigV4, step 5). It's public, because it's sent with the request.
  public struct Signature: Hashable, Sendable, CustomStringConvertible {
    /// A code of 32 bytes needs no separate allocation.
    private enum Form: Hashable {
      case digest(SHA256.Digest)
      case bytes([UInt8])
    }

    private let form: Form

    /// The signature bytes, 32 for HMAC-SHA-256.
    public var bytes: [UInt8] {
      switch form {
      case .digest(let digest): Array(digest)
      case .bytes(let bytes): bytes
      }
    }

    /// Creates a signature from an authentication code.
    public init(_ code: HMAC<SHA256>.MAC) {
      form = .digest(code.digest)
    }

    /// Creates a signature of any algorithm.
    package init(bytes: [UInt8]) {
      form = SHA256.Digest(bytes: bytes).map { .digest($0) } ?? .bytes(bytes)
    }

    /// Creates a signature from hexadecimal digits, 64 for HMAC-SHA-256.
    ///
    /// - Throws: `invalidSignature` unless the string consists of 64 hexadecimal digits.
    public init(hexString text: String) throws(SigningError) {
      guard let digest = try? SHA256.Digest(hexString: text) else {
        throw SigningError(
          .invalidSignature,
          "\(quoted: text) isn't an AWS4-HMAC-SHA256 signature, which has 64 hexadecimal digits.",
          fix: "Check for digits that were lost after signing.")
      }
      form = .digest(digest)
    }

    /// The signature in lowercase hexadecimal digits, as it's sent.
    public var hexString: String {
      var digits: [UInt8] = []
      appendDigits(to: &digits)
      return digits.textInUTF8
    }

    /// The signature in lowercase hexadecimal digits.
    public var description: String { hexString }

    /// Returns whether two signatures are equal, in constant time for their sizes.
    public static func == (left: Self, right: Self) -> Bool {
      if case .digest(let digest) = left.form, case .digest(let other) = right.form {
        return digest == other
      }
      return ConstantTime.equal(left.bytes, right.bytes)
    }

    /// Returns whether a text is the signature in lowercase hexadecimal digits, in constant time
    /// for the sizes.
    package func isSpelled(by text: TextSpan) -> Bool {
      switch form {
      case .digest(let digest): unsafe text.withUnsafeBytes { unsafe digest.isSpelled(by: $0) }
      case .bytes: ConstantTime.equal(hexString.utf8, text.array)
      }
    }

    /// The number of digits in the signature.
    package var hexadecimalCount: Int {
      switch form {
      case .digest: 2 * SHA256.byteCount
      case .bytes(let bytes): 2 * bytes.count
      }
    }

    /// Writes the digits of ``hexString``.
    func write(to text: inout TextOutput, _ end: inout Int) {
      switch form {
      case .digest(let digest): text.append(digest, &end)
      case .bytes:
        var digits: [UInt8] = []
        appendDigits(to: &digits)
        text.append(digits, &end)
      }
    }

    /// Appends the digits of ``hexString``.
    package func appendDigits(to digits: inout [UInt8]) {
      switch form {
      case .digest(let digest): digest.appendDigits(to: &digits)
      case .bytes(let bytes): Hexadecimal.append(bytes, to: &digits)
      }
    }
  }
}

/// Part of the memory of a signature's steps, of which other parts may be secret.
private struct StepText: Hashable, Sendable, Redacted {
  let memory: ContiguousArray<UInt8>
  let range: Range<Int>

  var bytes: [UInt8] { Array(memory[range]) }

  static func == (left: Self, right: Self) -> Bool {
    left.memory[left.range].elementsEqual(right.memory[right.range])
  }

  func hash(into hasher: inout Hasher) { bytes.hash(into: &hasher) }

  var description: String { "\(range.count) bytes" }
}

extension SHA256.Digest {
  /// Appends 64 lowercase hexadecimal digits.
  package func appendDigits(to digits: inout [UInt8]) {
    unsafe withUnsafeBytes { unsafe Hexadecimal.append($0, to: &digits) }
  }
}

extension SigV4.CanonicalRequest: CustomStringConvertible {
  /// The size and hash. Use ``text`` for the canonical request itself, which may contain a session
  /// token.
  public var description: String {
    "canonical request of \(bytes.count) bytes, SHA-256 \(digest.hexString)"
  }
}

extension SigV4.CanonicalRequest: Redacted {}
