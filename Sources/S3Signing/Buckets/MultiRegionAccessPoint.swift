// SPDX-License-Identifier: Apache-2.0
// S3 Multi-Region Access Points: their hosts, by alias or ARN.

public import RequestSigning

extension SigV4.Bucket {
  /// Returns the bucket of an S3 Multi-Region Access Point, by its alias, `mfzwi23gnjvgw.mrap`, or
  /// its ARN, `arn:aws:s3::123456789012:accesspoint/mfzwi23gnjvgw.mrap`.
  ///
  ///     let bucket = try SigV4.Bucket.multiRegionAccessPoint("mfzwi23gnjvgw.mrap")
  ///     let signer = try bucket.multiRegionSigner(credentials: credentials)
  ///     let signed = try signer.sign(bucket.object("été +1.jpg").getRequest(), at: now)
  ///
  /// The signer uses Signature Version 4a, from the module MultiRegionSigning.
  ///
  /// - Throws: `invalidBucketName` if the string isn't the alias or ARN of a Multi-Region Access
  ///   Point, `invalidEndpoint` if the ARN has an unknown partition, and `conflictingEndpoint` for
  ///   a variant or addressing that it doesn't support.
  public static func multiRegionAccessPoint(
    _ aliasOrARN: String, variant: SigV4.S3Endpoint.Variant = .standard,
    addressing: Addressing = .automatic
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    let (partition, alias) = try SigV4.BucketName(aliasOrARN).multiRegionAccessPoint()
    return try SigV4.Bucket(
      alias, at: .multiRegionAccessPoints(partition: partition, variant: variant),
      addressing: addressing)
  }
}

extension SigV4.S3Endpoint {
  /// Returns the endpoint of all Multi-Region Access Points in an AWS partition, such as `aws`.
  /// Their aliases precede its host: `accesspoint.s3-global.amazonaws.com`.
  ///
  /// Its region is empty, because a signature is valid in a region set.
  ///
  /// - Throws: `conflictingEndpoint` for every variant except `.standard`, and `invalidEndpoint`
  ///   for an unknown partition.
  public static func multiRegionAccessPoints(
    partition: String = "aws", variant: Variant = .standard
  ) throws(SigV4.SigningError) -> Self {
    // botocore, endpoint rules of S3: "S3 MRAP does not support ...".
    if variant != .standard {
      throw SigV4.SigningError(
        .conflictingEndpoint,
        "Multi-Region Access Points don't support dual-stack, FIPS or S3 Accelerate.",
        fix: "Use the variant .standard.")
    }
    guard let domain = SigV4.AWSPartition.domain(ofPartition: partition) else {
      throw SigV4.SigningError(
        .invalidEndpoint,
        "\(quoted: partition) isn't a known AWS partition.",
        fix: "Use aws, or the second part of the ARN.")
    }
    return Self(
      scheme: .https, host: "accesspoint.s3-global." + domain, region: "", service: .s3,
      kind: .multiRegion)
  }

  /// Whether a signature must be valid in a region set, with Signature Version 4a.
  package var isMultiRegion: Bool { kind == .multiRegion }

  /// Whether its buckets are access points, whose names stand for a bucket only in a host.
  package var isAccessPoint: Bool {
    if case .accessPoint = kind { return true }
    return isMultiRegion
  }

  /// Throws for an endpoint that doesn't support Signature Version 4.
  func checkRegion() throws(SigV4.SigningError) {
    if isMultiRegion {
      throw SigV4.SigningError(
        .conflictingEndpoint,
        "Multi-Region Access Points require Signature Version 4a, which signs for a region set.",
        fix: "Use multiRegionSigner(credentials:) from the module MultiRegionSigning.")
    }
  }
}

extension SigV4.BucketName {
  /// Returns the partition and the alias. (S3, User Guide, "Making requests through a Multi-Region
  /// Access Point".)
  func multiRegionAccessPoint() throws(SigV4.SigningError) -> (partition: String, alias: String) {
    if !text.hasPrefix("arn:") { return ("aws", text) }
    guard let name = SigV4.ResourceName(text), name.service == "s3", name.region.isEmpty,
      name.resource.count == 2, name.resource[0] == "accesspoint",
      name.account.utf8.count == 12, name.account.utf8.allSatisfy(ASCIIByte.isDigit)
    else {
      throw SigV4.SigningError(
        .invalidBucketName,
        """
        \(quoted: text) isn't the ARN of a Multi-Region Access Point, which has no region and a \
        12-digit account ID.
        """,
        fix: "Use the form arn:aws:s3::123456789012:accesspoint/mfzwi23gnjvgw.mrap.")
    }
    return (name.partition, name.resource[1])
  }

  /// Checks an alias, which belongs in the host.
  func checkMultiRegion(_ addressing: SigV4.Bucket.Addressing) throws(SigV4.SigningError) {
    let label = text.utf8.dropLast(".mrap".utf8.count)
    if !text.hasSuffix(".mrap") || !SigV4.DNSLabel.isValid(label) {
      throw SigV4.SigningError(
        .invalidBucketName,
        """
        \(quoted: text) isn't the alias of a Multi-Region Access Point, which ends in .mrap and \
        differs from its name.
        """,
        fix: "Get the alias from the console or from ListMultiRegionAccessPoints.")
    }
    if addressing == .path {
      throw SigV4.SigningError(
        .conflictingEndpoint,
        "Multi-Region Access Points don't support path addressing, but \(quoted: text) uses it.",
        fix: "Use .automatic addressing.")
    }
  }
}
