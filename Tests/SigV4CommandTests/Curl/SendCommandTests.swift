// SPDX-License-Identifier: Apache-2.0
// sigv4 curl, with a curl that prints its input, and sign in a pipe.

internal import Foundation
internal import SigningTestSupport
import Testing

@Suite("sigv4 curl")
struct SendCommandTests {
  /// curl's input: its arguments, the configuration on descriptor 3 and the body.
  struct Told {
    let arguments: [String]
    let configuration: [String]
    let body: String
    let result: CommandProcess

    func headers(_ name: String) -> [String] {
      configuration.filter { $0.lowercased().hasPrefix("header = \"\(name)") }
    }
  }

  /// Lists its options as curl does, answers a request to IAM Roles Anywhere with an access key ID
  /// that depends on it, or prints its input.
  static let fakeCurl = """
    #!/bin/sh
    if [ "$2" = --help ]; then
      echo ' -o, --output <file>  Write to file'
      echo ' -X, --request <method>  Method'
      echo ' -H, --header <header/@file>  Header'
      echo ' -d, --data <data>  Body'
      echo '     --data-binary <data>  Body'
      echo '     --data-raw <data>  Body'
      echo '     --data-urlencode <data>  Body'
      echo '     --json <data>  Body'
      echo ' -T, --upload-file <file>  Body'
      echo ' -G, --get  Query'
      echo ' -I, --head  HEAD'
      echo ' -L, --location  Redirects'
      echo '     --follow  Redirects'
      echo ' -n, --netrc  Passwords'
      echo '     --anyauth  Any'
      echo ' -s, --silent  Quiet'
      echo ' -i, --show-headers  Headers'
      echo ' -N, --no-buffer  Parts'
      echo ' -S, --show-error  Loud'
      echo ' -u, --user <user:password>  Basic'
      echo ' -K, --config <file>  Options'
      echo '     --compressed  Encodings'
      echo ' -x, --proxy [protocol://]host[:port]  Proxy'
      echo ' -C, --continue-at <offset>  Rest'
      echo '     --crlf  Line ends'
      echo ' -B, --use-ascii  Line ends'
      echo ' -b, --cookie <data|filename>  Cookies'
      echo ' -w, --write-out <format>  Format'
      echo '     --proxy-header <header/@file>  Header'
      exit
    fi
    if [ "$*" = '--disable --config -' ]; then
      sum=$(grep -v -i -e authorization -e x-amz-date | cksum | tr -d ' ')
      printf 'HTTP/1.1 201 Created\\r\\n\\r\\n{"credentialSet":[{"credentials":{'
      printf '"accessKeyId":"ASIA%s","expiration":"2099-01-01T00:00:00Z",' "$sum"
      printf '"secretAccessKey":"s","sessionToken":"t"}}]}'
      exit
    fi
    env | grep '^AWS_' | sed 's/=.*/ is in the environment of curl/' >&2
    printf '%s\\n' "$@" --
    cat <&3
    echo --
    cat
    exit 22

    """

  /// The example keys, and a PATH with this curl, which it writes to a folder.
  static func environment(_ folder: TemporaryFolder) throws -> [String: String] {
    try folder.addProgram("curl", fakeCurl)
    let path = folder.url.path + ":/usr/bin:/bin"
    return CommandProcess.exampleKeys.merging(["PATH": path]) { $1 }
  }

  func tell(_ arguments: [String], input: String = "", token: String? = nil) throws -> Told {
    let folder = try TemporaryFolder()
    var environment = try Self.environment(folder)
    environment["AWS_SESSION_TOKEN"] = token
    let result = try CommandProcess(["curl"] + arguments, environment: environment, input: input)
    let parts = result.output.split(
      separator: "--\n", maxSplits: 2, omittingEmptySubsequences: false)
    func lines(_ index: Int) -> [String] {
      parts.count > index ? parts[index].split(separator: "\n").map(String.init) : []
    }
    return Told(
      arguments: lines(0), configuration: lines(1), body: parts.count > 2 ? String(parts[2]) : "",
      result: result)
  }

