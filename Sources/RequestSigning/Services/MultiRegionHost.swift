// SPDX-License-Identifier: Apache-2.0
// AWS hosts that accept Signature Version 4a, and those that accept nothing else.

extension SigV4 {
  /// A kind of host that accepts Signature Version 4a for the region set `*`.
  ///
  /// Source: botocore's endpoint rules of all services (`Tests/Vectors/multi-region-hosts.py`).
  package struct MultiRegionHost: Sendable {
    /// The name of the endpoints.
    package let name: String

    /// The labels before a partition's domain. `*` stands for one or more labels.
    package let pattern: String

    /// The service name in the credential scope.
    package let service: String

    /// Whether the host also accepts Signature Version 4.
    package let takesSigV4: Bool

    private init(_ name: String, _ pattern: String, _ service: String, takesSigV4: Bool = false) {
      self.name = name
      self.pattern = pattern
      self.service = service
      self.takesSigV4 = takesSigV4
    }

    /// All kinds of hosts.
    package static var all: [MultiRegionHost] {
      [
        .init("S3 Multi-Region Access Points", "*.accesspoint.s3-global", "s3"),
        .init("EventBridge global endpoints", "*.endpoint.events", "events"),
        .init("SES global endpoints", "*.endpoints.email", "ses"),
        .init("SES global endpoints, dual-stack", "*.endpoints.email.global", "ses"),
        .init("SES global endpoints, GovCloud", "*.endpoints.email.us-gov", "ses"),
        .init(
          "CloudFront KeyValueStore", "*.cloudfront-kvs.global", "cloudfront-keyvaluestore"),
        .init("S3 on Outposts", "*.s3-outposts.REGION", "s3-outposts", takesSigV4: true),
        .init(
          "Partner Central, channel", "partnercentral-channel.global", "partnercentral-channel",
          takesSigV4: true),
        .init(
          "Partner Central, revenue measurement", "partnercentral-prm.global", "partnercentral",
          takesSigV4: true),
        .init(
          "Sustainability", "api.sustainability.REGION", "sustainability", takesSigV4: true),
        .init("STS", "sts.REGION", "sts", takesSigV4: true),
      ]
    }

    /// Returns the kind of a host that accepts only Signature Version 4a, from its labels before
    /// the domain.
    package static func requiring(labels: [String]) -> MultiRegionHost? {
      all.first { kind in
        let end = kind.pattern.split(separator: ".").dropFirst().map(String.init)
        return !kind.takesSigV4 && labels.count > end.count && labels.suffix(end.count) == end[...]
      }
    }

    /// Returns the kind of an AWS host that accepts only Signature Version 4a.
    package static func requiring(host: String) -> MultiRegionHost? {
      AWSPartition.labels(ofHost: host).flatMap { requiring(labels: $0.labels) }
    }
  }
}
