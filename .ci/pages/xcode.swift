// SPDX-License-Identifier: Apache-2.0
// What the page leaves to its reader. It never runs.

import Foundation
import RequestSigningFoundation

nonisolated var signer: SigV4.Signer { fatalError() }
nonisolated var request: URLRequest { fatalError() }
