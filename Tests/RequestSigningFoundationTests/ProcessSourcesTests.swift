// SPDX-License-Identifier: Apache-2.0
// What credential providers may use of this process: variables, files, programs and the clock.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct ProcessSourcesTests {
  let sources = CredentialSources.process

  @Test("Variables are those of this process, and the clock is the system's")
  func environment() throws {
    #expect(sources.variable("PATH") == ProcessInfo.processInfo.environment["PATH"])
    #expect(sources.variable("SIGV4_TESTS_NEVER_SET_THIS") == nil)
    #expect(abs(Double(sources.now().unixSeconds) - Date().timeIntervalSince1970) < 60)
  }

  @Test("The home folder is that of the user, and a folder")
  func homeFolder() throws {
    let values = try URL(fileURLWithPath: #require(sources.homeFolder()))
      .resourceValues(forKeys: [.isDirectoryKey])
    #expect(values.isDirectory == true)
  }

  @Test("A file is read, a missing one and a folder are nothing")
  func files() throws {
    let folder = try TemporaryFolder()
    let path = folder.location.appendingPathComponent("a/b/config").path
    #expect(try sources.file(path) == nil)
    try sources.replaceFile(path, Array("one".utf8))
    #expect(try sources.file(path) == Array("one".utf8))
    try sources.replaceFile(path, [])
    #expect(try sources.file(path) == [])
    // Python's os.path.isfile, which botocore asks before it opens a file.
    #expect(try sources.file(folder.location.path) == nil)
    let large = try folder.zeros(8_388_609)
    #expect(throws: CredentialError.self) { try sources.file(large.path) }
  }

  @Test("A written file is its owner's only, and nothing stays beside it")
  func permissions() throws {
    let folder = try TemporaryFolder()
    let file = folder.location.appendingPathComponent("token.json")
    try Data("old".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    try sources.replaceFile(file.path, Array("new".utf8))
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(try Data(contentsOf: file) == Data("new".utf8))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.location.path) == ["token.json"])
    let error = #expect(throws: CredentialError.self) {
      try sources.replaceFile(file.path + "/below", [])
    }
    #expect(error?.code == .invalidFile)
  }

  @Test("A program gets its arguments as they are, and its output comes back")
  func output() async throws {
    #expect(
      try await sources.run(["printf", "%s|", "a b", "$HOME", "*"]) == Array("a b|$HOME|*|".utf8))
    #expect(try await sources.run(["/bin/sh", "-c", "exec cat"]) == [])
    #expect(
      try await sources.run(["head", "-c", "1048576", "/dev/zero"]).count == 1_048_576)
  }

  @Test(
    "A program that fails, is missing or writes too much is refused",
    arguments: [
      (["sh", "-c", "echo secret; exit 3"], CredentialError.Code.refused),
      (["sh", "-c", "kill -9 $$"], .refused),
      (["sigv4-tests-no-such-program"], .refused), (["/etc/hostname"], .refused), (["/"], .refused),
      ([], .invalidConfiguration), ([""], .invalidConfiguration),
      (["head", "-c", "1048577", "/dev/zero"], .invalidAnswer),
    ])
  func refusals(command: [String], code: CredentialError.Code) async throws {
    let error = await #expect(throws: CredentialError.self) { try await sources.run(command) }
    #expect(error?.code == code)
    #expect(error?.message.contains("secret") == false)
  }

  @Test("A program that does not end is ended, and so is a child that it leaves behind")
  func timeout() async throws {
    let error = await #expect(throws: CredentialError.self) {
      try await ProcessSources.run(["sleep", "600"], limit: .seconds(0.3))
    }
    #expect(error?.code == .timedOut)
    // Outside of Apple's platforms Foundation takes a program for running as long as its child does.
    let folder = try TemporaryFolder()
    let mark = folder.location.appendingPathComponent("identifier")
    _ = try? await ProcessSources.run(
      ["sh", "-c", "sleep 600 & echo $! > '\(mark.path)'"], limit: .seconds(1))
    let child = try #require(Int32(try String(contentsOf: mark, encoding: .utf8).dropLast()))
    var rounds = 0
    while isRunning(child) && rounds < 250 {
      try await Task.sleep(for: .milliseconds(20))
      rounds += 1
    }
    #expect(!isRunning(child))
    kill(child, SIGKILL)
  }

  /// Whether there is such a process, and not only its exit status that nothing has asked for.
  func isRunning(_ identifier: Int32) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
    return kill(identifier, 0) == 0 && status?.contains(") Z ") != true
  }

  @Test("A folder in PATH that has the name of a program is not a program")
  func folderInPath() throws {
    let folder = try TemporaryFolder()
    let paths = ["first/helper", "second"].map { folder.location.appendingPathComponent($0).path }
    for path in paths {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: nil)
    }
    let path = folder.location.path + "/first:" + folder.location.path + "/second"
    #expect(ProcessSources.executable("helper", path: path) == nil)
    let program = paths[1] + "/helper"
    #expect(
      FileManager.default.createFile(
        atPath: program, contents: Data("#!/bin/sh\n".utf8),
        attributes: [.posixPermissions: 0o755]))
    #expect(ProcessSources.executable("helper", path: path)?.path == program)
    #expect(ProcessSources.executable(paths[0]) == nil)
  }

  @Test("A cancelled caller gets its cancellation at once, and its program ends")
  func cancellation() async throws {
    let folder = try TemporaryFolder()
    let mark = folder.location.appendingPathComponent("identifier")
    let task = Task { [sources] in
      try await sources.run(["sh", "-c", "echo $$ > '\(mark.path)'; exec sleep 600"])
    }
    var identifier: Int32?
    while identifier == nil {
      try await Task.sleep(for: .milliseconds(20))
      let text = (try? String(contentsOf: mark, encoding: .utf8)) ?? ""
      identifier = text.hasSuffix("\n") ? Int32(text.dropLast()) : nil
    }
    task.cancel()
    let error = await #expect(throws: CredentialError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    while let identifier, kill(identifier, 0) == 0 {
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  @Test("A wait ends when it is cancelled, and takes any number", arguments: [0, -1, 0.01])
  func wait(seconds: Double) async throws {
    try await sources.wait(.seconds(seconds))
    let task = Task { [sources] in try await sources.wait(.seconds(Int64.max)) }
    task.cancel()
    let error = await #expect(throws: CredentialError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }
}
