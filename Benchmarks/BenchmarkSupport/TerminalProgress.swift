// SPDX-License-Identifier: Apache-2.0
// Messages and a progress bar on standard error.

internal import Foundation

/// A bar in one line that is written again and again, when standard error is a terminal.
public final class TerminalProgress {
  private let count: Int
  private var position = 0
  private let isVisible = isatty(FileHandle.standardError.fileDescriptor) == 1

  init(count: Int) {
    self.count = count
  }

  /// The next part begins.
  func begin(_ part: String) {
    let bar = Bar.text(min(1, Double(position) / Double(count)), width: 30).left(30)
    show("▕\(bar)▏ \(part)")
    position += 1
  }

  /// Takes the line away.
  func end() { show("") }

  /// Writes a line to standard error, seen or not.
  public static func tell(_ message: String) { write(message + "\n") }

  /// "\r" goes to the beginning of the line, ESC [K erases it.
  private func show(_ text: String) {
    if isVisible { Self.write("\r\u{1B}[K" + text) }
  }

  private static func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
