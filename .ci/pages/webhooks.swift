// SPDX-License-Identifier: Apache-2.0
// What the page leaves to its reader. It never runs.

import MessageSignatures

nonisolated var oldSecret: String { fatalError() }
nonisolated var newSecret: String { fatalError() }
nonisolated var now: MessageSignature.Time { fatalError() }
