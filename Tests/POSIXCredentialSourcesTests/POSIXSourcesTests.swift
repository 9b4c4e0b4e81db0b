// SPDX-License-Identifier: Apache-2.0
// What credential providers may use of this process by way of the C library.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
import Testing

@testable internal import POSIXCredentialSources
internal import SigningTestSupport

@Suite("Sources of the C library")
struct POSIXSourcesTests {
  let sources = CredentialSources.posix

  private let temporary: TemporaryFolder
  private var folder: URL { temporary.url }

  init() throws { temporary = try TemporaryFolder() }

  @Test("Variables, the clock and the home folder come from this process")
  func facts() throws {
    #expect(sources.variable("PATH") == ProcessInfo.processInfo.environment["PATH"])
    #expect(sources.variable("SIGV4_TESTS_NEVER_SET_THIS") == nil)
    #expect(abs(Double(sources.now().unixSeconds) - Date().timeIntervalSince1970) < 60)
    let home = URL(fileURLWithPath: try #require(sources.homeFolder()))
    #expect(try home.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true)
  }

  /// passwd(5); the first line for a user counts, as for getpwuid(3).
  @Test("The home folder is in the user's line")
  func homeFolder() {
    let lines = Array(
      "+::::::\nroot:x:0:0:root:/root:/bin/sh\na:x:10:1000:A, B:/home/a:\nb:x:10:1::/b:\nc:x:1:1:::\n"
        .utf8)
    for (user, folder) in [(0, "/root"), (10, "/home/a"), (1, nil), (1000, nil)]
      as [(UInt32, String?)]
    {
      #expect(SystemFacts.homeFolder(of: user, in: lines) == folder)
    }
  }

  #if !os(tvOS) && !os(watchOS)
    @Test("The status of a process is known to the first who waits for it, and unknown afterward")
    func unknownStatus() throws {
      let process = try ChildProcess.spawn(["sh", "-c", "exit 7"], [(0, nil)])
      #expect(ChildProcess.wait(for: process) == 7 << 8)
      #expect(ChildProcess.wait(for: process) == nil)
    }
  #endif

  @Test("A file is read, and a missing file or a folder is nil")
  func files() throws {
    let path = folder.appendingPathComponent("a/b/config").path
    #expect(try sources.file(path) == nil)
    try sources.replaceFile(path, Array("one".utf8))
    #expect(try sources.file(path) == Array("one".utf8))
    #expect(try sources.file(path + "/below") == nil)
    try sources.replaceFile(path, [])
    #expect(try sources.file(path) == [])
    #expect(try sources.file(folder.path) == nil)
    let large = [UInt8](repeating: 0x61, count: 8_388_609)
    try sources.replaceFile(path, large)
    let error = #expect(throws: CredentialError.self) { try sources.file(path) }
    #expect(error?.code == .invalidFile)
    try sources.replaceFile(path, large.dropLast())
    #expect(try sources.file(path)?.count == 8_388_608)
  }

  // Darwin reports the end of a named pipe before its first writer opens it.
  #if os(Linux)
    @Test("A pipe is read until its writer closes it, even if the writer is late")
    func latePipe() throws {
      let named = folder.appendingPathComponent("pipe").path
      #expect(unsafe mkfifo(named, 0o600) == 0)
      // Opening it for writing waits for the reader.
      let write: @Sendable (_ open: @Sendable () -> FileHandle?) -> Void = { open in
        guard let pipe = open() else { return }
        for text in ["one", "two"] {
          Thread.sleep(forTimeInterval: 0.1)
          try? pipe.write(contentsOf: Data(text.utf8))
        }
        try? pipe.close()
      }
      Thread.detachNewThread { write { FileHandle(forWritingAtPath: named) } }
      #expect(try sources.file(named) == Array("onetwo".utf8))
      // A shell's <(...) is a path of this form.
      let pipe = ProgramStart.alone { Pipe() }
      let end = pipe.fileHandleForWriting
      Thread.detachNewThread { write { end } }
      let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
      #expect(try sources.file(path) == Array("onetwo".utf8))
    }

    @Test("A pipe without data is an error after a limit", arguments: [false, true])
    func silentPipe(isOpen: Bool) throws {
      let named = folder.appendingPathComponent("pipe").path
      #expect(unsafe mkfifo(named, 0o600) == 0)
      let writer = isOpen ? FileHandle(forUpdatingAtPath: named) : nil
      let error = #expect(throws: CredentialError.self) {
        try SmallFile.bytes(of: named, within: .milliseconds(10))
      }
      #expect(error?.code == .invalidFile)
      try writer?.close()
    }
  #endif

