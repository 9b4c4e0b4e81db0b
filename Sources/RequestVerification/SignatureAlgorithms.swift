// SPDX-License-Identifier: Apache-2.0
// The signature algorithms: their names in requests, and the form of their signatures.

public import RequestSigning
internal import SecureHashing

extension SigV4.Verifier {
  /// A signature algorithm. New algorithms may be added.
  public struct Algorithm: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: Hashable {
      case hmacSHA256(SignatureNames)
      case ecdsaP256SHA256
    }

    private let kind: Kind

    /// Signature Version 4: HMAC-SHA-256 with a key for one day, region and service.
    /// A verifier for `.googleCloudStorage` or `.tos` accepts it under their names.
    public static let hmacSHA256 = hmacSHA256(.aws)

    /// Signature Version 4 under the names of a service.
    static func hmacSHA256(_ names: SignatureNames) -> Self { Self(kind: .hmacSHA256(names)) }

    /// Signature Version 4a: an ECDSA signature that's valid in a region set. To verify it, use the
    /// keys in the module MultiRegionVerification.
    public static let ecdsaP256SHA256 = Self(kind: .ecdsaP256SHA256)

    /// The name in requests and strings to sign, such as `AWS4-HMAC-SHA256`.
    public var name: String { staticName.description }

    /// The name.
    public var description: String { name }
  }

  /// The accepted algorithms that need credentials, not a public key.
  var hmacAlgorithms: [Algorithm] { algorithms.filter { $0 == .hmacSHA256 } }
}

extension SigV4.Verifier.Algorithm {
  private var signing: SigV4.SignatureAlgorithm {
    switch kind {
    case .hmacSHA256(let names): .hmacSHA256(names)
    case .ecdsaP256SHA256: .ecdsaP256SHA256
    }
  }

  var staticName: StaticString { signing.name }

  /// Whether the credential scope includes the region. If not, a region set is signed.
  var scopeHasRegion: Bool { signing.scopeHasRegion }

  /// The names in the signature.
  var names: SignatureNames { signing.names }

  /// Creates the algorithm that a request names, if the verifier accepts it.
  init(
    named name: TextSpan, _ algorithms: [Self], of services: [SigV4.Service]
  ) throws(SigV4.VerificationError) {
    for algorithm in algorithms where algorithm != .hmacSHA256 && name.spells(algorithm.staticName)
    {
      self = algorithm
      return
    }
    if algorithms.contains(.hmacSHA256) {
      for names in SignatureNames.allCases
      where name.spells(names.algorithm) && Self.accepts(names, services) {
        self = .hmacSHA256(names)
        return
      }
    }
    throw Self.unsupported(name.array, algorithms, services)
  }

  /// Whether the verifier accepts HMAC under these names.
  private static func accepts(_ names: SignatureNames, _ services: [SigV4.Service]) -> Bool {
    for service in services where service.names == names { return true }
    return services.isEmpty && names == .aws
  }

  /// The names under which the verifier accepts HMAC. Without services, it rejects the scope.
  private static func names(of services: [SigV4.Service]) -> [SignatureNames] {
    services.isEmpty ? [.aws] : services.map(\.names)
  }

  private static func unsupported(
    _ name: [UInt8], _ algorithms: [Self], _ services: [SigV4.Service]
  ) -> SigV4.VerificationError {
    var names: [String] = []
    for algorithm in algorithms {
      let forms =
        algorithm == .hmacSHA256
        ? Self.names(of: services).map { Self.hmacSHA256($0).name } : [algorithm.name]
      for form in forms where !names.contains(form) { names.append(form) }
    }
    let list = names.joined(separator: " or ")
    let isKnown = name[...].spells(Self.ecdsaP256SHA256.staticName)
    return .unsupportedAlgorithm(
      list.isEmpty
        ? "The verifier accepts no algorithm here, so it rejects \(SigV4.shown(name))."
        : "The verifier accepts \(list), not \(SigV4.shown(name)).",
      fix: list.isEmpty
        ? "Add an algorithm to verifier.algorithms. Forms and calls with credentials need "
          + ".hmacSHA256."
        : isKnown
          ? "Check the client's signature version. To accept it in requests, but not in forms, add "
            + "the algorithm to verifier.algorithms, and verify with a public key."
          : "Check the client's protocol and signature version.",
      accepted: list)
  }

