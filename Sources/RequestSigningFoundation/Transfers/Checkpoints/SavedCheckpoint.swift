// SPDX-License-Identifier: Apache-2.0
// The checkpoint of a running transfer.

internal import Foundation
internal import RequestSigning

/// The checkpoint of a running transfer, whose file is written at each change.
final class SavedCheckpoint<State: ObjectTransfer>: Sendable {
  private let file: CheckpointFile<State>
  private let current: Guarded<Version>
  /// The number of changes that are in the file.
  private let writtenChangeCount = Guarded(0)
  /// Writes. A disk may take long, and all tasks of a program share a few threads.
  private let queue = DispatchQueue(label: "checkpoint of a transfer")

  private struct Version {
    var state: State
    var changeCount = 0
  }

  init(_ checkpoint: State, in file: CheckpointFile<State>) {
    self.file = file
    current = Guarded(Version(state: checkpoint))
  }

  var value: State { current.withLock { $0.state } }

  /// Changes the checkpoint. When it returns, the change is in the file.
  func update(_ change: @Sendable (inout State) -> Void) async throws {
    let needed = current.withLock { current in
      var changed = current.state
      change(&changed)
      if changed != current.state {
        current = Version(state: changed, changeCount: current.changeCount + 1)
      }
      return current.changeCount
    }
    // Parallel parts wait here while one of them writes. Then the first writes the changes of all.
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      queue.async { done.resume(with: Result { try self.write(atLeast: needed) }) }
    }
  }

  private func write(atLeast needed: Int) throws {
    if writtenChangeCount.withLock({ $0 }) >= needed { return }
    let latest = current.withLock { $0 }
    try file.write(latest.state)
    writtenChangeCount.withLock { $0 = latest.changeCount }
  }

  func remove() throws { try file.remove() }
}
