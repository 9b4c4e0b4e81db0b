// SPDX-License-Identifier: Apache-2.0
// What the peers of the gates share (`peer` in support.py): a line in, a line out.

import SecureHashing

/// The words of a line: text or bytes in hexadecimal digits after an `x`, and `-` for what isn't there.
struct Words {
  private let values: [[UInt8]?]

  init(_ line: String) throws {
    values = try line.split(separator: " ").map { word in
      word == "-" ? nil : try Hexadecimal.decode(String(word.dropFirst()))
    }
  }

  subscript(index: Int) -> String? {
    index < values.count ? values[index].map { String(decoding: $0, as: UTF8.self) } : nil
  }

  func text(_ index: Int) -> String { self[index] ?? "" }

  func bytes(_ index: Int) -> [UInt8] { values[index] ?? [] }

  /// Answers each line of standard input. An error is a line, too.
  static func answerAll(_ answer: (Words) async throws -> String) async throws {
    while let line = readLine() {
      let words = try Words(line)
      do { print(try await answer(words)) } catch { print("error \(error)") }
    }
  }
}
