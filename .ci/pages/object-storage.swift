// SPDX-License-Identifier: Apache-2.0
// What the page leaves to its reader. It never runs.

import S3Signing

nonisolated var accessKeyID: String { fatalError() }
nonisolated var secretAccessKey: String { fatalError() }
nonisolated var credentials: SigV4.Credentials { fatalError() }
nonisolated var uploadID: String { fatalError() }
nonisolated var account: String { fatalError() }
nonisolated var answer:
  (
    accessKeyID: String, secretAccessKey: String, sessionToken: String,
    expiration: SigV4.Timestamp
  )
{ fatalError() }
