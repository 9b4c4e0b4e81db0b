// SPDX-License-Identifier: Apache-2.0
// Where the files of this repository are.

package import Foundation

/// The folders of this repository.
package enum Repository {
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  package static let tests = root.appendingPathComponent("Tests")
}
