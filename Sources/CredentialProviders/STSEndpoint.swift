// SPDX-License-Identifier: Apache-2.0
// Where AWS STS is asked, and for which region requests to it are signed.

/// An endpoint of the Security Token Service, and the region that requests to it are signed for.
///
/// Source: AWS General Reference, "AWS Security Token Service endpoints and quotas"; AWS SDKs and
/// Tools Reference Guide, "AWS STS Regional endpoints".
public struct STSEndpoint: Hashable, Sendable, CustomStringConvertible {
  /// The URL, without a path or with one that requests keep.
  public let url: String

  /// The region in the credential scope; nil when none is set. Web identities need none, since their requests
  /// are not signed.
  public let signingRegion: String?

  private var maximumAttempts = 3

  /// The global endpoint, which is in us-east-1 and knows the accounts of neither China nor GovCloud.
  public static let global = STSEndpoint(
    url: "https://sts.amazonaws.com", signingRegion: "us-east-1")

  /// The endpoint of a region, as the AWS CLI takes it; the global one when there is no region.
  ///
  /// Throws `invalidConfiguration` for a text that cannot be a region.
  public static func regional(_ region: String?) throws(CredentialError) -> STSEndpoint {
    guard let region, region != "aws-global" else { return global }
    let domain = try ServiceRegion.domain(of: region)
    return STSEndpoint(url: "https://sts.\(region).\(domain)", signingRegion: region)
  }

  /// The endpoint under `sts_regional_endpoints = legacy`: the global one for the oldest regions, and
  /// that of the region for others.
  ///
  /// Throws `invalidConfiguration` for a text that cannot be a region.
  public static func legacy(_ region: String?) throws(CredentialError) -> STSEndpoint {
    guard let region, !globalRegions.contains(region) else { return global }
    return try regional(region)
  }

  /// An address of your own: a VPC endpoint, or a server for tests.
  ///
  /// - Parameters:
  ///   - url: the URL. A path stays as it is, with a slash at its end or without.
  ///   - signingRegion: the region in the credential scope. Web identities need none.
  ///
  /// Throws `invalidConfiguration` for a text that is not a URL, and for http to another machine.
  public static func custom(
    _ url: String, signingRegion: String? = nil
  ) throws(CredentialError) -> STSEndpoint {
    let checked = try ServiceURL(base: url, named: "the AWS STS endpoint")
    if let signingRegion { _ = try ServiceRegion.domain(of: signingRegion) }
    return STSEndpoint(url: checked.text, signingRegion: signingRegion)
  }

  /// The endpoint that the environment and a profile set.
  ///
  /// Throws `invalidConfiguration` for a text that cannot be a region or a URL, for http to another
  /// machine, and for FIPS or dual-stack endpoints without a region.
  public init(_ settings: ServiceSettings) throws(CredentialError) {
    var settings = settings
    if settings.region == "aws-global" { settings.region = nil }
    let hasVariant = settings.usesFIPSEndpoints || settings.usesDualStackEndpoints
    if try settings.endpointURL(of: .sts) == nil && !hasVariant {
      self =
        try settings.usesLegacySTSEndpoints
        ? .legacy(settings.region) : .regional(settings.region)
    } else if let url = try settings.url(of: .sts) {
      self = try .custom(url, signingRegion: settings.region)
    } else {
      throw .invalidConfiguration(
        "FIPS or dual-stack endpoints for AWS STS require a region.",
        fix: "Set AWS_REGION, or add region to the profile.")
    }
    maximumAttempts = settings.maximumAttempts
  }

  private init(url: String, signingRegion: String?) {
    self.url = url
    self.signingRegion = signingRegion
  }

  /// The URL.
  public var description: String { url }

  /// The URL of a request.
  var requestURL: String { ServiceURL.root(of: url) }

  func service(_ sources: CredentialSources) -> ServiceExchange {
    ServiceExchange(
      name: "AWS STS (\(url))", sources: sources, attempts: maximumAttempts)
  }

  private static let globalRegions = [
    "ap-northeast-1", "ap-south-1", "ap-southeast-1", "ap-southeast-2", "ca-central-1",
    "eu-central-1", "eu-north-1", "eu-west-1", "eu-west-2", "eu-west-3", "sa-east-1", "us-east-1",
    "us-east-2", "us-west-1", "us-west-2",
  ]
}
