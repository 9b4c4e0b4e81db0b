// SPDX-License-Identifier: Apache-2.0
// Access points of one region, by ARN: S3, S3 Object Lambda and S3 on Outposts.

public import RequestSigning

extension SigV4.Bucket {
  /// Returns the bucket of an access point in one region, by its ARN.
  ///
  ///     let films = try SigV4.Bucket.accessPoint(
  ///       "arn:aws:s3:us-west-2:123456789012:accesspoint/films")
  ///
  /// The ARN can be that of an access point of S3, S3 Object Lambda (`arn:aws:s3-object-lambda:`)
  /// or S3 on Outposts (`arn:aws:s3-outposts:`). An alias, which ends in `-s3alias`, works as a
  /// bucket name instead.
  ///
  /// Source: botocore, endpoint rules of S3.
  ///
  /// - Throws: `invalidBucketName` if the string isn't such an ARN or its name ends with a hyphen,
  ///   `invalidRegion`, and `conflictingEndpoint` for a variant that the kind of access point
  ///   doesn't support.
  public static func accessPoint(
    _ arn: String, variant: SigV4.S3Endpoint.Variant = .standard
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    guard let name = SigV4.ResourceName(arn), let point = AccessPoint(name) else {
      throw SigV4.SigningError(
        .invalidBucketName,
        "\(quoted: arn) isn't the ARN of an access point of S3, Object Lambda or Outposts.",
        fix: "Use the form arn:aws:s3:us-west-2:123456789012:accesspoint/films.")
    }
    try SigV4.BucketName(point.ownName).checkAccessPointName()
    return try SigV4.Bucket(point.label, at: point.endpoint(variant))
  }
}

/// An access point of one region.
private struct AccessPoint {
  let name: SigV4.ResourceName

  /// The last part of the ARN: `films`.
  let ownName: String

  /// The name and the account: `films-123456789012`.
  let label: String

  /// The start of the host, after the label.
  private let host: String

  /// The ARN of an access point of S3 itself, in the form that copies require.
  private var source: String? {
    if name.service != "s3" { return nil }
    return "arn:\(name.partition):s3:\(name.region):\(name.account):accesspoint/\(ownName)"
  }

  init?(_ name: SigV4.ResourceName) {
    var resource = name.resource[...]
    switch name.service {
    case "s3": host = "s3-accesspoint"
    case "s3-object-lambda": host = name.service
    case "s3-outposts":
      guard resource.count == 4, resource[0] == "outpost",
        SigV4.DNSLabel.isValid(resource[1].utf8)
      else { return nil }
      host = resource[1] + "." + name.service
      resource = resource.dropFirst(2)
    default: return nil
    }
    guard resource.count == 2, resource.first == "accesspoint", let last = resource.last,
      !last.isEmpty, !name.account.isEmpty, !name.region.isEmpty
    else { return nil }
    self.name = name
    ownName = last
    label = last + "-" + name.account
    if !SigV4.DNSLabel.isValid(label.utf8) { return nil }
  }

  func endpoint(
    _ variant: SigV4.S3Endpoint.Variant
  ) throws(SigV4.SigningError) -> SigV4.S3Endpoint {
    let partition = try SigV4.AWSPartition(region: name.region)
    if SigV4.AWSPartition.domain(ofPartition: name.partition) != partition.domain {
      throw SigV4.SigningError(
        .invalidRegion,
        "The region \(quoted: name.region) isn't in the partition \(quoted: name.partition).",
        fix: "Use the ARN as the console shows it.")
    }
    try variant.check(in: partition, region: name.region)
    let isSupported =
      switch name.service {
      case "s3": !variant.isAccelerated
      case "s3-object-lambda": !variant.isAccelerated && !variant.isDualStack
      default: variant == .standard
      }
    if !isSupported {
      throw SigV4.SigningError(
        .conflictingEndpoint,
        "Access points of \(name.service) don't support this variant of the endpoint.",
        fix: "Use .standard, .fips for S3 and Object Lambda, or .dualStack for S3.")
    }
    let labels = host + (variant.isFIPS ? "-fips" : "") + variant.dualStackLabel
    return SigV4.S3Endpoint(
      scheme: .https, host: labels + "." + name.region + "." + partition.domain,
      region: name.region, service: try .named(name.service),
      kind: .accessPoint(name: label, source: source))
  }
}

extension SigV4 {
  /// An Amazon Resource Name (ARN): `arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE`.
  struct ResourceName {
    let partition: String
    let service: String
    let region: String
    let account: String

    /// The parts of the resource, separated by ':' or '/'.
    let resource: [String]

    init?(_ text: String) {
      let parts = text.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        .map(String.init)
      if parts.count != 6 || parts[0] != "arn" { return nil }
      (partition, service) = (parts[1], parts[2])
      (region, account) = (parts[3], parts[4])
      resource = parts[5].split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "/" }
        .map(String.init)
    }
  }
}
