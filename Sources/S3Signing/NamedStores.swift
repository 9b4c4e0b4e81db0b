// SPDX-License-Identifier: Apache-2.0
// S3-compatible stores, with the hosts and regions from their documentation.

public import RequestSigning
internal import SigningSupport

extension SigV4.S3Endpoint {
  /// Returns the endpoint of Backblaze B2 in an account's region, such as "us-west-004".
  ///
  /// - Throws: `invalidRegion` if the region isn't valid.
  public static func backblazeB2(region: String) throws(SigV4.SigningError) -> Self {
    try SigV4.NamedStore.backblazeB2.endpoint(region: region)
  }

  /// Returns the endpoint of Wasabi in a region, such as "eu-central-1".
  ///
  /// - Throws: `invalidRegion` if the region isn't valid.
  public static func wasabi(region: String) throws(SigV4.SigningError) -> Self {
    try SigV4.NamedStore.wasabi.endpoint(region: region)
  }

  /// Returns the endpoint of DigitalOcean Spaces in a region, such as "nyc3".
  ///
  /// - Throws: `invalidRegion` if the region isn't valid.
  public static func digitalOceanSpaces(region: String) throws(SigV4.SigningError) -> Self {
    try SigV4.NamedStore.digitalOceanSpaces.endpoint(region: region)
  }

  /// Returns the endpoint of Scaleway Object Storage in a region, such as "fr-par".
  ///
  /// - Throws: `invalidRegion` if the region isn't valid.
  public static func scaleway(region: String) throws(SigV4.SigningError) -> Self {
    try SigV4.NamedStore.scaleway.endpoint(region: region)
  }

  /// The endpoint of Google Cloud Storage, whose XML API accepts an account's HMAC keys instead of
  /// AWS keys. Use only `x-amz-*` headers: it rejects a mix with `x-goog-*`.
  public static var googleCloudStorage: Self {
    let store = SigV4.NamedStore.googleCloudStorage
    return Self(
      scheme: .https, host: store.pattern, region: store.region ?? "auto", service: .s3,
      kind: store.kind)
  }

  /// Returns the endpoint of Oracle Cloud Infrastructure for a tenancy's namespace in a region,
  /// such as "eu-frankfurt-1". It uses path addressing.
  ///
  /// - Throws: `invalidEndpoint` if the namespace can't be part of a host, and `invalidRegion`.
  public static func oracle(
    namespace: String, region: String
  ) throws(SigV4.SigningError) -> Self {
    if !SigV4.DNSLabel.isValid(namespace.utf8) {
      throw SigV4.SigningError(
        .invalidEndpoint,
        "\(quoted: namespace) isn't a valid Oracle Object Storage namespace.",
        fix: "Use the namespace from the tenancy's details, with only a to z and 0 to 9.")
    }
    return try SigV4.NamedStore.oracle.endpoint(region: region, before: namespace + ".")
  }
}

extension SigV4 {
  /// A store with a known host, as in its documentation. It creates endpoints by name, and
  /// determines the region and addressing of a host.
  package struct NamedStore: Sendable {
    /// The host, with REGION for the region. A bucket or an account can precede it.
    let pattern: String

    /// The region of a host that doesn't contain one.
    var region: String?

    var kind = S3Endpoint.Kind.anyStore

    /// Cloudflare, "S3 API compatibility".
    static let r2 = Self(pattern: "r2.cloudflarestorage.com", region: "auto")
    /// Google, "Simple migration from Amazon S3 to Cloud Storage"; the region is that of its sample
    /// storage_s3_sdk_list_buckets.
    static let googleCloudStorage = Self(pattern: "storage.googleapis.com", region: "auto")
    /// Backblaze, "Call the S3-Compatible API".
    static let backblazeB2 = Self(pattern: "s3.REGION.backblazeb2.com")
    /// Wasabi, "Service URLs for Wasabi's Storage Regions"; s3.us-east-1 is an alias there.
    static let wasabi = Self(pattern: "s3.REGION.wasabisys.com")
    private static let oldWasabi = Self(pattern: "s3.wasabisys.com", region: "us-east-1")
    /// DigitalOcean, "Spaces API": the credential has the same region.
    static let digitalOceanSpaces = Self(pattern: "REGION.digitaloceanspaces.com")
    /// Scaleway, "Object Storage - Concepts".
    static let scaleway = Self(pattern: "s3.REGION.scw.cloud")
    /// Oracle, "Object Storage Support for Amazon S3 Compatibility API Host Style".
    static let oracle = Self(
      pattern: "compat.objectstorage.REGION.oci.customer-oci.com", kind: .pathStore)
    private static let oldOracle = Self(
      pattern: "compat.objectstorage.REGION.oraclecloud.com", kind: .pathStore)

    private static let all = [
      r2, googleCloudStorage, backblazeB2, oldWasabi, wasabi, digitalOceanSpaces, scaleway,
      oracle, oldOracle,
    ]

    /// Returns the store of a host, and the host's region. The host is in lowercase and may have a
    /// port.
    package static func at(_ host: String) -> (store: NamedStore, region: String?)? {
      let labels = host.prefix { $0 != ":" }.split(separator: ".", omittingEmptySubsequences: false)
      for store in all {
        let pattern = store.pattern.split(separator: ".")
        let end = labels.suffix(pattern.count)
        // DigitalOcean's content delivery network isn't a region.
        let fits =
          end.count == pattern.count
          && zip(pattern, end).allSatisfy { $0 == $1 || $0 == "REGION" && $1 != "cdn" }
        if !fits { continue }
        let region = zip(pattern, end).first { $0.0 == "REGION" }.map { String($0.1) }
        return (store, region ?? store.region)
      }
      return nil
    }

    /// Returns the endpoint in a region.
    func endpoint(
      region: String, before: String = ""
    ) throws(SigningError) -> S3Endpoint {
      if !DNSLabel.isValid(region.utf8) {
        throw SigningError(
          .invalidRegion,
          "\(quoted: region) isn't a valid region of this store.",
          fix: "Use the region on the bucket's page, with only a to z, 0 to 9 and '-'.")
      }
      let labels = pattern.split(separator: ".").map { $0 == "REGION" ? region : String($0) }
      return S3Endpoint(
        scheme: .https, host: before + labels.joined(separator: "."), region: region, service: .s3,
        kind: kind)
    }
  }
}

extension SigV4 {
  /// A feature that some stores don't support.
  enum StoreUse {
    case signedChunks
    case form

    /// Throws for what Cloudflare R2 doesn't support. R2 would respond with 501 NotImplemented
    /// (cloudflare/cloudflare-docs 6133, opslane/opslane 194).
    func check(atHost host: String) throws(SigningError) {
      if !host.utf8.suffix(25).elementsEqual(".r2.cloudflarestorage.com".utf8) { return }
      switch self {
      case .signedChunks:
        throw SigningError(
          .unsupportedByStore,
          "Cloudflare R2 doesn't support signed chunks (STREAMING-AWS4-HMAC-SHA256-PAYLOAD).",
          fix: "Sign the whole body, leave it unsigned, or use a multipart upload.")
      case .form:
        throw SigningError(
          .unsupportedByStore,
          "Cloudflare R2 doesn't support form uploads (POST policy).",
          fix: """
            Presign a PUT for the browser, with its content-type and content-length as headers.
            """)
      }
    }
  }
}
