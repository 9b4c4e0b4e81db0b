// SPDX-License-Identifier: Apache-2.0
// S3-compatible stores, with the hosts and regions from their documentation.

public import RequestSigning

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

  /// Returns the endpoint of Alibaba Cloud OSS in a region, such as "cn-hangzhou". The bucket is in
  /// the host.
  ///
  /// - Throws: `invalidRegion` if the region isn't valid.
  public static func alibabaOSS(region: String) throws(SigV4.SigningError) -> Self {
    try SigV4.NamedStore.alibabaOSS.endpoint(region: region)
  }

  /// Returns the endpoint of Tencent Cloud COS in a region, such as "ap-guangzhou". The bucket is
  /// in the host, unless you pass `.path` for a bucket that was created before 2024. Its name ends
  /// in the account's number: `photos-1250000000`.
  ///
  /// - Throws: `invalidRegion` if the region isn't valid.
  public static func tencentCOS(region: String) throws(SigV4.SigningError) -> Self {
    try SigV4.NamedStore.tencentCOS.endpoint(region: region)
  }

  /// Returns the endpoint of Huawei Cloud OBS in a region, such as "cn-north-4". The bucket is in
  /// the host, unless you pass `.path`.
  ///
  /// - Throws: `invalidRegion` if the region isn't valid.
  public static func huaweiOBS(region: String) throws(SigV4.SigningError) -> Self {
    let isEU = region.utf8.elementsEqual("eu-west-101".utf8)
    return try (isEU ? SigV4.NamedStore.huaweiOBSEU : .huaweiOBS).endpoint(region: region)
  }

  /// Returns the endpoint of Hetzner Object Storage in a region, such as "fsn1".
  ///
  /// - Throws: `invalidRegion` if the region isn't valid.
  public static func hetzner(region: String) throws(SigV4.SigningError) -> Self {
    try SigV4.NamedStore.hetzner.endpoint(region: region)
  }

  /// Returns the endpoint of OVHcloud Object Storage in a region, such as "gra" or "us-east-va".
  ///
  /// - Throws: `invalidRegion` if the region isn't valid.
  public static func ovhCloud(region: String) throws(SigV4.SigningError) -> Self {
    let isUS = region.utf8.starts(with: "us-".utf8)
    return try (isUS ? SigV4.NamedStore.ovhCloudUS : .ovhCloud).endpoint(region: region)
  }

  /// Returns the endpoint of Akamai (Linode) Object Storage in a region, such as "us-east-1".
  ///
  /// - Throws: `invalidRegion` if the region isn't valid.
  public static func linode(region: String) throws(SigV4.SigningError) -> Self {
    try SigV4.NamedStore.linode.endpoint(region: region)
  }

  /// Returns the endpoint of IDrive e2 in a region, such as "us-west-1".
  ///
  /// - Throws: `invalidRegion` if the region isn't valid.
  public static func idriveE2(region: String) throws(SigV4.SigningError) -> Self {
    try SigV4.NamedStore.idriveE2.endpoint(region: region)
  }

  /// Returns the endpoint of Vultr Object Storage in a region, such as "ewr1".
  ///
  /// - Throws: `invalidRegion` if the region isn't valid.
  public static func vultr(region: String) throws(SigV4.SigningError) -> Self {
    try SigV4.NamedStore.vultr.endpoint(region: region)
  }

  /// Returns the endpoint of IBM Cloud Object Storage in a region, such as "us-south". Use HMAC
  /// credentials.
  ///
  /// - Throws: `invalidRegion` if the region isn't valid.
  public static func ibmCloud(region: String) throws(SigV4.SigningError) -> Self {
    try SigV4.NamedStore.ibmCloud.endpoint(region: region)
  }

  /// The endpoint of Google Cloud Storage, whose XML API accepts an account's HMAC keys instead of
  /// AWS keys. Use only `x-amz-*` headers: it rejects a mix with `x-goog-*`.
  public static var googleCloudStorage: Self { SigV4.NamedStore.googleCloudStorage.endpoint }

  /// The endpoint of Tigris. The bucket is in the host, unless you pass `.path` for a bucket that
  /// was created before February 20, 2025.
  public static var tigris: Self { SigV4.NamedStore.tigris.endpoint }

  /// The endpoint of Storj's hosted gateway.
  public static var storj: Self { SigV4.NamedStore.storj.endpoint }

  /// The endpoint of Yandex Object Storage in Russia.
  public static var yandex: Self { SigV4.NamedStore.yandex.endpoint }

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
  /// A row of the table of stores: host, region, addressing and missing features, from the store's
  /// documentation. It creates endpoints by name, and determines the region and addressing of a
  /// host.
  package struct NamedStore: Sendable {
    /// The name for messages.
    package let name: String

    /// The host, with REGION for the region. A bucket or an account can precede it.
    package let pattern: String

    /// The region of a host that doesn't contain one.
    package var region: String?

    var kind = S3Endpoint.Kind.anyStore

    /// Features that the store rejects.
    var unsupported: [StoreUse] = []

    /// What it accepts as an upload in parts.
    package var limits = UploadLimits()

    /// Whether the host is a store's other name, for which there is no function.
    package var isAlias = false

    /// Cloudflare, "S3 API compatibility" and "Limits". It responds with 501 NotImplemented to
    /// signed chunks and forms (cloudflare/cloudflare-docs 6133, opslane/opslane 194).
    static let r2 = Self(
      name: "Cloudflare R2", pattern: "r2.cloudflarestorage.com", region: "auto",
      unsupported: [.signedChunks, .form],
      limits: UploadLimits(
        partByteCounts: 5_242_880...5_363_466_240, maximumObjectByteCount: 5_492_189_429_760,
        compositeAlgorithms: [.crc32, .crc32c]))
    /// Google, "Simple migration from Amazon S3 to Cloud Storage" and "Quotas and limits"; the
    /// region is that of its sample storage_s3_sdk_list_buckets.
    static let googleCloudStorage = Self(
      name: "Google Cloud Storage", pattern: "storage.googleapis.com", region: "auto",
      limits: UploadLimits(maximumObjectByteCount: 5_497_558_138_880))
    /// Backblaze, "Call the S3-Compatible API" and "Create Large Files with the Native API". It
    /// responds with 501 to forms (safebucket/safebucket 1278, transloadit/uppy 5052).
    static let backblazeB2 = Self(
      name: "Backblaze B2", pattern: "s3.REGION.backblazeb2.com", unsupported: [.form],
      limits: UploadLimits(
        partByteCounts: 5_000_000...5_000_000_000, maximumObjectByteCount: 10_000_000_000_000))
    /// Wasabi, "Service URLs for Wasabi's Storage Regions"; s3.us-east-1 is an alias there.
    static let wasabi = Self(name: "Wasabi", pattern: "s3.REGION.wasabisys.com")
    private static let oldWasabi = Self(
      name: "Wasabi", pattern: "s3.wasabisys.com", region: "us-east-1", isAlias: true)
    /// DigitalOcean, "Spaces API": the credential has the same region.
    static let digitalOceanSpaces = Self(
      name: "DigitalOcean Spaces", pattern: "REGION.digitaloceanspaces.com")
    /// Scaleway, "Object Storage - Concepts" and "Managing multipart uploads".
    static let scaleway = Self(
      name: "Scaleway", pattern: "s3.REGION.scw.cloud",
      limits: UploadLimits(maximumPartCount: 1_000, maximumObjectByteCount: 5_000_000_000_000))
    /// Oracle, "Object Storage Support for Amazon S3 Compatibility API Host Style".
    static let oracle = Self(
      name: "Oracle", pattern: "compat.objectstorage.REGION.oci.customer-oci.com", kind: .pathStore)
    private static let oldOracle = Self(
      name: "Oracle", pattern: "compat.objectstorage.REGION.oraclecloud.com", kind: .pathStore,
      isAlias: true)
    /// Alibaba Cloud, "Access OSS using an AWS SDK" and "Overview": "OSS accepts only virtual
    /// hosted-style URLs".
    static let alibabaOSS = Self(
      name: "Alibaba Cloud OSS", pattern: "s3.oss-REGION.aliyuncs.com", kind: .hostStore)
    private static let internalOSS = Self(
      name: "Alibaba Cloud OSS", pattern: "s3.oss-REGION-internal.aliyuncs.com", kind: .hostStore,
      isAlias: true)
    /// The hosts of the OSS API, which also accept S3 requests (Alibaba Cloud, "OSS domain names";
    /// rclone, `provider/Alibaba.yaml`).
    private static let plainInternalOSS = Self(
      name: "Alibaba Cloud OSS", pattern: "oss-REGION-internal.aliyuncs.com", kind: .hostStore,
      isAlias: true)
    private static let plainOSS = Self(
      name: "Alibaba Cloud OSS", pattern: "oss-REGION.aliyuncs.com", kind: .hostStore,
      isAlias: true)
    /// Tencent Cloud, "Accessing COS with AWS S3 SDK". Users report PathStyleDomainForbidden for
    /// buckets that were created since 2024.
    static let tencentCOS = Self(
      name: "Tencent Cloud COS", pattern: "cos.REGION.myqcloud.com", kind: .hostFirstStore)
    /// Tencent Cloud, "Regions and Access Endpoints": the other domain, and the hosts in its own
    /// network.
    private static let otherTencentCOS = [
      "cos.REGION.tencentcos.cn", "cos-internal.REGION.tencentcos.cn",
      "cos-internal.REGION.myqcloud.com",
    ].map {
      Self(name: "Tencent Cloud COS", pattern: $0, kind: .hostFirstStore, isAlias: true)
    }
    /// Huawei Cloud, "Endpoints and Access Domain Names". It rejects buckets in the path with
    /// VirtualHostDomainRequired (Tencent/WeKnora 3273).
    static let huaweiOBS = Self(
      name: "Huawei Cloud OBS", pattern: "obs.REGION.myhuaweicloud.com", kind: .hostFirstStore)
    /// Huawei Cloud, "Accessing OBS", for its European site, whose only region is eu-west-101.
    static let huaweiOBSEU = Self(
      name: "Huawei Cloud OBS", pattern: "obs.REGION.myhuaweicloud.eu", kind: .hostFirstStore,
      isAlias: true)
    /// Tigris, "Quick Start" and "Moving to Virtual Hosted URLs".
    static let tigris = Self(
      name: "Tigris", pattern: "t3.storage.dev", region: "auto", kind: .hostFirstStore)
    private static let oldTigris = Self(
      name: "Tigris", pattern: "fly.storage.tigris.dev", region: "auto", kind: .hostFirstStore,
      isAlias: true)
    /// rclone, `provider/Hetzner.yaml`: regions and endpoints of the three locations.
    static let hetzner = Self(
      name: "Hetzner Object Storage", pattern: "REGION.your-objectstorage.com")
    /// OVHcloud, "Endpoints and Object Storage geoavailability", with the older host.
    static let ovhCloud = Self(
      name: "OVHcloud Object Storage", pattern: "s3.REGION.io.cloud.ovh.net")
    private static let oldOVHCloud = Self(
      name: "OVHcloud Object Storage", pattern: "s3.REGION.perf.cloud.ovh.net", isAlias: true)
    /// rclone, `provider/OVHcloud.yaml`: us-east-va and us-west-or.
    static let ovhCloudUS = Self(
      name: "OVHcloud Object Storage", pattern: "s3.REGION.io.cloud.ovh.us", isAlias: true)
    /// rclone, `provider/Linode.yaml`; django-storages, "Linode": the region is in the host.
    static let linode = Self(
      name: "Akamai (Linode) Object Storage", pattern: "REGION.linodeobjects.com")
    /// rclone, `provider/Storj.yaml`. It has no regions.
    static let storj = Self(name: "Storj", pattern: "gateway.storjshare.io", region: "us-east-1")
    /// IDrive, "IDrive e2 Endpoint URLs".
    static let idriveE2 = Self(name: "IDrive e2", pattern: "s3.REGION.idrivee2.com")
    /// JuiceFS, "How to Set Up Object Storage": the region is in the host.
    static let vultr = Self(name: "Vultr Object Storage", pattern: "REGION.vultrobjects.com")
    /// IBM, "Legacy endpoints", for the hosts; "Object operations": the region is the location code
    /// of the endpoint.
    static let ibmCloud = Self(
      name: "IBM Cloud Object Storage",
      pattern: "s3.REGION.cloud-object-storage.appdomain.cloud")
    /// IBM, "Endpoints and storage locations": the hosts in its own networks.
    private static let otherIBMCloud = ["s3.private", "s3.direct"].map {
      Self(
        name: "IBM Cloud Object Storage",
        pattern: $0 + ".REGION.cloud-object-storage.appdomain.cloud", isAlias: true)
    }
    /// Yandex Cloud, "AWS Command Line Interface": any other region may cause an authorization
    /// error.
    static let yandex = Self(
      name: "Yandex Object Storage", pattern: "storage.yandexcloud.net", region: "ru-central1")

    /// Volcengine TOS: the hosts for S3's signatures and for its own. It rejects buckets in the
    /// path with InvalidPathAccess (apache/opendal 6549, minio/minio-go 1734).
    private static let tos = ["tos-s3-REGION.volces.com", "tos-REGION.volces.com"].map {
      Self(name: "Volcengine TOS", pattern: $0, kind: .hostStore, isAlias: true)
    }

    /// The first store that fits a host determines its region.
    package static let all =
      [
        r2, googleCloudStorage, backblazeB2, oldWasabi, wasabi, digitalOceanSpaces, scaleway,
        oracle, oldOracle, internalOSS, alibabaOSS, plainInternalOSS, plainOSS, tencentCOS,
        huaweiOBS, huaweiOBSEU, tigris, oldTigris, hetzner, ovhCloud, oldOVHCloud, ovhCloudUS,
        linode, storj, idriveE2, vultr, ibmCloud, yandex,
      ] + otherTencentCOS + otherIBMCloud + tos
  }
}

