// SPDX-License-Identifier: Apache-2.0
// Determines the service and region from a host name of AWS or another store.

internal import RequestSigning
internal import S3Signing

/// The service and region that a host name contains. An unknown service is nil: it's never guessed
/// from the name.
struct ServiceGuess: Equatable {
  var service: String?
  var region: String?

  /// The region for a bucket host without one, unless the environment sets a region.
  var defaultRegion: String?

  /// The region set for a multi-region host.
  var regionSet: String?

  /// Parses a lowercase host name without a port.
  init(host: String) {
    if let (_, region) = SigV4.NamedStore.at(host) {
      self.init(service: "s3", region: region)
      defaultRegion = nil
    } else if let kind = SigV4.MultiRegionHost.requiring(host: host) {
      self = .allRegions(of: kind.service)
    } else if let (labels, globalRegion) = SigV4.AWSPartition.labels(ofHost: host) {
      self.init(labels: labels, globalRegion: globalRegion)
    } else {
      self.init(service: nil, region: nil)
    }
  }

  init(service: String?, region: String?) {
    self.service = service
    self.region = region
    defaultRegion = service == "s3" && region == nil ? "us-east-1" : nil
  }

  /// A multi-region host, which accepts only SigV4a.
  static func allRegions(of service: String) -> ServiceGuess {
    var guess = ServiceGuess(service: service, region: nil)
    (guess.defaultRegion, guess.regionSet) = (nil, "*")
    return guess
  }

  /// Whether AWS serves this host on a port, if its service is known. Sources: Transcribe,
  /// Developer Guide, "Setting up a streaming transcription"; Neptune, User Guide (the owner of a
  /// cluster chooses its port).
  func serves(port: Int, of host: String) -> Bool {
    guard let service, SigV4.AWSPartition.labels(ofHost: host) != nil else { return true }
    let ports = ["transcribe": [8_443]][service] ?? []
    return service.hasPrefix("neptune-") || ([80, 443] + ports).contains(port)
  }

  /// Parses the labels before the domain: `[resource...] service region` or `[resource...] region
  /// service`, followed by `vpce` for a PrivateLink endpoint.
  private init(labels: [String], globalRegion: String?) {
    var labels = labels
    if labels.last == "vpce" {
      let resource = labels.lastIndex { $0.hasPrefix("vpce-") } ?? labels.endIndex - 1
      labels = Array(labels[(resource + 1)...].dropLast())
    }
    let globalRegion = labels.contains("us-gov") ? "us-gov-west-1" : globalRegion
    // The labels before S3's label are a bucket, regardless of its name.
    let end = labels.lastIndex { Self.s3Guess($0, nil) != nil } ?? -1
    let region = labels[(end + 1)...].last(where: Self.isRegion)
    let s3 = labels.last.flatMap { Self.s3Guess($0, nil) }
    let others = labels.filter { $0 != region && !Self.variants.contains($0) }
    if var guess = s3 ?? others.last.flatMap({ Self.s3Guess($0, region) }) {
      if guess.defaultRegion != nil { guess.defaultRegion = globalRegion }
      self = guess
    } else {
      service = Self.service(others.map(Self.withoutFIPS))
      self.region = region ?? (service == nil ? nil : globalRegion)
    }
  }

  /// Labels that contain neither the service nor the region.
  private static var variants: [String] { ["dualstack", "fips", "global", "us-gov"] }

  private static func withoutFIPS(_ label: String) -> String {
    label.hasSuffix("-fips") ? String(label.dropLast(5)) : label
  }

  /// Parses an S3 label. Some labels contain the region: s3-us-west-2.
  private static func s3Guess(_ label: String, _ region: String?) -> ServiceGuess? {
    let label = withoutFIPS(label)
    switch label {
    case "s3", "s3-accesspoint", "s3-accelerate", "s3-control":
      return ServiceGuess(service: "s3", region: region)
    case "s3-external-1":
      return ServiceGuess(service: "s3", region: "us-east-1")
    case _ where label.hasPrefix("s3express-"):
      return ServiceGuess(service: "s3express", region: region)
    default:
      let place = ["s3-fips-", "s3-"].first { label.hasPrefix($0) }.map {
        String(label.dropFirst($0.count))
      }
      return place.flatMap { isRegion($0) ? ServiceGuess(service: "s3", region: $0) : nil }
    }
  }

  /// The service of labels without a region: a shared host, or one with up to two customer labels.
  private static func service(_ labels: [String]) -> String? {
    for count in 0...2 where count < max(labels.count, 1) {
      let pattern = Array(repeating: "*", count: count) + labels.dropFirst(count)
      if let name = signingNames[pattern.joined(separator: ".")] { return name }
    }
    return nil
  }

  /// Whether a label has the form of a region: us-east-1, eu-central-2, us-gov-west-1, cn-north-1,
  /// us-iso-east-1, eusc-de-east-1.
  static func isRegion(_ label: String) -> Bool {
    let parts = label.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts.count <= 4, let number = parts.last else { return false }
    let letters = parts.dropLast().allSatisfy { part in
      part.count >= 2 && part.utf8.allSatisfy { $0 >= 0x61 && $0 <= 0x7A }
    }
    return letters && parts[0].count <= 4 && (1...2).contains(number.count)
      && number.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }
}