  @Test("Only its owner can read a written file, and no temporary file remains")
  func permissions() throws {
    let file = folder.appendingPathComponent("token.json")
    try Data("old".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    try sources.replaceFile(file.path, Array("new".utf8))
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(try Data(contentsOf: file) == Data("new".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["token.json"])
    for path in [file.path + "/below", folder.path, ""] {
      let error = #expect(throws: CredentialError.self) { try sources.replaceFile(path, [1]) }
      #expect(error?.code == .invalidFile, "\(path)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["token.json"])
  }

  @Test("A command gets its arguments unchanged, and its output is returned")
  func output() async throws {
    #expect(
      try await sources.run(["printf", "%s|", "a b", "$HOME", "*"]) == Array("a b|$HOME|*|".utf8))
    #expect(try await sources.run(["/bin/sh", "-c", "exec cat"]) == [])
    #expect(try await sources.run(["head", "-c", "1048576", "/dev/zero"]).count == 1_048_576)
    #expect(try await sources.run(["sh", "-c", "exec >&-; sleep 0.1; exit 0"]) == [])
    #expect(
      try await sources.run(["sh", "-c", "head -c 1000000 /dev/zero >&2; echo a"]) == [97, 10])
  }

  @Test(
    "A program that fails, is missing or writes too much is rejected",
    arguments: [
      (["sh", "-c", "echo secret; exit 3"], CredentialError.Code.accessDenied, "exit code 3"),
      (["sh", "-c", "kill -9 $$"], .accessDenied, "signal 9"),
      // The threads of libdispatch block it.
      (["sh", "-c", "kill -TERM $$; echo not ended"], .accessDenied, "signal 15"),
      (["sigv4-tests-no-such-program"], .accessDenied, "PATH"),
      (["/etc/hostname"], .accessDenied, "Can't run"),
      (["/"], .accessDenied, "Can't run"), (["true", "a\0b"], .accessDenied, "NUL"),
      ([], .invalidConfiguration, "empty"), ([""], .invalidConfiguration, "empty"),
      (["head", "-c", "1048577", "/dev/zero"], .invalidResponse, "1048576"),
      (["yes", "secret"], .invalidResponse, "1048576"),
    ])
  func refusals(command: [String], code: CredentialError.Code, words: String) async throws {
    let error = await #expect(throws: CredentialError.self) { try await sources.run(command) }
    #expect(error?.code == code)
    #expect(error?.message.contains(words) == true)
    #expect(error?.message.contains("secret") == false)
  }

  @Test("The error contains a failed command's standard error, or at least its end")
  func standardError() async throws {
    let short = await #expect(throws: CredentialError.self) {
      try await sources.run(["sh", "-c", "echo 'sign in first' >&2; exit 1"])
    }
    #expect(short?.message.contains("sign in first") == true)
    let long = await #expect(throws: CredentialError.self) {
      try await sources.run(["sh", "-c", "head -c 3000000 /dev/zero >&2; echo the end >&2; exit 1"])
    }
    #expect(long?.message.contains("the end") == true)
    #expect((long?.message.utf8.count ?? 0) < 12_000)
  }

  #if os(Linux)
    /// The limits of descriptors. A process can't raise the hard one.
    private static let limitKind = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
    private static var descriptorLimits: rlimit? {
      var limit = rlimit()
      return unsafe getrlimit(limitKind, &limit) == 0 ? limit : nil
    }

    @Test(
      "A program inherits no descriptor, however high its number",
      .enabled("the hard limit allows numbers above 4,096") {
        Self.descriptorLimits.map { $0.rlim_max > 4_097 } ?? true
      })
    func inherited() async throws {
      let kind = Self.limitKind
      var limit = try #require(Self.descriptorLimits)
      limit.rlim_cur = min(limit.rlim_max, 20_000)
      try #require(unsafe setrlimit(kind, &limit) == 0)
      let number = Int32(limit.rlim_cur) - 1
      try #require(number > 4_096)
      // Without FD_CLOEXEC, as C libraries open them.
      let high = fcntl(0, F_DUPFD, number)
      try #require(high >= number)
      defer { close(high) }
      let output = try await sources.run(["/bin/sh", "-c", "ls /proc/self/fd"])
      let names = String(decoding: output, as: UTF8.self).split(separator: "\n")
      #expect(!names.contains(Substring("\(high)")))
      #expect(names.contains("1"))
    }
  #endif

  @Test("A program that doesn't end is killed with its children")
  func timeout() async throws {
    let mark = folder.appendingPathComponent("identifier").path
    let error = #expect(throws: CredentialError.self) {
      try ChildProcess.output(
        of: ["sh", "-c", "sleep 600 & echo $! > '\(mark)'; wait"], within: .seconds(15),
        CancellationFlag(false))
    }
    #expect(error?.code == .timedOut)
    let child = try #require(Int32(try String(contentsOfFile: mark, encoding: .utf8).dropLast()))
    try await expectEnd(of: child)
  }

  @Test("A command's background process continues, and its output is read when it ends")
  func leftBehind() async throws {
    let start = ContinuousClock.now
    let output = try await sources.run(["sh", "-c", "sleep 600 & echo $!"])
    #expect(ContinuousClock.now - start < .seconds(590))
    let child = try #require(Int32(String(decoding: output.dropLast(), as: UTF8.self)))
    #expect(kill(child, SIGKILL) == 0)
  }

  @Test("A cancelled caller gets its cancellation soon, and its program ends")
  func cancellation() async throws {
    let mark = folder.appendingPathComponent("identifier").path
    let task = Task { [sources] in
      try await sources.run(["sh", "-c", "echo $$ > '\(mark)'; exec sleep 600"])
    }
    var identifier: Int32?
    while identifier == nil {
      try await Task.sleep(for: .milliseconds(20))
      let text = (try? String(contentsOfFile: mark, encoding: .utf8)) ?? ""
      identifier = text.hasSuffix("\n") ? Int32(text.dropLast()) : nil
    }
    task.cancel()
    let error = await #expect(throws: CredentialError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    try await expectEnd(of: try #require(identifier))
  }

  /// Whether the process has ended, even if its exit status is left.
  private func expectEnd(of process: Int32) async throws {
    func isRunning() -> Bool {
      let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return kill(process, 0) == 0 && status?.contains(") Z ") != true
    }
    for _ in 0..<3_000 where isRunning() { try await Task.sleep(for: .milliseconds(20)) }
    #expect(!isRunning())
  }

  @Test("A wait ends when it's cancelled, and accepts any duration", arguments: [0, -1, 0.01])
  func wait(seconds: Double) async throws {
    try await sources.wait(.seconds(seconds))
    let task = Task { [sources] in try await sources.wait(.seconds(Int64.max)) }
    task.cancel()
    let error = await #expect(throws: CredentialError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  /// The sources with other variables. The proxy leads nowhere: port 1 has no server.
  private func sources(_ variables: [String: String]) -> CredentialSources {
    var sources = sources
    let proxies = Dictionary(
      uniqueKeysWithValues: ["http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"].map {
        ($0, "http://127.0.0.1:1")
      })
    let all = variables.merging(proxies) { $1 }.merging(["HOME": "/nonexistent"]) { $1 }
    sources.variable = { all[$0] }
    return sources
  }

  @Test("The roles of containers and instances are found, whatever proxy is set")
  func roles() async throws {
    let container = try sources([
      "AWS_CONTAINER_CREDENTIALS_FULL_URI": NearServer.url("/container"),
      "AWS_CONTAINER_AUTHORIZATION_TOKEN": "container token",
    ])
    let ofContainer = try await DefaultCredentialProvider(sources: container).credentials()
    #expect(ofContainer.credentials.identity.accessKeyID == "ASIACONTAINER")
    let instance = try sources([
      "AWS_EC2_METADATA_SERVICE_ENDPOINT": NearServer.url(""),
      "AWS_METADATA_SERVICE_TIMEOUT": "30",
    ])
    let ofInstance = try await DefaultCredentialProvider(sources: instance).credentials()
    #expect(ofInstance.credentials.identity.accessKeyID == "ASIAINSTANCE")
  }

  @Test("An unreachable metadata service counts as absent")
  func noInstance() async throws {
    let nowhere = try sources([
      "AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://127.0.0.1:\(NearServer.blackHolePort())",
      "AWS_METADATA_SERVICE_TIMEOUT": "0.3",
    ])
    let error = await #expect(throws: CredentialError.self) {
      try await DefaultCredentialProvider(sources: nowhere).credentials()
    }
    #expect(error?.code == .notConfigured)
  }

  @Test("A URL that needs TLS is rejected, with advice")
  func noTLS() async throws {
    let error = await #expect(throws: CredentialError.self) {
      try await sources.http(
        SigV4.HTTPRequest("POST", "https://sts.amazonaws.com/", timeout: .seconds(1)))
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("TLS") == true)
  }
}
