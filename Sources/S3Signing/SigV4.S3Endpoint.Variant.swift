// SPDX-License-Identifier: Apache-2.0
// Which of the endpoints that Amazon S3 has in a region, and the names of their hosts.

public import RequestSigning
internal import SigningSupport

extension SigV4.S3Endpoint {
  /// Which of AWS's endpoints in a region. Combinations that AWS does not have do not exist here.
  public enum Variant: Sendable {
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

extension SigV4.S3Endpoint.Variant {
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
        """
        AWS in China has neither FIPS nor S3 Accelerate, and \(UTF8Text.quoted(region)) is there; use \
        the variant .standard or .dualStack
        """)
    }
  }
}
