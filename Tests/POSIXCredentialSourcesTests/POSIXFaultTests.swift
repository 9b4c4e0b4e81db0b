// SPDX-License-Identifier: Apache-2.0
// Links and folders in the place of files, addresses that are wrong, and descriptors that programs inherit.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import SigningTestSupport
import Testing

@testable internal import POSIXCredentialSources

@Suite("Files, addresses and descriptors of the C library")
struct POSIXFaultTests {
  let sources = CredentialSources.posix

  private let temporary: TemporaryFolder
  private var folder: URL { temporary.url }

  init() throws { temporary = try TemporaryFolder() }

  @Test("A file that's a symbolic link is written through: the link stays, and its target is new")
  func symbolicLinks() throws {
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: path(name), withDestinationPath: target)
    }
    func target(of name: String) throws -> String {
      try FileManager.default.destinationOfSymbolicLink(atPath: path(name))
    }
    try sources.replaceFile(path("store/token.json"), Array("old".utf8))
    for (name, destination) in [
      ("relative", "store/token.json"), ("absolute", path("store/token.json")),
      ("chain", "relative"), ("store/up", "../chain"), ("dots", "./store/../store//token.json"),
    ] {
      try link(name, to: destination)
      try sources.replaceFile(path(name), Array(name.utf8))
      #expect(try target(of: name) == destination)
      #expect(try sources.file(path("store/token.json")) == Array(name.utf8), "\(name)")
      let attributes = try FileManager.default.attributesOfItem(atPath: path("store/token.json"))
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }
    // A target that doesn't exist yet, in a folder that doesn't.
    try link("dangling", to: "new/folder/token.json")
    try sources.replaceFile(path("dangling"), Array("dangling".utf8))
    #expect(try sources.file(path("new/folder/token.json")) == Array("dangling".utf8))
    #expect(try target(of: "dangling") == "new/folder/token.json")
    // A link to itself leads nowhere, and stays.
    try link("loop", to: "loop")
    let error = #expect(throws: CredentialError.self) {
      try sources.replaceFile(path("loop"), [1])
    }
    #expect(error?.code == .invalidFile)
    #expect(try target(of: "loop") == "loop")
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
        $0.split(separator: "/").last?.hasPrefix(".") == true
      } == [])
  }

  @Test(
    "A wrong address is reported, and TLS isn't blamed",
    arguments: [
      ("http://169.253.169.254/", "this machine and its link"),
      ("http://metadata.internal/", "this machine and its link"),
      ("http://127.0.0.1:x/", "isn't a valid URL"),
      ("http://127.0.0.1:65536/", "isn't a valid URL"),
      ("http://[::1/", "isn't a valid URL"), ("http:///latest", "isn't a valid URL"),
      ("http://127.0.0.1/#a", "isn't a valid URL"), ("http://127.0.0.1/a b", "isn't a valid URL"),
      ("ftp://127.0.0.1/", "isn't a valid URL"), ("127.0.0.1", "isn't a valid URL"),
      ("", "isn't a valid URL"),
    ])
  func wrongAddress(url: String, words: String) async throws {
    let error = await #expect(throws: CredentialError.self) {
      try await sources.http(SigV4.HTTPRequest("GET", url, timeout: .seconds(1)))
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    #expect(error?.message.contains("TLS") == false)
  }

  /// A directory isn't a file, as in Python's `os.path.isfile`, so it isn't reported as missing.
  @Test("A directory instead of a file is reported as one")
  func folderInPlaceOfFile() async throws {
    let start = folder.appendingPathComponent(
      // printf s | sha1sum
      ".aws/sso/cache/a0f1490a20d0211c997b44bc357e1972deab8ae3.json")
    let login = folder.appendingPathComponent(
      // printf me | sha256sum
      ".aws/login/cache/2744ccd10c7533bd736ad890f9dd5cab2adb27b07d500b9493f29cdc420cb2e0.json")
    for path in [start, login] {
      try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    }
    var sources = sources
    let variables = [
      "HOME": folder.path, "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1/",
      "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": folder.path,
    ]
    sources.variable = { variables[$0] }
    let providers: [any CredentialResolver] = [
      ContainerProvider(sources: sources),
      try WebIdentityProvider(
        roleARN: "arn:aws:iam::123456789012:role/demo", tokenFile: folder.path, endpoint: .global,
        sources: sources),
      try SSOProvider(
        startURL: "https://d.awsapps.com/start", session: "s", region: "eu-west-1",
        accountID: "123456789012", roleName: "r", sources: sources),
      LoginProvider(session: "me", settings: ServiceSettings(), sources: sources),
    ]
    for provider in providers {
      let error = await #expect(throws: CredentialError.self) { try await provider.credentials() }
      #expect(error?.message.contains("is a directory") == true, "\(String(describing: error))")
      #expect(error?.message.contains("does not exist") == false)
    }
  }

  #if os(Linux)
    /// In a separate process, because sockets of other tests have their own flags.
    @Test("No socket is ever there without FD_CLOEXEC, so that no program inherits it")
    func closeOnExec() async {
      await #expect(processExitsWith: .success) {
        let ended = Guarded(false)
        let exposed = Guarded(0)
        let watching = Thread {
          var flags: [Int32] = []
          while !ended.withLock(\.self) {
            for descriptor in Int32(3)..<24 {
              let flag = fcntl(descriptor, F_GETFD)
              if flag >= 0 && flag & FD_CLOEXEC == 0 { flags.append(descriptor) }
            }
            let count = flags.count
            if count > 0 { exposed.withLock { $0 += count } }
            flags = []
          }
        }
        // The limits that the process starts with.
        for descriptor in Int32(3)..<24 where fcntl(descriptor, F_GETFD) >= 0 {
          _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        watching.start()
        let deadline = Deadline(end: .now + .seconds(60), isCancelled: CancellationFlag(false))
        for _ in 0..<4_000 {
          // Port 1 (tcpmux) has no server.
          for address in NearAddress.addresses(of: "127.0.0.1") {
            _ = try? Socket(to: address, port: 1, deadline)
          }
        }
        ended.withLock { $0 = true }
        exit(exposed.withLock(\.self) == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
      }
    }
  #endif
}
