// SPDX-License-Identifier: Apache-2.0
// The reader of the vector tables under Tests/Vectors, whose README describes the format.

internal import Foundation

/// A table of test vectors: records, each with a few named values.
public struct VectorTable: Sendable {
  /// The records in the order of the file. An empty table is an error.
  public let records: [VectorRecord]

  /// Reads a table from the folder Tests/Vectors, or from another one.
  public init(named fileName: String, inFolder folder: String = Self.folder) throws {
    let file = URL(fileURLWithPath: folder).appendingPathComponent(fileName)
    try self.init(bytes: [UInt8](Data(contentsOf: file)), fileName: fileName)
  }

  /// Reads a table from the text of one; the file's name is for messages.
  public init(bytes: [UInt8], fileName: String) throws {
    var records: [VectorRecord] = []
    var fields: [VectorRecord.Field] = []
    var start = 0
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let number = index + 1
      if line.first == UInt8(ascii: "#") { continue }
      if !line.isEmpty {
        if fields.isEmpty { start = number }
        fields.append(try VectorRecord.Field(line: line, place: "\(fileName), line \(number)"))
      } else if !fields.isEmpty {
        records.append(VectorRecord(fields: fields, place: "\(fileName), line \(start)"))
        fields = []
      }
    }
    if !fields.isEmpty {
      records.append(VectorRecord(fields: fields, place: "\(fileName), line \(start)"))
    }
    if records.isEmpty { throw VectorTableError("\(fileName) holds no record") }
    self.records = records
  }

  /// The record of this name.
  public func record(named name: String) throws -> VectorRecord {
    guard let record = records.first(where: { $0.name == name }) else {
      throw VectorTableError("no record is named '\(name)'")
    }
    return record
  }

  /// renamed-signatures.txt, or the table of that name in the folder that the environment names,
  /// whose records are random: `.ci/gates renamed-signatures` makes one.
  public static func renamedSignatures() throws -> VectorTable {
    let name = "SIGV4_RENAMED_SIGNATURES"
    let other = ProcessInfo.processInfo.environment[name]
    return try VectorTable(named: "renamed-signatures.txt", inFolder: other ?? folder)
  }

  /// Tests/Vectors, found from where this file was when it was compiled.
  public static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Vectors").path
}

/// Why a table could not be read.
public struct VectorTableError: Error, CustomStringConvertible {
  /// The problem and its line.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
