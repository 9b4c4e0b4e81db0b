// SPDX-License-Identifier: Apache-2.0
// What becomes of the errors of closures that the user wrote.

internal import CredentialProviders
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Errors of closures")
struct ClosureErrorTests {
  /// An error of a program that uses the library.
  struct ProgramError: Error, Equatable {
    let number: Int
  }

  private let sources: CredentialSources

  init() throws {
    let now = try SigV4.Timestamp("20240102T030405Z")
    sources = CredentialSources(now: { now })
  }

  private func error(
    _ provider: some CredentialResolver
  ) async -> CredentialError? {
    do throws(CredentialError) {
      _ = try await provider.credentials()
      return nil
    } catch {
      return error
    }
  }

  private func expect(
    _ code: CredentialError.Code, from provider: some CredentialResolver,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let error = await error(provider)
    #expect(error?.code == code, "\(error as Any)", sourceLocation: sourceLocation)
    #expect(
      error?.underlyingError as? ProgramError == ProgramError(number: 7),
      sourceLocation: sourceLocation)
    // The type is shown, and not what the error holds.
    let message = error?.message ?? ""
    #expect(
      message.contains("ProgramError") && !message.contains("7"), "\(message)",
      sourceLocation: sourceLocation)
  }

  @Test("An error of any type is the cause of a credential error with a code")
  func causes() async throws {
    var files = sources
    files.variable = { $0 == "HOME" ? "/home/me" : nil }
    files.file = { _ in throw ProgramError(number: 7) }
    await expect(.invalidFile, from: ProfileCredentialProvider(sources: files))

    var programs = sources
    programs.run = { _ in throw ProgramError(number: 7) }
    await expect(
      .accessDenied, from: ProcessCredentialProvider(command: ["/bin/keys"], sources: programs))

    var network = sources
    network.http = { _ in throw ProgramError(number: 7) }
    let pool = try CognitoIdentityPool("us-east-1:01234567-89ab-cdef-0123-456789abcdef")
    await expect(
      .unreachable, from: CognitoProvider(pool: pool, identities: .memory(), sources: network))

    // Each layer adds to the message, and keeps the cause.
    await expect(
      .unreachable,
      from: SigV4.CredentialProvider(
        CredentialProviderChain([
          CognitoProvider(pool: pool, identities: .memory(), sources: network)
        ]), now: sources.now))
    await expect(.notConfigured, from: InstanceMetadataProvider(sources: network))

    let logins = CognitoProvider(
      pool: pool, visitor: .logins { throw ProgramError(number: 7) }, identities: .memory(),
      sources: sources)
    await expect(.accessDenied, from: logins)
    let developer = CognitoProvider(
      pool: pool, visitor: .developer { throw ProgramError(number: 7) }, identities: .memory(),
      sources: sources)
    await expect(.accessDenied, from: developer)
    let store = CognitoIdentityStore(
      read: { _ in throw ProgramError(number: 7) }, write: { _, _ in })
    await expect(
      .invalidFile, from: CognitoProvider(pool: pool, identities: store, sources: sources))

    var codes = sources
    codes.mfaCode = { _ in throw ProgramError(number: 7) }
    let role = try AssumeRoleProvider(
      roleARN: "arn:aws:iam::123456789012:role/reader",
      mfaSerial: "arn:aws:iam::123456789012:mfa/me", endpoint: .global,
      source: SigV4.Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "secret"),
      sources: codes)
    await expect(.accessDenied, from: role)
  }

  @Test("A cancelled caller is cancelled, and a closure's credential errors stay")
  func passedOn() async throws {
    var programs = sources
    programs.run = { _ in throw CancellationError() }
    let closed = ProcessCredentialProvider(command: ["/bin/keys"], sources: programs)
    let caller = Task {
      while !Task.isCancelled { await Task.yield() }
      return await error(closed)
    }
    caller.cancel()
    let cancelled = await caller.value
    #expect(cancelled?.code == .cancelled && cancelled?.underlyingError == nil)
    // This caller isn't cancelled, so the closure failed.
    let failed = await error(closed)
    #expect(failed?.code == .accessDenied && failed?.underlyingError is CancellationError)
    let expected = CredentialError(.timedOut, "The program took too long.", fix: "Call it again.")
    programs.run = { _ in throw expected }
    let late = await error(ProcessCredentialProvider(command: ["/bin/keys"], sources: programs))
    #expect(late == expected)
    #expect(Set([late, late, cancelled]).count == 2)
  }
}
