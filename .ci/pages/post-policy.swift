// SPDX-License-Identifier: Apache-2.0
// What the page leaves to its reader. It never runs.

nonisolated var accessKeyID: String { fatalError() }
nonisolated var secretAccessKey: String { fatalError() }
nonisolated var document: String { fatalError() }
