// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Several modules merged into one Swift file.
struct OneFile {
  private static let license = "// SPDX-License-Identifier: Apache-2.0\n"
  /// Modules without an API: their public declarations are only for cross-module optimization.
  private static let withoutProduct = ["DocumentSupport", "SigningSupport"]

  private let modules: Modules
  private let names: [String]
  private let parts: [Part]

  private struct Part {
    let path: String
    let source: Source
    let isProduct: Bool
  }

  /// Reads the modules. Lower layers must come first.
  init(_ names: [String], of modules: Modules) throws {
    self.modules = modules
    self.names = names
    parts = try names.flatMap { name in
      try modules.files(of: name).map { file in
        let text = try String(contentsOf: file, encoding: .utf8)
        guard text.hasPrefix(Self.license) else {
          throw Failure(
            "\(file.path) doesn't start with \(Self.license.dropLast()). Add that line.")
        }
        return Part(
          path: modules.path(of: file), source: Source(String(text.dropFirst(Self.license.count))),
          isProduct: !Self.withoutProduct.contains(name))
      }
    }
  }

  /// The content of the file: the same bytes on every machine. The first three lines list the license, the
  /// version and modules, and the SHA-256 of the remaining lines.
  func text(workFolder: URL) throws -> String {
    let actors = Set(try parts.flatMap { try $0.source.actors() })
    var imports = Imports(own: Set(names))
    var body = ""
    for part in parts {
      var source = part.source
      try imports.take(from: &source, isProduct: part.isProduct)
      try source.setAccess(actors: actors, isProduct: part.isProduct)
      body += "\n// ---- \(part.path)\n\(source.text)"
    }
    body = try imports.text() + body
    return """
      \(Self.license)// swift-sigv4 \(try version()): \(names.joined(separator: ", ")), made by `swift package one-file`.
      // Lines 4 to the end have the SHA-256 \(try Self.digest(of: body, workFolder: workFolder))

      """ + body
  }

  /// The newest version in the change log.
  private func version() throws -> String {
    let file = modules.package.directoryURL.appending(path: "CHANGELOG.md")
    let log = Source(try String(contentsOf: file, encoding: .utf8))
    guard let version = try log.matches("(?m)^## (.+)$").first else {
      throw Failure("\(file.path) has no line ## VERSION - DATE. Restore it.")
    }
    return log.text(of: version.range(at: 1)).replacingOccurrences(of: " - ", with: ", ")
  }

  /// The SHA-256 in hexadecimal, computed by a system tool because a plugin can't import modules of its
  /// own package.
  private static func digest(of text: String, workFolder: URL) throws -> String {
    let file = workFolder.appending(path: "body-\(ProcessInfo.processInfo.processIdentifier)")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    for tool in [["sha256sum"], ["shasum", "-a", "256"]] {
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = tool + [file.path]
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let printed = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      if process.terminationStatus == 0, printed.count > 64 { return String(printed.prefix(64)) }
    }
    throw Failure(
      "Can't run sha256sum or shasum, which compute the digest in the file's third line. Install one of them."
    )
  }
}
