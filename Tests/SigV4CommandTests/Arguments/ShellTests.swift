// SPDX-License-Identifier: Apache-2.0
// Closed streams, bytes that aren't UTF-8, and keys, as a shell passes them to the command.

internal import Foundation
internal import SigningTestSupport
import Testing

@Suite("sigv4 in a shell")
struct ShellTests {
  @Test("Without standard error, the output and the exit code are the same")
  func closedErrors() throws {
    for command in [
      "sign -H 'User-Agent: x' https://b.s3.us-east-1.amazonaws.com/k",
      "presign --region us-east-1 -H 'x-amz-meta-a: b' s3://bucket/k",
    ] {
      let open = try CommandProcess(script: "\"$SIGV4\" \(command) --at 0")
      #expect(open.exitCode == 0 && !open.errors.isEmpty)
      let closed = try CommandProcess(script: "\"$SIGV4\" \(command) --at 0 2>&-")
      #expect(closed.exitCode == 0)
      #expect(closed.output == open.output)
    }
  }

  @Test("An argument that isn't UTF-8 is rejected, because Swift would change it")
  func invalidArgument() throws {
    let result = try CommandProcess(script: #""$SIGV4" hash "$(printf 'caf\351.txt')""#)
    #expect(result.exitCode == 2 && result.output == "")
    #expect(result.errors.contains("Argument 2 isn't valid UTF-8."), "\(result.errors)")
    // The name of the command can be any.
    let named = try CommandProcess(
      script: #"d="$(printf '%s/caf\351' "$PWD")"; mkdir "$d" && ln -s "$SIGV4" "$d/sigv4" && "#
        + #""$d/sigv4" --version; rm -r "$d""#)
    #expect(named.exitCode == 0 && named.errors == "", "\(named.errors)")
    let valid = try CommandProcess(script: #""$SIGV4" hash "$(printf 'caf\303\251.txt')""#)
    #expect(valid.errors.contains("Can't read café.txt"), "\(valid.errors)")
  }

  /// Python: hmac.new(b"\\xff\\xfe", b"abc", hashlib.sha256).hexdigest()
  @Test("The key of hmac is the bytes of the variable")
  func binaryKey() throws {
    let result = try CommandProcess(
      script: #"export KEY="$(printf '\377\376')"; printf abc | "$SIGV4" hmac --key-variable KEY"#)
    let expected = "f69d81e34a23610a244ad2192f7c2cfebd15d67c0e672101eb1c86013670222e"
    #expect(result.output == expected + "  -\n", "\(result.errors)")
  }

  @Test("The key of hmac can't be the message too, or empty")
  func wrongKey() throws {
    let folder = try TemporaryFolder()
    let (empty, message) = (try folder.file("empty", ""), try folder.file("message", "abc"))
    for operands in [[], ["-"], [message, "-"]] {
      let result = try CommandProcess(["hmac", "--key-file", "-"] + operands)
      #expect(result.exitCode == 2 && result.output == "")
      #expect(result.errors.contains("both the key and the message"), "\(result.errors)")
    }
    let key = try CommandProcess(["hmac", "--key-file", "-", message], input: "key")
    let file = try CommandProcess(["hmac", "--key-file", folder.file("key", "key"), message])
    #expect(key.output == file.output && key.exitCode == 0)
    let none = try CommandProcess(["hmac", "--key-file", empty, message])
    #expect(none.exitCode == 3 && none.output == "")
    #expect(none.errors.contains("The key is empty."))
    let newline = try CommandProcess(
      ["hmac", "--key-encoding", "hex", "--key-file", folder.file("newline", "\n"), message])
    #expect(newline.exitCode == 3 && newline.output == "")
  }

  #if os(Linux)
    @Test("An endless file is rejected as soon as it's larger than allowed")
    func endless() throws {
      for (command, limit) in [
        ("hmac --key-file /dev/zero /dev/null", "/dev/zero is larger than 1048576 bytes."),
        ("explain --answer /dev/zero s3://bucket/k", "/dev/zero is larger than 1048576 bytes."),
        ("presign --keys /dev/zero s3://bucket", "A line of /dev/zero is larger than 65536 bytes."),
      ] {
        let result = try CommandProcess(script: "timeout 20 \"$SIGV4\" \(command)")
        #expect(result.exitCode == 1 && result.output == "", "\(command)")
        #expect(result.errors.contains(limit), "\(result.errors)")
      }
    }

    @Test("hash ends at the first error of its output")
    func fullDisk() throws {
      let folder = try TemporaryFolder()
      let files = try ["a", "b", "c"].map { "'\(try folder.file($0, $0))'" }
      let result = try CommandProcess(
        script: "\"$SIGV4\" hash \(files.joined(separator: " ")) > /dev/full")
      #expect(result.exitCode == 1)
      // ENOSPC, as strerror(3) describes it.
      #expect(
        result.errors == "sigv4: Can't write to standard output: No space left on device. "
          + "Check the free disk space, and the command that reads it, if any.\n")
    }
  #endif
}
