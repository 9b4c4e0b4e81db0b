// SPDX-License-Identifier: Apache-2.0
// Credentials that are there already.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

@Suite struct StaticCredentialTests {
  @Test("Static credentials are returned unchanged, and never printed")
  func given() async throws {
    let credentials = try SigV4.Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: "secretive", sessionToken: "tokenlike")
    let provided = try await credentials.credentials()
    #expect(provided.credentials.identity.accessKeyID == "AKIDEXAMPLE")
    #expect("\(provided)" == "AKIDEXAMPLE with a session token from the program")
  }
}
