// SPDX-License-Identifier: Apache-2.0
// A program without Foundation that finds credentials by name.

import POSIXCredentialSources

@main struct ServerCredentials {
  static func main() async throws {
    let provider = SigV4.CredentialProvider.chain(
      [.container(sources: .posix), .default(sources: .posix)], sources: .posix)
    let resolved = try await provider.credentials()
    print(resolved.credentials.accessKeyID, "from", resolved.source)
    let role = try SigV4.CredentialProvider.assumeRole(
      "arn:aws:iam::123456789012:role/reader", duration: .seconds(900),
      sources: .posix { request in
        SigV4.HTTPResponse(status: 403, body: Array("\(request)".utf8))
      })
    do {
      _ = try await role.credentials()
    } catch {
      print(error.code)
    }
  }
}
