// SPDX-License-Identifier: Apache-2.0
// The service and region of a host name, compared with botocore's endpoints.

internal import S3Signing
import TestSupport
internal import SigningTestSupport
import Testing

@testable import sigv4

@Suite("Service and region from the name of a host")
struct ServiceGuessTests {
  @Test("The signing name and region of every endpoint in botocore's service models are found")
  func botocoreEndpoints() throws {
    let table = try VectorTable(named: "service-hosts.txt")
    var services: [String: Set<String>] = [:]
    var regions: [String: String] = [:]
    for record in table.records {
      for line in try record.texts("host") {
        let words = line.split(separator: " ").map(String.init)
        for place in try record.texts("domain") {
          let place = place.split(separator: " ").map(String.init)
          let host = words[0].replacing("REGION", with: place[1]) + "." + place[0]
          services[host, default: []].insert(words[1])
          regions[host] = place[2]
        }
      }
    }
    #expect(services.count > 9_000)
    for (host, names) in services {
      let guess = ServiceGuess(host: host)
      // Two services share these hosts, in some of the partitions.
      let isShared = ["maps.geo", "places.geo", "routes.geo"].contains { host.hasPrefix($0) }
      #expect(guess.service == (isShared ? nil : names.first), "\(host)")
      // Hosts that botocore's rules compose for us-gov-west-1, but the documentation doesn't have.
      let isComposed =
        ["cloudfront", "cloudfront-fips", "budgets"].contains { host == $0 + ".api.aws" }
        || host == "iam-fips.amazonaws.com.cn"
      if let region = guess.region ?? guess.defaultRegion, regions[host] != "-", !isComposed {
        #expect(region == regions[host], "\(host)")
      }
    }
  }

  @Test("Each store's hosts have the service s3 and their region")
  func stores() {
    for store in SigV4.NamedStore.all {
      let guess = ServiceGuess(host: "bucket." + store.host(in: "there-1"))
      let region = store.pattern.contains("REGION") ? "there-1" : store.region
      #expect(guess.service == "s3" && guess.region == region, "\(store.pattern)")
    }
  }

  @Test("The region of an acceleration host must be given, because it's none of AWS")
  func acceleration() throws {
    for arguments in [
      ["https://b.oss-accelerate.aliyuncs.com/k"],
      ["s3://bucket/k", "--endpoint", "https://oss-accelerate.aliyuncs.com"],
    ] {
      let result = try CommandProcess(["sign", "--json"] + arguments)
      #expect(result.exitCode == 2 && result.errors.contains("Use --region NAME"))
      let signed = try CommandProcess(["sign", "--json", "--region", "cn-beijing"] + arguments)
      #expect(signed.output.contains("/cn-beijing/s3/aws4_request"), "\(signed.errors)")
    }
  }

  @Test("A bucket at a store that rejects it in the path is in the host")
  func addressing() throws {
    for (host, isNoted) in [
      ("oss-cn-hangzhou.aliyuncs.com", true), ("s3.oss-cn-hangzhou.aliyuncs.com", true),
      ("cos.ap-guangzhou.tencentcos.cn", false), ("obs.cn-north-4.myhuaweicloud.com", false),
    ] {
      let object = try CommandProcess([
        "presign", "--endpoint", "https://" + host, "s3://bucket-1/k",
      ])
      #expect(object.output.hasPrefix("https://bucket-1.\(host)/k?"), "\(object.errors)")
      let path = try CommandProcess(["presign", "https://\(host)/bucket-1/k"])
      #expect(path.exitCode == 0)
      #expect(path.errors.contains("https://bucket-1.\(host)/") == isNoted, "\(path.errors)")
      for place in ["https://\(host)/", "https://bucket-1.\(host)/a/k"] {
        #expect(try !CommandProcess(["presign", place]).errors.contains("bucket name"))
      }
    }
  }

