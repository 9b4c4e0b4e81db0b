// SPDX-License-Identifier: Apache-2.0
// What credential providers may use of this process: its files, its network and its clock.

public import CredentialProviders
internal import Foundation
internal import POSIXCredentialSources
internal import RequestSigning

extension CredentialSources {
  /// What this process has: environment, files and programs, HTTP through URLSession, and the system's
  /// clock.
  ///
  /// Addresses of this machine and of its link are never asked through a proxy, which would learn the
  /// credentials: what needs no TLS there is asked over a socket (``CredentialSources/posix``).
  ///
  /// A program has 60 seconds. Files above 8 MiB are refused, and so are programs on iOS and its kin.
  public static var process: CredentialSources {
    var sources = CredentialSources { ProcessSources.now() }
    sources.variable = { ProcessInfo.processInfo.environment[$0] }
    sources.homeFolder = { NSHomeDirectory() }
    sources.file = { (path) throws(CredentialError) in try ProcessSources.file(path) }
    sources.replaceFile = { (path, bytes) throws(CredentialError) in
      try ProcessSources.replaceFile(path, bytes)
    }
    let exchange = URLSessionExchange()
    sources.http = { (request) async throws(CredentialError) in
      if request.isNear { return try await NearExchange.response(to: request) }
      return try await exchange.response(to: request)
    }
    sources.wait = { (duration) async throws(CredentialError) in
      try await ProcessSources.wait(duration)
    }
    #if !canImport(Darwin) || os(macOS)
      sources.run = { (command) async throws(CredentialError) in
        try await ProcessSources.run(command, limit: .seconds(60))
      }
    #endif
    return sources
  }
}

extension RefreshingCredentialProvider {
  /// A provider that keeps the credentials of a source, by the system's clock.
  ///
  ///     let provider = RefreshingCredentialProvider(DefaultCredentialProvider(sources: .process))
  ///
  /// Without a schedule the early refresh begins at a random moment 15 to 20 minutes before the end, so
  /// that many machines that started at once do not ask at once.
  public init(
    _ source: any CredentialProvider,
    schedule: Schedule = Schedule(advisory: .random(in: 900...1_200))
  ) {
    self.init(source, schedule: schedule, now: { ProcessSources.now() })
  }
}

extension URL {
  fileprivate var isFolder: Bool {
    (try? resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory
      ?? false
  }
}

enum ProcessSources {
  /// The time; a clock outside of the years 1 to 9999 counts as one that was never set.
  static func now() -> SigV4.Timestamp { (try? SigV4.Timestamp(Date())) ?? .unixEpoch }

  static func file(_ path: String) throws(CredentialError) -> [UInt8]? {
    let url = URL(fileURLWithPath: path)
    if !FileManager.default.fileExists(atPath: path) || url.isFolder { return nil }
    let bytes: Data
    do {
      let handle = try FileHandle(forReadingFrom: url)
      bytes = try handle.read(upToCount: maximumFileByteCount + 1) ?? Data()
    } catch {
      throw CredentialError(
        .invalidFile,
        "\(path) cannot be read (\(error.localizedDescription)); make sure that it is a file and may be "
          + "read")
    }
    if bytes.count > maximumFileByteCount {
      throw CredentialError(
        .invalidFile,
        "\(path) has more than \(maximumFileByteCount) bytes, too many for a file of credentials")
    }
    return Array(bytes)
  }

  /// Written beside its place, readable by its owner only, and then renamed.
  static func replaceFile(_ path: String, _ bytes: [UInt8]) throws(CredentialError) {
    let target = URL(fileURLWithPath: path)
    let folder = target.deletingLastPathComponent()
    let part = folder.appendingPathComponent(
      ".\(target.lastPathComponent).\(UUID().uuidString)"
    ).path
    let files = FileManager.default
    do {
      try files.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      // The mode is that of the file from the first moment on.
      let descriptor = unsafe open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try handle.write(contentsOf: Data(bytes))
      // On the disk before it takes the old one's place.
      try handle.synchronize()
      try handle.close()
      if !FileMove.rename(URL(fileURLWithPath: part), target) {
        throw CocoaError(.fileWriteUnknown)
      }
    } catch {
      try? files.removeItem(atPath: part)
      throw CredentialError(
        .invalidFile,
        "\(path) cannot be written (\(error.localizedDescription)); make sure that its folder can be "
          + "written to")
    }
  }

  static func wait(_ duration: Duration) async throws(CredentialError) {
    do {
      try await Task.sleep(for: duration.bounded)
    } catch {
      throw CredentialError(.cancelled, "the wait for credentials was cancelled")
    }
  }

  #if !canImport(Darwin) || os(macOS)
    static func run(
      _ command: [String], limit: Duration
    ) async throws(CredentialError) -> [UInt8] {
      guard let name = command.first, !name.isEmpty else {
        throw CredentialError(.invalidConfiguration, "the command is empty; name a program")
      }
      guard let executable = executable(name) else {
        throw CredentialError(
          .refused,
          "the program \(name) is not found, or not executable; give its whole path, or add its folder "
            + "to PATH")
      }
      let run = ProgramRun(name, limit: limit)
      return try await run.output(of: executable, Array(command.dropFirst()))
    }

    /// The file of a program: its name when that is a path, otherwise in the first folder of PATH.
    static func executable(
      _ name: String, path: String? = ProcessInfo.processInfo.environment["PATH"]
    ) -> URL? {
      if name.contains("/") { return isProgram(name) ? URL(fileURLWithPath: name) : nil }
      let paths = (path ?? "/usr/bin:/bin").split(separator: ":").map { $0 + "/" + name }
      return paths.first(where: isProgram).map { URL(fileURLWithPath: $0) }
    }

    /// A file that may be executed. (Folders may be, too.)
    private static func isProgram(_ path: String) -> Bool {
      let files = FileManager.default
      var isFolder: ObjCBool = false
      return unsafe files.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        && files.isExecutableFile(atPath: path)
    }
  #endif

  private static let maximumFileByteCount = 8_388_608
}
