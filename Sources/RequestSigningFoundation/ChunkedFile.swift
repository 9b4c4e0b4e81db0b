// SPDX-License-Identifier: Apache-2.0
// A file in signed chunks, as a temporary file that URLSession sends with its length.

internal import S3Signing
internal import Foundation
internal import RequestSigning

/// A temporary file with the chunks of another one.
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

extension FileReader {
  /// The size of a file in bytes.
  ///
  /// Throws unless it is a regular file that can be opened: a loader may wait for ever for others, or
  /// crash.
  static func byteCount(of file: URL) throws(TransferError) -> Int {
    let byteCount: Int
    do {
      // Before it is opened: whoever opens a pipe waits until somebody else does.
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
}
