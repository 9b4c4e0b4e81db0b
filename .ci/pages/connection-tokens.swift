// SPDX-License-Identifier: Apache-2.0
// What the page leaves to its reader. It never runs.

import ConnectionTokens

nonisolated var credentials: SigV4.Credentials { fatalError() }
nonisolated var provider: String { fatalError() }
nonisolated var nonce: [UInt8] { fatalError() }
nonisolated var serverNonce: [UInt8] { fatalError() }
nonisolated var challenge: [UInt8] { fatalError() }
nonisolated var channelARN: String { fatalError() }
func connect(to host: String, port: Int, password: String) {}
func connect(to urls: [String]) {}
func send(to host: String, user: String, password: String) {}
