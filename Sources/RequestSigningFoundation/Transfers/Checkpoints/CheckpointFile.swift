// SPDX-License-Identifier: Apache-2.0
// A file with the state of a transfer, so that a later call or process can continue it.

internal import Foundation
internal import RequestSigning

/// The state of a transfer in a file.
protocol TransferState: Codable, Sendable {
  /// A file of one kind can't be read as the other.
  static var transfer: TransferKind { get }
}

/// A kind of transfer, as files and errors call it.
enum TransferKind: String, Codable {
  case upload, download

  /// What is left if the file is removed, as a sentence of a fix.
  fileprivate var remains: String {
    switch self {
    case .upload: "The uploaded parts stay in the bucket until a lifecycle rule removes them."
    case .download: "Also remove the partial file (.partial) next to the target."
    }
  }
}

/// The file of a transfer's state. One transfer at a time uses it: it's locked until the transfer
/// ends, or the process.
///
/// The lock is a different file next to it, because the file itself is replaced by each write. If a
/// process is killed, the system releases its lock. The lock file stays, but isn't locked.
final class CheckpointFile<State: TransferState>: Sendable {
  let location: URL
  private let lock: FileLock

  /// What the file contains: the state, and what tells whether this version can read it.
  private struct Content: Codable {
    let version: Int
    let transfer: TransferKind
    let state: State
  }

  private struct Header: Decodable {
    let version: Int
    let transfer: String
  }

  /// Locks a file, which may not exist yet.
  ///
  /// - Throws: `checkpointInUse` if another transfer uses it, or `invalidFile` if the lock can't be
  ///   written.
  init(_ file: URL) throws(TransferError) {
    try file.checkFile()
    location = file.resolvingSymlinksInPath()
    lock = try FileLock(for: location)
  }

  /// Locks the checkpoint of a transfer of `target`, which must be a different file, because a
  /// finished transfer removes its checkpoint.
  ///
  /// - Throws: `invalidFile` if they're the same, or the errors of the other initializer.
  convenience init(_ file: URL, of target: URL) throws(TransferError) {
    if file.resolvingSymlinksInPath().path == target.resolvingSymlinksInPath().path {
      throw TransferError(
        .invalidFile,
        "\(file.path) can't be both the file and the checkpoint of the \(State.transfer).",
        fix: "Use a different file for the checkpoint, such as \(file.lastPathComponent).json.")
    }
    try self.init(file)
  }

  /// Ends the lock. A transfer does it before it returns, because what has written the file may be
  /// released later. The file must not be used afterward.
  func unlock() { lock.release() }

  /// Reads the state. Returns nil if the file doesn't exist.
  ///
  /// - Throws: The errors of reading the file without a lock.
  func read() throws(TransferError) -> State? {
    FileManager.default.fileExists(atPath: location.path) ? try Self.read(location) : nil
  }

  /// Reads the state in a file, without a lock.
  ///
  /// - Throws: `invalidFile` if it can't be read, or `invalidCheckpoint` if it's empty, incomplete,
  ///   of another version, or not of this kind of transfer. Nothing is changed then.
  static func read(_ file: URL) throws(TransferError) -> State {
    func unusable(_ problem: String) -> TransferError {
      TransferError(
        .invalidCheckpoint,
        "\(file.path) \(problem), so the \(State.transfer) can't be continued.",
        fix: "Use the checkpoint of this \(State.transfer), or remove the file to start again. "
          + State.transfer.remains)
    }
    _ = try FileReader.byteCount(of: file)
    let data: Data
    do { data = try Data(contentsOf: file) } catch { throw .unreadable(file.path, error) }
    guard let header = try? JSONDecoder().decode(Header.self, from: data) else {
      throw unusable(data.isEmpty ? "is empty" : "is incomplete, or isn't a checkpoint")
    }
    if header.version != CheckpointVersion.current {
      throw unusable(
        "has version \(header.version), and this version of the library reads version "
          + "\(CheckpointVersion.current)")
    }
    if header.transfer != State.transfer.rawValue {
      throw unusable("is the checkpoint of a different kind of transfer")
    }
    do { return try JSONDecoder().decode(Content.self, from: data).state } catch {
      throw unusable("has missing or invalid values")
    }
  }

  /// Replaces the file. After that, its content survives a crash of the system.
  ///
  /// - Throws: `invalidFile`. The file is as it was then.
  func write(_ state: State) throws(TransferError) {
    let new = location.hiddenNeighbor("new")
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let data = try encoder.encode(
        Content(version: CheckpointVersion.current, transfer: State.transfer, state: state))
      // A process may have been killed before it renamed this file.
      try? FileManager.default.removeItem(at: new)
      let handle = try FileHandle.create(new, mode: 0o600)
      try new.keepReadableAndOutOfBackups()
      try handle.write(contentsOf: data)
      try handle.synchronize()
      try handle.close()
      if unsafe rename(new.path, location.path) != 0 { throw FileHandle.currentError }
      location.deletingLastPathComponent().synchronizeFolder()
    } catch {
      try? FileManager.default.removeItem(at: new)
      throw .unwritable(location, error)
    }
  }

  /// Removes the file, if it exists.
  func remove() throws(TransferError) {
    try? FileManager.default.removeItem(at: location.hiddenNeighbor("new"))
    if unsafe unlink(location.path) != 0 && errno != ENOENT {
      throw .unwritable(location, FileHandle.currentError)
    }
    location.deletingLastPathComponent().synchronizeFolder()
  }
}

/// The version of checkpoint files.
private enum CheckpointVersion {
  static let current = 1
}

/// A lock on a file, which is held until it's released, or the process ends.
private final class FileLock: Sendable {
  private let location: URL
  private let handle: Guarded<FileHandle?>

  init(for file: URL) throws(TransferError) {
    location = file.hiddenNeighbor("lock")
    while true {
      let descriptor = unsafe open(
        location.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
      if descriptor < 0 { throw .unwritable(location, FileHandle.currentError) }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        throw errno == EWOULDBLOCK ? .inUse(file) : .unwritable(location, FileHandle.currentError)
      }
      // Between open() and flock(), its last holder may have removed the file. To compare inodes
      // would need a reason on Apple's platforms (docs/how-to/xcode.md).
      let owner = Data(UUID().uuidString.utf8)
      do {
        try handle.write(contentsOf: owner)
        if try Data(contentsOf: location).starts(with: owner) {
          self.handle = Guarded(handle)
          return
        }
      } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
        continue
      } catch { throw .unwritable(location, error) }
    }
  }

  deinit { release() }

  func release() {
    let held = handle.withLock { handle in
      defer { handle = nil }
      return handle
    }
    if held == nil { return }
    _ = unsafe unlink(location.path)
    try? held?.close()
  }
}

extension TransferError {
  fileprivate static func inUse(_ checkpoint: URL) -> TransferError {
    TransferError(
      .checkpointInUse,
      "Another transfer uses the checkpoint \(checkpoint.path), perhaps in a different process.",
      fix: "Wait until it ends, or use a different file for each transfer.")
  }
}

extension URL {
  /// A hidden file in the same directory.
  fileprivate func hiddenNeighbor(_ suffix: String) -> URL {
    deletingLastPathComponent().appendingPathComponent(".\(lastPathComponent).\(suffix)")
  }

  /// Writes the entries of a directory to the disk. Some file systems can't, and need not.
  fileprivate func synchronizeFolder() {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return }
    fsync(descriptor)
    close(descriptor)
  }
}