  /// Forms of hosts from the Amazon S3 User Guide ("Amazon S3 endpoints"), the R2 documentation
  /// ("S3 API compatibility") and the user guides of the services named.
  @Test("The service and region of S3, R2 and resource hosts are found")
  func resources() {
    ([
      ("s3.amazonaws.com", "s3", nil),
      ("examplebucket.s3.amazonaws.com", "s3", nil),
      ("eu-west-1.s3.amazonaws.com", "s3", nil),
      ("examplebucket.s3.eu-central-1.amazonaws.com", "s3", "eu-central-1"),
      ("examplebucket.s3-us-west-2.amazonaws.com", "s3", "us-west-2"),
      ("s3.dualstack.ap-south-1.amazonaws.com", "s3", "ap-south-1"),
      ("my.bucket.s3.dualstack.ap-south-1.amazonaws.com", "s3", "ap-south-1"),
      ("lambda.us-east-1.s3.eu-west-3.amazonaws.com", "s3", "eu-west-3"),
      ("examplebucket.s3-fips.us-gov-west-1.amazonaws.com", "s3", "us-gov-west-1"),
      ("s3.cn-north-1.amazonaws.com.cn", "s3", "cn-north-1"),
      ("examplebucket.s3-accelerate.amazonaws.com", "s3", nil),
      ("my-bucket-1.s3-accelerate.dualstack.amazonaws.com", "s3", nil),
      ("123456789012.s3-control.eu-west-1.amazonaws.com", "s3", "eu-west-1"),
      ("ap-123456789012.s3-accesspoint.eu-west-1.amazonaws.com", "s3", "eu-west-1"),
      ("b--use1-az4--x-s3.s3express-use1-az4.us-east-1.amazonaws.com", "s3express", "us-east-1"),
      ("account.r2.cloudflarestorage.com", "s3", "auto"),
      ("account.eu.r2.cloudflarestorage.com", "s3", "auto"),
      ("bucket.account.r2.cloudflarestorage.com", "s3", "auto"),
      ("abc123.execute-api.eu-west-1.amazonaws.com", "execute-api", "eu-west-1"),
      ("abc123.lambda-url.us-east-2.on.aws", "lambda", "us-east-2"),
      ("search-domain-xyz.us-east-1.es.amazonaws.com", "es", "us-east-1"),
      ("xyz.us-east-1.aoss.amazonaws.com", "aoss", "us-east-1"),
      ("iam.amazonaws.com", "iam", "us-east-1"),
      ("sts.amazonaws.com", "sts", "us-east-1"),
      ("dynamodb-fips.us-gov-east-1.amazonaws.com", "dynamodb", "us-gov-east-1"),
      ("a1b2-ats.iot.eu-west-1.amazonaws.com", "iotdata", "eu-west-1"),
      ("c1d2.credentials.iot.eu-west-1.amazonaws.com", nil, "eu-west-1"),
      ("abc.appsync-api.eu-west-1.amazonaws.com", "appsync", "eu-west-1"),
      ("db.cluster-x.eu-west-1.neptune.amazonaws.com", "neptune-db", "eu-west-1"),
      ("g-1.eu-west-1.neptune-graph.amazonaws.com", "neptune-graph", "eu-west-1"),
      ("aps-workspaces.eu-west-1.amazonaws.com", "aps", "eu-west-1"),
      ("g-1.grafana-workspace.eu-west-1.amazonaws.com", nil, "eu-west-1"),
      ("grafana.eu-west-1.amazonaws.com", "grafana", "eu-west-1"),
      ("sync-states.us-east-1.amazonaws.com", "states", "us-east-1"),
      ("search-x.aos.us-east-1.on.aws", "es", "us-east-1"),
      ("x.7d67968.vpc-lattice-svcs.us-west-2.on.aws", "vpc-lattice-svcs", "us-west-2"),
      ("vpce-1-a.execute-api.us-east-1.vpce.amazonaws.com", "execute-api", "us-east-1"),
      ("abc-vpce-1.execute-api.us-east-1.amazonaws.com", "execute-api", "us-east-1"),
      ("vpce-1-a-us-east-1b.sqs.us-east-1.vpce.amazonaws.com", "sqs", "us-east-1"),
      ("bucket.vpce-1-a.s3.us-east-1.vpce.amazonaws.com", "s3", "us-east-1"),
      ("ap-1.accesspoint.vpce-1-a.s3.us-east-1.vpce.amazonaws.com", "s3", "us-east-1"),
      ("vpce-1-a.vpce-svc-2.us-east-1.vpce.amazonaws.com", nil, "us-east-1"),
      ("vpce.amazonaws.com", nil, nil),
      ("x.mrap.accesspoint.s3-global.amazonaws.com", "s3", nil),
      ("accesspoint.s3-global.example.com", nil, nil),
      ("bucket.s3-website.eu-west-1.amazonaws.com", nil, "eu-west-1"),
      ("ol-1.s3-object-lambda.eu-west-1.amazonaws.com", "s3-object-lambda", "eu-west-1"),
      ("ap-1.op-2.s3-outposts.eu-west-1.amazonaws.com", "s3-outposts", "eu-west-1"),
      ("123456789012.ddb.eu-west-1.amazonaws.com", "dynamodb", "eu-west-1"),
      ("foo.sqs.eu-west-1.amazonaws.com", nil, "eu-west-1"),
      ("123456789012.dkr.ecr.eu-west-1.amazonaws.com", nil, "eu-west-1"),
      ("ec2-1-2-3-4.compute-1.amazonaws.com", nil, nil),
      ("my-lb-1.us-east-1.elb.amazonaws.com", nil, "us-east-1"),
      ("storage.googleapis.com", "s3", "auto"),
      ("bucket.storage.googleapis.com", "s3", "auto"),
      ("b.s3.us-west-004.backblazeb2.com", "s3", "us-west-004"),
      ("s3.wasabisys.com", "s3", "us-east-1"),
      ("s3.eu-central-2.wasabisys.com", "s3", "eu-central-2"),
      ("space.nyc3.digitaloceanspaces.com", "s3", "nyc3"),
      ("space.nyc3.cdn.digitaloceanspaces.com", nil, nil),
      ("b.s3.fr-par.scw.cloud", "s3", "fr-par"),
      ("ns.compat.objectstorage.eu-frankfurt-1.oraclecloud.com", "s3", "eu-frankfurt-1"),
      // botocore 1.44.8: the services of the last months. Others are in the table.
      ("gateway-runtime.sagemaker.us-east-1.amazonaws.com", "sagemaker", "us-east-1"),
      ("inferencerouter-runtime.sagemaker.eu-west-1.amazonaws.com", "sagemaker", "eu-west-1"),
      ("job-runtime.sagemaker.us-west-2.api.aws", "sagemaker", "us-west-2"),
      ("training-session-runtime.sagemaker.us-west-2.api.aws", "sagemaker", "us-west-2"),
      ("runtime-fips.sagemaker.us-gov-west-1.amazonaws.com", "sagemaker", "us-gov-west-1"),
      ("x.sagemaker.us-west-2.amazonaws.com", nil, "us-west-2"),
      ("neptune-graph.us-east-1.amazonaws.com", "neptune-graph", "us-east-1"),
      ("us-east-1.neptune-graph.amazonaws.com", "neptune-graph", "us-east-1"),
      ("g-1.neptune-graph.us-east-1.on.aws", "neptune-graph", "us-east-1"),
      ("123456789012.data-kinesis.us-east-1.amazonaws.com", "kinesis", "us-east-1"),
      // botocore 1.43.11, which 1.44.8 no longer has.
      ("data.iotevents.us-east-1.amazonaws.com", "ioteventsdata", "us-east-1"),
      ("finspace-api.us-east-1.amazonaws.com", "finspace-api", "us-east-1"),
      ("b.oss-cn-hangzhou.aliyuncs.com", "s3", "cn-hangzhou"),
      ("oss-accelerate.aliyuncs.com", "s3", nil),
      ("b-1.cos.ap-guangzhou.tencentcos.cn", "s3", "ap-guangzhou"),
      ("b.obs.cn-north-4.myhuaweicloud.com", "s3", "cn-north-4"),
      ("s3.private.us-south.cloud-object-storage.appdomain.cloud", "s3", "us-south"),
      ("s3.direct.us-south.cloud-object-storage.appdomain.cloud", "s3", "us-south"),
      ("s3.us-west-or.io.cloud.ovh.us", "s3", "us-west-or"),
      ("localhost", nil, nil),
      ("minio.example.com", nil, nil),
      ("amazonaws.com", nil, nil),
      ("s3.amazonaws.com.evil.example", nil, nil),
    ] as [(String, String?, String?)]).forEachCase {
      (host: String, service: String?, region: String?) in
      let guess = ServiceGuess(host: host)
      #expect(guess.service == service)
      #expect(guess.region == region)
    }
  }
}
