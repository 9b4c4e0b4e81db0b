// SPDX-License-Identifier: Apache-2.0
// The world as providers of credentials see it, taken from the C library. HTTP is not in it.

internal import CredentialProviders
internal import RequestSigning

extension System {
  /// Clock, variables, files and programs of this machine.
  static func credentialSources() throws(CommandError) -> CredentialSources {
    let now = try signing { () throws(SigV4.SigningError) in
      try SigV4.Timestamp(unixSeconds: unixSeconds())
    }
    var sources = CredentialSources(now: { now })
    sources.variable = { variable($0) }
    sources.file = { (path) throws(CredentialError) in
      do throws(CommandError) {
        guard isRegularFile(path) else { return nil }
        return try contents(of: path, atMost: ProfileFile.maximumByteCount)
      } catch {
        throw CredentialError(.invalidFile, error.message)
      }
    }
    sources.run = { (command) async throws(CredentialError) in
      try ChildProcess.output(of: command)
    }
    return sources
  }
}
