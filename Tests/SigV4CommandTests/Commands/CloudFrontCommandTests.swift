// SPDX-License-Identifier: Apache-2.0
// sigv4 cloudfront as a user's shell runs it: botocore's URLs and cookies, and rejections.

internal import Foundation
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// Source of the expected values: botocore's CloudFrontSigner and cryptography, by
/// `cloudfront-signatures.py`.
@Suite("sigv4 cloudfront")
struct CloudFrontCommandTests {
  let folder: TemporaryFolder
  let cases: [VectorRecord]
  let keys: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    let records = try VectorTable(named: "cloudfront-signatures.txt").records
    cases = records.filter { !$0.name.hasPrefix("key ") && !$0.name.hasPrefix("verified, ") }
    var keys: [String: String] = [:]
    for record in records where record.name.hasPrefix("key ") {
      let name = String(record.name.dropFirst(4))
      keys[name] = try folder.file(name, record.text("private-key"))
    }
    self.keys = keys
  }

  @Test("URLs and cookies are botocore's")
  func vectors() throws {
    cases.forEachCase { (vector: VectorRecord) in
      var options = try [
        "--key-pair-id", vector.text("key-pair-id"), "--hash-algorithm", vector.text("hash"),
        "--private-key", "file://" + (keys[vector.text("key")] ?? ""),
        "--date-less-than", vector.text("expires"),
      ]
      if let start = try vector.optionalText("starts") {
        options += ["--date-greater-than", start]
      }
      if let address = try vector.optionalText("ip-address") {
        options += ["--ip-address", address]
      }
      let resource = try vector.optionalText("resource")
      // As in aws-cli, a condition, a '*' or a resource that isn't the URL makes a custom policy.
      if try options.count == 8 && resource == vector.text("url") { return }
      var url = try ["cloudfront", "sign", "--url", vector.text("url")] + options
      if let resource { url += ["--policy-resource", resource] }
      try expectOutput(vector.text("signed-url"), url)
      if options.count == 8 && resource?.contains("*") == false { return }
      let cookies =
        try ["cloudfront", "sign-cookies", "--resource"] + [resource ?? vector.text("url")]
      try expectOutput(vector.texts("cookie").joined(separator: "; "), cookies + options)
    }
  }

  /// aws-cli, `cloudfront sign-cookies`: "The output maps each cookie name to its value."
  @Test("With --json, a URL is a member, and cookies are an object")
  func json() throws {
    let vector = try #require(cases.first { $0.name == "canned, the root, rsa, SHA256" })
    for (arguments, expected) in [
      (["sign", "--url"], ["url": try vector.text("signed-url")]),
      (
        ["sign-cookies", "--resource"],
        try Dictionary(
          uniqueKeysWithValues: vector.texts("cookie").map {
            let end = try #require($0.firstIndex(of: "="))
            return (String($0[..<end]), String($0[end...].dropFirst()))
          })
      ),
    ] {
      let result = try run(arguments + ["https://d111111abcdef8.cloudfront.net/", "--json"])
      let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
      #expect(object as? [String: String] == expected)
    }
  }

  /// aws-cli, `cloudfront sign`, --date-less-than: the formats. 1704250000 is 2024-01-03T02:46:40Z.
  @Test("A time is a date, a date and time with or without an offset, or a Unix time")
  func times() throws {
    let expected = try run(["sign", "--url", "https://a/b"], until: "1704250000").output
    #expect(expected.hasPrefix("https://a/b?Expires=1704250000&"))
    for time in [
      "2024-01-03T02:46:40", "2024-01-03T02:46:40Z", "20240103T024640Z",
      "2024-01-03T02:46:40+00:00", "2024-01-03T04:16:40+01:30", "2024-01-02T18:46:40-08:00",
    ] {
      let result = try run(["sign", "--url", "https://a/b"], until: time)
      #expect(result.output == expected, "\(time) \(result.errors)")
    }
    // date -u -d 2030-01-31 +%s
    let day = try run(["sign", "--url", "https://a/b"], until: "2030-01-31").output
    #expect(day.hasPrefix("https://a/b?Expires=1896048000&"))
  }

  @Test("An invalid time is rejected, and so is a date that aws-cli reads as a Unix time")
  func invalidTimes() throws {
    for time in [
      "", "tomorrow", "20300131", "2030-02-30", "2030-01-31T25:00:00", "2030-01-31T12:00",
      "2030-01-31T12:00:00+2", "2030-01-31T12:00:00+25:00", "2030-01-31T12:00:00+01:60",
      "2030-01-31T12:00:00+0130", "2030-01-31+01:00Z", "2030-01-31T12:00:00+-1:00", "é",
    ] {
      for result in [
        try run(["sign", "--url", "https://a/b"], until: time),
        try run(
          ["sign", "--url", "https://a/b", "--date-greater-than", time], until: "1704250000"),
      ] {
        #expect(result.exitCode == 2 && result.output == "", "\(time) \(result.output)")
        let problem = "isn't a date or time in the years 1 to 9999. Use 2030-01-31,"
        #expect(result.errors.contains(problem), "\(result.errors)")
      }
    }
  }

  @Test("Missing and wrong arguments are reported with exit code 2")
  func usage() {
    [
      ([], "The kind is missing. Pass one of sign, sign-cookies"),
      (["verify"], "Unknown kind verify."),
      (["sign"], "cloudfront needs --url. Add --url."), (["sign", "a"], "accepts options only"),
      (["sign-cookies"], "cloudfront needs --resource."),
      (["sign-cookies", "--url", "https://a/b"], "has no option --url"),
      (["sign", "--url", "https://a/b"], "cloudfront needs --date-less-than."),
      (
        ["sign", "--url", "https://a/b", "--date-less-than", "1"], "cloudfront needs --key-pair-id."
      ),
      (
        ["sign", "--url", "https://a/b", "--date-less-than", "1", "--key-pair-id", "K"],
        "cloudfront needs --private-key."
      ),
      (
        [
          "sign", "--url", "https://a/b", "--date-less-than", "1", "--hash-algorithm", "MD5",
        ], "--hash-algorithm must be SHA1 or SHA256, not MD5."
      ),
      (
        [
          "sign", "--url", "https://a/b", "--date-less-than", "1", "--key-pair-id", "K",
          "--private-key", "-----BEGIN PRIVATE KEY-----\nhush",
        ], "other users of this machine can see. Pass --private-key file://PATH"
      ),
    ].forEachCase { (arguments: [String], message: String) in
      let result = try CommandProcess(["cloudfront"] + arguments, environment: [:])
      #expect(result.exitCode == 2)
      #expect(result.output == "")
      #expect(result.errors.contains(message), "\(result.errors)")
      #expect(!result.errors.contains("hush"))
    }
  }

  @Test("Values that the library rejects are reported with the option and exit code 1")
  func refusals() throws {
    let other = try folder.file("other.pem", "hush")
    for (arguments, message) in [
      (["sign", "--url", "a"], "invalidURL: "),
      (["sign", "--url", "https://a/b?Policy=1"], "alreadySigned: "),
      (["sign", "--url", "https://a/b", "--ip-address", "::1"], "Check --ip-address."),
      (
        ["sign", "--url", "https://a/b", "--date-greater-than", "1704250000"],
        "Check --date-less-than and --date-greater-than."
      ),
      (
        ["sign", "--url", "https://a/b", "--policy-resource", "https://a/c*"],
        "Check --url and --policy-resource, or --resource."
      ),
      (["sign-cookies", "--resource", "a*"], "Check --url and --policy-resource, or --resource."),
      (["sign", "--url", "https://a/b", "--key-pair-id", "a b"], "Check --key-pair-id."),
      (["sign", "--url", "https://a/b", "--private-key", other], "Check --private-key."),
      (["sign", "--url", "https://a/b", "--private-key", "file:///none"], "Can't read /none: "),
    ] {
      let result = try run(arguments, until: "1704250000")
      #expect(result.exitCode == 1 && result.output == "", "\(arguments)")
      #expect(result.errors.contains(message), "\(result.errors)")
      #expect(!result.errors.contains("hush"))
    }
  }

  /// Responses: AWS knowledge center, "How do I troubleshoot issues related to a signed URL or signed
  /// cookies in CloudFront?"; commitdev/zero 287.
  @Test("explain names the cause of CloudFront's responses, without credentials")
  func explain() throws {
    for (code, message, cause) in [
      (
        "MissingKey", "Missing Key-Pair-Id query parameter or cookie value",
        "cloudFrontSignatureMissing"
      ), ("InvalidKey", "Unknown Key", "cloudFrontKeyUnknown"),
    ] {
      let response = "<Error><Code>\(code)</Code><Message>\(message)</Message></Error>"
      for url in ["https://d111111abcdef8.cloudfront.net/a?Key-Pair-Id=K", "https://cdn.example/a"]
      {
        let result = try CommandProcess(["explain", url], environment: [:], input: response)
        #expect(result.exitCode == 0 && result.errors == "", "\(result.errors)")
        #expect(result.output.hasPrefix("What is wrong: \(cause)\n"), "\(result.output)")
      }
    }
  }

  /// Options of the caller come last, so they win.
  func run(_ arguments: [String], until time: String = "1704250000") throws -> CommandProcess {
    let defaults = [
      "--key-pair-id", "K2JCJMDEHXQW5F", "--private-key", keys["rsa"] ?? "", "--date-less-than",
      time,
    ]
    return try CommandProcess(
      ["cloudfront", arguments[0]] + defaults + arguments.dropFirst(), environment: [:])
  }

  func expectOutput(_ expected: String, _ arguments: [String]) throws {
    let result = try CommandProcess(arguments, environment: [:])
    #expect(result.output == expected + "\n")
    #expect(result.errors == "" && result.exitCode == 0, "\(result.errors)")
  }
}
