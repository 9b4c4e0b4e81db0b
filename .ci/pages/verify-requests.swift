// SPDX-License-Identifier: Apache-2.0
// What the page leaves to its reader. It never runs.

import RequestVerification

nonisolated var error: SigV4.VerificationError { fatalError() }
func log(_ message: String) {}
