// SPDX-License-Identifier: Apache-2.0
// What the page leaves to its reader. It never runs.

import S3Signing

nonisolated var accessKeyID: String { fatalError() }
nonisolated var secretAccessKey: String { fatalError() }
nonisolated var file: [UInt8] { fatalError() }
nonisolated var now: SigV4.Timestamp { fatalError() }