  /// The length of a chunk signature in characters. Shorter signatures are padded with `*`.
  var chunkSignatureCount: Int { self == .ecdsaP256SHA256 ? 144 : 64 }

  /// The form of a request signature, for messages.
  var signatureRule: String {
    switch kind {
    case .hmacSHA256: "64 lowercase hexadecimal digits"
    case .ecdsaP256SHA256: "16 to 144 lowercase hexadecimal digits, two for each byte"
    }
  }

  /// The form of a chunk signature, for messages.
  var chunkSignatureRule: String {
    switch kind {
    case .hmacSHA256: signatureRule
    case .ecdsaP256SHA256: "lowercase hexadecimal digits, padded with '*' to 144 characters"
    }
  }

  /// Rejects a signature whose digits are invalid.
  func checkSignature(
    _ digits: TextSpan, _ source: SigV4.Claim.Source
  ) throws(SigV4.VerificationError) {
    if isSignature(digits) { return }
    throw SigV4.VerificationError(
      source.malformed,
      "The signature (\(digits.count) characters) must be \(signatureRule).",
      fix: "Check for a client that truncates or reformats it.")
  }

  /// Returns whether the digits of a signature are valid. They're compared with the expected ones,
  /// not decoded.
  private func isSignature(_ digits: TextSpan) -> Bool {
    switch kind {
    case .hmacSHA256: digits.count == 64 && digits.isLowercaseHexadecimal
    // Two numbers of up to 33 bytes in DER.
    case .ecdsaP256SHA256:
      (16...144).contains(digits.count) && digits.count.isMultiple(of: 2)
        && digits.isLowercaseHexadecimal
    }
  }

  /// Parses a signature. Returns nil if it's invalid.
  func signature(_ digits: TextSpan) -> SigV4.Signature? {
    if !isSignature(digits) { return nil }
    return (try? Hexadecimal.decode(digits.array)).map { SigV4.Signature(bytes: $0) }
  }

  /// Parses a chunk signature with its padding. Returns nil if it's invalid.
  func chunkSignature(_ characters: ArraySlice<UInt8>) -> SigV4.Signature? {
    if characters.count != chunkSignatureCount { return nil }
    let digits = characters.prefix { $0 != Self.filling }
    if !characters[digits.endIndex...].allSatisfy({ $0 == Self.filling }) { return nil }
    return signature(digits.span)
  }

  private static var filling: UInt8 { UInt8(ascii: "*") }
}

extension SigV4 {
  /// The region set in a request: `*`, or a list such as `eu-west-1,us-*`.
  enum ClaimedRegions {
    /// Whether the set includes one of these regions. Invalid region names are never included.
    static func hasOne(of regions: [String], _ text: TextSpan) -> Bool {
      let regions = regions.filter { CredentialScope.isName($0) }
      var start = 0
      while start < text.count {
        let comma = text.position(of: ASCIIByte.comma, from: start)
        var end = comma
        while start < end && ASCIIByte.isWhitespace(text[start]) { start += 1 }
        while start < end && ASCIIByte.isWhitespace(text[end - 1]) { end -= 1 }
        let pattern = text.extracting(start..<end)
        if regions.contains(where: { $0.withUTF8Bytes { matches(pattern, $0) } }) { return true }
        start = comma + 1
      }
      return false
    }

    /// Whether a string matches a pattern in which `*` stands for any characters. On a mismatch,
    /// the last star matches one more character.
    private static func matches(_ pattern: TextSpan, _ text: TextSpan) -> Bool {
      var (place, position) = (0, 0)
      var (afterStar, start) = (-1, 0)
      while position < text.count {
        let byte = place < pattern.count ? pattern[place] : 0
        if byte == asterisk {
          place &+= 1
          (afterStar, start) = (place, position)
        } else if byte == text[position] {
          place &+= 1
          position &+= 1
        } else if afterStar < 0 {
          return false
        } else {
          start &+= 1
          (place, position) = (afterStar, start)
        }
      }
      while place < pattern.count {
        if pattern[place] != asterisk { return false }
        place &+= 1
      }
      return true
    }

    private static var asterisk: UInt8 { UInt8(ascii: "*") }
  }
}
