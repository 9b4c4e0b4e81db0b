// SPDX-License-Identifier: Apache-2.0
// The regions in which a Signature Version 4a signature is valid.

public import RequestSigning

extension SigV4 {
  /// The regions in which a signature is valid: all of them, or a list.
  ///
  ///     let regions: SigV4.RegionSet = .all
  ///     let europe = try SigV4.RegionSet(["eu-west-1", "eu-central-*"])
  public struct RegionSet: Hashable, Sendable, CustomStringConvertible {
    /// The region set as it's sent and signed: `*`, or `eu-west-1,eu-central-*`.
    public let text: String

    /// The regions or their patterns, in the original order.
    public var regions: [String] { text.split(separator: ",").map(String.init) }

    /// Every region: `*`.
    public static var all: RegionSet { RegionSet(checked: "*") }

    /// Creates a region set from a list. A `*` in a region stands for any characters.
    ///
    /// - Throws: `invalidRegion` if the list is empty or has more than 64 regions or 1,024 bytes,
    ///   or if a region has characters other than ASCII letters, digits, '-', '_', '.' and '*'.
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

    /// Creates a region set from one string, such as `eu-west-1,eu-central-*`. Spaces around a
    /// region are ignored.
    ///
    /// - Throws: The errors of the other initializer.
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

    /// The region set as it's sent.
    public var description: String { text }
  }
}
