// SPDX-License-Identifier: Apache-2.0
// What the page leaves to its reader. It never runs.

import CredentialProviders
import Foundation

nonisolated var photo: URL { fatalError() }
nonisolated var sources: CredentialSources { fatalError() }
func currentGoogleToken() async throws -> String { fatalError() }
func askYourServer() async throws -> (String, String) { fatalError() }
