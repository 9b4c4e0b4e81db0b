// SPDX-License-Identifier: Apache-2.0
// sigv4 post-policy as a user's shell runs it.

internal import S3Signing
internal import Foundation
internal import TestSupport
internal import SigningTestSupport
internal import Testing

@Suite("sigv4 post-policy")
struct PostPolicyCommandTests {
  static let documentedForm = [
    "post-policy", "--region", "eu-west-1", "--at", "20240102T030405Z", "--min-bytes", "1",
    "--max-bytes", "10485760", "--field", "Content-Type=image/png", "--field",
    "x-amz-meta-album=2024 \"best\"", "--field", "success_action_status=201",
    "s3://photos/uploads/${filename}",
  ]
  static let keys = [
    "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  ]

  @Test("The documented form is printed as a URL and fields")
  func fields() throws {
    let result = try CommandProcess(Self.documentedForm, environment: Self.keys)
    #expect(result.errors == "" && result.exitCode == 0)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "https://photos.s3.eu-west-1.amazonaws.com/")
    #expect(lines.contains("key: uploads/${filename}"))
    #expect(lines.contains("Content-Type: image/png"))
  }

  @Test("With --html and --json the same fields come in other dress")
  func formats() throws {
    let html = try CommandProcess(Self.documentedForm + ["--html"], environment: Self.keys)
    #expect(
      html.output.contains("<input type=\"hidden\" name=\"Content-Type\" value=\"image/png\">\n"))
    let json = try CommandProcess(Self.documentedForm + ["--json"], environment: Self.keys)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(object["url"] as? String == "https://photos.s3.eu-west-1.amazonaws.com/")
    let fields = try #require(object["fields"] as? [[String]])
    #expect(fields.first == ["key", "uploads/${filename}"])
  }

  /// Source of the expected signatures: botocore, by `post-policies.py`.
  @Test("The command signs the policies of botocore")
  func policies() throws {
    try VectorTable(named: "post-policies.txt").records.forEachCase { (vector: VectorRecord) in
      let values = try vector.texts("value")
      let key = values.first { $0.hasPrefix("key=") }.map { "/" + $0.dropFirst(4) } ?? ""
      var arguments = try [
        "post-policy", "--region", vector.text("region"), "--at", vector.text("date"), "--expires",
        vector.text("lifetime"), "s3://" + vector.text("bucket") + key,
      ]
      for value in values where !value.hasPrefix("key=") { arguments += ["--field", value] }
      for prefix in try vector.texts("prefix") { arguments += ["--starts-with", prefix] }
      for length in try vector.texts("length") {
        let ends = length.split(separator: "=").map(String.init)
        arguments += ["--min-bytes", ends[0], "--max-bytes", ends[1]]
      }
      var environment = Self.keys
      environment["AWS_SESSION_TOKEN"] = try vector.optionalText("token")
      let result = try CommandProcess(arguments + ["--json"], environment: environment)
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any],
        "\(result.errors)")
      let fields = try #require(object["fields"] as? [[String]])
      #expect(try fields.last == ["x-amz-signature", vector.text("signature")])
      #expect(try Set(fields.map { $0[0] + "=" + $0[1] }) == Set(vector.texts("field")))
      let open = try vector.texts("prefix").compactMap {
        $0.split(separator: "=").first.map(String.init)
      }
      #expect(object["fieldsToFill"] as? [String] == open)
      #expect(open.allSatisfy { result.errors.contains($0) })
    }
  }

  @Test("A missing or wrong argument is reported, with exit code 2")
  func usage() {
    [
      ([], "needs one s3:// URL"), (["https://example.com/"], "needs one s3:// URL"),
      (["s3://b/k", "--field", "acl"], "has no '='"),
      (["s3://b/k", "--max-bytes", "1k"], "must be a number of bytes"),
      (["s3://b/k", "--html", "--json"], "can't be used together"),
    ].forEachCase { (arguments: [String], message: String) in
      let result = try CommandProcess(["post-policy", "--region", "us-east-1"] + arguments)
      #expect(result.exitCode == 2 && result.output == "")
      #expect(result.errors.contains(message))
    }
  }

  @Test("Sizes in the wrong order are rejected by the library, with exit code 1")
  func refusal() throws {
    let result = try CommandProcess([
      "post-policy", "--region", "us-east-1", "--min-bytes", "2", "--max-bytes", "1",
      "s3://bucket/k",
    ])
    #expect(result.exitCode == 1 && result.output == "")
    #expect(result.errors.hasPrefix("sigv4: "))
  }
}