extension SigV4.NamedStore {
  /// Returns the store of a host, and the host's region. The host is in lowercase and may have a
  /// port.
  package static func at(_ host: String) -> (store: Self, region: String?)? {
    let name = Array(host.utf8.prefix { $0 != ASCIIByte.colon })[...]
    for store in all {
      let (fits, region) = store.region(of: name)
      if fits { return (store, region) }
    }
    return nil
  }

  /// Returns the host for a request with a bucket in the path, if the store rejects it there.
  package static func requiredHost(of request: SigV4.Request) -> String? {
    let host = Array(request.host.utf8.prefix { $0 != ASCIIByte.colon })
    let bucket = request.path.strict.dropFirst().prefix { $0 != ASCIIByte.slash }
    func labelCount(_ name: some Sequence<UInt8>) -> Int { name.count { $0 == ASCIIByte.dot } }
    guard let (store, _) = at(request.host), store.kind == .hostStore, !bucket.isEmpty,
      labelCount(host) == labelCount(store.pattern.utf8)
    else { return nil }
    return String(decoding: bucket, as: UTF8.self) + "." + request.host
  }

  /// Returns whether a host belongs to the store, and its region.
  private func region(of host: ArraySlice<UInt8>) -> (fits: Bool, region: String?) {
    let pattern = Array(pattern.utf8)[...]
    guard let place = BytewiseSearch.range(of: "REGION", in: pattern) else {
      return (Self.isEnd(pattern, of: host), region)
    }
    let (before, after) = (pattern[..<place.lowerBound], pattern[place.upperBound...])
    let rest = host.dropLast(after.count)
    // The region is the rest of its label: of "oss-cn-hangzhou" after "oss-".
    let labelCount = Self.lastLabelCount(rest) - Self.lastLabelCount(before)
    let name = rest.suffix(max(labelCount, 0))
    // A content delivery network isn't the store.
    let fits =
      !name.isEmpty && !name.spells("cdn") && host.suffix(after.count).elementsEqual(after)
      && Self.isEnd(before, of: rest.dropLast(name.count))
    // An acceleration host, such as oss-accelerate-overseas, serves buckets of all regions.
    return (fits, name.starts(with: "accelerate".utf8) ? nil : name.textInUTF8)
  }

