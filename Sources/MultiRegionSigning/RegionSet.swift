// SPDX-License-Identifier: Apache-2.0
// In which regions a signature of Signature Version 4a is good.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// The regions in which a signature is good: all of them, or a list.
  ///
  ///     let regions: SigV4.RegionSet = .all
  ///     let europe = try SigV4.RegionSet(["eu-west-1", "eu-central-*"])
  public struct RegionSet: Hashable, Sendable, CustomStringConvertible {
    /// The set as it is sent and signed: `*`, or `eu-west-1,eu-central-*`.
    public let text: String

    /// The regions, or their patterns, in the order in which they were given.
    public var regions: [String] { text.split(separator: ",").map(String.init) }

    /// Every region: `*`.
    public static var all: RegionSet { RegionSet(checked: "*") }

    /// A list of regions; a `*` in one stands for any characters.
    ///
    /// Throws `invalidRegion` for an empty list, for one of more than 64 regions or 1,024 bytes, and unless each
    /// region consists of ASCII letters, digits, '-', '_', '.' and '*'.
    public init(_ regions: [String]) throws(SigningError) {
      if regions.isEmpty { throw Self.invalid("") }
      for region in regions where !Self.isRegion(region) { throw Self.invalid(region) }
      text = regions.joined(separator: ",")
      if regions.count > SignatureAlgorithm.maximumRegionCount
        || text.utf8.count > SignatureAlgorithm.maximumRegionSetByteCount
      {
        throw SigningError(
          .invalidRegion,
          """
          The region set has \(regions.count) regions in \(text.utf8.count) bytes, but the maximum \
          is \(SignatureAlgorithm.maximumRegionCount) regions and \
          \(SignatureAlgorithm.maximumRegionSetByteCount) bytes.
          """,
          fix: "Use patterns such as eu-*, or *.")
      }
    }

    /// A list of regions as one text, such as `eu-west-1,eu-central-*`. Spaces around a region are left out.
    ///
    /// Throws what the other initializer throws.
    public init(_ text: String) throws(SigningError) {
      try self.init(
        text.split(separator: ",", omittingEmptySubsequences: false).map { part in
          let rest = part.drop { $0 == " " }
          return String(rest.prefix(rest.count - rest.reversed().prefix { $0 == " " }.count))
        })
    }

    private init(checked text: String) {
      self.text = text
    }

    private static func isRegion(_ text: String) -> Bool {
      CredentialScope.isName(text.filter { $0 != "*" }) || text == "*"
    }

    private static func invalid(_ region: String) -> SigningError {
      SigningError(
        .invalidRegion,
        "\(quoted: region) isn't a valid region in a region set.",
        fix: """
          Use ASCII letters, digits, '-', '_', '.' and '*', such as us-east-1,eu-*, or * for all \
          regions.
          """)
    }

    /// The set as it is sent.
    public var description: String { text }
  }
}
