// SPDX-License-Identifier: Apache-2.0
// The domains of AWS's partitions.

internal import SigningTestSupport
internal import RequestSigning
internal import Testing

@Suite("Partitions of AWS")
struct PartitionTests {
  // botocore 1.43.11, data/partitions.json: id and dnsSuffix of each partition, and a region of it.
  @Test("A region belongs to the domain of its partition, and so does its name")
  func domains() throws {
    let partitions = [
      ("aws", "us-east-1", "amazonaws.com"), ("aws-us-gov", "us-gov-west-1", "amazonaws.com"),
      ("aws-cn", "cn-north-1", "amazonaws.com.cn"), ("aws-eusc", "eusc-de-east-1", "amazonaws.eu"),
      ("aws-iso", "us-iso-east-1", "c2s.ic.gov"), ("aws-iso-b", "us-isob-east-1", "sc2s.sgov.gov"),
      ("aws-iso-e", "eu-isoe-west-1", "cloud.adc-e.uk"),
      ("aws-iso-f", "us-isof-south-1", "csp.hci.ic.gov"),
    ]
    for (name, region, domain) in partitions {
      #expect(try SigV4.AWSPartition(region: region).domain == domain)
      #expect(SigV4.AWSPartition.domain(ofPartition: name) == domain)
    }
    #expect(SigV4.AWSPartition.domain(ofPartition: "aws-x") == nil)
  }

  @Test("A string that's invalid in a host isn't a region")
  func refused() {
    ["", "a.b", "eu/west", "EU-WEST-1", "-a"].forEachCase { (region: String) in
      #expect(throws: SigV4.SigningError.self) { try SigV4.AWSPartition(region: region) }
    }
  }
}
