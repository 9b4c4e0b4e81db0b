// SPDX-License-Identifier: Apache-2.0
// The endpoints of AWS STS, and their signing regions.

/// An AWS STS endpoint and its signing region.
///
/// Source: AWS General Reference, "AWS Security Token Service endpoints and quotas"; AWS SDKs and
/// Tools Reference Guide, "AWS STS Regional endpoints".
package struct STSEndpoint: Hashable, Sendable, CustomStringConvertible {
  /// The URL. Requests keep its path, if it has one.
  package let url: String

  /// The region in the credential scope, or nil. Web identities don't need a region, since their
  /// requests aren't signed.
  package let signingRegion: String?

  private var maximumAttempts = 3

  /// The global endpoint, in us-east-1. It doesn't support accounts in China or GovCloud.
  package static let global = STSEndpoint(
    url: "https://sts.amazonaws.com", signingRegion: "us-east-1")

  /// Returns the endpoint of a region, as in the AWS CLI, or the global endpoint if the region is
  /// nil.
  ///
  /// - Throws: `invalidConfiguration` for an invalid region.
  package static func regional(_ region: String?) throws(CredentialError) -> STSEndpoint {
    guard let region, region != "aws-global" else { return global }
    let domain = try ServiceRegion.domain(of: region)
    return STSEndpoint(url: "https://sts.\(region).\(domain)", signingRegion: region)
  }

  /// Returns the endpoint under `sts_regional_endpoints = legacy`: the global one for the oldest
  /// regions, and a regional one for all others.
  ///
  /// - Throws: `invalidConfiguration` for an invalid region.
  package static func legacy(_ region: String?) throws(CredentialError) -> STSEndpoint {
    guard let region, !globalRegions.contains(region) else { return global }
    return try regional(region)
  }

  /// Returns an endpoint with your own URL: a VPC endpoint, or a test server.
  ///
  /// - Parameters:
  ///   - url: The URL. Its path isn't changed, with or without a trailing slash.
  ///   - signingRegion: The region in the credential scope. Web identities don't need one.
  /// - Throws: `invalidConfiguration` for an invalid URL, and for http to a different machine.
  package static func custom(
    _ url: String, signingRegion: String? = nil
  ) throws(CredentialError) -> STSEndpoint {
    let checked = try ServiceURL(base: url, named: "the AWS STS endpoint")
    if let signingRegion { _ = try ServiceRegion.domain(of: signingRegion) }
    return STSEndpoint(url: checked.text, signingRegion: signingRegion)
  }

  /// Creates the endpoint that the environment and a profile configure.
  ///
  /// - Throws: `invalidConfiguration` for an invalid region or URL, for http to a different
  ///   machine, and for FIPS or dual-stack endpoints without a region.
  package init(_ settings: ServiceSettings) throws(CredentialError) {
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
      throw CredentialError(
        .invalidConfiguration, "FIPS or dual-stack endpoints for AWS STS require a region.",
        fix: "Set AWS_REGION, or add region to the profile.")
    }
    maximumAttempts = settings.maximumAttempts
  }

  private init(url: String, signingRegion: String?) {
    self.url = url
    self.signingRegion = signingRegion
  }

  /// The URL.
  package var description: String { url }

  /// The URL for requests.
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
