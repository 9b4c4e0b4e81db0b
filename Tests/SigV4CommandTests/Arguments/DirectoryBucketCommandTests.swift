// SPDX-License-Identifier: Apache-2.0
// sigv4 with directory buckets of S3 Express: ordinary credentials, or those of a session.

internal import Foundation
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// Source of the expected values: botocore, by `bucket-requests.py`.
@Suite("sigv4 with S3 Express")
struct DirectoryBucketCommandTests {
  @Test("Each operation of S3 Express gets the token header of its credentials")
  func operations() throws {
    let rows = try VectorTable(named: "bucket-requests.txt").records.filter {
      try $0.text("name").hasPrefix("S3 Express") && $0.optionalText("authorization") != nil
    }
    #expect(rows.count > 12)
    rows.forEachCase { (row: VectorRecord) in
      let request = try Request(canonical: row.text("canonical-request"))
      let result = try CommandProcess(
        ["sign", "--quiet", "--json", "--at", "20240102T030405Z"] + request.arguments,
        environment: [
          "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
          "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
          "AWS_SESSION_TOKEN": request.token,
        ])
      let object = try #require(
        JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      #expect(try object["canonicalRequest"] as? String == row.text("canonical-request"))
      #expect(try object["signature"] as? String == row.text("signature"))
    }
  }

  /// The input of a canonical request's lines.
  struct Request {
    var arguments: [String] = []
    var token = ""

    init(canonical text: String) throws {
      let lines = text.components(separatedBy: "\n")
      var host = ""
      for line in lines[3...].prefix(while: { !$0.isEmpty }) {
        let parts = line.components(separatedBy: ":")
        switch parts[0] {
        case "host": host = parts[1]
        case "x-amz-security-token", "x-amz-s3session-token": token = parts[1]
        case "x-amz-content-sha256", "x-amz-date": break
        default: arguments += ["-H", line]
        }
      }
      let query = lines[2].isEmpty ? "" : "?" + lines[2]
      arguments += ["-X", lines[0], "https://" + host + lines[1] + query]
    }
  }

  @Test("A presigned CreateSession has the ordinary token, and a presigned GET the session's")
  func presigned() throws {
    let environment = CommandProcess.exampleKeys.merging(["AWS_SESSION_TOKEN": "t"]) { $1 }
    let zone = "https://b--use1-az4--x-s3.s3express-use1-az4.us-east-1.amazonaws.com/"
    let opening = try CommandProcess(["presign", zone + "?session"], environment: environment)
    #expect(opening.output.contains("&X-Amz-Security-Token=t&"))
    let download = try CommandProcess(["presign", zone + "k"], environment: environment)
    #expect(download.output.contains("&X-Amz-S3session-Token=t&"))
    // The FIPS and dual-stack endpoints of the control plane, and the zone's own.
    for host in ["s3express-control-fips", "s3express-control.dualstack"] {
      let control = try CommandProcess(
        ["sign", "https://\(host).us-east-1.amazonaws.com/"], environment: environment)
      #expect(control.output.contains("x-amz-security-token: t"), "\(host)")
    }
    let fips = zone.replacing(".s3express-", with: ".s3express-fips-")
    let object = try CommandProcess(["sign", fips + "k"], environment: environment)
    #expect(object.output.contains("x-amz-s3session-token: t"))
  }
}
