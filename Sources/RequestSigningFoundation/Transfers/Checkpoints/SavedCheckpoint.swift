// SPDX-License-Identifier: Apache-2.0
// The checkpoint of a running transfer.

internal import RequestSigning

/// The checkpoint of a running transfer, whose file is written at each change.
final class SavedCheckpoint<State: ObjectTransfer>: Sendable {
  private let file: CheckpointFile<State>
  private let state: Guarded<State>

  init(_ checkpoint: State, in file: CheckpointFile<State>) {
    self.file = file
    state = Guarded(checkpoint)
  }

  var value: State { state.withLock { $0 } }

  func update(_ change: @Sendable (inout State) -> Void) throws {
    try state.withLock { [file] state in
      var changed = state
      change(&changed)
      if changed == state { return }
      try file.write(changed)
      state = changed
    }
  }

  func remove() throws { try file.remove() }
}
