// SPDX-License-Identifier: Apache-2.0
// Why a file can't be opened, read or written, from the error number of the operating system.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The cause of a failed file operation, and how to fix it.
package struct FileFailure {
  /// The cause, in the words of the operating system, such as "No space left on device".
  package let reason: String

  /// How to fix it.
  package let fix: String

  package enum Operation {
    case read
    case write
  }

  /// - Parameter number: the error number (errno(3)), or 0 if it's unknown.
  package init(_ number: Int32, _ operation: Operation) {
    reason = number == 0 ? "unknown error" : SystemFacts.reason(number)
    fix = Self.fix(number) ?? Self.fix(number, operation)
  }

  private static func fix(_ number: Int32) -> String? {
    switch number {
    case EMFILE, ENFILE:
      "Open fewer files and connections at the same time, or raise the limit (ulimit -n)."
    case ENOSPC, EDQUOT: "Free space on the disk, or use a different one."
    case EFBIG: "Use a different file system, or raise the limit (ulimit -f)."
    case EISDIR: "Use the path of a file."
    case EIO: "Check the disk."
    default: nil
    }
  }

  private static func fix(_ number: Int32, _ operation: Operation) -> String {
    switch (operation, number) {
    case (.read, EACCES), (.read, EPERM): "Use a file that you have permission to read."
    case (.read, ENOENT), (.read, ENOTDIR): "Use a file that exists."
    case (.read, _): "Check the file."
    case (.write, EACCES), (.write, EPERM), (.write, EROFS):
      "Use a directory that you have permission to write to."
    case (.write, ENOENT), (.write, ENOTDIR): "Use a directory that exists."
    case (.write, _): "Check the directory and the disk."
    }
  }
}
