// SPDX-License-Identifier: Apache-2.0
// The file of an upload task, which URLSession on Apple platforms sends with its length.

internal import Foundation

/// A file that an upload task sends: the body's own file, or a temporary one with its chunks or one
/// part of it.
struct BodyFile {
  let location: URL
  private let isTemporary: Bool

  /// Writes a temporary file in constant memory, unless the whole file is sent as it is. Returns
  /// nil for other bodies.
  init?(_ body: Body) throws {
    guard case .file = body.content else { return nil }
    isTemporary = body.wholeFile == nil
    location =
      body.wholeFile
      ?? FileManager.default.temporaryDirectory
      .appendingPathComponent("upload-" + UUID().uuidString)
    if isTemporary { try Self.write(body, to: location) }
  }

  func remove() {
    if isTemporary { try? FileManager.default.removeItem(at: location) }
  }

  /// Writes a body to a new file, in constant memory. After an error, nothing is left of it.
  static func write(_ body: Body, to location: URL) throws {
    func writing<Result>(_ body: () throws -> Result) throws -> Result {
      do { return try body() } catch { throw TransferError.unwritable(location, error) }
    }
    let target = try writing { try FileHandle.create(location, mode: 0o600) }
    defer { try? target.close() }
    do {
      var reader = try body.reader()
      var portion: [UInt8] = []
      repeat {
        try Task.checkCancellation()
        try reader.read(into: &portion)
        try writing { try target.write(contentsOf: portion) }
      } while !portion.isEmpty
    } catch {
      try? FileManager.default.removeItem(at: location)
      throw error
    }
  }
}
