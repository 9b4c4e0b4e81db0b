// SPDX-License-Identifier: Apache-2.0
// The AWS partitions, which have separate domains: the usual one, China, and closed ones.

extension SigV4 {
  /// The part of AWS that a region belongs to, with a separate domain.
  package struct AWSPartition: Sendable {
    /// The domain of service endpoints: `amazonaws.com`, `amazonaws.com.cn`.
    package let domain: String

    package let isChina: Bool

    /// Creates the partition of a region code, such as `eu-west-1`. An unknown region gets the
    /// usual domain.
    ///
    /// - Throws: `invalidRegion` if the region can't be part of a host.
    package init(region: String) throws(SigningError) {
      if !DNSLabel.isValid(region.utf8) {
        throw SigningError(
          .invalidRegion,
          "\(quoted: region) isn't a valid AWS region.",
          fix: "Use a region code, such as eu-west-1, us-gov-west-1 or cn-north-1.")
      }
      domain =
        Self.others.first { region.utf8.starts(with: $0.prefix.utf8) }?.domain ?? Self.usualDomain
      isChina = region.utf8.starts(with: "cn-".utf8)
    }

    /// Returns the domain of a partition by its name in ARNs, such as `aws-cn`, or nil if it's
    /// unknown.
    package static func domain(ofPartition name: String) -> String? {
      if name == "aws" || name == "aws-us-gov" { return usualDomain }
      return others.first { $0.name == name }?.domain
    }

    /// Returns whether a host, with or without a port and the root's dot, is in a domain of AWS.
    package static func isAWS(host: String) -> Bool {
      var name = host.bytesInUTF8.prefix { $0 != ASCIIByte.colon }
      if name.last == ASCIIByte.dot { name = name.dropLast() }
      func isIn(_ domain: StaticString) -> Bool {
        let start = name.endIndex - domain.utf8CodeUnitCount
        return start > 1 && name[start - 1] == ASCIIByte.dot && name[start...].spells(domain)
      }
      // GovCloud's sign-in isn't an endpoint.
      return isIn("amazonaws-us-gov.com") || endpointDomains.contains { isIn($0.name) }
    }

    /// Returns the labels of a host before AWS's domain, and the region of endpoints in this domain
    /// without one. Nil for another host.
    package static func labels(ofHost host: String) -> (labels: [String], globalRegion: String?)? {
      for (domain, region) in endpointDomains where host.hasSuffix("." + domain.textInUTF8) {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let count = domain.textInUTF8.split(separator: ".").count
        return (labels.dropLast(count), region?.textInUTF8)
      }
      return nil
    }

    /// The domains of AWS's endpoints, and the region of endpoints without one (botocore's
    /// partitions.json). Nil if it depends on the service.
    private static var endpointDomains: [(name: StaticString, region: StaticString?)] {
      [
        ("amazonaws.com", "us-east-1"), ("api.aws", "us-east-1"), ("on.aws", nil),
        ("amazonaws.com.cn", "cn-northwest-1"), ("api.amazonwebservices.com.cn", nil),
        ("amazonaws.eu", "eusc-de-east-1"), ("api.amazonwebservices.eu", "eusc-de-east-1"),
        ("c2s.ic.gov", "us-iso-east-1"), ("api.aws.ic.gov", "us-iso-east-1"),
        ("sc2s.sgov.gov", "us-isob-east-1"), ("api.aws.scloud", "us-isob-east-1"),
        ("cloud.adc-e.uk", "eu-isoe-west-1"), ("api.cloud-aws.adc-e.uk", "eu-isoe-west-1"),
        ("csp.hci.ic.gov", "us-isof-south-1"), ("api.aws.hci.ic.gov", "us-isof-south-1"),
      ]
    }

    private static var usualDomain: String { "amazonaws.com" }

    /// The partitions with a separate domain: name in ARNs, prefix of their regions, domain.
    private static var others: [(name: String, prefix: String, domain: String)] {
      [
        ("aws-cn", "cn-", "amazonaws.com.cn"), ("aws-eusc", "eusc-", "amazonaws.eu"),
        ("aws-iso", "us-iso-", "c2s.ic.gov"), ("aws-iso-b", "us-isob-", "sc2s.sgov.gov"),
        ("aws-iso-e", "eu-isoe-", "cloud.adc-e.uk"), ("aws-iso-f", "us-isof-", "csp.hci.ic.gov"),
      ]
    }
  }
}

extension SigV4 {
  /// A lowercase label of a host name (RFC 1123, 2.1).
  package enum DNSLabel {
    package static func isValid(_ label: some BidirectionalCollection<UInt8>) -> Bool {
      !label.isEmpty && label.count <= 63 && label.first != hyphen && label.last != hyphen
        && label.allSatisfy { isLowercaseOrDigit($0) || $0 == hyphen }
    }

    package static func isLowercaseOrDigit(_ byte: UInt8) -> Bool {
      ASCIIByte.isDigit(byte) || (byte >= 0x61 && byte <= 0x7A)
    }

    static var hyphen: UInt8 { 0x2D }
  }
}
