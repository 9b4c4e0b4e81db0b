// SPDX-License-Identifier: Apache-2.0
// The signature algorithms: their names in requests, and the form of their signatures.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4.Verifier {
  /// A signature algorithm. New algorithms may be added.
  public struct Algorithm: Hashable, Sendable, CustomStringConvertible {
    private enum Kind {
      case hmacSHA256
      case ecdsaP256SHA256
    }

    private let kind: Kind

    /// Signature Version 4: HMAC-SHA-256 with a key for one day, region and service.
    public static let hmacSHA256 = Self(kind: .hmacSHA256)

    /// Signature Version 4a: an ECDSA signature that's valid in a region set. To verify it, use the
    /// keys in the module MultiRegionVerification.
    public static let ecdsaP256SHA256 = Self(kind: .ecdsaP256SHA256)

    /// The name in requests and strings to sign, such as `AWS4-HMAC-SHA256`.
    public var name: String { staticName.description }

    /// The name.
    public var description: String { name }
  }
}

extension SigV4.Verifier.Algorithm {
  var staticName: StaticString {
    switch kind {
    case .hmacSHA256: SignatureNames.aws.algorithm
    case .ecdsaP256SHA256: SigV4.SignatureAlgorithm.ecdsaP256SHA256Name
    }
  }

  /// Whether the credential scope includes the region. If not, a region set is signed.
  var scopeHasRegion: Bool { kind == .hmacSHA256 }

  /// Creates the algorithm that a request names, if it's accepted.
  init(
    named name: ArraySlice<UInt8>, among accepted: [Self]
  ) throws(SigV4.VerificationError) {
    if let algorithm = accepted.first(where: { name.spells($0.staticName) }) {
      self = algorithm
      return
    }
    let names = accepted.map(\.name).joined(separator: " or ")
    let isKnown = name.spells(Self.ecdsaP256SHA256.staticName)
    throw .unsupportedAlgorithm(
      names.isEmpty
        ? "The verifier accepts no algorithms, so it rejects \(SigV4.shown(name))."
        : "The verifier accepts \(names), not \(SigV4.shown(name)).",
      fix: names.isEmpty
        ? "Add an algorithm to verifier.algorithms."
        : isKnown
          ? "Check the client's signature version. To accept it in requests, but not in forms, add "
            + "the algorithm to verifier.algorithms."
          : "Check the client's protocol and signature version.",
      accepted: names)
  }

  /// The length of a chunk signature in characters. Shorter signatures are padded with `*`.
  var chunkSignatureCount: Int { kind == .hmacSHA256 ? 64 : 144 }

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

  /// Parses a signature. Returns nil if it's invalid.
  func signature(_ digits: ArraySlice<UInt8>) -> SigV4.Signature? {
    switch kind {
    case .hmacSHA256:
      return SHA256.Digest(lowercaseHexadecimal: digits).map { SigV4.Signature(digest: $0) }
    case .ecdsaP256SHA256:
      // Two numbers of up to 33 bytes in DER.
      if !(16...144).contains(digits.count) { return nil }
      if digits.contains(where: { ASCIIByte.lowercased($0) != $0 }) { return nil }
      return (try? Hexadecimal.decode(digits)).map { SigV4.Signature(bytes: $0) }
    }
  }

  /// Parses a chunk signature with its padding. Returns nil if it's invalid.
  func chunkSignature(_ characters: ArraySlice<UInt8>) -> SigV4.Signature? {
    if characters.count != chunkSignatureCount { return nil }
    let digits = characters.prefix { $0 != Self.filling }
    if !characters[digits.endIndex...].allSatisfy({ $0 == Self.filling }) { return nil }
    return signature(digits)
  }

  private static var filling: UInt8 { UInt8(ascii: "*") }
}

extension SigV4 {
  /// The region set in a request: `*`, or a list such as `eu-west-1,us-*`.
  struct ClaimedRegions {
    let text: ArraySlice<UInt8>

    /// Whether the set includes one of these regions. Invalid region names are never included.
    func hasOne(of regions: [String]) -> Bool {
      let text = text.span
      let regions = regions.filter(CredentialScope.isName).map { ContiguousArray($0.utf8) }
      var start = 0
      while start < text.count {
        let comma = text.position(of: ASCIIByte.comma, from: start)
        var end = comma
        while start < end && ASCIIByte.isWhitespace(text[start]) { start += 1 }
        while start < end && ASCIIByte.isWhitespace(text[end - 1]) { end -= 1 }
        let pattern = text.extracting(start..<end)
        if regions.contains(where: { Self.matches(pattern, $0.span) }) { return true }
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
