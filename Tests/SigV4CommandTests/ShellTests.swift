// SPDX-License-Identifier: Apache-2.0
// Closed streams, bytes that aren't UTF-8, and keys, as a shell passes them to the command.

internal import Foundation
internal import SigningTestSupport
import Testing

@Suite("sigv4 in a shell")
struct ShellTests {
  @Test("Notes that can't be written don't change the output and the exit code")
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
}
