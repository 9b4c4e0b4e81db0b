// SPDX-License-Identifier: Apache-2.0
// s3://arn:...:accesspoint/... at the command line: the same as the library's access points.

internal import Foundation
internal import S3Signing
internal import SigningTestSupport
import TestSupport
import Testing

@testable import sigv4

/// Source of the hosts and services: botocore, endpoint rules of S3, by `bucket-endpoints.py`.
@Suite("sigv4 with the ARN of an access point")
struct AccessPointCommandTests {
  private static let account = "us-west-2:123456789012"

  private func json(
    _ arguments: [String], _ more: [String: String] = [:]
  ) throws -> [String: Any] {
    let result = try CommandProcess(
      ["sign", "--json"] + arguments,
      environment: CommandProcess.exampleKeys.merging(more) { $1 })
    #expect(result.exitCode == 0, "\(result.errors)")
    return try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  @Test("Each ARN that botocore resolves has its URL and service, and the others are rejected")
  func vectors() throws {
    let rows = try VectorTable(named: "bucket-endpoints.txt").records.filter {
      try $0.text("bucket").hasPrefix("arn:") && !$0.text("variant").contains("accelerate")
        && !$0.text("addressing").hasSuffix("path")
        // At the command line, the rest is the key.
        && ObjectLocation.parts(ofPlace: $0.text("bucket").utf8).key.isEmpty
    }
    #expect(rows.count > 30, "\(rows.count)")
    rows.forEachCase { (row: VectorRecord) in
      let place = try "s3://" + row.text("bucket") + "/photos/été +1.jpg"
      let variables = try Self.variables(of: row.text("variant"))
      if try row.optionalText("refused") != nil {
        let result = try CommandProcess(
          ["sign", place],
          environment: CommandProcess.exampleKeys.merging(variables) { $1 })
        #expect(result.exitCode == 1 && result.output == "", "\(result.errors)")
        return
      }
      let signed = try json([place], variables)
      #expect(try signed["url"] as? String == row.text("object-url"))
      let scope = try #require(signed["credentialScope"] as? String)
      #expect(try scope.hasSuffix("/" + row.text("signing-name") + "/aws4_request"))
      if let region = try row.optionalText("signing-region") {
        #expect(scope.contains("/\(region)/"))
      }
    }
  }

  private static func variables(of variant: String) -> [String: String] {
    var variables: [String: String] = [:]
    if variant.contains("fips") { variables["AWS_USE_FIPS_ENDPOINT"] = "true" }
    if variant.contains("dual-stack") { variables["AWS_USE_DUALSTACK_ENDPOINT"] = "true" }
    return variables
  }

  @Test("The region and service come from the ARN, and everything after it is the key")
  func keys() throws {
    for (place, host, key, service) in [
      (
        "arn:aws:s3:\(Self.account):accesspoint/films/a/b:c", "films-123456789012.s3-accesspoint",
        "/a/b%3Ac", "s3"
      ),
      (
        "arn:aws:s3:\(Self.account):accesspoint:films/accesspoint/a",
        "films-123456789012.s3-accesspoint", "/accesspoint/a", "s3"
      ),
      (
        "arn:aws:s3:\(Self.account):accesspoint/films//a", "films-123456789012.s3-accesspoint",
        "//a", "s3"
      ),
      (
        "arn:aws:s3:\(Self.account):accesspoint/films/\u{301}a",
        "films-123456789012.s3-accesspoint", "/%CC%81a", "s3"
      ),
      (
        "arn:aws:s3-object-lambda:\(Self.account):accesspoint/films/a",
        "films-123456789012.s3-object-lambda", "/a", "s3-object-lambda"
      ),
      (
        "arn:aws:s3-outposts:\(Self.account):outpost/op-1/accesspoint/films/a/b",
        "films-123456789012.op-1.s3-outposts", "/a/b", "s3-outposts"
      ),
      (
        "arn:aws:s3-outposts:\(Self.account):outpost:op-1:accesspoint:films/a",
        "films-123456789012.op-1.s3-outposts", "/a", "s3-outposts"
      ),
    ] {
      let signed = try json(["--at", "20240102T030405Z", "s3://" + place])
      #expect(signed["url"] as? String == "https://\(host).us-west-2.amazonaws.com\(key)")
      #expect(
        signed["credentialScope"] as? String == "20240102/us-west-2/\(service)/aws4_request")
    }
    let list = try json(["s3://arn:aws:s3:\(Self.account):accesspoint/films"])
    #expect((list["url"] as? String)?.hasSuffix(".us-west-2.amazonaws.com/?list-type=2") == true)
    let china = try json(["s3://arn:aws-cn:s3:cn-north-1:123456789012:accesspoint/films/a"])
    #expect(
      china["url"] as? String
        == "https://films-123456789012.s3-accesspoint.cn-north-1.amazonaws.com.cn/a")
    // What the library signs for the same ARN.
    let bucket = try SigV4.Bucket.accessPoint("arn:aws:s3:\(Self.account):accesspoint/films")
    let signer = try bucket.signer(
      accessKeyID: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    let request = try bucket.object("a").getRequest()
    let signed = try signer.sign(request, at: SigV4.Timestamp("20240102T030405Z"))
    let ours = try json([
      "--at", "20240102T030405Z", "s3://arn:aws:s3:\(Self.account):accesspoint/films/a",
    ])
    #expect(ours["signature"] as? String == signed.signature.hexString)
  }

  @Test("An upload to an access point without a key gets the name of the file")
  func upload() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("film.mov", "1")
    let environment = try SendCommandTests.environment(folder)
    for (place, path) in [
      ("arn:aws:s3:\(Self.account):accesspoint/films", "/film.mov"),
      ("arn:aws:s3:\(Self.account):accesspoint/films/", "/film.mov"),
      ("arn:aws:s3:\(Self.account):accesspoint/films/a/", "/a/film.mov"),
      ("arn:aws:s3:\(Self.account):accesspoint:films", "/film.mov"),
      ("arn:aws:s3-outposts:\(Self.account):outpost/op-1/accesspoint/films", "/film.mov"),
    ] {
      let result = try CommandProcess(
        ["curl", "-T", file, "s3://" + place], environment: environment)
      #expect(result.output.contains(".amazonaws.com\(path)\"\n"), "\(place): \(result.output)")
    }
  }

  @Test("What no access point has is rejected, and told")
  func refusals() throws {
    let arn = "s3://arn:aws:s3:\(Self.account):accesspoint/films/a"
    for (arguments, words) in [
      (["--endpoint", "http://127.0.0.1:9000", arn], "only Amazon S3 has access points"),
      (["s3://arn:aws:s3:\(Self.account):accesspoint"], "isn't the ARN of an access point"),
      (["s3://arn:aws:s3:\(Self.account):accesspoint/Films/a"], "isn't the ARN"),
      (["s3://arn:aws:s3:\(Self.account):accesspoint:a:b:c/k"], "isn't the ARN"),
      (["s3://arn:aws:sqs:\(Self.account):queue/k"], "isn't the ARN of an access point"),
      (["s3://arn:aws:s3:cn-north-1:123456789012:accesspoint/films/a"], "partition"),
    ] {
      let result = try CommandProcess(["sign", "--region", "us-west-2"] + arguments)
      #expect(result.exitCode != 0 && result.output == "", "\(arguments)")
      #expect(result.errors.contains(words), "\(result.errors)")
    }
    let other = try CommandProcess(["sign", "--region", "eu-west-1", arn])
    #expect(other.errors.contains("is in us-west-2, but the request is signed for eu-west-1"))
  }
}
