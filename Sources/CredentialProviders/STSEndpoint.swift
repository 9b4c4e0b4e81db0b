// SPDX-License-Identifier: Apache-2.0
// Where AWS STS is asked, and for which region requests to it are signed.

/// An endpoint of the Security Token Service, and the region that requests to it are signed for.
///
/// Source: AWS General Reference, "AWS Security Token Service endpoints and quotas"; AWS SDKs and
/// Tools Reference Guide, "AWS STS Regional endpoints".
public struct STSEndpoint: Hashable, Sendable, CustomStringConvertible {
  /// The URL, without '/' at its end.
  public let url: String

  /// The region in the credential scope.
  public let signingRegion: String

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
    let regional = try regional(region)
    return globalRegions.contains(regional.signingRegion) ? global : regional
  }

  /// An address of your own: a VPC endpoint, or a server for tests.
  ///
  /// Throws `invalidConfiguration` for a text that is not a URL, and for http to another machine.
  public static func custom(
    _ url: String, signingRegion: String
  ) throws(CredentialError) -> STSEndpoint {
    let checked = try ServiceURL(base: url, named: "the endpoint URL of the Security Token Service")
    _ = try ServiceRegion.domain(of: signingRegion)
    return STSEndpoint(url: checked.text, signingRegion: signingRegion)
  }

  /// The endpoint that the environment and a profile set.
  ///
  /// Throws `invalidConfiguration` for a text that cannot be a region or a URL, for http to another
  /// machine, and where a region is needed and is not set.
  public init(_ settings: ServiceSettings) throws(CredentialError) {
    let url = try settings.endpointURL(of: .sts)
    if url != nil || settings.usesFIPSEndpoints || settings.usesDualStackEndpoints {
      guard let region = settings.region, region != "aws-global" else {
        throw .invalidConfiguration(
          "an endpoint URL, FIPS or dual-stack endpoints are set, and no region: it is not known for "
            + "which one the Security Token Service is asked; set AWS_REGION, or region in the profile"
        )
      }
      self = try .custom(settings.url(of: .sts, in: region), signingRegion: region)
    } else {
      self =
        try settings.usesLegacySTSEndpoints
        ? .legacy(settings.region) : .regional(settings.region)
    }
    maximumAttempts = settings.maximumAttempts
  }

  private init(url: String, signingRegion: String) {
    self.url = url
    self.signingRegion = signingRegion
  }

  /// The URL.
  public var description: String { url }

  /// The URL of a request. A path that was given stays as it is.
  var requestURL: String {
    let hasPath = url.split(separator: "/", maxSplits: 2).count == 3
    return hasPath ? url : url + "/"
  }

  func service(_ sources: CredentialSources) -> ServiceExchange {
    ServiceExchange(
      name: "the Security Token Service (\(url))", sources: sources, attempts: maximumAttempts)
  }

  private static let globalRegions = [
    "ap-northeast-1", "ap-south-1", "ap-southeast-1", "ap-southeast-2", "ca-central-1",
    "eu-central-1", "eu-north-1", "eu-west-1", "eu-west-2", "eu-west-3", "sa-east-1", "us-east-1",
    "us-east-2", "us-west-1", "us-west-2",
  ]
}
