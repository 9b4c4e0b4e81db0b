// SPDX-License-Identifier: Apache-2.0
// The domains of AWS's partitions.

@testable internal import SigningTestSupport
internal import RequestSigning
internal import Testing

@Suite("Partitions of AWS")
struct PartitionTests {
  // botocore 1.43.11, data/partitions.json: dnsSuffix of each partition.
  @Test("A region belongs to the domain of its partition")
  func domains() {
    [
      ("us-east-1", "amazonaws.com"), ("us-gov-west-1", "amazonaws.com"),
      ("cn-north-1", "amazonaws.com.cn"), ("eusc-de-east-1", "amazonaws.eu"),
      ("us-iso-east-1", "c2s.ic.gov"), ("us-isob-east-1", "sc2s.sgov.gov"),
      ("eu-isoe-west-1", "cloud.adc-e.uk"), ("us-isof-south-1", "csp.hci.ic.gov"),
    ].forEachCase { (region: String, domain: String) throws in
      #expect(try SigV4.AWSPartition(region: region).domain == domain)
    }
  }

  @Test("What cannot be a part of a host is no region")
  func refused() {
    ["", "a.b", "eu/west", "EU-WEST-1", "-a"].forEachCase { (region: String) in
      #expect(throws: SigV4.SigningError.self) { try SigV4.AWSPartition(region: region) }
    }
  }
}