  private static func lastLabelCount(_ name: ArraySlice<UInt8>) -> Int {
    name.reversed().prefix { $0 != ASCIIByte.dot }.count
  }

  /// Returns whether a host ends with whole labels.
  private static func isEnd(_ labels: ArraySlice<UInt8>, of host: ArraySlice<UInt8>) -> Bool {
    let start = host.dropLast(labels.count)
    return host.suffix(labels.count).elementsEqual(labels)
      && (start.isEmpty || start.last == ASCIIByte.dot)
  }

  /// The endpoint of a store without regions in its host.
  fileprivate var endpoint: SigV4.S3Endpoint {
    SigV4.S3Endpoint(
      scheme: .https, host: pattern, region: region ?? "auto", service: .s3, kind: kind)
  }

  /// Returns the endpoint in a region.
  fileprivate func endpoint(
    region: String, before account: String = ""
  ) throws(SigV4.SigningError) -> SigV4.S3Endpoint {
    if !SigV4.DNSLabel.isValid(region.utf8) {
      throw SigV4.SigningError(
        .invalidRegion,
        "\(quoted: region) isn't a valid region of this store.",
        fix: "Use the region on the bucket's page, with only a to z, 0 to 9 and '-'.")
    }
    return SigV4.S3Endpoint(
      scheme: .https, host: account + host(in: region), region: region, service: .s3, kind: kind)
  }

  /// The host in a region.
  package func host(in region: String) -> String {
    let pattern = Array(pattern.utf8)[...]
    guard let place = BytewiseSearch.range(of: "REGION", in: pattern) else { return self.pattern }
    return (pattern[..<place.lowerBound] + region.utf8 + pattern[place.upperBound...]).textInUTF8
  }
}

extension SigV4 {
  /// A feature that some stores don't support.
  enum StoreUse: Sendable {
    case signedChunks
    case form

    /// Throws if the store at this host doesn't support the feature.
    func check(atHost host: String) throws(SigningError) {
      guard let (store, _) = NamedStore.at(host), store.unsupported.contains(self) else { return }
      switch self {
      case .signedChunks:
        throw SigningError(
          .unsupportedByStore,
          "\(store.name) doesn't support signed chunks (STREAMING-AWS4-HMAC-SHA256-PAYLOAD).",
          fix: "Sign the whole body, leave it unsigned, or use a multipart upload.")
      case .form:
        throw SigningError(
          .unsupportedByStore,
          "\(store.name) doesn't support form uploads (POST policy).",
          fix: """
            Presign a PUT for the browser, with its content-type and content-length as headers.
            """)
      }
    }
  }
}
