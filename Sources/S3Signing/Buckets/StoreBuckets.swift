// SPDX-License-Identifier: Apache-2.0
// A bucket of each store by its name, as with `.aws` and `.r2`.

public import RequestSigning

/// Buckets of stores by name. Each throws the errors of the store's endpoint, and of
/// ``init(_:at:addressing:)``.
extension SigV4.Bucket {
  /// Returns the bucket with this name in Backblaze B2.
  public static func backblaze(
    _ name: String, region: String
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .backblazeB2(region: region))
  }

  /// Returns the bucket with this name in Wasabi.
  public static func wasabi(
    _ name: String, region: String
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .wasabi(region: region))
  }

  /// Returns the bucket with this name in DigitalOcean Spaces.
  public static func digitalOcean(
    _ name: String, region: String
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .digitalOceanSpaces(region: region))
  }

  /// Returns the bucket with this name in Scaleway.
  public static func scaleway(
    _ name: String, region: String
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .scaleway(region: region))
  }

  /// Returns the bucket with this name in Alibaba Cloud OSS.
  public static func alibabaOSS(
    _ name: String, region: String
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .alibabaOSS(region: region))
  }

  /// Returns the bucket with this name in Tencent Cloud COS.
  public static func tencentCOS(
    _ name: String, region: String
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .tencentCOS(region: region))
  }

  /// Returns the bucket with this name in Huawei Cloud OBS.
  public static func huaweiOBS(
    _ name: String, region: String
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .huaweiOBS(region: region))
  }

  /// Returns the bucket with this name in Hetzner Object Storage.
  public static func hetzner(
    _ name: String, region: String
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .hetzner(region: region))
  }

  /// Returns the bucket with this name in OVHcloud.
  public static func ovhCloud(
    _ name: String, region: String
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .ovhCloud(region: region))
  }

  /// Returns the bucket with this name in Linode (Akamai).
  public static func linode(
    _ name: String, region: String
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .linode(region: region))
  }

  /// Returns the bucket with this name in IDrive e2.
  public static func idriveE2(
    _ name: String, region: String
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .idriveE2(region: region))
  }

  /// Returns the bucket with this name in Vultr.
  public static func vultr(
    _ name: String, region: String
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .vultr(region: region))
  }

  /// Returns the bucket with this name in IBM Cloud Object Storage.
  public static func ibmCloud(
    _ name: String, region: String
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .ibmCloud(region: region))
  }

  /// Returns the bucket with this name in Google Cloud Storage.
  public static func googleCloudStorage(
    _ name: String
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .googleCloudStorage)
  }

  /// Returns the bucket with this name in Tigris.
  public static func tigris(_ name: String) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .tigris)
  }

  /// Returns the bucket with this name in Storj.
  public static func storj(_ name: String) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .storj)
  }

  /// Returns the bucket with this name in Yandex Object Storage.
  public static func yandex(_ name: String) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .yandex)
  }

  /// Returns the bucket with this name in Oracle Cloud.
  public static func oracle(
    _ name: String, namespace: String, region: String
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try SigV4.Bucket(name, at: .oracle(namespace: namespace, region: region))
  }
}
