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
    /// Throws `invalidRegion` for an empty list, and unless each consists of ASCII letters, digits,
    /// '-', '_', '.' and '*'.
    public init(_ regions: [String]) throws(SigningError) {
      if regions.isEmpty { throw Self.invalid("") }
      for region in regions where !Self.isRegion(region) { throw Self.invalid(region) }
      text = regions.joined(separator: ",")
    }

    /// A list of regions as one text, such as `eu-west-1,eu-central-*`.
    ///
    /// Throws what the other initialiser throws.
    public init(_ text: String) throws(SigningError) {
      try self.init(
        text.split(separator: ",", omittingEmptySubsequences: false)
          .map { String($0.drop { $0 == " " }) })
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
        """
        \(quoted: region) is not a valid region of a region set: each has to consist of ASCII letters, \
        digits, '-', '_', '.' and '*', with a comma between two, and the set is signed as it is sent; \
        write it as us-east-1,eu-* or, for all regions, as *
        """)
    }

    /// The set as it is sent.
    public var description: String { text }
  }
}
