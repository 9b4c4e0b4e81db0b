// SPDX-License-Identifier: Apache-2.0
// Files as bodies and as places for what is received: read, hashed, cut into chunks and moved.

public import Foundation
public import RequestSigning
internal import S3Signing
internal import SecureHashing

extension SigV4.Payload {
  /// A file as body. It is hashed at once, in constant memory, and has to be sent unchanged.
  ///
  /// Throws `TransferError` with `invalidFile` when it cannot be read.
  public static func file(_ file: URL) throws -> SigV4.Payload { try hash(file) {} }

  /// The same away from the caller's actor; a cancelled task stops reading.
  @concurrent static func hashing(_ file: URL) async throws -> SigV4.Payload {
    try hash(file) { try Task.checkCancellation() }
  }

  private static func hash(_ file: URL, _ check: () throws -> Void) throws -> SigV4.Payload {
    var hash = SHA256()
    var reader = try FileReader(file)
    while let portion = try reader.next() {
      try check()
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

  /// The size of a file in bytes.
  ///
  /// Throws unless it is a regular file that can be opened: URLSession may wait for ever for others,
  /// or crash.
  static func byteCount(of file: URL) throws(TransferError) -> Int {
    let byteCount: Int
    do {
      // Before it is opened: opening a pipe waits until another process opens it too.
      let attributes = try FileManager.default.attributesOfItem(
        atPath: file.resolvingSymlinksInPath().path)
      guard let size = attributes[.size] as? NSNumber,
        attributes[.type] as? FileAttributeType == .typeRegular
      else { throw CocoaError(.fileReadUnknown) }
      byteCount = size.intValue
    } catch {
      throw unreadable(name(of: file), error)
    }
    _ = try FileReader(file)
    return byteCount
  }

  /// A file, for a message.
  private static func name(of file: URL) -> String {
    file.isFileURL ? file.path : "a URL that is not the URL of a file"
  }

  private static func unreadable(_ path: String, _ error: any Error) -> TransferError {
    TransferError(
      .invalidFile,
      "\(path) cannot be read (\(error.localizedDescription)), so there is nothing to sign or "
        + "send; give the URL of a file that exists and can be read")
  }
}

/// A temporary file with the chunks of another one, which URLSession sends with its length.
struct ChunkedFile: Sendable {
  let location: URL

  /// Writes the chunks that follow a signed request, in constant memory.
  ///
  /// Throws `TransferError` with `invalidFile`, `CancellationError`, and what the chunks' signer throws:
  /// `bodyLengthMismatch` when the file was changed meanwhile.
  init(
    of file: URL, _ upload: SigV4.ChunkedUpload, following signed: SigV4.SignedRequest,
    by signer: SigV4.Signer
  ) throws {
    location = FileManager.default.temporaryDirectory
      .appendingPathComponent("chunks-" + UUID().uuidString)
    do {
      try Self.write(file, upload, signed, signer, to: location)
    } catch {
      remove()
      throw error
    }
  }

  func remove() {
    try? FileManager.default.removeItem(at: location)
  }

  private static func write(
    _ file: URL, _ upload: SigV4.ChunkedUpload, _ signed: SigV4.SignedRequest,
    _ signer: SigV4.Signer, to location: URL
  ) throws {
    let owner: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
    guard
      FileManager.default.createFile(atPath: location.path, contents: nil, attributes: owner)
    else { throw FileMove.unwritable(location, CocoaError(.fileWriteUnknown)) }
    let target = try FileHandle(forWritingTo: location)
    defer { try? target.close() }
    var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
    var reader = try FileReader(file)
    var output: [UInt8] = []
    while let portion = try reader.next() {
      try Task.checkCancellation()
      try chunks.update(portion, into: &output)
      try target.write(contentsOf: output)
      output.removeAll(keepingCapacity: true)
    }
    try chunks.finish(into: &output)
    try target.write(contentsOf: output)
  }
}

/// Puts a file that was received where it was asked for.
enum FileMove {
  /// Replaces what is there in one step, by way of its folder when it comes from another volume.
  static func move(_ source: URL, to target: URL) throws {
    if rename(source, target) { return }
    let files = FileManager.default
    let part = target.deletingLastPathComponent()
      .appendingPathComponent("." + UUID().uuidString)
    try files.moveItem(at: source, to: part)
    if !rename(part, target) {
      try? files.removeItem(at: part)
      throw CocoaError(.fileWriteUnknown)
    }
  }

  static func rename(_ source: URL, _ target: URL) -> Bool {
    // Safety: both paths live as long as the call.
    unsafe Foundation.rename(source.path, target.path) == 0
  }

  static func unwritable(_ file: URL, _ error: any Error) -> TransferError {
    TransferError(
      .invalidFile,
      "\(file.path) cannot be written (\(error.localizedDescription)), so what was received is lost; "
        + "name a file in a folder that exists and can be written to")
  }
}
