// SPDX-License-Identifier: Apache-2.0
// Credential files: reads a whole file, and replaces it atomically.

internal import CredentialProviders

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads and replaces small files.
enum SmallFile {
  /// 8 MiB, more than any credentials file.
  static let maximumByteCount = 8_388_608

  /// Reads a file, or a pipe until it's closed. Returns nil if the file doesn't exist or is a
  /// directory. Throws `invalidFile`, also if nothing is written to a pipe within the limit.
  static func bytes(
    of path: String, within limit: Duration = .seconds(60)
  ) throws(CredentialError) -> [UInt8]? {
    // O_NONBLOCK, because opening a pipe that no other process opens would block forever.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 && [ENOENT, ENOTDIR, EISDIR].contains(errno) { return nil }
    if descriptor < 0 { throw unreadable(path, errno) }
    defer { close(descriptor) }
    // Linux waits for the first writer of a named pipe, too.
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var bytes: [UInt8] = []
    var portion = [UInt8](repeating: 0, count: 16_384)
    while bytes.count <= maximumByteCount {
      let readyCount = unsafe poll(&entry, 1, Int32(limit / .milliseconds(1)))
      if readyCount == 0 {
        throw unreadable(path, "no data within \(limit)", fix: "Check what writes to this pipe.")
      }
      let count = readyCount < 0 ? -1 : readBytes(descriptor, into: &portion)
      if count == 0 { return bytes }
      if count < 0 && errno == EISDIR { return nil }
      if count < 0 && ![EAGAIN, EINTR].contains(errno) {
        throw unreadable(path, errno)
      }
      bytes += portion[..<max(count, 0)]
    }
    throw CredentialError(
      .invalidFile,
      "\(path) is larger than \(maximumByteCount) bytes, so it can't be a credentials file.",
      fix: "Check the path.")
  }

  private static func unreadable(_ path: String, _ number: Int32) -> CredentialError {
    let failure = FileFailure(number, .read)
    return unreadable(path, failure.reason, fix: failure.fix)
  }

  private static func unreadable(
    _ path: String, _ reason: String, fix: String
  ) -> CredentialError {
    CredentialError(.invalidFile, "\(path) can't be read (\(reason)).", fix: fix)
  }

  /// Replaces a file: writes a new one next to it, readable only by its owner, and renames it. If
  /// the path is a symbolic link, its target is replaced.
  static func replace(_ path: String, with bytes: [UInt8]) throws(CredentialError) {
    let path = target(of: path)
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let folder = path.dropLast(name.count)
    makeFolders(on: folder)
    let part = folder + ".\(name).\(UInt64.random(in: 0 ... .max))"
    let number = write(bytes, to: String(part))
    if unsafe number == 0 && rename(String(part), path) == 0 { return }
    let failure = FileFailure(number == 0 ? errno : number, .write)
    _ = unsafe unlink(String(part))
    throw CredentialError(
      .invalidFile, "\(path) can't be written (\(failure.reason)).", fix: failure.fix)
  }

  /// The target of a symbolic link, even if it doesn't exist, or the path itself if it isn't a
  /// link. For circular links, the result is a path that can't be written.
  private static func target(of path: String) -> String {
    var path = path
    // Linux follows up to 40 links (path_resolution(7)).
    for _ in 0..<40 {
      guard let link = destination(of: path) else { return path }
      let folder = path.dropLast((path.split(separator: "/").last ?? "").count)
      path = link.hasPrefix("/") ? link : folder + link
    }
    return path + "/"
  }

  /// The content of a symbolic link, or nil if the path isn't a link.
  private static func destination(of path: String) -> String? {
    var text = [CChar](repeating: 0, count: 4_096)
    // Safety: readlink() writes at most the passed count.
    let count = unsafe readlink(path, &text, text.count)
    return count > 0
      ? String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }

  /// Creates missing directories. If that fails, opening the file fails later.
  private static func makeFolders(on folder: Substring) {
    for end in folder.indices where folder[end] == "/" && end != folder.startIndex {
      _ = unsafe mkdir(String(folder[..<end]), 0o700)
    }
  }

  /// Writes a new file. Returns 0 or the error number.
  private static func write(_ bytes: [UInt8], to path: String) -> Int32 {
    // open() sets the mode, so that the file is never readable by others.
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor < 0 { return errno }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = writeBytes(descriptor, rest)
      if count < 0 && errno != EINTR { return errno }
      rest = rest.dropFirst(max(count, 0))
    }
    // Flush it to disk before it replaces the old file.
    return fsync(descriptor) == 0 ? 0 : errno
  }
}

/// Reads available bytes. Returns their number, 0 at the end, or -1 for an error.
func readBytes(_ descriptor: Int32, into portion: inout [UInt8]) -> Int {
  unsafe portion.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
}

/// Writes some of the bytes. Returns their number, or -1 for an error.
private func writeBytes(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
  unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
}
