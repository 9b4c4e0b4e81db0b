// SPDX-License-Identifier: Apache-2.0
// The operating system's description of the processor, a source independent of the library's.

internal import Foundation

/// Linux's description of the processor that runs the tests.
public enum ProcessorDescription {
  /// The words of a line of /proc/cpuinfo, of the first processor, or none without that line. An
  /// emulator shows programs the file of its host: SIGV4_CPUINFO names another.
  public static func words(of name: String) throws -> Set<String> {
    let file = ProcessInfo.processInfo.environment["SIGV4_CPUINFO"] ?? "/proc/cpuinfo"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let lines = text.split(separator: "\n").map { $0.split(separator: ":") }
    let line = lines.first { $0.first?.trimmingCharacters(in: .whitespaces) == name }
    return Set((line?.last ?? "").split(separator: " ").map { String($0) })
  }
}
