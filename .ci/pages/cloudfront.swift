// SPDX-License-Identifier: Apache-2.0
// What the page leaves to its reader. It never runs.

import CloudFrontSigning

nonisolated var pem: String { fatalError() }
nonisolated var publicPEM: String { fatalError() }
nonisolated var seconds: Int64 { fatalError() }
nonisolated var start: SigV4.Timestamp { fatalError() }
nonisolated var end: SigV4.Timestamp { fatalError() }
nonisolated var target: String { fatalError() }
nonisolated var cookieHeader: String { fatalError() }
nonisolated var address: String { fatalError() }
nonisolated var body: [UInt8] { fatalError() }
func addHeader(_ name: String, _ value: String) {}
func serve(_ url: String) {}
func respond(_ status: Int, _ message: String) {}
