// SPDX-License-Identifier: Apache-2.0
// A folder of one test.

package import Foundation

/// A folder that is removed with this value, or at the end of the process.
package final class TemporaryFolder: Sendable {
  package let url = all.appendingPathComponent(UUID().uuidString)

  private static let all: URL = {
    atexit { try? FileManager.default.removeItem(at: TemporaryFolder.all) }
    return FileManager.default.temporaryDirectory
      .appendingPathComponent("sigv4-" + UUID().uuidString)
  }()

  package init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file, and returns its path.
  package func file(_ name: String, _ text: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  /// A file of zeros, which takes no space.
  package func zeros(_ byteCount: UInt64, _ name: String = "zeros") throws -> URL {
    let file = url.appendingPathComponent(name)
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: byteCount)
    try handle.close()
    return file
  }
}
