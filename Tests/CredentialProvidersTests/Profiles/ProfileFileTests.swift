// SPDX-License-Identifier: Apache-2.0
// Profile files are read or rejected as in botocore.

internal import CredentialProviders
internal import Foundation
internal import TestSupport
internal import Testing

@Suite("Profile files")
struct ProfileFileTests {
  @Test("Every file is read or rejected as in botocore")
  func table() throws {
    let records = try VectorTable(named: "profile-files.txt").records
    #expect(records.count == 88)
    for record in records {
      let bytes = try record.bytes("file")
      if try record.optionalText("refused") != nil {
        let error = #expect(throws: CredentialError.self, "\(record)") {
          try ProfileFile(bytes: bytes, path: "file")
        }
        #expect(error?.code == .invalidFile, "\(record)")
        #expect(error?.message.hasPrefix("Line ") == true, "\(record)")
        continue
      }
      let file = try ProfileFile(bytes: bytes, path: "file")
      let sections = file.sections
      #expect(try bytesOf(sections.map(\.name)) == bytesOf(record.texts("section")), "\(record)")
      #expect(try bytesOf(settings(sections)) == bytesOf(record.texts("setting")), "\(record)")
      #expect(try bytesOf(nested(sections)) == bytesOf(record.texts("nested")), "\(record)")
      #expect(try bytesOf(inner(sections)) == bytesOf(record.texts("inner")), "\(record)")
    }
  }

  @Test("A byte order mark, which no editor shows, is named")
  func byteOrderMark() {
    let error = #expect(throws: CredentialError.self) {
      try ProfileFile(bytes: Array("\u{FEFF}[default]".utf8), path: "file")
    }
    #expect(error?.problem.contains("byte order mark") == true)
  }

  /// Swift's strings are equal when Unicode says so; Python's and ours when all code points are.
  private func bytesOf(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

  private func settings(_ sections: [ProfileFiles.Section]) -> [String] {
    sections.flatMap { section in
      section.settings.compactMap { setting in
        setting.text.map { [section.name, setting.name, $0].joined(separator: "\n") }
      }
    }
  }

  private func nested(_ sections: [ProfileFiles.Section]) -> [String] {
    sections.flatMap { section in
      section.settings.compactMap { setting in
        setting.text == nil ? section.name + "\n" + setting.name : nil
      }
    }
  }

  private func inner(_ sections: [ProfileFiles.Section]) -> [String] {
    sections.flatMap { section in
      section.settings.flatMap { setting in
        setting.settings.map {
          [section.name, setting.name, $0.name, $0.text ?? ""].joined(separator: "\n")
        }
      }
    }
  }

  @Test("An error names the line, without its text")
  func places() {
    for (text, line) in [
      ("[a]\nx = 1\n\n# c\nsecretive\n", 5), ("secretive = 1", 1), ("[a]\n= secretive", 2),
      ("[a]\n[b]\n[a]\nsecretive = 1", 3), ("[a]\r\nsecretive = 1\r\nb = 2\r\nsecretive = 3", 4),
      ("[a]\ns3 =\n  secretive\n", 2),
    ] {
      let error = #expect(throws: CredentialError.self, "\(text)") {
        try ProfileFile(bytes: Array(text.utf8), path: "file")
      }
      #expect(error?.message.hasPrefix("Line \(line) of file ") == true, "\(text)")
      #expect(error?.description.contains("secretive") == false, "\(text)")
    }
  }

  @Test("An unclosed bracket is reported")
  func openBracket() {
    for text in ["[secretive", "[a]\nb = c\n[secretive\n"] {
      let error = #expect(throws: CredentialError.self, "\(text)") {
        try ProfileFile(bytes: Array(text.utf8), path: "file")
      }
      #expect(error?.message.contains("begins with '[' but has no ']'") == true, "\(text)")
      #expect(error?.description.contains("secretive") == false, "\(text)")
    }
  }

  @Test("The error names the line of bytes that aren't UTF-8, after any kind of newline")
  func lineOfForeignBytes() {
    for (start, line) in [("", 1), ("[a]", 1), ("[a]\n", 2), ("[a]\r\nb = c", 2), ("\n\r\n\r", 4)] {
      let error = #expect(throws: CredentialError.self) {
        try ProfileFile(bytes: Array(start.utf8) + [0xFF], path: "file")
      }
      #expect(error?.message.hasPrefix("Line \(line) of file ") == true)
    }
  }

  @Test("Sections and settings print their names, and nothing prints a value")
  func printing() throws {
    let file = try ProfileFile(
      bytes: Array("[a]\nkey = secretive\ns3 =\n  x = secretive".utf8), path: "file")
    let section = try #require(file.sections.first)
    #expect("\(section)" == "[a] with key, s3")
    #expect(section.settings.map { "\($0)" } == ["key (file, line 2)", "s3 (file, line 3)"])
    var dumped = ""
    dump(file, to: &dumped)
    dump(section, to: &dumped)
    section.settings.forEach { dump($0, to: &dumped) }
    section.settings.flatMap(\.settings).forEach { dump($0, to: &dumped) }
    #expect(!dumped.contains("secretive"))
  }

  @Test("A file above a mebibyte is rejected, and large ones are read in linear time")
  func size() throws {
    let most = ProfileFile.maximumByteCount
    let error = #expect(throws: CredentialError.self) {
      try ProfileFile(bytes: [UInt8](repeating: 0x0A, count: most + 1), path: "file")
    }
    #expect(error?.code == .invalidFile)
    // Were the largest of these read in quadratic time, this test would take many minutes.
    let isWhole = ProcessInfo.processInfo.environment["SIGV4_EXHAUSTIVE"] == "1"
    let count = isWhole ? 40_000 : 5_000
    let defaults = "[DEFAULT]\n" + (0..<(count / 2)).map { "\($0)=\n" }.joined()
    let many = (0..<count).map { "[\($0)]\n" }.joined()
    let blanks = "[a]\nb=\n" + String(repeating: "\n", count: count * 10) + "  c=1"
    let nested = "[a]\nb=\n" + String(repeating: "  c=1\n", count: count)
    for text in [defaults + many, blanks, nested] {
      #expect(text.utf8.count <= most)
      let sections = try ProfileFile(bytes: Array(text.utf8), path: "file").sections
      #expect(sections.count == (text.hasPrefix("[DEFAULT]") ? count : 1))
      if sections.count == count { #expect(sections.last?["\(count / 2 - 1)"] == "") }
    }
  }
}
