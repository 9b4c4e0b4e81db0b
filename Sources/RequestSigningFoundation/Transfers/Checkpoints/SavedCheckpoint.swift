// SPDX-License-Identifier: Apache-2.0
// The checkpoint of a running upload.

internal import Foundation
internal import RequestSigning

/// The checkpoint of a running upload, whose file is written at each change.
final class SavedCheckpoint: Sendable {
  private let file: CheckpointFile<UploadCheckpoint>
  private let state: Guarded<UploadCheckpoint>

  init(_ checkpoint: UploadCheckpoint, in file: CheckpointFile<UploadCheckpoint>) {
    self.file = file
    state = Guarded(checkpoint)
  }

  var value: UploadCheckpoint { state.withLock { $0 } }

  func update(_ change: @Sendable (inout UploadCheckpoint) -> Void) throws {
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
