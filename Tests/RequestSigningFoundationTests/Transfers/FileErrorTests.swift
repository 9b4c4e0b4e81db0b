// SPDX-License-Identifier: Apache-2.0
// Errors of files name their cause: permission, limits and full disks.

internal import CredentialProviders
internal import Foundation
internal import POSIXCredentialSources
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct FileErrorTests {
  // errno(3), and the words of glibc's strerror(3).
  @Test(
    "Each cause has its own fix, and reading differs from writing",
    arguments: [
      (EMFILE, "Too many open files", "ulimit -n", "ulimit -n"),
      (ENFILE, "Too many open files in system", "ulimit -n", "ulimit -n"),
      (ENOSPC, "No space left on device", "Free space", "Free space"),
      (EDQUOT, "Disk quota exceeded", "Free space", "Free space"),
      (EFBIG, "File too large", "ulimit -f", "ulimit -f"),
      (EACCES, "Permission denied", "permission to read", "permission to write"),
      (EPERM, "Operation not permitted", "permission to read", "permission to write"),
      (EROFS, "Read-only file system", "Check the file", "permission to write"),
      (ENOENT, "No such file or directory", "a file that exists", "a directory that exists"),
      (ENOTDIR, "Not a directory", "a file that exists", "a directory that exists"),
      (EISDIR, "Is a directory", "the path of a file", "the path of a file"),
      (EIO, "Input/output error", "the disk", "the disk"),
      (ELOOP, "Too many levels of symbolic links", "Check the file", "Check the directory"),
    ])
  func causes(number: Int32, reason: String, read: String, write: String) {
    #if os(Linux)
      #expect(FileFailure(number, .read).reason == reason)
    #endif
    let errors = [
      NSError(domain: NSPOSIXErrorDomain, code: Int(number)),
      NSError(
        domain: NSCocoaErrorDomain, code: 256,
        userInfo: [NSUnderlyingErrorKey: POSIXError(.init(rawValue: number) ?? .EPERM)]),
    ]
    for error in errors {
      let unreadable = TransferError.unreadable("/a", error)
      #expect(unreadable.problem == "/a can't be read (\(FileFailure(number, .read).reason)).")
      #expect(unreadable.fix.contains(read))
      let unwritable = TransferError.unwritable(URL(fileURLWithPath: "/a"), error)
      #expect(unwritable.problem == "/a can't be written (\(FileFailure(number, .read).reason)).")
      #expect(unwritable.fix.contains(write))
    }
  }

  @Test("An error of Foundation without a number isn't a success")
  func unknown() {
    let error = TransferError.unreadable("/a", CocoaError(.fileReadUnknown))
    #expect(error.message == "/a can't be read (unknown error). Check the file.")
  }

  #if os(Linux)
    /// The messages of everything that opens a file.
    @Sendable static func messages(
      reading file: URL, writing target: URL, _ server: LoopbackServer
    ) async throws -> [String] {
      let object = try server.bucket().object("film.mov")
      let session = object.bucket.session(
        credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"))
      let put = try object.putRequest(.empty)
      let calls: [@Sendable () async throws -> Void] = [
        { try await session.upload(file, to: object) },
        { _ = try await session.send(put, body: .file(file)) },
        { _ = try await session.send(put, body: .file(file, payload: .unsigned)) },
        { _ = try await session.send(put, body: .file(file, payload: .signedChunks())) },
        { _ = try SigV4.Payload.file(file) },
        { _ = try CredentialSources.process.file(file.path) },
        { try await session.download(object, to: target) },
        { try CredentialSources.process.replaceFile(target.path, [1]) },
      ]
      var messages: [String] = []
      for call in calls {
        do {
          try await call()
          messages.append("no error")
        } catch { messages.append("\(error)") }
      }
      return messages
    }

    /// In separate processes, because their limits change. At the end, they can remove their files.
    @Test("Too many open files is the cause, not a missing file")
    func descriptors() async {
      await #expect(processExitsWith: .success) {
        let (server, folder) = (try LoopbackServer(.init(body: "abc")), try TemporaryFolder())
        let file = try folder.zeros(10)
        let target = folder.url.appendingPathComponent("target")
        var opened: [Int32] = []
        while opened.last != -1 { opened.append(unsafe open("/dev/null", O_RDONLY)) }
        let messages = try await FileErrorTests.messages(reading: file, writing: target, server)
        for descriptor in opened { close(descriptor) }
        #expect(messages.count == 8)
        for message in messages {
          #expect(message.hasPrefix("invalidFile: "))
          #expect(message.contains("(Too many open files). Open fewer files"))
        }
      }
    }

    @Test("Without permission, that's the cause")
    func permission() async {
      await #expect(processExitsWith: .success) {
        let (server, folder) = (try LoopbackServer(.init(body: "abc")), try TemporaryFolder())
        let file = try folder.zeros(10)
        let closed = folder.url.appendingPathComponent("closed")
        try FileManager.default.createDirectory(at: closed, withIntermediateDirectories: false)
        try #require(unsafe chmod(file.path, 0) == 0 && chmod(closed.path, 0o555) == 0)
        // URLSession needs it. It traps if the program's directory can't be found later.
        _ = Bundle.main
        // An administrator may read and write everything, and the user 65534 nothing.
        let user = geteuid()
        try #require(user != 0 || seteuid(65_534) == 0)
        let target = closed.appendingPathComponent("target")
        let messages = try await FileErrorTests.messages(reading: file, writing: target, server)
        try #require(seteuid(user) == 0)
        #expect(messages.count == 8)
        for message in messages.prefix(6) {
          #expect(
            message.contains("(Permission denied). Use a file that you have permission to read"))
        }
        for message in messages.suffix(2) {
          #expect(
            message.contains(
              "(Permission denied). Use a directory that you have permission to write"))
        }
      }
    }

    @Test("A disk that takes only half of a download is the cause, and nothing remains")
    func full() async {
      await #expect(processExitsWith: .success) {
        let (server, folder) = (try LoopbackServer(.init(zeros: 400_000)), try TemporaryFolder())
        // A limit of the process instead of a full disk: setrlimit(2), RLIMIT_FSIZE.
        var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
        let isSet = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        try #require(isSet == 0)
        _ = signal(SIGXFSZ, SIG_IGN)
        let session = SigningSession(
          credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
          region: "us-east-1", service: .s3)
        let target = folder.url.appendingPathComponent("target")
        let error = await #expect(throws: TransferError.self) {
          try await session.download(server.bucket().object("film.mov"), to: target)
        }
        let words = "\(target.path) can't be written (File too large). "
        #expect(error?.message.contains(words) == true && error?.fix.contains("ulimit -f") == true)
        let rest = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(rest == [])
      }
    }
  #endif
}
