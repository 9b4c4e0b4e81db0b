// SPDX-License-Identifier: Apache-2.0
// A part of an upload, which other programs can send.

public import Foundation

extension Range<Int64> {
  /// The number of bytes. (`count` is an `Int`, so it traps for 2 GiB on a 32-bit watch.)
  var byteCount: Int64 { upperBound - lowerBound }
}

/// A part of an upload: a range of the file that's sent with its own request.
///
/// ``SigningSession/missingParts(of:)`` returns those that the store doesn't have. Send each one
/// with ``SigningSession/presignedRequest(for:of:checksum:expiresIn:)``.
public struct UploadPart: Codable, Hashable, Sendable {
  /// The number of the part, from 1.
  public let number: Int

  /// The bytes of the file that it consists of.
  public let range: Range<Int64>

  init(number: Int, range: Range<Int64>) {
    self.number = number
    self.range = range
  }

  /// Copies the part into a separate file, in constant memory: a background `URLSession` uploads
  /// whole files only. Keep the file until its task has ended.
  ///
  /// - Parameters:
  ///   - file: the file to upload.
  ///   - part: the new file, which must not exist.
  ///
  /// - Throws: `TransferError` with `invalidFile` if a file can't be read or written, or if the
  ///   file is too short. Nothing is left at `part` then.
  public func write(from file: URL, to part: URL) throws {
    let body = try Body(file).measured()
    guard let first = Int(exactly: range.lowerBound), let end = Int(exactly: range.upperBound),
      first >= 0, let byteCount = body.byteCount, end <= byteCount
    else {
      throw TransferError(
        .invalidFile,
        "\(file.path) has \(body.byteCount ?? 0) bytes, but part \(number) is bytes "
          + "\(range.lowerBound) to \(range.upperBound) of it.",
        fix: "Use the file that the upload was started for.")
    }
    if FileManager.default.fileExists(atPath: part.path) {
      throw TransferError(
        .invalidFile, "\(part.path) exists already.", fix: "Remove it, or use another name.")
    }
    try BodyFile.write(body.part(first..<end), to: part)
    do {
      try part.keepReadableAndOutOfBackups()
    } catch {
      try? FileManager.default.removeItem(at: part)
      throw TransferError.unwritable(part, error)
    }
  }
}
