// SPDX-License-Identifier: Apache-2.0
// Files as bodies: checked, read in portions, and hashed.

public import Foundation
public import RequestSigning
internal import POSIXCredentialSources

/// The payload of a file.
extension SigV4.Payload {
  /// Hashes a file now, in constant memory. Send the file unchanged.
  ///
  /// - Throws: `TransferError` with `invalidFile` if it can't be read.
  public static func file(_ file: URL) throws -> SigV4.Payload {
    try Body(file).digest(nil).payload
  }
}

/// Reads a file, or a range of it, in portions. One portion at a time is in memory.
struct FileReader {
  private let handle: FileHandle
  private let path: String
  private var leftByteCount: Int

  /// The size of a portion in bytes. The last one may be smaller.
  static let portionByteCount = 262_144

  /// Opens a file, at the first byte of the range.
  init(_ file: URL, _ range: Range<Int>? = nil) throws(TransferError) {
    try file.checkFile()
    path = file.path
    leftByteCount = range?.count ?? .max
    do {
      handle = try FileHandle(forReadingFrom: file)
      if let range { try handle.seek(toOffset: UInt64(range.lowerBound)) }
    } catch {
      throw .unreadable(path, error)
    }
  }

  /// Returns the next portion, or nil at the end.
  mutating func next() throws(TransferError) -> Data? {
    if leftByteCount == 0 { return nil }
    do {
      guard let portion = try read(min(Self.portionByteCount, leftByteCount)), !portion.isEmpty
      else { return nil }
      leftByteCount -= portion.count
      return portion
    } catch {
      throw .unreadable(path, error)
    }
  }

  private func read(_ byteCount: Int) throws -> Data? {
    // Otherwise all portions stay in memory on Apple platforms until the caller's loop ends.
    try autoreleasepool { try handle.read(upToCount: byteCount) }
  }

  /// Returns the size of a file in bytes.
  ///
  /// - Throws: Unless it's a regular file that can be opened. With other files, URLSession may wait
  ///   forever or crash.
  static func byteCount(of file: URL) throws(TransferError) -> Int {
    try file.checkFile()
    let attributes: [FileAttributeKey: Any]
    do {
      // Check it before opening it: opening a pipe waits until a different process opens it, too.
      attributes = try FileManager.default.attributesOfItem(
        atPath: file.resolvingSymlinksInPath().path)
    } catch {
      throw .unreadable(file.path, error)
    }
    guard let size = attributes[.size] as? NSNumber,
      attributes[.type] as? FileAttributeType == .typeRegular
    else {
      throw TransferError(
        .invalidFile, "\(file.path) is a pipe or a device.", fix: "Use the URL of a regular file.")
    }
    _ = try FileReader(file)
    return size.intValue
  }

  /// The error if the file's size differs from the announced one.
  var changed: TransferError { .changed(path) }
}

extension URL {
  /// Throws if this is a network URL, whose path would be read on this machine, or a directory.
  func checkFile() throws(TransferError) {
    if !isFileURL {
      throw TransferError(
        .invalidFile,
        "The URL isn't a file URL. Its scheme is \(scheme ?? "(none)").",
        fix: "Use URL(fileURLWithPath:).")
    }
    let values = try? resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey])
    if values?.isDirectory == true {
      throw TransferError(
        .invalidFile, "\(path) is a directory.", fix: "Pass the URL of a file in it.")
    }
  }
}

extension FileHandle {
  /// Creates a file, which must not exist, and opens it for writing.
  ///
  /// - Parameter mode: its permissions (open(2)).
  static func create(_ file: URL, mode: mode_t = 0o666) throws -> FileHandle {
    let descriptor = unsafe open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    if descriptor < 0 { throw currentError }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// The error of the last call of the C library.
  static var currentError: any Error {
    NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
  }
}

extension TransferError {
  static func unreadable(_ path: String, _ error: any Error) -> TransferError {
    let failure = FileFailure(errorNumber(of: error), .read)
    return TransferError(
      .invalidFile, "\(path) can't be read (\(failure.reason)).", fix: failure.fix)
  }

  static func unwritable(_ file: URL, _ error: any Error) -> TransferError {
    let failure = FileFailure(errorNumber(of: error), .write)
    return TransferError(
      .invalidFile, "\(file.path) can't be written (\(failure.reason)).", fix: failure.fix)
  }

  /// Returns the error number (errno(3)) in an error of Foundation, or 0 if it contains none.
  private static func errorNumber(of error: any Error) -> Int32 {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return Int32(truncatingIfNeeded: error.code) }
    let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error
    return cause.map(errorNumber) ?? 0
  }
}
