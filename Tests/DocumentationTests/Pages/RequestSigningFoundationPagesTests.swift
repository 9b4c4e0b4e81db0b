// SPDX-License-Identifier: Apache-2.0
// The pages of RequestSigningFoundation: their code compiles. Running it needs a store.

internal import Foundation
internal import RequestSigningFoundation

struct RequestSigningFoundationPagesTests {
  func image(
    _ key: String, for credentials: any CredentialResolver
  ) async throws -> Data {
    let bucket = try SigV4.Bucket.aws("photos", region: "eu-west-1")
    let session = bucket.session(credentials: credentials)
    return try await session.data(for: bucket.object(key))
  }

  func share(
    _ file: URL, as key: String, for credentials: SigV4.Credentials
  ) async throws -> URL {
    let bucket = try SigV4.Bucket.r2(
      "photos", account: "0123456789abcdef0123456789abcdef")
    let object = try bucket.object(key)
    let session = bucket.session(credentials: credentials)
    try await session.upload(file, to: object)
    return try await session.presignedURL(
      for: object, expiresIn: .seconds(3_600))
  }
}
