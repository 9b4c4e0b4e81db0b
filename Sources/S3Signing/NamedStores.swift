// SPDX-License-Identifier: Apache-2.0
// Stores with the protocol of S3 by their names: hosts and regions as their documentation has them.

public import RequestSigning
internal import SigningSupport

extension SigV4.S3Endpoint {
  /// The endpoint of Backblaze B2 in the region of an account, such as "us-west-004".
  ///
  /// Throws `invalidRegion` when the text cannot be a region.
  public static func backblazeB2(region: String) throws(SigV4.SigningError) -> Self {
    // Backblaze, "Call the S3-Compatible API".
    try store("s3." + region + ".backblazeb2.com", region)
  }

  /// The endpoint of Wasabi in a region, such as "eu-central-1".
  ///
  /// Throws `invalidRegion` when the text cannot be a region.
  public static func wasabi(region: String) throws(SigV4.SigningError) -> Self {
    // Wasabi, "Service URLs for Wasabi's Storage Regions"; s3.us-east-1 is an alias there.
    try store("s3." + region + ".wasabisys.com", region)
  }

  /// The endpoint of DigitalOcean Spaces in a region, such as "nyc3".
  ///
  /// Throws `invalidRegion` when the text cannot be a region.
  public static func digitalOceanSpaces(region: String) throws(SigV4.SigningError) -> Self {
    // DigitalOcean, "Spaces API": the region is also that of the credential.
    try store(region + ".digitaloceanspaces.com", region)
  }

  /// The endpoint of Scaleway Object Storage in a region, such as "fr-par".
  ///
  /// Throws `invalidRegion` when the text cannot be a region.
  public static func scaleway(region: String) throws(SigV4.SigningError) -> Self {
    // Scaleway, "Generating an AWSv4 authentication signature".
    try store("s3." + region + ".scw.cloud", region)
  }

  /// The endpoint of Google Cloud Storage, whose XML API takes the HMAC keys of an account in place of
  /// keys of AWS. Headers have to be `x-amz-*`: beside them `x-goog-*` is refused.
  public static var googleCloudStorage: Self {
    // Google, "Simple migration from Amazon S3 to Cloud Storage".
    Self(
      scheme: .https, host: "storage.googleapis.com", region: "auto", service: .s3, kind: .anyStore)
  }

  /// The endpoint of Oracle Cloud Infrastructure for the namespace of a tenancy in a region, such as
  /// "eu-frankfurt-1". Buckets stand in the path.
  ///
  /// Throws `invalidEndpoint` when the namespace cannot be a part of a host, and `invalidRegion`.
  public static func oracle(
    namespace: String, region: String
  ) throws(SigV4.SigningError) -> Self {
    if !SigV4.DNSLabel.isValid(namespace.utf8) {
      throw SigV4.SigningError(
        .invalidEndpoint,
        """
        \(quoted: namespace) is not a namespace of Oracle's Object Storage, and becomes a part of the \
        host; give the one that the tenancy's details show, of a to z and 0 to 9
        """)
    }
    // Oracle, "Object Storage Support for Amazon S3 Compatibility API Host Style".
    return try store(
      namespace + ".compat.objectstorage." + region + ".oci.customer-oci.com", region,
      kind: .pathStore)
  }

  private static func store(
    _ host: String, _ region: String, kind: Kind = .anyStore
  ) throws(SigV4.SigningError) -> Self {
    if !SigV4.DNSLabel.isValid(region.utf8) {
      throw SigV4.SigningError(
        .invalidRegion,
        """
        \(quoted: region) is not a region of this store, and becomes a part of its host; give the one \
        that the bucket's page shows, of a to z, 0 to 9 and '-'
        """)
    }
    return Self(scheme: .https, host: host, region: region, service: .s3, kind: kind)
  }
}

extension SigV4 {
  /// What some stores do not have.
  enum StoreUse {
    case signedChunks
    case form

    /// Refuses what Cloudflare R2 does not have, before it is sent: it answers 501 NotImplemented
    /// (cloudflare/cloudflare-docs 6133, opslane/opslane 194).
    func check(atHost host: String) throws(SigningError) {
      if !host.utf8.suffix(25).elementsEqual(".r2.cloudflarestorage.com".utf8) { return }
      switch self {
      case .signedChunks:
        throw SigningError(
          .conflictingEndpoint,
          """
          Cloudflare R2 has no uploads in signed chunks (STREAMING-AWS4-HMAC-SHA256-PAYLOAD); give \
          the payload as .unsigned, .bytes or .digest, or upload in parts
          """)
      case .form:
        throw SigningError(
          .conflictingEndpoint,
          """
          Cloudflare R2 takes no uploads by form (POST policy); presign a PUT for the browser, with \
          its content-type and content-length among the headers
          """)
      }
    }
  }
}
