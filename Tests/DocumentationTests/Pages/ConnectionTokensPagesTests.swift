// SPDX-License-Identifier: Apache-2.0
// The page of ConnectionTokens: its code compiles and works.

internal import ConnectionTokens
internal import SigningTestSupport
internal import Testing

@Suite("Pages: ConnectionTokens")
struct ConnectionTokensPagesTests {
  func password(
    of user: String, for credentials: SigV4.Credentials,
    at now: SigV4.Timestamp
  ) throws -> String {
    let token = try SigV4.ConnectionToken.rds(
      host: "db.123.us-east-1.rds.amazonaws.com", port: 5432, user: user,
      region: "us-east-1", credentials: credentials, at: now)
    return token.text  // valid for 15 minutes
  }

  @Test("A password begins with the host and is valid for 15 minutes")
  func landing() throws {
    let text = try password(of: "app", for: Example.credentials(), at: Example.moment())
    #expect(text.hasPrefix("db.123.us-east-1.rds.amazonaws.com:5432"))
    #expect(text.contains("X-Amz-Expires=900"))
  }
}
