// SPDX-License-Identifier: Apache-2.0
// Stores by their names: hosts, regions, addressing, and missing features.

internal import SigningTestSupport
internal import RequestSigning
internal import S3Signing
internal import Testing

@Suite("Stores by name")
struct NamedStoreTests {
  /// Origin of the hosts: the stores' documentation, as NamedStores.swift names it.
  @Test("Each has the host and the region that its documentation has")
  func hosts() throws {
    let stores: [(SigV4.S3Endpoint, host: String, region: String)] = [
      (
        try .backblazeB2(region: "us-west-004"), host: "s3.us-west-004.backblazeb2.com",
        region: "us-west-004"
      ),
      (
        try .wasabi(region: "eu-central-1"), host: "s3.eu-central-1.wasabisys.com",
        region: "eu-central-1"
      ),
      (
        try .digitalOceanSpaces(region: "nyc3"), host: "nyc3.digitaloceanspaces.com", region: "nyc3"
      ),
      (try .scaleway(region: "fr-par"), host: "s3.fr-par.scw.cloud", region: "fr-par"),
      (.googleCloudStorage, host: "storage.googleapis.com", region: "auto"),
      (
        try .oracle(namespace: "axaxnpcrorw5", region: "eu-frankfurt-1"),
        host: "axaxnpcrorw5.compat.objectstorage.eu-frankfurt-1.oci.customer-oci.com",
        region: "eu-frankfurt-1"
      ),
    ]
    for (endpoint, host, region) in stores {
      #expect(endpoint.host == host && endpoint.region == region && endpoint.scheme == .https)
      let bucket = try SigV4.Bucket("photos", at: endpoint)
      let request = try bucket.object("a b").getRequest()
      let signer = try bucket.signer(credentials: Example.credentials())
      let signed = try signer.sign(request, at: Example.moment())
      #expect(signed.url == "https://\(host)/photos/a%20b")
      #expect(signed.credentialScope.text == "20150830/\(region)/s3/aws4_request")
    }
  }

  @Test("The bucket of a store is at the store's endpoint")
  func buckets() throws {
    let (name, region) = ("photos-1250000000", "eu-1")
    let stores: [(SigV4.Bucket, SigV4.S3Endpoint)] = try [
      (.backblaze(name, region: region), .backblazeB2(region: region)),
      (.wasabi(name, region: region), .wasabi(region: region)),
      (.digitalOcean(name, region: region), .digitalOceanSpaces(region: region)),
      (.scaleway(name, region: region), .scaleway(region: region)),
      (.alibabaOSS(name, region: region), .alibabaOSS(region: region)),
      (.tencentCOS(name, region: region), .tencentCOS(region: region)),
      (.huaweiOBS(name, region: region), .huaweiOBS(region: region)),
      (.hetzner(name, region: region), .hetzner(region: region)),
      (.ovhCloud(name, region: region), .ovhCloud(region: region)),
      (.linode(name, region: region), .linode(region: region)),
      (.idriveE2(name, region: region), .idriveE2(region: region)),
      (.vultr(name, region: region), .vultr(region: region)),
      (.ibmCloud(name, region: region), .ibmCloud(region: region)),
      (.googleCloudStorage(name), .googleCloudStorage), (.tigris(name), .tigris),
      (.storj(name), .storj), (.yandex(name), .yandex),
      (
        .oracle(name, namespace: "axaxnpcrorw5", region: region),
        .oracle(namespace: "axaxnpcrorw5", region: region)
      ),
    ]
    for (bucket, endpoint) in stores {
      #expect(bucket.name == name && bucket.endpoint == endpoint)
    }
    #expect(Set(stores.map(\.1.host)).count == stores.count)
  }

