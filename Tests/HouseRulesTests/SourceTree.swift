// SPDX-License-Identifier: Apache-2.0
// The walk through the repository: all that the house rules read of the disk.

internal import Foundation

/// The files of the repository, found from where this file was when it was compiled.
enum SourceTree {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The Swift files of some folders at the top; a folder that does not exist has none.
  static func swiftFiles(in folders: String...) throws -> [SourceFile] {
    try swiftFiles.get().filter { file in
      folders.contains { file.path.hasPrefix($0 + "/") }
    }
  }

  /// Read once for all tests.
  private static let swiftFiles = Result {
    try paths().filter { $0.hasSuffix(".swift") }.map {
      SourceFile($0, String(decoding: try bytes(of: $0), as: UTF8.self))
    }
  }

  /// Every file that belongs to the repository: path and bytes.
  static func allFiles() throws -> [(path: String, bytes: [UInt8])] {
    try paths().map { ($0, try bytes(of: $0)) }
  }

  static func bytes(of path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: root.appendingPathComponent(path)))
  }

  /// The folders directly below a folder.
  static func folders(in folder: String) throws -> [String] {
    let place = root.appendingPathComponent(folder)
    return try FileManager.default.contentsOfDirectory(atPath: place.path).sorted().filter {
      isFolder(folder + "/" + $0)
    }
  }

  /// The paths of all files, but not of what tools leave behind (see .gitignore).
  static func paths(in folder: String = "") throws -> [String] {
    let place = root.appendingPathComponent(folder)
    var paths: [String] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() {
      let path = folder.isEmpty ? name : folder + "/" + name
      if isLeftBehind(name) { continue }
      if isFolder(path) { paths += try self.paths(in: path) } else { paths.append(path) }
    }
    return paths
  }

  private static func isFolder(_ path: String) -> Bool {
    let values = try? root.appendingPathComponent(path).resourceValues(forKeys: [.isDirectoryKey])
    return values?.isDirectory == true
  }

  private static func isLeftBehind(_ name: String) -> Bool {
    let names = [
      ".git", ".build", ".swiftpm", ".index-build", ".vscode", ".idea", ".DS_Store", "DerivedData",
      "Package.resolved", "__pycache__",
    ]
    return names.contains(name) || name.hasPrefix(".build-") || name.hasSuffix(".xcodeproj")
  }
}
