// SPDX-License-Identifier: Apache-2.0
// The partitions of AWS, which have domains of their own: the usual one, China, and closed ones.

internal import SigningSupport

extension SigV4 {
  /// The part of AWS that a region belongs to, which has its own domain.
  package struct AWSPartition: Sendable {
    /// The domain that endpoints of services end in: `amazonaws.com`, `amazonaws.com.cn`.
    package let domain: String

    package let isChina: Bool

    /// The partition of a region by its code, such as `eu-west-1`; a region that is not known yet is
    /// taken to be one of the usual domain.
    ///
    /// Throws `invalidRegion` for what cannot be a part of a host.
    package init(region: String) throws(SigningError) {
      if !DNSLabel.isValid(region.utf8) {
        throw SigningError(
          .invalidRegion,
          """
          \(quoted: region) is not a valid region of AWS, and becomes a part of the host; give its code, \
          such as eu-west-1, us-gov-west-1 or cn-north-1
          """)
      }
      domain =
        Self.domains.first { region.utf8.starts(with: $0.prefix.utf8) }?.domain
        ?? "amazonaws.com"
      isChina = region.utf8.starts(with: "cn-".utf8)
    }

    /// AWS's partitions, but those with the usual domain (GovCloud is one of these).
    private static var domains: [(prefix: String, domain: String)] {
      [
        ("cn-", "amazonaws.com.cn"), ("eusc-", "amazonaws.eu"), ("us-iso-", "c2s.ic.gov"),
        ("us-isob-", "sc2s.sgov.gov"), ("eu-isoe-", "cloud.adc-e.uk"),
        ("us-isof-", "csp.hci.ic.gov"),
      ]
    }
  }
}
