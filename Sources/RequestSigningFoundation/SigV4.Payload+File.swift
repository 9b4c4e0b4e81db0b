// SPDX-License-Identifier: Apache-2.0
// Data and files as payload: a file's digest in constant memory.

public import Foundation
public import RequestSigning
internal import SecureHashing

extension SigV4.Payload {
  /// A file as body. It is hashed here and now, in constant memory, and has to be sent unchanged.
  ///
  /// Throws `TransferError` with `invalidFile` when it cannot be read.
  public static func file(_ file: URL) throws -> SigV4.Payload {
    var hash = SHA256()
    var reader = try FileReader(file)
    while let portion = try reader.next() { hash.update(data: portion) }
    return .digest(hash.finalize())
  }

  /// The same away from the caller's actor; a cancelled task stops reading.
  @concurrent static func hashing(_ file: URL) async throws -> SigV4.Payload {
    var hash = SHA256()
    var reader = try FileReader(file)
    while let portion = try reader.next() {
      try Task.checkCancellation()
      hash.update(data: portion)
    }
    return .digest(hash.finalize())
  }
}

/// Reads a file in portions, of which one at a time is in memory.
struct FileReader {
  private let handle: FileHandle
  private let path: String

  /// Opens a file.
  init(_ file: URL) throws(TransferError) {
    path = Self.name(of: file)
    do {
      handle = try FileHandle(forReadingFrom: file)
    } catch {
      throw Self.unreadable(path, error)
    }
  }

  /// The next portion; nil at the end.
  mutating func next() throws(TransferError) -> Data? {
    do {
      let portion = try read()
      return portion?.isEmpty == false ? portion : nil
    } catch {
      throw Self.unreadable(path, error)
    }
  }

  private func read() throws -> Data? {
    #if canImport(ObjectiveC)
      // Otherwise all portions live until the loop around this ends.
      try autoreleasepool { try handle.read(upToCount: 262_144) }
    #else
      try handle.read(upToCount: 262_144)
    #endif
  }

  /// A file, for a message.
  static func name(of file: URL) -> String {
    file.isFileURL ? file.path : "what is given, which is no URL of a file,"
  }

  static func unreadable(_ path: String, _ error: any Error) -> TransferError {
    TransferError(
      .invalidFile,
      "\(path) cannot be read (\(error.localizedDescription)), so there is nothing to sign or "
        + "send; give the URL of a file that is there and may be read")
  }
}
