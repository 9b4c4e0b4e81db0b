// SPDX-License-Identifier: Apache-2.0
// A multipart upload from its checkpoint, and the object that it results in.

internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SecureHashing

extension MultipartUpload {
  /// The headers that a checkpoint keeps, by name in lowercase. The caller passes an encryption key
  /// (SSE-C) again, so only its digest is kept.
  var keptHeaders: [String: String] {
    var kept: [String: String] = [:]
    for header in headers {
      let name = header.name.lowercased()
      let isKept =
        Self.isCondition(name) || name == checksum?.headerName || name == Self.keyDigest
        || Self.isOfEachRequest(name) && !Self.isOfKey(name)
      if isKept { kept[name] = header.value }
    }
    if checksum != nil { kept[Self.checksumType] = isFullObject ? "FULL_OBJECT" : "COMPOSITE" }
    return kept
  }

  /// The upload of a checkpoint.
  ///
  /// - Parameter headers: the caller's headers, of which only an encryption key is used.
  ///
  /// - Throws: `invalidCheckpoint` for a different object or key.
  init(
    _ session: SigningSession, _ object: SigV4.Bucket.Object, _ checkpoint: UploadCheckpoint,
    _ headers: SigV4.Headers
  ) throws(TransferError) {
    try checkpoint.check(object)
    let key = headers.filtered(Self.isOfKey)
    if key[Self.keyDigest] != checkpoint.headers[Self.keyDigest] {
      throw TransferError(
        .invalidCheckpoint,
        "The upload began "
          + (checkpoint.headers[Self.keyDigest] == nil ? "without an" : "with a different")
          + " encryption key (\(Self.keyDigest)), but each part needs the same one.",
        fix: "Pass the headers of the encryption key with which the upload began, or none.")
    }
    try self.init(
      session, object, checkpoint.laterHeaders + key, checkpoint.checksum,
      PartSizes(session.options, at: object.bucket.endpoint))
  }

  static let keyDigest = "x-amz-server-side-encryption-customer-key-md5"

  /// Completes an upload. If an earlier request did, whose response was lost, it returns the object
  /// of that one.
  ///
  /// - Throws: The error of the last request, or `unexpectedStatus` if the upload no longer exists
  ///   and the object isn't ours, or may not be.
  ///
  /// Source: Amazon S3, API Reference, "CompleteMultipartUpload", errors.
  func completeOnce(
    _ parts: [Part], _ checkpoint: UploadCheckpoint
  ) async throws -> UploadedObject {
    do {
      return try await complete(
        parts, checkpoint.uploadID, additional: sizeHeader(checkpoint))
    } catch let error as TransferError {
      if error.isUploadGone, let object = try await existingObject(of: parts) { return object }
      // The condition may not be met because of an earlier request. Then the upload doesn't exist
      // anymore. If it does, the object is somebody else's, even with these bytes.
      if [409, 412].contains(error.status), await isGone(checkpoint.uploadID),
        let object = try? await existingObject(of: parts)
      {
        return object
      }
      throw error
    }
  }

  private func isGone(_ id: String) async -> Bool {
    do {
      _ = try await listParts(id)
      return false
    } catch { return (error as? TransferError)?.isUploadGone == true }
  }

  /// The size of the object, which Amazon S3 checks when the upload is completed. Other stores may
  /// reject the header.
  private func sizeHeader(_ checkpoint: UploadCheckpoint) -> SigV4.Headers {
    SigV4.AWSPartition.isAWS(host: object.bucket.endpoint.host)
      ? ["x-amz-mp-object-size": "\(checkpoint.byteCount)"] : [:]
  }

  /// Returns the object if it consists of these parts, or nil if it doesn't exist.
  ///
  /// - Throws: `unexpectedStatus` if it's a different object, or may be.
  private func existingObject(of parts: [Part]) async throws -> UploadedObject? {
    let mode: SigV4.Headers = checksum == nil ? [:] : ["x-amz-checksum-mode": "ENABLED"]
    let answer = try await session.answer(
      to: Exchange(
        request: object.headRequest(headers: partHeaders + mode), direction: .plain(nil)))
    if answer.response.statusCode == 404 { return nil }
    try answer.expectSuccess("the object's metadata")
    let eTag = answer.response.value(forHTTPHeaderField: "ETag") ?? ""
    let found = checksum.flatMap { answer.response.value(forHTTPHeaderField: $0.headerName) }
    let isOurs =
      if let found, let expected = try wholeChecksumText(parts) {
        found == expected
      } else {
        Self.plainETag(eTag) == Self.wholeETag(parts)
      }
    if isOurs { return UploadedObject(eTag: eTag, answer, partCount: parts.count) }
    throw TransferError(
      .unexpectedStatus,
      "The upload no longer exists, and the object \(UTF8Text.quoted(object.key)) may not be its "
        + "result. Somebody else may have replaced it.",
      fix: "Compare the object with the file. To upload it again, start without this checkpoint.",
      status: 404)
  }

  /// The checksum of the object as a response has it, or nil if it isn't known.
  private func wholeChecksumText(_ parts: [Part]) throws -> String? {
    let checksums = parts.compactMap(\.checksum)
    if checksums.count < parts.count { return nil }
    if !isFullObject { return try SigV4.Checksum.composite(of: checksums) }
    return try SigV4.Checksum.fullObject(
      of: zip(checksums, parts).map { ($0, UInt64($1.byteCount)) }
    ).text
  }

  /// The ETag of an object in parts: the MD5 of their MD5s, and their number. Nil if an ETag isn't
  /// an MD5, as with SSE-KMS.
  ///
  /// Source: Amazon S3, User Guide, "Checking object integrity", ETags of multipart uploads.
  private static func wholeETag(_ parts: [Part]) -> String? {
    var digests: [UInt8] = []
    for part in parts {
      guard let digest = try? Hexadecimal.decode(plainETag(part.eTag)), digest.count == 16 else {
        return nil
      }
      digests += digest
    }
    return Hexadecimal.encode(SigV4.Checksum(.md5, of: digests).bytes) + "-\(parts.count)"
  }

  /// An ETag without its quotation marks, in lowercase. Stores differ in both.
  static func plainETag(_ eTag: String) -> String {
    String(eTag.filter { $0 != "\"" }).lowercased()
  }
}

extension Body {
  /// Returns whether an ETag is the MD5 of the bytes, which proves that they are the same. A
  /// different one proves nothing: with SSE-KMS, SSE-C or parts, it isn't their MD5.
  func isMD5(_ eTag: String) throws -> Bool {
    let digits = MultipartUpload.plainETag(eTag)
    return try digits.count == 32 && Hexadecimal.encode(checksum(.md5).bytes) == digits
  }
}