  @Test(
    "Each host of the table is its store's, with a bucket before it and a port after it, or not")
  func table() throws {
    for store in SigV4.NamedStore.all {
      let host = store.host(in: "there-1")
      let region = store.pattern.contains("REGION") ? "there-1" : store.region
      for name in [host, "bucket." + host, host + ":443"] {
        let found = try #require(SigV4.NamedStore.at(name), "\(name)")
        #expect(found.store.pattern == store.pattern && found.region == region, "\(name)")
        #expect(found.store.name == store.name)
      }
      if !store.pattern.hasPrefix("REGION") {
        // "xs3.oss-there-1.aliyuncs.com" is the bucket "xs3" at Alibaba's other host.
        let other = SigV4.NamedStore.at("x" + host)?.store
        #expect(other?.pattern != store.pattern, "\(host)")
        #expect(other == nil || store.pattern.hasPrefix("s3.oss-"), "\(host)")
      }
      #expect(SigV4.NamedStore.at(host + ".example") == nil)
      #expect(SigV4.NamedStore.all.filter { $0.pattern == store.pattern }.count == 1)
    }
  }

  @Test("A store that requires the bucket in the host has it there by default")
  func required() throws {
    let name = "photos-1250000000"
    for (endpoint, host) in try [
      (SigV4.S3Endpoint.alibabaOSS(region: "cn-hangzhou"), "s3.oss-cn-hangzhou.aliyuncs.com"),
      (.tencentCOS(region: "ap-guangzhou"), "cos.ap-guangzhou.myqcloud.com"),
      (.huaweiOBS(region: "cn-north-4"), "obs.cn-north-4.myhuaweicloud.com"),
      (.tigris, "t3.storage.dev"),
      (
        .custom(url: "https://oss-cn-hangzhou.aliyuncs.com", region: "cn-hangzhou"),
        "oss-cn-hangzhou.aliyuncs.com"
      ),
      (
        .custom(url: "https://oss-cn-hangzhou-internal.aliyuncs.com:443", region: "cn-hangzhou"),
        "oss-cn-hangzhou-internal.aliyuncs.com"
      ),
      (
        .custom(url: "https://oss-accelerate-overseas.aliyuncs.com", region: "us-west-1"),
        "oss-accelerate-overseas.aliyuncs.com"
      ),
      (
        .custom(url: "https://cos.ap-guangzhou.tencentcos.cn", region: "ap-guangzhou"),
        "cos.ap-guangzhou.tencentcos.cn"
      ),
      (
        .custom(url: "https://s3.oss-us-west-1-internal.aliyuncs.com", region: "us-west-1"),
        "s3.oss-us-west-1-internal.aliyuncs.com"
      ),
      (.custom(url: "https://fly.storage.tigris.dev", region: "auto"), "fly.storage.tigris.dev"),
    ] {
      #expect(try SigV4.Bucket(name, at: endpoint).host == name + "." + host)
      #expect(
        try SigV4.Bucket(name, at: endpoint, addressing: .virtualHosted).host == name + "." + host)
    }
    // Older buckets of the other two support it.
    #expect(try SigV4.Bucket(name, at: .tigris, addressing: .path).host == "t3.storage.dev")
    for host in ["obs.cn-north-4.myhuaweicloud.com", "cos.ap-guangzhou.tencentcos.cn"] {
      let endpoint = try SigV4.S3Endpoint.custom(url: "https://" + host, region: "r")
      #expect(try SigV4.Bucket(name, at: endpoint, addressing: .path).host == host)
    }
    for host in ["s3.oss-cn-hangzhou", "oss-cn-hangzhou", "oss-accelerate", "oss-r-internal"] {
      let url = "https://\(host).aliyuncs.com"
      expectRefusal(.conflictingEndpoint, showing: host) {
        try SigV4.Bucket(name, at: .custom(url: url, region: "cn-hangzhou"), addressing: .path)
      }
    }
  }

  /// rclone, `provider/OVHcloud.yaml` and `provider/IBMCOS.yaml`; IBM, "Endpoints and storage
  /// locations"; Huawei Cloud, "Endpoints and Access Domain Names" and "Accessing OBS"; Tencent
  /// Cloud, "Regions and Access Endpoints"; Alibaba Cloud, "OSS domain names".
  @Test("A store's regions in another domain, and its hosts in other networks, are its own")
  func domains() throws {
    for (region, host) in [
      ("us-east-va", "s3.us-east-va.io.cloud.ovh.us"),
      ("us-west-or", "s3.us-west-or.io.cloud.ovh.us"), ("gra", "s3.gra.io.cloud.ovh.net"),
      ("ca-east-tor", "s3.ca-east-tor.io.cloud.ovh.net"), ("us", "s3.us.io.cloud.ovh.net"),
    ] {
      #expect(try SigV4.S3Endpoint.ovhCloud(region: region).host == host)
    }
    for (region, host) in [
      ("cn-north-4", "obs.cn-north-4.myhuaweicloud.com"),
      ("eu-west-101", "obs.eu-west-101.myhuaweicloud.eu"),
      ("eu-west-0", "obs.eu-west-0.myhuaweicloud.com"),
    ] {
      let endpoint = try SigV4.S3Endpoint.huaweiOBS(region: region)
      #expect(endpoint.host == host && endpoint.region == region)
    }
    for (host, name, region) in [
      ("b.s3.us-west-or.io.cloud.ovh.us", "OVHcloud Object Storage", "us-west-or"),
      ("oss-cn-hangzhou.aliyuncs.com", "Alibaba Cloud OSS", "cn-hangzhou"),
      ("b.oss-us-west-1-internal.aliyuncs.com", "Alibaba Cloud OSS", "us-west-1"),
      ("b.oss-accelerate.aliyuncs.com", "Alibaba Cloud OSS", nil),
      ("b.s3.oss-accelerate-overseas.aliyuncs.com", "Alibaba Cloud OSS", nil),
      ("b-1250000000.cos.ap-guangzhou.tencentcos.cn", "Tencent Cloud COS", "ap-guangzhou"),
      ("b-1.cos-internal.ap-nanjing.tencentcos.cn", "Tencent Cloud COS", "ap-nanjing"),
      ("b-1.cos.accelerate.myqcloud.com", "Tencent Cloud COS", nil),
      ("b.obs.eu-west-101.myhuaweicloud.eu", "Huawei Cloud OBS", "eu-west-101"),
      (
        "s3.private.us-south.cloud-object-storage.appdomain.cloud", "IBM Cloud Object Storage",
        "us-south"
      ),
      (
        "b.s3.direct.eu-de.cloud-object-storage.appdomain.cloud", "IBM Cloud Object Storage",
        "eu-de"
      ),
      ("s3.private.eu.cloud-object-storage.appdomain.cloud", "IBM Cloud Object Storage", "eu"),
    ] as [(String, String, String?)] {
      let found = try #require(SigV4.NamedStore.at(host), "\(host)")
      #expect(found.store.name == name && found.region == region, "\(host)")
    }
    for host in [
      "xoss-cn-hangzhou.aliyuncs.com", "oss.aliyuncs.com", "oss-.aliyuncs.com", "ecs.aliyuncs.com",
      "b.cos-website.ap-guangzhou.myqcloud.com", "iam.cn-north-4.myhuaweicloud.com",
      "obs.myhuaweicloud.com", "s3.ovh.us",
      "s3.public.us-south.cloud-object-storage.appdomain.cloud",
      "nyc3.cdn.digitaloceanspaces.com",
    ] {
      #expect(SigV4.NamedStore.at(host) == nil, "\(host)")
    }
  }

  @Test("Buckets are in the host if the store supports that, and Oracle doesn't")
  func addressing() throws {
    let spaces = try SigV4.Bucket(
      "photos", at: .digitalOceanSpaces(region: "nyc3"), addressing: .virtualHosted)
    #expect(spaces.host == "photos.nyc3.digitaloceanspaces.com")
    expectRefusal(.conflictingEndpoint, showing: "oci.customer-oci.com") {
      try SigV4.Bucket(
        "photos", at: .oracle(namespace: "n", region: "r"), addressing: .virtualHosted)
    }
    for host in ["oci.customer-oci.com:443", "oraclecloud.com"] {
      let endpoint = try SigV4.S3Endpoint.custom(
        url: "https://n.compat.objectstorage.r." + host, region: "r")
      expectRefusal(.conflictingEndpoint, showing: "n.compat.objectstorage.r.") {
        try SigV4.Bucket("photos", at: endpoint, addressing: .virtualHosted)
      }
      _ = try SigV4.Bucket("photos", at: endpoint)
    }
  }

  @Test("An invalid region or namespace is rejected, because it becomes a part of the host")
  func refusals() {
    for text in ["", "us west", "a.b", "x/", "-a", "é"] {
      expectRefusal(.invalidRegion, showing: text) { try SigV4.S3Endpoint.wasabi(region: text) }
      expectRefusal(.invalidRegion, showing: text) {
        try SigV4.S3Endpoint.backblazeB2(region: text)
      }
      expectRefusal(.invalidEndpoint, showing: text) {
        try SigV4.S3Endpoint.oracle(namespace: text, region: "r")
      }
    }
  }

  @Test("Signed chunks and forms are rejected for R2, which returns 501 for both")
  func r2() throws {
    let bucket = try SigV4.Bucket.r2("photos", account: "0123456789abcdef0123456789abcdef")
    let request = try bucket.object("a").request("PUT")
    expectRefusal(.unsupportedByStore, showing: "STREAMING") {
      try request.uploading(.signed(decodedByteCount: 10))
    }
    let trailer = try #require(SigV4.ChunkTrailer(.crc32))
    _ = try request.uploading(.unsigned(decodedByteCount: 10, trailers: [trailer]))
    expectRefusal(.unsupportedByStore, showing: "POST policy") {
      try SigV4.PostPolicy(bucket: bucket, expiresIn: .seconds(60), conditions: [])
    }
  }

  /// safebucket/safebucket 1278 and transloadit/uppy 5052: 501 NotImplemented.
  @Test("Forms are rejected for Backblaze B2, which returns 501")
  func backblaze() throws {
    let bucket = try SigV4.Bucket.backblaze("photos", region: "us-west-004")
    expectRefusal(.unsupportedByStore, showing: "POST policy") {
      try SigV4.PostPolicy(bucket: bucket, conditions: [.key("a")])
    }
  }

  /// apache/opendal 6549: https://tos-s3-cn-beijing.volces.com/fangbobj gets InvalidPathAccess.
  @Test("A bucket of Volcengine TOS is in the host, for either signature")
  func tos() throws {
    for host in ["tos-s3-cn-beijing.volces.com", "tos-cn-beijing.volces.com"] {
      let endpoint = try SigV4.S3Endpoint.custom(url: "https://" + host, region: "cn-beijing")
      #expect(try SigV4.Bucket("photos", at: endpoint).host == "photos." + host)
      expectRefusal(.conflictingEndpoint) {
        try SigV4.Bucket("photos", at: endpoint, addressing: .path)
      }
      #expect(SigV4.NamedStore.at(host)?.region == "cn-beijing")
    }
  }

  /// Google Cloud Storage, XML API, "Copy an object", and PyPI's tos 2.9.3, client.py.
  @Test("The source of a copy has the prefix of the service's names")
  func copySources() throws {
    for (url, service, name) in [
      ("https://storage.googleapis.com", SigV4.Service.googleCloudStorage, "x-goog-copy-source"),
      ("https://tos-cn-beijing.volces.com", .tos, "x-tos-copy-source"),
      ("https://storage.example.com", .s3, "x-amz-copy-source"),
    ] {
      let bucket = try SigV4.Bucket(
        "photos", at: .custom(url: url, region: "auto", service: service))
      let link = try bucket.signer(credentials: Example.credentials()).presignedURL(
        for: bucket.object("b"), copying: bucket.object("a"), at: Example.moment())
      #expect(link.requiredHeaders.map(\.name).contains(name), "\(link)")
    }
  }
}
