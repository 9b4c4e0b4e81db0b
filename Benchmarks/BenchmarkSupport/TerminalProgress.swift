// SPDX-License-Identifier: Apache-2.0
// What a program says on standard error: messages, and how far it is.

internal import Foundation

/// One line that is written again and again, if somebody sees it.
final class TerminalProgress {
  private let count: Int
  private var position = 0
  private let isVisible = isatty(FileHandle.standardError.fileDescriptor) == 1

  init(count: Int) {
    self.count = count
  }

  /// The next part begins.
  func begin(_ part: String) {
    position += 1
    show("\(position)/\(count)  \(part)")
  }

  /// Takes the line away.
  func end() { show("") }

  /// Writes a line to standard error, seen or not.
  static func tell(_ message: String) { write(message + "\n") }

  /// "\r" goes to the beginning of the line, ESC [K erases it.
  private func show(_ text: String) {
    if isVisible { Self.write("\r\u{1B}[K" + text) }
  }

  private static func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
