// SPDX-License-Identifier: Apache-2.0
// The algorithms of signatures: how requests name them, and how long their signatures are.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4.Verifier {
  /// The algorithm of a signature. More may come.
  public struct Algorithm: Hashable, Sendable, CustomStringConvertible {
    private enum Kind {
      case hmacSHA256
      case ecdsaP256SHA256
    }

    private let kind: Kind

    /// Signature Version 4: a code under the key of a day, a region and a service.
    public static let hmacSHA256 = Self(kind: .hmacSHA256)

    /// Signature Version 4a: a signature that is good in a set of regions. The module
    /// MultiRegionVerification has the keys that verify it.
    public static let ecdsaP256SHA256 = Self(kind: .ecdsaP256SHA256)

    /// The name, as requests and strings to sign have it: `AWS4-HMAC-SHA256`.
    public var name: String { staticName.description }

    /// The name.
    public var description: String { name }
  }
}

extension SigV4.Verifier.Algorithm {
  var staticName: StaticString {
    switch kind {
    case .hmacSHA256: SigV4.SignatureAlgorithm.hmacSHA256Name
    case .ecdsaP256SHA256: SigV4.SignatureAlgorithm.ecdsaP256SHA256Name
    }
  }

  /// Whether the region is a part of the credential scope. Otherwise a set of regions is signed.
  var scopeHasRegion: Bool { kind == .hmacSHA256 }

  /// The accepted algorithm that a request names.
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
      "the algorithm \(SigV4.shown(name)) is not "
        + (names.isEmpty ? "accepted, since the policy has none" : names)
        + "; look for a client of another protocol or version"
        + (isKnown ? ", or add it to the algorithms of the policy" : ""),
      accepted: names)
  }

  /// How many characters the signature of a chunk has: shorter ones are filled with `*`.
  var chunkSignatureCount: Int { kind == .hmacSHA256 ? 64 : 144 }

  /// What the signature of a request looks like.
  var signatureRule: String {
    switch kind {
    case .hmacSHA256: "64 lowercase hexadecimal digits"
    case .ecdsaP256SHA256: "16 to 144 lowercase hexadecimal digits, two for each byte"
    }
  }

  /// What the signature of a chunk looks like.
  var chunkSignatureRule: String {
    switch kind {
    case .hmacSHA256: signatureRule
    case .ecdsaP256SHA256: "lowercase hexadecimal digits, filled with '*' to 144 characters"
    }
  }

  /// The signature that digits spell; nil for what is not one.
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

  /// The signature of a chunk, without what fills it up.
  func chunkSignature(_ characters: ArraySlice<UInt8>) -> SigV4.Signature? {
    if characters.count != chunkSignatureCount { return nil }
    let digits = characters.prefix { $0 != Self.filling }
    if !characters[digits.endIndex...].allSatisfy({ $0 == Self.filling }) { return nil }
    return signature(digits)
  }

  private static var filling: UInt8 { UInt8(ascii: "*") }
}

extension SigV4 {
  /// The regions in which a signature claims to be good: `*`, or a list such as `eu-west-1,us-*`.
  struct ClaimedRegions {
    let text: ArraySlice<UInt8>

    /// Whether one of the regions or patterns is this one.
    func contains(_ region: String) -> Bool {
      text.split(separator: ASCIIByte.comma).contains { part in
        let pattern = part.drop { $0 == ASCIIByte.space }
        return Self.matches(pattern, region.bytesInUTF8[...])
      }
    }

    /// Whether a text is what a pattern says, in which a `*` stands for any characters: each piece
    /// between two of them is looked for behind the one before.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
      let pieces = pattern.split(
        separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
      guard let first = pieces.first, let last = pieces.last else { return false }
      if pieces.count == 1 { return first == text }
      if !text.starts(with: first) { return false }
      var rest = text.dropFirst(first.count)
      for piece in pieces.dropFirst().dropLast() {
        while !rest.starts(with: piece) {
          if rest.isEmpty { return false }
          rest.removeFirst()
        }
        rest.removeFirst(piece.count)
      }
      return rest.count >= last.count && rest.suffix(last.count) == last
    }
  }
}
