// SPDX-License-Identifier: Apache-2.0
// What the page leaves to its reader. It never runs.

import CredentialProviders
import Foundation

struct KeyServer: Sendable {
  struct Keys: Sendable {
    let id: String
    let secret: String
    let token: String?
    let end: Date
  }

  func keys() async throws -> Keys { fatalError() }
}
struct Device {
  let trustAnchorARN: String
  let profileARN: String
  let roleARN: String
}
struct HSM: Sendable {
  func signature(for message: [UInt8]) async throws -> [UInt8] { fatalError() }
}
nonisolated var source: any CredentialResolver { fatalError() }
nonisolated var clock: @Sendable () -> SigV4.Timestamp { fatalError() }
nonisolated var variables: [String: String] { fatalError() }
nonisolated var files: [String: [UInt8]] { fatalError() }
func mine(_ request: SigV4.HTTPRequest) async throws -> SigV4.HTTPResponse { fatalError() }
