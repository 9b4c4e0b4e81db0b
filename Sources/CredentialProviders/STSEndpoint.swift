// SPDX-License-Identifier: Apache-2.0
// Where the Security Token Service is: in a region, for the whole world, or at an address of one's own.

internal import RequestSigning

/// An endpoint of the Security Token Service, and the region that requests to it are signed for.
///
/// Source: AWS General Reference, "AWS Security Token Service endpoints and quotas"; AWS SDKs and
/// Tools Reference Guide, "AWS STS Regional endpoints".
public struct STSEndpoint: Sendable, CustomStringConvertible {
  /// The URL, without '/' at its end.
  public let url: String

  /// The region in the credential scope.
  public let signingRegion: String

  /// The endpoint of the whole world, which is in us-east-1 and knows the accounts of neither China
  /// nor GovCloud.
  public static let global = STSEndpoint(
    url: "https://sts.amazonaws.com", signingRegion: "us-east-1")

  /// The endpoint of a region, as the AWS CLI takes it; the global one when there is no region.
  ///
  /// Throws `invalidConfiguration` for what cannot be a region.
  public static func regional(_ region: String?) throws(CredentialError) -> STSEndpoint {
    guard let region, region != "aws-global" else { return global }
    let domain = try ServiceRegion.domain(of: region)
    return STSEndpoint(url: "https://sts.\(region).\(domain)", signingRegion: region)
  }

  /// The endpoint under `sts_regional_endpoints = legacy`: the global one for the regions that were
  /// there first, and that of the region for others.
  ///
  /// Throws `invalidConfiguration` for what cannot be a region.
  public static func legacy(_ region: String?) throws(CredentialError) -> STSEndpoint {
    let regional = try regional(region)
    return globalRegions.contains(regional.signingRegion) ? global : regional
  }

  /// An address of one's own: a VPC endpoint, or a server for tests.
  ///
  /// Throws `invalidConfiguration` for what is no URL, and for http to another machine.
  public static func custom(
    _ url: String, signingRegion: String
  ) throws(CredentialError) -> STSEndpoint {
    let checked = try ServiceURL(base: url, named: "the endpoint of the Security Token Service")
    _ = try ServiceRegion.domain(of: signingRegion)
    return STSEndpoint(url: checked.text, signingRegion: signingRegion)
  }

  /// The URL.
  public var description: String { url }

  private static let globalRegions = [
    "ap-northeast-1", "ap-south-1", "ap-southeast-1", "ap-southeast-2", "ca-central-1",
    "eu-central-1", "eu-north-1", "eu-west-1", "eu-west-2", "eu-west-3", "sa-east-1", "us-east-1",
    "us-east-2", "us-west-1", "us-west-2",
  ]
}

/// Regions as parts of hosts.
enum ServiceRegion {
  /// The domain of a region's services. Throws `invalidConfiguration`.
  static func domain(of region: String) throws(CredentialError) -> String {
    do throws(SigV4.SigningError) {
      return try SigV4.AWSPartition(region: region).domain
    } catch {
      throw CredentialError(.invalidConfiguration, error.message)
    }
  }
}
