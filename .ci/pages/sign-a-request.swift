// SPDX-License-Identifier: Apache-2.0
// What the page leaves to its reader. It never runs.

nonisolated var secretBytes: [UInt8] { fatalError() }
nonisolated var scope: String { fatalError() }
nonisolated var answerOfTheHSM: String { fatalError() }