  @Test("Curl reads the signed request, arguments contain no secret, and its exit code is returned")
  func secrets() throws {
    let told = try tell(
      ["-sS", "-oout", "-H", "Range: bytes=0-9", "https://b.s3.amazonaws.com/a%20b"],
      token: "session-token")
    #expect(
      told.arguments
        == ["--disable", "--silent", "--show-error", "--output", "out", "--config", "/dev/fd/3"])
    #expect(told.configuration.contains("url = \"https://b.s3.amazonaws.com/a%20b\""))
    #expect(told.configuration.contains("no-location"))
    #expect(told.headers("range") == ["header = \"Range: bytes=0-9\""])
    #expect(
      told.headers("x-amz-security-token") == ["header = \"x-amz-security-token: session-token\""])
    #expect(told.headers("authorization")[0].contains("SignedHeaders=host;range;x-amz-"))
    #expect(told.result.exitCode == 22)
    #expect(!told.result.output.contains("wJalrXUtnFEMI"))
    #expect(!told.result.errors.contains("in the environment of curl"), "\(told.result.errors)")
  }

  @Test("The body is named last, so that curl has read all headers when it waits for it")
  func order() throws {
    let folder = try TemporaryFolder()
    let headers = try folder.file("headers", "x-b: 1\n@headers\n")
    let told = try tell(["-d", "x=1", "-H", "@" + headers, "https://b.s3.amazonaws.com/k"])
    // A line of a file is a header, also one that begins like the name of a file: it has no colon.
    #expect(told.result.exitCode != 22 && told.result.errors.contains("has no colon"))
    let long = try folder.file("long", "x-b: " + String(repeating: "a", count: 200_000) + "\n")
    let sent = try tell(["-d", "x=1", "-H", "@" + long, "https://b.s3.amazonaws.com/k"])
    #expect(sent.body == "x=1" && sent.headers("x-b").count == 1)
    #expect(sent.configuration.last == "data-binary = \"@-\"")
  }

  /// Newer versions of curl don't append the name to a URL with a query (pull request 10969).
  @Test("A file is signed at the place where curl puts it")
  func places() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("a b.mov", "1")
    for (url, place) in [
      ("https://b.s3.amazonaws.com", "https://b.s3.amazonaws.com/a%20b.mov"),
      ("https://b.s3.amazonaws.com/f/", "https://b.s3.amazonaws.com/f/a%20b.mov"),
      ("https://b.s3.amazonaws.com/k?prefix=a/", "https://b.s3.amazonaws.com/k?prefix=a/"),
      ("https://b.s3.amazonaws.com/f/?a=1", "https://b.s3.amazonaws.com/f/?a=1"),
      ("https://b.s3.amazonaws.com/?a=1", "https://b.s3.amazonaws.com/?a=1"),
      ("https://b.s3.amazonaws.com?a=1", "https://b.s3.amazonaws.com/?a=1"),
      ("s3://buc", "https://buc.s3.us-east-1.amazonaws.com/a%20b.mov"),
      ("s3://buc/f/", "https://buc.s3.us-east-1.amazonaws.com/f/a%20b.mov"),
      ("s3://buc/k", "https://buc.s3.us-east-1.amazonaws.com/k"),
      ("s3://buc/f?/", "https://buc.s3.us-east-1.amazonaws.com/f%3F/a%20b.mov"),
    ] {
      let told = try tell(["--region", "us-east-1", "-T", file, url])
      let signed = place.replacing("prefix=a/", with: "prefix=a%2F")
      #expect(told.configuration.first == "url = \"\(signed)\"", "\(url)")
    }
    let setting = try tell(["--region", "us-east-1", "-T", file, "--query", "a=1", "s3://buc"])
    #expect(
      setting.configuration.first == "url = \"https://buc.s3.us-east-1.amazonaws.com/?a=1\"")
  }

  @Test("What would change the request, or hides a value, is rejected")
  func changes() throws {
    let url = "https://b.s3.amazonaws.com/k"
    for (arguments, words) in [
      (["-C", "3", url], "--continue-at"), (["--crlf", url], "--crlf"),
      // curl's lib/sendf.c converts newlines for both.
      (["-B", "-T", "a", url], "--use-ascii"),
      (["-G", "-d", "versionId=1", "s3://buc/k"], "--query"),
      (["-X", "DELETE", "--query", "versionId=1", "s3://buc/"], "no key"),
      (["--user=me:hush-hush", url], "--user"),
    ] {
      let told = try tell(["--region", "us-east-1"] + arguments)
      #expect(
        told.result.exitCode != 22 && told.result.errors.contains(words),
        "\(arguments): \(told.result.errors)")
      #expect(!told.result.errors.contains("hush-hush"))
    }
    let proxied = try tell(["--proxy", "http://p:3128", url])
    #expect(proxied.arguments.starts(with: ["--disable", "--proxy", "http://p:3128"]))
    let deleted = try tell([
      "--region", "us-east-1", "-X", "DELETE", "--query", "tagging", "s3://buc",
    ])
    #expect(deleted.result.exitCode == 22)
  }

  /// Digests by sha256sum.
  @Test("A pipe or a descriptor is read once, signed and sent")
  func pipes() throws {
    let url = "https://b.s3.amazonaws.com/k"
    for arguments in [
      ["--data-binary", "@/dev/stdin"], ["--json", "@/dev/stdin"], ["-T", "/dev/stdin"],
      ["-T", "/dev/fd/0"],
    ] {
      let told = try tell(arguments + [url], input: "from\0input\n")
      #expect(told.body == "from\0input\n", "\(arguments)")
      let digest = try sha256("from\0input\n")
      #expect(told.headers("x-amz-content-sha256")[0].contains(digest), "\(arguments)")
    }
    let folder = try TemporaryFolder()
    let file = try folder.file("file", "a\nb")
    for input in ["/dev/stdin < '\(file)'", "/dev/fd/4 4< '\(file)'"] {
      let result = try CommandProcess(
        script: #""$SIGV4" curl --data-binary @\#(input) \#(url)"#,
        environment: Self.environment(folder))
      #expect(result.output.hasSuffix("data-binary = \"@-\"\n--\na\nb"), "\(input)")
    }
  }

  @Test("A signal that this process ignores doesn't hide curl's exit code")
  func ignoredSignal() throws {
    let folder = try TemporaryFolder()
    let result = try CommandProcess(
      script: #"python3 -c "$IGNORE" "$SIGV4" curl https://b.s3.amazonaws.com/k"#,
      environment: Self.environment(folder).merging(["IGNORE": Self.ignoring]) { $1 })
    #expect(result.exitCode == 22, "\(result.errors)")
  }

  @Test("curl ends if the command is terminated")
  func terminated() throws {
    let folder = try TemporaryFolder()
    let curl = """
      #!/bin/sh
      if [ "$2" = --help ]; then exit; fi
      cat <&3 > /dev/null  # which ends after the command handles signals
      echo $$ > "$PID.new" && mv "$PID.new" "$PID"
      exec sleep 10

      """
    var environment = try Self.environment(folder)
    try folder.addProgram("curl", curl)
    environment["PID"] = folder.url.appendingPathComponent("pid").path
    environment["TERMINATE"] = Self.terminating
    let result = try CommandProcess(
      script: #"python3 -c "$TERMINATE" "$SIGV4" curl https://b.s3.us-east-1.amazonaws.com/k"#,
      environment: environment)
    // 143 is 128 and SIGTERM, as a shell reports it.
    #expect(result.output == "143 ended\n", "\(result.errors)")
  }

  /// Terminates a command as soon as its curl runs. Threads of tests block signals, which child
  /// processes inherit.
  private static let terminating = """
    import os, signal, subprocess, sys, time
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    command = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
    while not os.path.exists(os.environ["PID"]) and command.poll() is None:
        time.sleep(0.05)
    command.terminate()
    code = command.wait()
    try:
        os.kill(int(open(os.environ["PID"]).read()), 0)
        print(code, "running")
    except ProcessLookupError:
        print(code, "ended")
    """

  /// Runs a command with SIGCHLD ignored.
  static let ignoring = """
    import os, signal, sys
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    os.execv(sys.argv[1], sys.argv[1:])
    """

  /// Digests by sha256sum.
  @Test("The signed body is sent, in each form that curl accepts")
  func bodies() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("file", "a\nb")
    let url = "https://b.s3.amazonaws.com/k"
    for (arguments, body, method) in [
      (["-d", "@" + file], "ab", nil),
      (["-d", "a", "--data-raw", "@b"], "a&@b", nil),
      (["--data-urlencode", "a=b c&"], "a=b%20c%26", nil),
      // curl 7.88 sends the same.
      (["--data-urlencode", "user@x=1&2"], "user@x=1%262", nil),
      (["--data-urlencode", "=a@b"], "a%40b", nil),
      (["--data-binary", "@-"], "from\0input\n", nil),
      // curl 8.22 sends the same.
      (["-d", "", "-d", "a", "-d", "", "-d", "b"], "a&&b", nil),
      (["-X", "PUT", "--json", "{\"a\"", "--json", ":1}"], "{\"a\":1}", "PUT"),
    ] as [([String], String, String?)] {
      let told = try tell(arguments + [url], input: "from\0input\n")
      #expect(told.body == body, "\(arguments)")
      #expect(told.configuration.contains("data-binary = \"@-\""))
      #expect(told.configuration.contains("request = \"\(method ?? "")\"") == (method != nil))
      let digest = try sha256(body)
      #expect(told.headers("x-amz-content-sha256")[0].contains(digest), "\(arguments)")
      #expect(told.headers("content-type").count == 1)
    }
    let input = try tell(["-T", "-", url], input: "from\0input\n")
    #expect(input.body == "from\0input\n" && input.headers("content-length").count == 1)
    #expect(try input.headers("x-amz-content-sha256")[0].contains(sha256("from\0input\n")))
    let sent = try tell(["-T", file, "https://b.s3.amazonaws.com/folder/"])
    #expect(sent.configuration.contains("url = \"https://b.s3.amazonaws.com/folder/file\""))
    #expect(sent.configuration.contains("upload-file = \"\(file)\""))
    let read = try tell(["--data-binary", "@" + file, url])
    #expect(read.configuration.contains("data-binary = \"@\(file)\""))
    #expect(try read.headers("x-amz-content-sha256")[0].contains(sha256("a\nb")))
  }

  @Test("The type that curl would add to a body is signed, the query of --get too")
  func added() throws {
    let typed = try tell(["-d", "Action=GetCallerIdentity", "https://sts.amazonaws.com/"])
    #expect(
      typed.headers("content-type")
        == ["header = \"Content-Type: application/x-www-form-urlencoded\""])
    #expect(typed.headers("authorization")[0].contains("SignedHeaders=content-type;host"))
    let removed = try tell(["-d", "a", "-H", "content-type:", "https://sts.amazonaws.com/"])
    #expect(!removed.headers("authorization")[0].contains("content-type"))
    let unsigned = try tell([
      "--json", "{}", "--unsigned-header", "accept", "https://sts.amazonaws.com/",
    ])
    #expect(unsigned.headers("accept") == ["header = \"Accept: application/json\""])
    let query = try tell(["-G", "-d", "a=1", "-d", "b=2", "https://sts.amazonaws.com/?c=3"])
    #expect(query.configuration.contains("url = \"https://sts.amazonaws.com/?c=3&a=1&b=2\""))
    // curl 7.88 requests these.
    for (data, url, sent) in [
      ("a=b", "/?", "/?a=b"), ("a=b", "/?x=1&", "/?x=1&a=b"), ("", "/", "/"),
    ] {
      let told = try tell(["-G", "-d", data, "https://sts.amazonaws.com" + url])
      #expect(told.configuration.contains("url = \"https://sts.amazonaws.com\(sent)\""), "\(url)")
    }
    // curl 7.88 requests /p?a=b.
    let fragment = try tell(["-G", "-d", "a=b", "https://sts.amazonaws.com/p#frag?"])
    #expect(fragment.configuration.contains("url = \"https://sts.amazonaws.com/p?a=b\""))
    let quoted = try tell(["-H", "x-amz-meta-a: it\"s\\ $HOME", "https://b.s3.amazonaws.com/k"])
    #expect(quoted.headers("x-amz-meta-a") == ["header = \"x-amz-meta-a: it\\\"s\\\\ $HOME\""])
    let head = try tell(["-I", "https://b.s3.amazonaws.com/k"])
    #expect(head.configuration.contains("head"))
  }

  @Test("What would send something else than was signed is rejected")
  func refused() throws {
    for (arguments, message) in [
      (["-L", "https://b.s3.amazonaws.com/"], "needs a different signature"),
      (["--follow", "https://b.s3.amazonaws.com/"], "needs a different signature"),
      (["-n", "https://b.s3.amazonaws.com/"], "two kinds of credentials"),
      (["--anyauth", "https://b.s3.amazonaws.com/"], "two kinds of credentials"),
      (["-u", "a:b", "https://b.s3.amazonaws.com/"], "two kinds of credentials"),
      (["https://a:b@b.s3.amazonaws.com/"], "two kinds of credentials"),
      (["-b", "-", "https://b.s3.amazonaws.com/"], "can't read standard input"),
      (["-w@-", "-d", "a", "https://b.s3.amazonaws.com/"], "can't read standard input"),
      (["--proxy-header", "@-", "https://b.s3.amazonaws.com/"], "can't read standard input"),
      (["-H", "@-", "-T", "-", "https://b.s3.amazonaws.com/"], "can't both read standard input"),
      (["-d@-", "-d@-", "https://b.s3.amazonaws.com/"], "can't both read standard input"),
      (["-T.", "-d@-", "https://b.s3.amazonaws.com/"], "can't both read standard input"),
      (["-G", "-d", "a=b c", "https://b.s3.amazonaws.com/"], "Use --data-urlencode"),
      (["-G", "-d", "a=é", "https://b.s3.amazonaws.com/"], "Use --data-urlencode"),
      (["-G", "-d", "a=100%", "https://b.s3.amazonaws.com/"], "Use --data-urlencode"),
      (["-G", "-d", "a=#1", "https://b.s3.amazonaws.com/"], "Use --data-urlencode"),
      (["-T", "a", "-T", "b", "https://b.s3.amazonaws.com/"], "one file at a time"),
      (["-K", "file", "https://b.s3.amazonaws.com/"], "Pass them as arguments"),
      (["--frob", "https://b.s3.amazonaws.com/"], "Neither sigv4 nor this curl has"),
      (["-s"], "The URL is missing"),
      (["https://b.s3.amazonaws.com/", "https://c.s3.amazonaws.com/"], "is a second URL"),
      (["https://b.s3.amazonaws.com/", "-d"], "needs a value"),
      (["-T", "a", "-d", "b", "https://b.s3.amazonaws.com/"], "can't be used together"),
    ] {
      let told = try tell(arguments)
      #expect(told.result.exitCode == 2)
      #expect(told.result.errors.contains(message), "\(told.result.errors)")
      #expect(told.result.output == "")
    }
    for second in ["https://c.s3.amazonaws.com/?X-Amz-Signature=hush", "https://a:hush@c.example/"]
    {
      let told = try tell(["https://b.s3.amazonaws.com/", second])
      #expect(told.result.exitCode == 2 && !told.result.errors.contains("hush"))
    }
    let at = try tell(["https://b.s3.amazonaws.com/a@b?c@d", "-b", "a=-", "-w", "@format"])
    #expect(at.result.exitCode == 22, "\(at.result.errors)")
    let missing = try CommandProcess(
      ["curl", "https://b.s3.amazonaws.com/"], environment: ["PATH": "/nonexistent"])
    #expect(missing.exitCode == 1)
    #expect(missing.errors.contains("Can't run curl"))
  }

  @Test("-q among curl's short options silences notes")
  func quiet() throws {
    let request = ["-H", "User-Agent: x", "https://b.s3.amazonaws.com/k"]
    #expect(try tell(request).result.errors.contains("These headers aren't signed"))
    let told = try tell(["-sqS"] + request)
    #expect(told.result.errors == "")
    #expect(told.arguments.starts(with: ["--disable", "--silent", "--show-error", "--config"]))
  }

  @Test("Headers for 'curl -H @-' keep it from adding an unsigned content type")
  func pipe() throws {
    let url = "https://b.s3.amazonaws.com/k"
    let body = try CommandProcess(["sign", "-d", "a", url])
    #expect(body.output.hasSuffix("\nContent-Type:\n"))
    let typed = try CommandProcess(["sign", "-d", "a", "-H", "content-type: text/plain", url])
    #expect(!typed.output.contains("Content-Type:\n"))
    #expect(try !CommandProcess(["sign", url]).output.contains("Content-Type"))
    let failed = try CommandProcess(["sign", "https://unknown.example/"])
    #expect(failed.errors.contains("sends its request without a signature"))
    #expect(failed.output == "")
  }

  func sha256(_ text: String) throws -> String {
    let result = try CommandProcess(
      executable: URL(fileURLWithPath: "/usr/bin/env"), ["sha256sum"],
      environment: ["PATH": "/usr/bin:/bin"], input: text)
    return String(result.output.prefix(64))
  }
}
