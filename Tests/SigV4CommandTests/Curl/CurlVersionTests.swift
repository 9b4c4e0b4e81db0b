// SPDX-License-Identifier: Apache-2.0
// What versions of curl change in a request or call by other names, with the curl of
// `SendCommandTests`.

internal import Foundation
internal import SigningTestSupport
import Testing

@Suite("sigv4 curl with every version of curl")
struct CurlVersionTests {
  /// RFC 3986, 6.2.2.1; curl's lib/urlapi.c since 8.20. The service encodes the path twice.
  @Test("Escapes in a path are uppercase, as curl sends them")
  func escapes() throws {
    let options = ["--service", "execute-api", "--region", "us-east-1", "--at", "0"]
    let (lower, upper) = ("https://a.example/%c3%a9?b=%2f", "https://a.example/%C3%A9?b=%2F")
    let (told, other) = (try tell(options + [lower]), try tell(options + [upper]))
    #expect(told.configuration.first == "url = \"\(upper)\"")
    #expect(told.headers("authorization") == other.headers("authorization"))
    let piped = try CommandProcess(["sign"] + options + [lower])
    #expect(piped.errors.contains("signed URL, \(upper)"), "\(piped.errors)")
    let canonical = try CommandProcess(["sign", "--json"] + options + [lower]).output
    #expect(canonical.contains(#"GET\n/%25C3%25A9\nb=%2F\n"#))
  }

  /// Hosts that curl 7.88 sends.
  @Test("An IP address is signed in the form in which curl sends it")
  func addresses() throws {
    let options = ["--service", "s3", "--region", "us-east-1", "--at", "0"]
    for (host, canonical) in [
      ("127.1:9000", "127.0.0.1:9000"), ("0x7f.1", "127.0.0.1"), ("2130706433", "127.0.0.1"),
      ("0177.0.0.1:80", "127.0.0.1"), ("[0:0:0:0:0:0:0:1]:9000", "[::1]:9000"),
      ("[0:0:0:0:0:ffff:127.0.0.1]", "[::ffff:127.0.0.1]"), ("1.example", "1.example"),
    ] {
      let told = try tell(options + ["http://\(host)/b?c=http://127.1/"])
      let other = try tell(options + ["http://\(canonical)/b?c=http://127.1/"])
      #expect(told.configuration == other.configuration && !told.configuration.isEmpty, "\(host)")
      #expect(told.configuration[0].hasPrefix("url = \"http://\(canonical)/b?"), "\(host)")
      let stored = try CommandProcess(
        ["presign", "--region=us-east-1", "--endpoint", "http://\(host)", "s3://bucket/k"])
      #expect(stored.output.hasPrefix("http://\(canonical)/bucket/k?"), "\(stored.errors)")
    }
    let named = try tell(options + ["-H", "Host: 127.1", "http://localhost/"])
    #expect(named.result.exitCode == 1 && named.result.errors.contains("conflictingHeader"))
  }

  /// curl 8.13 and later resolve them, as curl 8.22 shows.
  @Test("Escaped dot segments are sent unchanged, and curl adds no file name to them")
  func escapedDots() throws {
    let url = "https://a.execute-api.eu-west-1.amazonaws.com/a/"
    let folder = try TemporaryFolder()
    let file = try folder.file("file", "1")
    for segment in ["%2e%2e", "%2E", ".%2E"] {
      let printed = try CommandProcess(["sign", "--curl", url + segment])
      #expect(printed.output.contains("--path-as-is"), "\(printed.errors)")
      let told = try tell(["-T", file, url + segment])
      #expect(told.body == "1" && told.configuration.contains("upload-file = \"-\""))
    }
    let other = try tell(["-T", file, url + "%2ex"])
    #expect(other.configuration.contains("upload-file = \"\(file)\""))
  }

  @Test("Only LF and CRLF end a line of a header file, and each line is a header or is rejected")
  func headerFiles() throws {
    let folder = try TemporaryFolder()
    let (url, file) = ("https://b.s3.amazonaws.com/k", folder.url.appendingPathComponent("headers"))
    func tell(_ bytes: String.UTF8View, _ more: [UInt8] = []) throws -> SendCommandTests.Told {
      try Data(Array(bytes) + more).write(to: file)
      return try self.tell(["-H", "@" + file.path, url])
    }
    let lines = try tell("x-a: 1\r\n\r\nx-b: 2\n\nx-c: 3".utf8)
    #expect(["x-a: 1", "x-b: 2", "x-c: 3"].allSatisfy { lines.headers($0).count == 1 })
    for separator in ["\u{0B}", "\u{0C}", "\r", "\u{85}", "\u{2028}"] {
      let told = try tell("x-a: 1\(separator)x-b: 2\n".utf8)
      let codes = ["invalidHeaderValue", "nonASCIIHeader"]
      #expect(told.configuration.isEmpty && codes.contains { told.result.errors.contains($0) })
    }
    let invalid = try tell("x-a: ".utf8, [0xE9])
    #expect(invalid.result.errors.contains("isn't valid UTF-8") && invalid.configuration.isEmpty)
  }

  /// curl 8.22 accepts these names, and lists the others.
  @Test("Both names of a flag are accepted, and the earlier name of --show-headers")
  func otherNames() throws {
    for names in [["--include"], ["--buffer"], ["--no-buffer"], ["--no-silent"]] {
      let told = try tell(names + ["https://b.s3.amazonaws.com/"])
      #expect(told.arguments.starts(with: ["--disable"] + names), "\(told.result.errors)")
    }
    for name in ["--no-output", "--show", "--no"] {
      let told = try tell([name, "https://b.s3.amazonaws.com/"])
      #expect(told.result.exitCode == 2 && told.result.errors.contains("has the option \(name)"))
    }
  }

  private func tell(_ arguments: [String]) throws -> SendCommandTests.Told {
    try SendCommandTests().tell(arguments)
  }
}
