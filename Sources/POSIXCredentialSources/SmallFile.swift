// SPDX-License-Identifier: Apache-2.0
// Files of credentials: read as a whole, and replaced in one step.

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

/// Small files.
enum SmallFile {
  /// More than any file of credentials has: 8 MiB.
  static let maximumByteCount = 8_388_608

  /// The bytes of a file; nil when it does not exist or is a folder. Throws `invalidFile`.
  static func bytes(of path: String) throws(CredentialError) -> [UInt8]? {
    // Not a pipe that no other process opens: that would wait for ever.
    // Safety: a path is passed as a C string for the call only.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 && [ENOENT, ENOTDIR, EISDIR].contains(errno) { return nil }
    if descriptor < 0 { throw unreadable(path, errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var portion = [UInt8](repeating: 0, count: 16_384)
    while bytes.count <= maximumByteCount {
      let count = readBytes(descriptor, into: &portion)
      if count == 0 { return bytes }
      if count < 0 && errno == EISDIR { return nil }
      if count < 0 && errno != EINTR { throw unreadable(path, errno) }
      bytes += portion[..<max(count, 0)]
    }
    throw CredentialError(
      .invalidFile,
      "\(path) is larger than \(maximumByteCount) bytes, so it can't be a credentials file.",
      fix: "Check the path.")
  }

  private static func unreadable(_ path: String, _ number: Int32) -> CredentialError {
    CredentialError(
      .invalidFile,
      "\(path) can't be read (\(SystemFacts.reason(number))).",
      fix: "Check that it's a file and that you have permission to read it.")
  }

  /// Replaces a file: written beside its place, readable by its owner only, and then renamed. A symbolic link
  /// stays, and what it leads to is replaced.
  static func replace(_ path: String, with bytes: [UInt8]) throws(CredentialError) {
    let path = target(of: path)
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let folder = path.dropLast(name.count)
    makeFolders(on: folder)
    let part = folder + ".\(name).\(UInt64.random(in: 0 ... .max))"
    let number = write(bytes, to: String(part))
    // Safety: both paths live as long as the call.
    if unsafe number == 0 && rename(String(part), path) == 0 { return }
    let reason = SystemFacts.reason(number == 0 ? errno : number)
    _ = unsafe unlink(String(part))
    throw CredentialError(
      .invalidFile,
      "\(path) can't be written (\(reason)).", fix: "Check that its directory is writable.")
  }

  /// Where a symbolic link leads, also to a file that does not exist; the path itself when it is none. Links in
  /// a circle stay links, and a file cannot be written beside one.
  private static func target(of path: String) -> String {
    var path = path
    // Linux follows 40 (path_resolution(7)).
    for _ in 0..<40 {
      guard let link = destination(of: path) else { return path }
      let folder = path.dropLast((path.split(separator: "/").last ?? "").count)
      path = link.hasPrefix("/") ? link : folder + link
    }
    return path + "/"
  }

  /// What a symbolic link holds; nil for what is none.
  private static func destination(of path: String) -> String? {
    var text = [CChar](repeating: 0, count: 4_096)
    // Safety: as many bytes are written as the count says, at most.
    let count = unsafe readlink(path, &text, text.count)
    return count > 0
      ? String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }

  /// Makes the folders that are missing. A failure shows when the file is opened.
  private static func makeFolders(on folder: Substring) {
    for end in folder.indices where folder[end] == "/" && end != folder.startIndex {
      _ = unsafe mkdir(String(folder[..<end]), 0o700)
    }
  }

  /// Writes a new file, and gives the number of the error, or 0.
  private static func write(_ bytes: [UInt8], to path: String) -> Int32 {
    // The mode is that of the file from the first moment on.
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor < 0 { return errno }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = writeBytes(descriptor, rest)
      if count < 0 && errno != EINTR { return errno }
      rest = rest.dropFirst(max(count, 0))
    }
    // On the disk before it takes the old one's place.
    return fsync(descriptor) == 0 ? 0 : errno
  }
}

/// Reads what there is, and gives how many bytes; 0 at the end, and -1 for an error.
func readBytes(_ descriptor: Int32, into portion: inout [UInt8]) -> Int {
  // Safety: the portion has as many bytes as its count says.
  unsafe portion.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
}

/// Writes some of the bytes, and gives how many; -1 for an error.
private func writeBytes(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
  // Safety: the bytes are used during the call only.
  unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
}
