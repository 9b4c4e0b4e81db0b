// SPDX-License-Identifier: Apache-2.0
// What the page leaves to its reader. It never runs.

import S3Signing

nonisolated var size: Int { fatalError() }
nonisolated var checksum: String { fatalError() }
nonisolated var chunks: SigV4.ChunkSigner {
  get { fatalError() }
  set {}
}
nonisolated var output: [UInt8] {
  get { fatalError() }
  set {}
}
