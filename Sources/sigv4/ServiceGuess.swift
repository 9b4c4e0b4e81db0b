// SPDX-License-Identifier: Apache-2.0
// Service and region as the name of an AWS or R2 host tells them.

/// What the name of a host tells of the service and the region behind it.
struct ServiceGuess: Equatable {
  var service: String?
  var region: String?

  /// The region of a bucket whose host names none, unless the environment knows better.
  var defaultRegion: String? { service == "s3" ? "us-east-1" : nil }

  /// Reads the name of a host, lowercase and without port.
  init(host: String) {
    let labels = host.split(separator: ".").map(String.init)
    if host.hasSuffix(".r2.cloudflarestorage.com") {
      self.init(service: "s3", region: "auto")
    } else if let domain = Self.domains.first(where: { labels.end(with: $0) }) {
      self.init(labels: labels.dropLast(domain.count))
    } else {
      self.init(service: nil, region: nil)
    }
  }

  init(service: String?, region: String?) {
    self.service = service
    self.region = region
  }

  /// The domains under which AWS has its endpoints.
  private static var domains: [[String]] {
    [
      ["amazonaws", "com"], ["amazonaws", "com", "cn"], ["api", "aws"], ["on", "aws"],
      ["api", "amazonwebservices", "com", "cn"],
    ]
  }

  /// The labels before the domain: `[resource...] service region`, sometimes the other way round.
  private init(labels: ArraySlice<String>) {
    // What stands before the S3 label is a bucket, whatever it is called.
    if let last = labels.last, let guess = Self.s3Guess(last, nil) {
      self = guess
      return
    }
    let regionIndex = labels.lastIndex(where: Self.isRegion)
    let region = regionIndex.map { labels[$0] }
    let others = labels.filter { $0 != region && $0 != "dualstack" && $0 != "global" }
    // A bucket may be named like a service, so its labels, which come first, are not looked at.
    if let last = others.last {
      self = Self.s3Guess(last, region) ?? Self.guess(others, region)
    } else {
      self.init(service: nil, region: region)
    }
  }

  /// The hosts of S3, of which some hold the region in the same label: s3-us-west-2.
  private static func s3Guess(_ label: String, _ region: String?) -> ServiceGuess? {
    let label = label.hasSuffix("-fips") ? String(label.dropLast(5)) : label
    switch label {
    case "s3": return ServiceGuess(service: "s3", region: region)
    case "s3-accesspoint", "s3-accelerate", "s3-control":
      return ServiceGuess(service: "s3", region: region)
    case _ where label.hasPrefix("s3express-"):
      return ServiceGuess(service: "s3express", region: region)
    case _ where label.hasPrefix("s3-") && isRegion(String(label.dropFirst(3))):
      return ServiceGuess(service: "s3", region: String(label.dropFirst(3)))
    default: return nil
    }
  }

  private static func guess(_ labels: [String], _ region: String?) -> ServiceGuess {
    let plain = labels.map { $0.hasSuffix("-fips") ? String($0.dropLast(5)) : $0 }
    let byTwo = plain.suffix(2).joined(separator: ".")
    let last = plain.last ?? ""
    let service = signingNames[byTwo] ?? signingNames[last] ?? last
    let isGlobal = ["iam", "cloudfront", "route53", "sts", "organizations", "waf"].contains(last)
    return ServiceGuess(service: service, region: region ?? (isGlobal ? "us-east-1" : nil))
  }

  /// us-east-1, eu-central-2, us-gov-west-1, cn-north-1, us-iso-east-1, eusc-de-east-1.
  static func isRegion(_ label: String) -> Bool {
    let parts = label.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts.count <= 4, let number = parts.last else { return false }
    let letters = parts.dropLast().allSatisfy { part in
      part.count >= 2 && part.utf8.allSatisfy { $0 >= 0x61 && $0 <= 0x7A }
    }
    return letters && parts[0].count <= 4 && number.count <= 2
      && number.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  /// Signing names that differ from the label in the host, as AWS's service models have them.
  private static var signingNames: [String: String] {
    [
      "a2i-runtime.sagemaker": "sagemaker", "agreement-marketplace": "aws-marketplace",
      "api.detective": "detective", "api.ecr": "ecr", "api.ecr-public": "ecr-public",
      "api.iotwireless": "iotwireless", "api.mediatailor": "mediatailor",
      "api.pricing": "pricing", "api.sagemaker": "sagemaker", "appconfigdata": "appconfig",
      "appstream2": "appstream", "bedrock-agent": "bedrock", "bedrock-agent-runtime": "bedrock",
      "bedrock-agentcore-control": "bedrock-agentcore", "bedrock-data-automation": "bedrock",
      "bedrock-data-automation-runtime": "bedrock", "bedrock-runtime": "bedrock",
      "cassandra-streams": "cassandra", "catalog.marketplace": "aws-marketplace",
      "cloudhsmv2": "cloudhsm", "cloudsearchdomain": "cloudsearch", "contact-lens": "connect",
      "data-ats.iot": "iotdata", "data-signer": "signer", "data.iotevents": "ioteventsdata",
      "data.jobs.iot": "iot-jobs-data", "data.mediastore": "mediastore",
      "deployment-marketplace": "aws-marketplace", "discovery-marketplace": "aws-marketplace",
      "edge.sagemaker": "sagemaker", "email": "ses", "email-smtp": "ses",
      "entitlement.marketplace": "aws-marketplace", "featurestore-runtime.sagemaker": "sagemaker",
      "forecastquery": "forecast", "identity-chime": "chime", "ingest.timestream": "timestream",
      "ivsrealtime": "ivs", "jobs.iot": "iot-jobs-data", "lambda-url": "lambda",
      "mail-manager": "ses", "media-pipelines-chime": "chime", "meetings-chime": "chime",
      "memory-db": "memorydb", "messaging-chime": "chime",
      "metering.marketplace": "aws-marketplace", "metrics.sagemaker": "sagemaker",
      "migrationhub-config": "mgh", "models-v2-lex": "lex", "models.lex": "lex",
      "oidc": "sso-oauth", "participant.connect": "execute-api",
      "personalize-events": "personalize", "personalize-runtime": "personalize",
      "pinpoint": "mobiletargeting", "portal.sso": "awsssoportal",
      "query.timestream": "timestream", "reporting-marketplace": "aws-marketplace",
      "runtime-v2-lex": "lex", "runtime.lex": "lex", "runtime.sagemaker": "sagemaker",
      "servicecatalog-appregistry": "servicecatalog", "sms-voice.pinpoint": "sms-voice",
      "streams.dynamodb": "dynamodb", "transcribestreaming": "transcribe",
      "tunneling.iot": "IoTSecuredTunneling", "voice-chime": "chime",
    ]
  }
}

extension Array<String> {
  /// Whether the last labels are these, with something before them.
  fileprivate func end(with domain: [String]) -> Bool {
    count > domain.count && Array(suffix(domain.count)) == domain
  }
}
