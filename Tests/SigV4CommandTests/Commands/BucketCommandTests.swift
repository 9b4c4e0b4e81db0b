// SPDX-License-Identifier: Apache-2.0
// s3://bucket, --query, --virtual-hosted, --keys, --quiet, assumed regions, and credentials --format.

internal import Foundation
internal import SigningTestSupport
import Testing

@Suite("sigv4 with buckets, parameters and many keys")
struct BucketCommandTests {
  func url(_ arguments: [String]) throws -> String? {
    let result = try CommandProcess(["sign", "--json", "--region", "eu-west-1"] + arguments)
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    return object?["url"] as? String
  }

  @Test("A bucket is listed, queried and created, and isn't deleted by an empty key")
  func buckets() throws {
    let host = "https://bucket.s3.eu-west-1.amazonaws.com"
    #expect(try url(["s3://bucket"]) == host + "/?list-type=2")
    #expect(
      try url(["--query", "prefix=a b/", "--query", "delimiter=/", "s3://bucket/"])
        == host + "/?list-type=2&prefix=a%20b%2F&delimiter=%2F")
    #expect(try url(["--query", "uploads", "s3://bucket"]) == host + "/?uploads")
    #expect(try url(["-X", "HEAD", "s3://bucket"]) == host + "/")
    #expect(try url(["-X", "PUT", "s3://bucket"]) == host + "/")
    #expect(try url(["-X", "DELETE", "--query", "cors", "s3://bucket"]) == host + "/?cors")
    #expect(
      try url(["-X", "DELETE", "--query=metrics", "--query=id=a", "s3://bucket"])
        == host + "/?metrics&id=a")
    for query in [[], ["versionId="], ["versionId"], ["taging"], ["tagging=a"]] {
      let delete = try CommandProcess(
        ["sign", "-X", "DELETE"] + query.map { "--query=" + $0 } + ["s3://bucket/"])
      #expect(delete.exitCode == 2, "\(query)")
      #expect(delete.errors.contains("would delete the whole bucket"))
    }
  }

  @Test("Parameters of an object are signed and sent, encoded once")
  func parameters() throws {
    let url = try url(["--query", "versionId=a+b/c", "--query", "tagging", "s3://bucket/é?"])
    #expect(
      url == "https://bucket.s3.eu-west-1.amazonaws.com/%C3%A9%3F?versionId=a%2Bb%2Fc&tagging")
    let presigned = try CommandProcess([
      "presign", "--region=eu-west-1", "--query",
      "response-content-disposition=attachment; filename=\"a.pdf\"", "s3://bucket/k",
    ])
    #expect(
      presigned.output.contains(
        "?response-content-disposition=attachment%3B%20filename%3D%22a.pdf%22&X-Amz-"))
    let other = try CommandProcess(["sign", "--query", "a=b", "https://s3.amazonaws.com/"])
    #expect(other.exitCode == 2)
    #expect(other.errors.contains("--query can be used only with s3://"))
  }

  /// The URLs: `aws s3 presign` of the AWS CLI 1.45.11 with the same profile.
  @Test("The settings of S3 in a profile select the endpoint of a bucket, as for the AWS CLI")
  func settingsOfS3() throws {
    let folder = try TemporaryFolder()
    let store = ["--endpoint", "https://o.example.com"]
    for (settings, options, host) in [
      (["addressing_style = virtual"], store, "films.o.example.com"),
      (["addressing_style = path"], [], "s3.eu-west-1.amazonaws.com/films"),
      (["use_dualstack_endpoint = true"], [], "films.s3.dualstack.eu-west-1.amazonaws.com"),
      (["use_dualstack_endpoint = true"], store, "o.example.com/films"),
      (["use_accelerate_endpoint = true"], [], "films.s3-accelerate.amazonaws.com"),
      (
        ["use_accelerate_endpoint = true", "use_dualstack_endpoint = TRUE"], [],
        "films.s3-accelerate.dualstack.amazonaws.com"
      ),
      (["addressing_style = auto", "max_concurrent_requests = 20"], store, "o.example.com/films"),
    ] {
      let result = try signed("s3://films/key", settings, options, folder)
      #expect(result.output.contains("\"https://\(host)/key\""), "\(settings) \(result.errors)")
    }
    let accelerated = ["use_accelerate_endpoint = true"]
    for (settings, place, options, words) in [
      (["addressing_style = sideways"], "s3://films/key", [], "Use auto, virtual or path."),
      (accelerated, "s3://films/key", store, "support use_accelerate_endpoint"),
      (accelerated + ["addressing_style = path"], "s3://films/key", [], "use_accelerate_endpoint"),
      (accelerated, "s3://films.a/key", [], "use_accelerate_endpoint"),
      (
        accelerated, "s3://arn:aws:s3:eu-west-1:123456789012:accesspoint/films/key", [],
        "use_accelerate_endpoint"
      ),
    ] {
      let result = try signed(place, settings, options, folder)
      #expect(result.exitCode != 0 && result.errors.contains(words), "\(settings) \(result)")
    }
  }

  private func signed(
    _ place: String, _ settings: [String], _ options: [String], _ folder: TemporaryFolder
  ) throws -> CommandProcess {
    let lines = ["[default]", "region = eu-west-1", "s3 ="] + settings.map { "  " + $0 }
    let config = try folder.file("config", lines.joined(separator: "\n"))
    return try CommandProcess(
      ["sign", "--json"] + options + [place],
      environment: CommandProcess.exampleKeys.merging(["AWS_CONFIG_FILE": config]) { $1 })
  }

  /// Which region and which endpoints: `meta.region_name` and the hosts of botocore 1.43.11.
  @Test("A region that names FIPS endpoints means these, in its own region alone")
  func regionsOfFIPS() throws {
    ([
      ("fips-us-west-2", nil, "us-west-2", "s3-fips"),
      ("fips-us-west-2", "eu-west-1", "eu-west-1", "s3"),
      ("fips-us-west-2", "us-west-2", "us-west-2", "s3"),
      ("fips-us-west-2", "fips-us-east-1", "us-east-1", "s3-fips"),
      ("us-gov-west-1-fips", nil, "us-gov-west-1", "s3-fips"),
    ] as [(String, String?, String, String)]).forEachCase {
      (set: String, given: String?, region: String, host: String) in
      let result = try CommandProcess(
        ["presign"] + (given.map { ["--region", $0] } ?? []) + ["s3://bucket/k"],
        environment: CommandProcess.exampleKeys.merging(["AWS_REGION": set]) { $1 })
      #expect(result.output.hasPrefix("https://bucket.\(host).\(region).amazonaws.com/k?"))
      #expect(result.output.contains("%2F\(region)%2Fs3%2F"))
    }
  }

  @Test("The bucket is in an endpoint's host with --virtual-hosted")
  func virtualHosted() throws {
    let endpoint = ["--endpoint", "https://store.example", "s3://bucket/k"]
    #expect(try url(endpoint) == "https://store.example/bucket/k")
    #expect(try url(["--virtual-hosted"] + endpoint) == "https://bucket.store.example/k")
  }

  /// Source of the URLs: botocore's client, by `endpoint-paths.py`.
  @Test("A server's path is kept, wherever the server is named")
  func endpointPath() throws {
    let server = "https://ref.storage.supabase.co/storage/v1/s3"
    for endpoint in [server, server + "/"] {
      let option = ["--endpoint", endpoint, "s3://photos"]
      #expect(
        try url(option.dropLast() + ["s3://photos/é +1"]) == server + "/photos/%C3%A9%20%2B1")
      #expect(try url(option) == server + "/photos?list-type=2")
      #expect(
        try url(["--virtual-hosted"] + option.dropLast() + ["s3://photos/k"])
          == "https://photos.ref.storage.supabase.co/storage/v1/s3/k")
      let form = try CommandProcess(
        ["post-policy", "--region=eu-central-1", "--endpoint", endpoint, "s3://photos/k"])
      #expect(form.output.hasPrefix(server + "/photos\n"), "\(form.errors)")
      let batch = try CommandProcess(
        ["presign", "--keys=-", "--region=eu-central-1", "--endpoint", endpoint, "s3://photos/p/"],
        input: "a b\n")
      #expect(batch.output.hasPrefix(server + "/photos/p/a%20b?X-Amz-"), "\(batch.errors)")
    }
    var environment = CommandProcess.exampleKeys
    environment["AWS_REGION"] = "eu-central-1"
    environment["AWS_ENDPOINT_URL_S3"] = server
    let set = try CommandProcess(["presign", "s3://photos/k"], environment: environment)
    #expect(set.output.hasPrefix(server + "/photos/k?X-Amz-"), "\(set.errors)")
    let known = try CommandProcess(["sign", server + "/photos/k"], environment: environment)
    #expect(known.output.contains("/eu-central-1/s3/aws4_request"), "\(known.errors)")
  }

  @Test("An assumed region or service is reported, except with --quiet")
  func assumed() throws {
    let told = try CommandProcess(["sign", "s3://bucket/k"])
    #expect(told.errors.contains("Assuming the region us-east-1."))
    #expect(told.errors.split(separator: "\n").count == 2)
    #expect(try CommandProcess(["sign", "--quiet", "s3://bucket/a//b"]).errors == "")
    var environment = CommandProcess.exampleKeys
    environment["AWS_ENDPOINT_URL"] = "http://127.0.0.1:9000"
    let local = try CommandProcess(["sign", "http://127.0.0.1:9000/b/k"], environment: environment)
    #expect(local.output.contains("/us-east-1/s3/aws4_request"))
    #expect(local.errors.contains("Assuming the service s3"))
    let other = try CommandProcess(["sign", "http://127.0.0.1:9001/b"], environment: environment)
    #expect(other.errors.contains("Use --service NAME and --region NAME"))
    #expect(other.errors.contains("--endpoint URL or AWS_ENDPOINT_URL"))
    environment["AWS_ENDPOINT_URL"] = "garbage"
    let wrong = try CommandProcess(["sign", "s3://bucket/k"], environment: environment)
    #expect(wrong.exitCode == 1)
    #expect(
      wrong.errors.contains("Check AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL"))
  }

  @Test("A thing's host is signed for HTTP, and for MQTT at the path of its WebSockets")
  func things() throws {
    let host = "https://a1-ats.iot.eu-west-1.amazonaws.com"
    #expect(try CommandProcess(["sign", host + "/topics/t"]).output.contains("/iotdata/aws4"))
    let mqtt = try CommandProcess(["presign", host + "/mqtt"])
    #expect(mqtt.output.contains("%2Fiotdevicegateway%2Faws4_request"))
  }

  /// Sources: S3 API Reference, PutObject (checksums and ACLs are headers), CopyObject ("This value must be
  /// URL-encoded"), DeleteObjects; aws/aws-sdk 480 and ministackorg/ministack 1705 (a checksum as parameter).
  @Test("A note reports values that S3 ignores or misreads, and they're signed unchanged")
  func misread() throws {
    let url = "https://b.s3.eu-west-1.amazonaws.com/k"
    for (arguments, words) in [
      (["presign", "-X", "PUT", url + "?x-amz-checksum-crc32=AAAA%3D%3D"], "x-amz-checksum-crc32"),
      (["presign", "-X", "PUT", url + "?x-amz-acl=public-read"], "x-amz-acl"),
      (["presign", "-X", "PUT", url + "?Content-Type=image/png"], "Content-Type"),
      (
        ["sign", "--region=eu-west-1", "-X", "PUT", "--query", "x-amz-acl=private", "s3://b12/k"],
        "x-amz-acl"
      ),
      (["sign", "-X", "PUT", "-H", "x-amz-copy-source: b/a+b", url], "x-amz-copy-source"),
      (["sign", "-X", "PUT", "-H", "x-amz-copy-source: b/a b", url], "x-amz-copy-source"),
      (["sign", "-X", "PUT", "-H", "x-amz-copy-source: b/100%", url], "x-amz-copy-source"),
      (["sign", "-d", "<Delete/>", "https://b.s3.eu-west-1.amazonaws.com/?delete"], "Content-MD5"),
      (["sign", "-X", "PUT", "-H", "x-amz-copy-source: b/a?b", url], "%3F"),
      (["presign", url + "?response-content-disposition=%E2%82%AC"], "filename*="),
      (["presign", url + "?Response-Content-Type=a"], "Write it as response-content-type."),
      (["sign", "-X", "PUT", "-H", "x-amz-tagging: a=b!", url], "tagging: "),
      (["sign", "-X", "PUT", "-H", "x-amz-object-lock-mode: GOVERNANCE", url], "Content-MD5"),
      (
        [
          "sign", "--service=s3", "--region=a", "-H",
          "x-amz-server-side-encryption-customer-algorithm: AES256", "http://127.0.0.1:9000/b/k",
        ], "Use https."
      ),
      (["presign", "https://b.s3.eu-west-1.amazonaws.com/a/../b"], "dotSegments: "),
      (["presign", "https://s3.eu-west-1.amazonaws.com/b/%2e%2e/b"], "dotSegments: "),
      (["presign", "https://b.s3.eu-west-1.amazonaws.com/a//b"], "emptySegments: "),
    ] {
      let result = try CommandProcess(arguments)
      #expect(result.exitCode == 0 && result.output.contains("ignature="), "\(result.errors)")
      #expect(result.errors.contains("sigv4: ") && result.errors.contains(words), "\(arguments)")
    }
    for arguments in [
      ["presign", url + "?response-content-type=image/png&versionId=1&partNumber=1"],
      ["presign", "-X", "PUT", "-H", "x-amz-acl: private", "-q", url],
      ["sign", "-X", "PUT", "-H", "x-amz-copy-source: b/a%2Bb%20c?versionId=1", url],
      ["sign", "-d", "x", "-H", "x-amz-checksum-crc32: AAAAAA==", url + "?delete"],
      ["sign", "-X", "PUT", "-H", "x-amz-tagging: a=b&c=d", url],
      ["presign", "https://abc.execute-api.eu-west-1.amazonaws.com/a/../b"],
      ["sign", "-d", "x", "-H", "content-md5: 1B2M2Y8AsgTpgAmY7PhCfg==", url + "?delete"],
      // Only S3 is known to read them so.
      ["sign", "https://abc.execute-api.eu-west-1.amazonaws.com/?content-type=a&x-amz-acl=b"],
    ] {
      let result = try CommandProcess(arguments)
      #expect(result.exitCode == 0 && result.errors == "", "\(arguments): \(result.errors)")
    }
  }

  @Test("A key has each note once, and the request of many keys, too")
  func notesOnce() throws {
    func notes(_ arguments: [String], input: String = "") throws -> [Substring] {
      let result = try CommandProcess(
        arguments, environment: CommandProcess.exampleKeys, input: input)
      #expect(result.exitCode == 0, "\(result.errors)")
      return result.errors.split(separator: "\n")
    }
    let key = try notes(["presign", "--region=eu-west-1", "s3://b12/a/..//b"])
    #expect(key.filter { $0.contains("dotSegments: ") }.count == 1)
    #expect(key.filter { $0.contains("emptySegments: ") }.count == 1)
    let long = "s3://b12/" + String(repeating: "a", count: 1_025)
    #expect(try notes(["presign", "--region=eu-west-1", long]).joined().contains("tooLong: "))
    let keys = try notes(
      [
        "presign", "--keys", "-", "--region=us-east-1", "--query", "Response-Expires=a",
        "s3://bucket",
      ], input: "a\nb/../c\n")
    #expect(keys.filter { $0.contains("Write it as response-expires.") }.count == 1)
    #expect(keys.filter { $0.contains("dotSegments: ") }.count == 1)
  }

  @Test("A key file's lines may end as on Windows, and an empty one is rejected")
  func linesOfKeys() throws {
    func presign(_ input: String) throws -> CommandProcess {
      try CommandProcess(
        ["presign", "--keys", "-", "--region", "us-east-1", "s3://bucket/p/"],
        environment: CommandProcess.exampleKeys, input: input)
    }
    let windows = try presign("a\r\nb\r\n")
    #expect(windows.output.split(separator: "\n").count == 2 && !windows.output.contains("%0D"))
    let empty = try presign("a\n\nb\n")
    #expect(empty.exitCode != 0 && empty.errors.contains("empty line"))
    let long = try presign("a\n" + String(repeating: "b", count: 65_537) + "\n")
    #expect(long.exitCode == 1 && long.errors.contains("larger than 65536 bytes"))
  }

  @Test("Many keys of a file or of standard input are presigned as each is alone")
  func keys() throws {
    let options = ["--at", "20130524T000000Z", "--region", "eu-west-1", "--expires", "15m"]
    let keys = ["a b", "été +1", "c?d#e", "f//g"] + (0..<3_000).map { "number/\($0)" }
    let all = try CommandProcess(
      ["presign", "--keys", "-"] + options + ["s3://bucket/p/"],
      input: keys.joined(separator: "\n"))
    let urls = all.output.split(separator: "\n").map(String.init)
    #expect(urls.count == keys.count)
    for index in [0, 1, 2, 3, 4, 1_500, 3_003] {
      let alone = try CommandProcess(
        ["presign", "--quiet"] + options + ["s3://bucket/p/" + keys[index]])
      #expect(alone.output == urls[index] + "\n", "\(keys[index])")
    }
    let put = try CommandProcess(
      ["presign", "-X", "PUT", "-H", "x-amz-meta-a: b", "--keys", "-"] + options + ["s3://bucket"],
      input: "k\n")
    #expect(put.output.contains("SignedHeaders=host%3Bx-amz-meta-a"))
    #expect(put.errors.contains("x-amz-meta-a: b"))
    let warned = try CommandProcess(
      ["presign", "--keys", "-"] + options + ["s3://bucket"], input: "a\nb/../c\n")
    #expect(warned.errors.contains("dotSegments"), "\(warned.errors)")
    let refused = try CommandProcess(["presign", "--keys", "-", "--json", "s3://bucket"])
    #expect(refused.exitCode == 2 && refused.errors.contains("Remove --json"))
  }

  @Test("Credentials go to other programs: as credential_process, and as variables for a shell")
  func formats() throws {
    var environment = CommandProcess.exampleKeys
    environment["AWS_SESSION_TOKEN"] = "it's/a+token"
    environment["AWS_CREDENTIAL_EXPIRATION"] = "2999-05-24T01:02:03Z"
    let process = try CommandProcess(
      ["credentials", "--format", "process"], environment: environment)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(process.output.utf8)) as? [String: Any])
    #expect(object["Version"] as? Int == 1)
    #expect(object["AccessKeyId"] as? String == environment["AWS_ACCESS_KEY_ID"])
    #expect(object["SecretAccessKey"] as? String == environment["AWS_SECRET_ACCESS_KEY"])
    #expect(object["SessionToken"] as? String == "it's/a+token")
    #expect(object["Expiration"] as? String == "2999-05-24T01:02:03Z")

    let folder = try TemporaryFolder()
    let answer = try folder.file("answer", process.output)
    let config = try folder.file(
      "config",
      """
      [profile tool]
      credential_process = cat \(answer)
      [profile keys]
      aws_access_key_id = AKIDKEYS
      aws_secret_access_key = a'b
      """)
    func variables(_ profile: String) throws -> String {
      let result = try CommandProcess(
        ["credentials", "--format=env", "--profile", profile],
        environment: ["AWS_CONFIG_FILE": config, "HOME": folder.url.path, "PATH": "/usr/bin:/bin"])
      let shell = try CommandProcess(
        executable: URL(fileURLWithPath: "/bin/sh"),
        [
          "-c", result.output + "echo $AWS_ACCESS_KEY_ID $AWS_SECRET_ACCESS_KEY $AWS_SESSION_TOKEN",
        ],
        environment: ["AWS_SESSION_TOKEN": "old"], input: "")
      return result.errors + shell.output
    }
    #expect(try variables("keys") == "AKIDKEYS a'b\n")
    let secret = try #require(environment["AWS_SECRET_ACCESS_KEY"])
    #expect(try variables("tool") == "AKIAIOSFODNN7EXAMPLE \(secret) it's/a+token\n")
    let wrong = try CommandProcess(["credentials", "--format", "yaml"])
    #expect(wrong.exitCode == 2 && wrong.errors.contains("process or env"))
  }
}
