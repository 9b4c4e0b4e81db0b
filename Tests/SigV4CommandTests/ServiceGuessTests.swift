// SPDX-License-Identifier: Apache-2.0
// What the name of a host tells, against the endpoints that botocore knows.

internal import S3Signing
import TestSupport
internal import SigningTestSupport
import Testing

@testable import sigv4

@Suite("Service and region from the name of a host")
struct ServiceGuessTests {
  @Test("Every endpoint of botocore's service models tells its signing name and region")
  func botocoreEndpoints() throws {
    let table = try VectorTable(named: "service-hosts.txt")
    #expect(table.records.count > 350)
    for record in table.records {
      let guess = ServiceGuess(host: record.name)
      let service = try record.text("service")
      #expect(guess.service == service, "\(record.name)")
      if let region = try record.optionalText("region") {
        #expect(guess.region == region, "\(record.name)")
      }
    }
  }
  /// Forms of hosts from the Amazon S3 User Guide ("Amazon S3 endpoints"), the R2 documentation
  /// ("S3 API compatibility") and the user guides of the services named.
  @Test("Hosts of S3, R2 and resources tell service and region")
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
