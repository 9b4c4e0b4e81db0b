// SPDX-License-Identifier: Apache-2.0
// Profiles and programs as sources of credentials, as a user's shell runs the commands.

internal import S3Signing
internal import Foundation
internal import SigningTestSupport
import Testing

@Suite("sigv4 credentials and --profile")
struct CredentialsCommandTests {
  /// A home with the keys that AWS publishes with its examples, and profiles of every kind.
  private struct Home {
    let folder: TemporaryFolder
    let environment: [String: String]

    init(config: String = Home.config, credentials: String = Home.credentials) throws {
      folder = try TemporaryFolder()
      environment = [
        "PATH": "/usr/bin:/bin",
        "AWS_CONFIG_FILE": try folder.file("config", config),
        "AWS_SHARED_CREDENTIALS_FILE": try folder.file("credentials", credentials),
      ]
    }

    func run(
      _ arguments: [String], _ variables: [String: String] = [:], input: String = ""
    ) throws -> CommandProcess {
      try CommandProcess(
        arguments, environment: environment.merging(variables) { $1 }, input: input)
    }

    static let credentials = """
      [default]
      aws_access_key_id = AKIDDEFAULT
      aws_secret_access_key = secretive
      [s3]
      aws_access_key_id = AKIAIOSFODNN7EXAMPLE
      aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
      """

    static let config = #"""
      [default]
      region = eu-central-1
      [profile s3]
      region = eu-west-1
      [profile tool]
      credential_process = sh -c 'cat; printf "%s" "$ANSWER"; printf "%s" "$1" >&2' $HOME '$1 "a'
      [profile fails]
      credential_process = sh -c 'echo secretive; exit 7'
      [profile dies]
      credential_process = sh -c 'kill -9 $$'
      [profile missing]
      credential_process = ./no-such-program secretive
      [profile floods]
      credential_process = sh -c 'yes secretive'
      [profile role]
      role_arn = arn:aws:iam::123456789012:role/r
      source_profile = default
      [profile device]
      role_arn = arn:aws:iam::123456789012:role/r
      source_profile = default
      mfa_serial = arn:aws:iam::123456789012:mfa/me
      """#
  }

  private static let answer = [
    "ANSWER": #"{"Version": 1, "AccessKeyId": "AKIDTOOL", "SecretAccessKey": "secretive", "#
      + #""SessionToken": "token==", "Expiration": "2999-01-29T18:53:01Z"}"#
  ]

  @Test("The key ID, source, expiration and region are printed, and the secret isn't")
  func page() throws {
    let home = try Home()
    let path = try #require(home.environment["AWS_SHARED_CREDENTIALS_FILE"])
    let keys = try home.run(["credentials", "--profile", "s3"])
    #expect(
      keys.output == """
        signed by    AKIAIOSFODNN7EXAMPLE
        from         profile "s3" of \(path)
        expires      unknown
        region       eu-west-1

