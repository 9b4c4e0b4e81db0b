// SPDX-License-Identifier: Apache-2.0
// The checksums that the limits of stores name. The page computes none.

internal import RequestSigning

extension SigV4 {
  package enum Checksum {
    package enum Algorithm: Sendable {
      case crc32, crc32c

      var combinesParts: Bool { true }
    }
  }
}
