// SPDX-License-Identifier: Apache-2.0
// Which of the endpoints that Amazon S3 has in a region, and the names of their hosts.

nonisolated extension SigV4.S3Endpoint {
  /// Which of AWS's endpoints in a region. Combinations that AWS does not have do not exist here.
  public enum Variant: Sendable, CaseIterable {
    /// IPv4 only: `s3.eu-west-1.amazonaws.com`.
    case standard
    /// IPv4 and IPv6: `s3.dualstack.eu-west-1.amazonaws.com`.
    case dualStack
    /// Cryptography validated by FIPS 140: `s3-fips.us-east-1.amazonaws.com`.
    case fips
    /// As `fips`, IPv4 and IPv6.
    case fipsDualStack
    /// S3 Transfer Acceleration, which a bucket has to allow: `s3-accelerate.amazonaws.com`.
    case accelerate
    /// As `accelerate`, IPv4 and IPv6.
    case accelerateDualStack
  }
}

nonisolated extension SigV4.S3Endpoint.Variant {
  var isDualStack: Bool {
    self == .dualStack || self == .fipsDualStack || self == .accelerateDualStack
  }

  var isFIPS: Bool { self == .fips || self == .fipsDualStack }

  var isAccelerated: Bool { self == .accelerate || self == .accelerateDualStack }

  /// The host without any bucket (S3, User Guide, "Amazon S3 endpoints").
  func host(in partition: SigV4.AWSPartition, region: String) -> String {
    let dualStack = isDualStack ? ".dualstack" : ""
    if isAccelerated { return "s3-accelerate" + dualStack + "." + partition.domain }
    return (isFIPS ? "s3-fips" : "s3") + dualStack + "." + region + "." + partition.domain
  }

  func check(
    in partition: SigV4.AWSPartition, region: String
  ) throws(SigV4.SigningError) {
    if partition.isChina && (isFIPS || isAccelerated) {
      throw SigV4.SigningError(
        .conflictingEndpoint,
        "AWS in China has neither FIPS nor S3 Accelerate, and \(SigV4.quoted(region)) is there; "
          + "use the variant .standard or .dualStack")
    }
  }
}

nonisolated extension SigV4 {
  /// The part of AWS that a region belongs to, which has its own domain.
  struct AWSPartition {
    let domain: String
    let isChina: Bool

    init(region: String) throws(SigningError) {
      if !DNSLabel.isValid(region.utf8) {
        throw SigningError(
          .invalidRegion,
          "\(quoted(region)) is no region of AWS, and becomes a part of the host; give its code, "
            + "such as eu-west-1, us-gov-west-1 or cn-north-1")
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

  /// A part of a host between two dots (RFC 1123, 2.1), lowercase.
  enum DNSLabel {
    static func isValid(_ label: some BidirectionalCollection<UInt8>) -> Bool {
      !label.isEmpty && label.count <= 63 && label.first != hyphen && label.last != hyphen
        && label.allSatisfy { isLowercaseOrDigit($0) || $0 == hyphen }
    }

    static func isLowercaseOrDigit(_ byte: UInt8) -> Bool {
      ASCII.isDigit(byte) || (byte >= 0x61 && byte <= 0x7A)
    }

    static var hyphen: UInt8 { 0x2D }
  }
}