        """)
    let tool = try home.run(["credentials", "--profile=tool"], Self.answer)
    let lines = tool.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.first == "signed by    AKIDTOOL with a session token")
    #expect(lines.dropFirst().first == "from         credential_process of the profile \"tool\"")
    #expect(lines.dropFirst(2).first?.hasPrefix("expires      29990129T185301Z, in ") == true)
    #expect(lines.last == "region       not set")
    #expect(tool.exitCode == 0)
  }

  #if os(Linux)
    /// inotify(7): IN_OPEN is 32, and an event is 16 bytes and a name, which a watched file does not have.
    private static let opens = """
      import ctypes, os, subprocess, sys
      libc = ctypes.CDLL(None)
      watch = libc.inotify_init1(os.O_NONBLOCK)
      for path in sys.argv[1:3]:
          libc.inotify_add_watch(watch, path.encode(), 32)
      result = subprocess.run(sys.argv[3:], capture_output=True)
      print(result.returncode, len(os.read(watch, 65536)) // 16)
      """

    @Test("One command opens each file of profiles once")
    func filesOnce() throws {
      let home = try Home()
      let files = try ["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"].map {
        try #require(home.environment[$0])
      }
      for arguments in [
        ["sign", "s3://bucket/k"], ["presign", "--profile", "s3", "s3://bucket/k"],
        ["credentials"], ["sign", "https://bucket.s3.amazonaws.com/k"],
        ["token", "eks", "--cluster-name", "c"],
      ] {
        let result = try CommandProcess(
          executable: URL(fileURLWithPath: "/usr/bin/env"),
          ["python3", "-c", Self.opens] + files + [CommandProcess.executable.path] + arguments,
          environment: home.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }, input: "")
        #expect(result.output == "0 2\n", "\(arguments): \(result.errors)")
      }
    }
  #endif

  @Test("With --json, the same is an object, without unknown members")
  func json() throws {
    let home = try Home()
    func object(_ profile: String) throws -> [String: String]? {
      let result = try home.run(["credentials", "--json", "--profile", profile], Self.answer)
      return try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: String]
    }
    let path = try #require(home.environment["AWS_SHARED_CREDENTIALS_FILE"])
    #expect(
      try object("default") == [
        "accessKeyID": "AKIDDEFAULT", "source": "profile \"default\" of \(path)",
        "region": "eu-central-1",
      ])
    #expect(
      try object("tool") == [
        "accessKeyID": "AKIDTOOL", "source": "credential_process of the profile \"tool\"",
        "expires": "29990129T185301Z",
      ])
  }

  /// botocore: an explicit profile disables the variables, and AWS_PROFILE doesn't.
  @Test("The environment comes before the selected profile, and after --profile")
  func order() throws {
    let home = try Home()
    let keys = ["AWS_ACCESS_KEY_ID": "AKIDENV", "AWS_SECRET_ACCESS_KEY": "secretive"]
    func signer(_ arguments: [String], _ variables: [String: String]) throws -> String {
      let page = try home.run(["credentials"] + arguments, variables).output
      return String(page.prefix { $0 != "\n" }.dropFirst(13))
    }
    #expect(try signer([], [:]) == "AKIDDEFAULT")
    #expect(try signer([], ["AWS_PROFILE": "s3"]) == "AKIAIOSFODNN7EXAMPLE")
    #expect(try signer([], keys.merging(["AWS_PROFILE": "s3"]) { $1 }) == "AKIDENV")
    #expect(try signer(["--profile", "s3"], keys) == "AKIAIOSFODNN7EXAMPLE")
  }

  @Test("The files are found in the home folder, and a folder with their name is ignored")
  func homeFolder() throws {
    let folder = try TemporaryFolder()
    let aws = folder.url.appendingPathComponent(".aws")
    try FileManager.default.createDirectory(
      at: aws.appendingPathComponent("config"), withIntermediateDirectories: true)
    try Data(Home.credentials.utf8).write(to: aws.appendingPathComponent("credentials"))
    let result = try CommandProcess(
      ["credentials"], environment: ["HOME": folder.url.path + "/"])
    #expect(result.output.hasPrefix("signed by    AKIDDEFAULT\n"))
  }

  @Test("Without HOME, the home folder comes from the user database")
  func noHome() throws {
    let result = try CommandProcess(
      executable: CommandProcess.executable, ["credentials", "--profile", "x"], environment: [:],
      input: "")
    // Python: pwd.getpwuid(os.getuid()).pw_dir, as os.path.expanduser takes it.
    let python = try CommandProcess(
      executable: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", "-c", "import os.path; print(os.path.expanduser('~/.aws/config'), end='')"],
      environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"], input: "")
    #expect(python.output.hasPrefix("/"))
    #expect(result.errors.contains("not found in \(python.output) ([profile NAME])"))
  }

  /// Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header", GET Object.
  @Test("Every command that signs accepts --profile")
  func profile() throws {
    let home = try Home()
    func run(_ arguments: [String], input: String = "") throws -> CommandProcess {
      let result = try home.run(arguments + ["--profile", "s3"], input: input)
      #expect(result.exitCode == 0, "\(arguments[0]): \(result.errors)")
      return result
    }
    let signed = try run(["sign"] + SignCommandTests.documentedGet + ["--region=us-east-1"])
    #expect(signed.output.contains("Signature=" + SignCommandTests.documentedSignature))
    let url = "https://examplebucket.s3.amazonaws.com/test.txt"
    let presigned = try run(["presign", url]).output.filter { $0 != "\n" }
    #expect(presigned.contains("Credential=AKIAIOSFODNN7EXAMPLE%2F"))
    #expect(presigned.contains("%2Feu-west-1%2Fs3%2F"))
    #expect(try run(["verify", presigned]).output.hasPrefix("Valid\n"))
    #expect(try run(["post-policy", "s3://bucket/k"]).output.contains("AKIAIOSFODNN7EXAMPLE"))
    #expect(
      try run(["token", "eks", "--cluster-name", "c"]).output.hasPrefix("k8s-aws-v1."))
    let body = home.folder.url.appendingPathComponent("body").path
    let upload = ["upload", "--size", "3", "-o", body, "-", "s3://bucket/k"]
    #expect(try run(upload, input: "abc").output.contains("Credential=AKIAIOSFODNN7EXAMPLE/"))
    let explain = ["explain", "--region=us-east-1"] + ExplainCommandTests.range + [url]
    let explained = try run(explain, input: ExplainCommandTests.s3Answer())
    #expect(explained.output.hasPrefix("What is wrong: secretAccessKey\n"))
  }

  @Test("The region of the profile counts when neither option, host nor environment has one")
  func region() throws {
    let home = try Home()
    func region(_ arguments: [String], _ variables: [String: String] = [:]) throws -> String? {
      let result = try home.run(["sign", "--json"] + arguments, variables)
      let object =
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
      let scope = object?["credentialScope"] as? String
      return scope?.split(separator: "/").dropFirst().first.map(String.init)
    }
    let url = "https://b.s3.amazonaws.com/k"
    #expect(try region(["--region", "a", "--profile", "s3", url]) == "a")
    #expect(
      try region(["--profile", "s3", "https://b.s3.us-west-2.amazonaws.com/k"]) == "us-west-2")
    #expect(try region(["--profile", "s3", url], ["AWS_REGION": "b"]) == "b")
    #expect(try region(["--profile", "s3", url], ["AWS_DEFAULT_REGION": "c"]) == "c")
    #expect(try region(["--profile", "s3", url]) == "eu-west-1")
    #expect(try region([url]) == "eu-central-1")
    #expect(try region([url], ["AWS_PROFILE": "s3"]) == "eu-west-1")
    #expect(try region(["--profile", "tool", url], Self.answer) == "us-east-1")
  }

  @Test("A program gets its arguments without a shell, an empty input, our environment and error")
  func program() throws {
    let home = try Home()
    let body = ["sign", "--profile=tool", "-d", "@-", "https://b.s3.eu-west-1.amazonaws.com/k"]
    let result = try home.run(body, Self.answer, input: "abc")
    #expect(result.errors == "$1 \"a")
    #expect(result.output.contains("Credential=AKIDTOOL/"))
    #expect(result.output.contains("x-amz-security-token: token=="))
    // FIPS 180-4's example: the program didn't read the body.
    #expect(
      result.output.contains("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
  }

  @Test("A failed command is reported with its name and exit code, without its output")
  func failures() {
    [
      ("fails", "sh failed with exit code 7"), ("dies", "sh was terminated by signal 9"),
      ("missing", "Can't run ./no-such-program: "), ("floods", "more than 1048576 bytes"),
      ("tool", "printed 0 bytes that aren't a JSON object"),
    ].forEachCase { (profile: String, words: String) in
      let result = try Home().run(["credentials", "--profile", profile])
      #expect(result.exitCode == 3)
      #expect(result.output == "")
      #expect(result.errors.contains(words))
      #expect(!result.errors.contains("secretive"))
    }
  }

  @Test("A failed command is reported even if this process was started with SIGCHLD ignored")
  func ignoredSignal() throws {
    let home = try Home()
    let result = try CommandProcess(
      script: #"python3 -c "$IGNORE" "$SIGV4" credentials --profile fails"#,
      environment: home.environment.merging(["IGNORE": SendCommandTests.ignoring]) { $1 })
    #expect(result.exitCode == 3)
    #expect(result.errors.contains("sh failed with exit code 7"), "\(result.errors)")
  }

  @Test("The variables of --format env replace all others, and --json can't be combined with it")
  func variables() throws {
    let home = try Home()
    let result = try CommandProcess(
      script: """
        eval "$("$SIGV4" credentials --profile s3 --format env)"
        "$SIGV4" sign https://b.s3.us-east-1.amazonaws.com/k
        """,
      environment: home.environment.merging(["AWS_SECURITY_TOKEN": "old"]) { $1 })
    #expect(result.output.contains("Credential=AKIAIOSFODNN7EXAMPLE/"), "\(result.errors)")
    #expect(!result.output.contains("x-amz-security-token"))
    let json = try home.run(["credentials", "--format", "env", "--json"])
    #expect(json.exitCode == 2 && json.output == "")
    #expect(json.errors.contains("can't be used with --format or --certificate"))
  }

  @Test("Temporary keys without a session token are used with a note")
  func missingToken() throws {
    let variables = [
      "AWS_ACCESS_KEY_ID": "ASIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": "secretive",
    ]
    let url = "https://b.s3.us-east-1.amazonaws.com/k"
    for command in [["credentials"], ["presign", url], ["sign", url]] {
      let result = try Home().run(command, variables)
      #expect(result.exitCode == 0 && !result.output.isEmpty)
      #expect(result.errors.contains("no session token"), "\(result.errors)")
      let complete = try Home().run(command, variables.merging(["AWS_SESSION_TOKEN": "t"]) { $1 })
      #expect(!complete.errors.contains("no session token"))
    }
  }

  @Test("Unusable credentials exit with 3 and the reason, and a mistake in the options with 2")
  func refusals() throws {
    let home = try Home()
    let role = try home.run(["credentials", "--profile", "role"])
    #expect(role.exitCode == 3)
    #expect(role.errors.contains("sigv4 has no TLS"))
    #expect(role.errors.contains("with the AWS CLI, and then omit --profile."))
    let selected = try home.run(["credentials"], ["AWS_PROFILE": "role"])
    #expect(selected.errors.contains("--profile 'role' --format env"))
    #expect(!selected.errors.contains("omit"))
    let device = try home.run(["credentials", "--profile", "device"])
    #expect(device.exitCode == 3 && device.errors.contains("mfa/me\" (mfa_serial)"))
    #expect(device.errors.contains("--profile 'device' --format env"))
    let unknown = try home.run(["sign", "--profile", "x", "https://b.s3.amazonaws.com/k"])
    #expect(unknown.exitCode == 3)
    #expect(unknown.errors.contains("Profile \"x\" not found"))
    let broken = try Home(credentials: "[default]\naws_access_key_id = A\nsecretive\n")
      .run(["credentials"])
    #expect(broken.exitCode == 3)
    #expect(broken.errors.contains("Line 3 of ") && broken.errors.contains("credentials isn't a"))
    #expect(!broken.errors.contains("secretive"))
    let half = try home.run(["credentials"], ["AWS_ACCESS_KEY_ID": "A"])
    #expect(half.exitCode == 3)
    #expect(half.errors.contains("AWS_SECRET_ACCESS_KEY isn't"))
    let otherHalf = try Home(credentials: "").run(
      ["credentials"], ["AWS_SECRET_ACCESS_KEY": "secretive"])
    #expect(otherHalf.exitCode == 3)
    #expect(otherHalf.errors.contains("AWS_SECRET_ACCESS_KEY is set but AWS_ACCESS_KEY_ID isn't"))
    #expect(!otherHalf.errors.contains("secretive"))
    for command in [["credentials"], ["presign", "https://b.s3.amazonaws.com/k"]] {
      let swapped = try home.run(
        command,
        ["AWS_ACCESS_KEY_ID": "hush/hush", "AWS_SECRET_ACCESS_KEY": "AKIAIOSFODNN7EXAMPLE"])
      #expect(swapped.exitCode == 3 && swapped.output == "")
      #expect(swapped.errors.contains("swapped"), "\(swapped.errors)")
      #expect(!swapped.errors.contains("hush") && !swapped.errors.contains("AKIA"))
    }
    let copied = try home.run(
      ["presign", "https://b.s3.amazonaws.com/k"],
      [
        "AWS_ACCESS_KEY_ID": "hush/hush", "AWS_SECRET_ACCESS_KEY": "hush/hush",
        "AWS_REGION": "us-east-1",
      ])
    #expect(copied.exitCode == 3 && copied.output == "")
    #expect(copied.errors.contains("swapped") && !copied.errors.contains("hush"))
    let shown = try home.run(
      ["credentials", "--json"],
      ["AWS_ACCESS_KEY_ID": "hush/hush", "AWS_SECRET_ACCESS_KEY": "hush/hush"])
    #expect(shown.exitCode == 0 && !(shown.output + shown.errors).contains("hush"))
    #expect(try home.run(["credentials", "--profile="]).exitCode == 2)
    #expect(try home.run(["credentials", "default"]).exitCode == 2)
  }
}
