// SPDX-License-Identifier: Apache-2.0
// Verification as of a `Date`, or now.

public import Foundation
public import RequestSigning
public import RequestVerification

/// As of a date, or now. Parameters and errors are the same as with a timestamp.
extension SigV4.Verifier {
  /// Checks everything in a request that doesn't need a key.
  public func check(
    _ request: SigV4.ReceivedRequest, at now: Date = Date()
  ) throws -> SigV4.UnverifiedRequest {
    try check(request, at: SigV4.Timestamp(now))
  }

  /// Checks everything in a form that doesn't need a key.
  public func check(
    _ form: SigV4.ReceivedForm, at now: Date = Date()
  ) throws -> SigV4.UnverifiedForm {
    try check(form, at: SigV4.Timestamp(now))
  }

  /// Verifies a request with credentials from a closure.
  public func verify(
    _ request: SigV4.ReceivedRequest, body: some Collection<UInt8>, at now: Date = Date(),
    credentials: (_ accessKeyID: String) async throws -> SigV4.Credentials?
  ) async throws -> SigV4.VerifiedRequest {
    try await verify(request, body: body, at: SigV4.Timestamp(now), credentials: credentials)
  }

  /// Verifies the parts of a request with credentials from a closure.
  public func verify(
    method: String, path: String, headers: [String: String], body: some Collection<UInt8>,
    at now: Date = Date(),
    credentials: (_ accessKeyID: String) async throws -> SigV4.Credentials?
  ) async throws -> SigV4.VerifiedRequest {
    try await verify(
      method: method, path: path, headers: headers, body: body, at: SigV4.Timestamp(now),
      credentials: credentials)
  }
}
