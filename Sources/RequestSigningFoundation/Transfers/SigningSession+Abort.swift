// SPDX-License-Identifier: Apache-2.0
// Aborts of multipart uploads, repeated until no part is left.

internal import DocumentSupport
internal import Foundation
public import RequestSigning
public import S3Signing

extension SigningSession {
  /// Aborts an unfinished multipart upload, and removes its parts, which cost money.
  ///
  ///     for try await upload in session.listUploads(prefix: "films/") {
  ///       try await session.abort(upload)
  ///     }
  ///
  /// Only abort uploads that no program continues. A part that's being sent can be stored after the
  /// abort, so the session lists the parts and repeats the abort until none is left, at most five
  /// times. Without permission to list parts, it aborts once. An upload that no longer exists isn't
  /// an error, and an object that an upload was completed to stays.
  ///
  /// - Throws: The errors of ``send(_:payload:maximumByteCount:)``, and `TransferError` with
  ///   `unexpectedStatus`, or `abortFailed` if there are still parts.
  ///
  /// Source: Amazon S3, API Reference, "AbortMultipartUpload".
  @concurrent public func abort(_ upload: UnfinishedUpload) async throws {
    try await abort(uploadID: upload.uploadID, of: upload.bucket.object(upload.key))
  }

  /// Aborts an unfinished multipart upload by its ID, such as the one in the message of an error
  /// with the code `abortFailed`. Like ``abort(_:)-(UnfinishedUpload)``.
  ///
  /// - Parameters:
  ///   - uploadID: the upload ID.
  ///   - object: the destination of the upload.
  ///   - headers: `x-amz-expected-bucket-owner` and `x-amz-request-payer`, if you need them.
  @concurrent public func abort(
    uploadID: String, of object: SigV4.Bucket.Object, headers: SigV4.Headers = [:]
  ) async throws {
    for attempt in 1...Self.maximumAborts {
      if attempt > 1 { try await Task.sleep(for: options.pause * (1 << (attempt - 2))) }
      let isMissing = try await abortOnce(uploadID, object, headers)
      if isMissing { return }
      if try await !hasParts(uploadID, object, headers) { return }
    }
    throw TransferError(
      .abortFailed,
      "The upload \(UTF8Text.quoted(uploadID)) still has parts after \(Self.maximumAborts) aborts, "
        + "probably because they're still being sent, and they cost money.",
      fix: "Call abort(uploadID:of:) again when nothing sends parts anymore, or add a lifecycle "
        + "rule that removes incomplete uploads.")
  }

  private static let maximumAborts = 5

  /// Returns whether the store doesn't have the upload.
  private func abortOnce(
    _ uploadID: String, _ object: SigV4.Bucket.Object, _ headers: SigV4.Headers
  ) async throws -> Bool {
    let request = try object.request("DELETE", query: ["uploadId": uploadID], headers: headers)
    let answer = try await answer(
      to: Exchange(request: request, direction: .plain(nil), expected: .nothing))
    if answer.isMissing && answer.error.code != "NoSuchBucket" { return true }
    try answer.expectSuccess("a confirmation of the abort")
    return false
  }

  /// Returns whether an aborted upload still has parts. A store that doesn't list them, such as
  /// without permission, has already confirmed the abort.
  private func hasParts(
    _ uploadID: String, _ object: SigV4.Bucket.Object, _ headers: SigV4.Headers
  ) async throws -> Bool {
    let request = try object.request(
      "GET", query: ["max-parts": "1", "uploadId": uploadID], headers: headers)
    let answer = try await answer(
      to: Exchange(
        request: request, direction: .plain(nil), expected: .document(root: ["ListPartsResult"])))
    guard let list = try? answer.document("a list of parts") else { return false }
    return list.fields.contains { $0.parent == "Part" }
  }
}
