// SPDX-License-Identifier: Apache-2.0
// What's left of an upload with a checkpoint: the missing parts, and its completion or abort.

internal import Foundation
internal import RequestSigning
internal import S3Signing

/// What's left of an upload that began.
struct RemainingUpload: Sendable {
  /// Its checksum is that of the file's bytes, even if the store gets none.
  fileprivate typealias Part = MultipartUpload.Part

  fileprivate let upload: BodyUpload
  fileprivate let body: Body
  fileprivate let saved: SavedCheckpoint<UploadCheckpoint>

  init(_ upload: BodyUpload, _ body: Body, _ saved: SavedCheckpoint<UploadCheckpoint>) {
    self.upload = upload
    self.body = body
    self.saved = saved
  }

  fileprivate var parts: MultipartUpload { upload.parts }
  fileprivate var id: String { saved.value.uploadID }

  /// Sends the parts that are missing, and completes the upload.
  ///
  /// - Parameter listed: the parts that the store has.
  ///
  /// - Throws: An error with ``TransferError/isUploadGone`` if the upload must begin again.
  func run(_ listed: [Int: MultipartUpload.Part]) async throws -> UploadedObject {
    do {
      return try await complete(sendMissing(keeping: confirmed(listed)))
    } catch let error as TransferError where error.serverCode == "InvalidPart" {
      // The store lost a part, or a different sender replaced it.
      let listed = try await parts.listParts(id)
      return try await complete(sendMissing(keeping: confirmed(listed)))
    }
  }

  /// Aborts the upload. If that fails, the next call does.
  func abort() async throws {
    try await saved.update { $0.phase = .aborting }
    try await parts.session.abort(uploadID: id, of: parts.object, headers: parts.partHeaders)
    try saved.remove()
  }

  /// Returns the parts that the store has. If the upload may have been completed, and therefore
  /// doesn't exist anymore, they are those that were sent.
  func listedParts() async throws -> [Int: MultipartUpload.Part] {
    do {
      return try await parts.listParts(id)
    } catch let error as TransferError where error.isUploadGone {
      let checkpoint = saved.value
      if checkpoint.phase != .completing { throw error }
      return Dictionary(
        uniqueKeysWithValues: checkpoint.parts.map { number, sent in
          let byteCount = checkpoint.part(number).range.byteCount
          return (
            number, Part(number: number, byteCount: byteCount, eTag: sent.eTag, checksum: nil)
          )
        })
    }
  }
}

// Parts.
extension RemainingUpload {
  private func bytes(of part: UploadPart) -> Body {
    body.part(Int(part.range.lowerBound)..<Int(part.range.upperBound))
  }

  /// Returns the listed parts that consist of the file's bytes, in order.
  private func confirmed(_ listed: [Int: Part]) throws -> [Part] {
    let checkpoint = saved.value
    let sameSize = checkpoint.allParts.filter { part in
      listed[part.number]?.byteCount == part.range.byteCount
    }
    // The progress begins here, because reading the parts again takes time.
    upload.progress.advance(
      Dictionary(sameSize.map { ($0.number, $0.range.byteCount) }) { first, _ in first })
    return try sameSize.compactMap { part in
      guard let found = listed[part.number] else { return nil }
      let own = try bytes(of: part).checksum(checkpoint.fileChecksum)
      guard try isSame(part, own, found, checkpoint.parts[part.number]) else { return nil }
      return Part(
        number: part.number, byteCount: found.byteCount, eTag: found.eTag, checksum: own)
    }
  }

  /// Returns whether the store has the bytes of the file, as far as it's known.
  private func isSame(
    _ part: UploadPart, _ own: SigV4.Checksum, _ found: Part, _ sent: UploadCheckpoint.SentPart?
  ) throws -> Bool {
    if let listed = found.checksum { return listed == own }
    let eTag = MultipartUpload.plainETag(found.eTag)
    if let sent, MultipartUpload.plainETag(sent.eTag) == eTag { return sent.checksum == own.text }
    return try bytes(of: part).isMD5(eTag)
  }

  /// Sends all other parts. Returns all of them, in order.
  private func sendMissing(keeping kept: [Part]) async throws -> [Part] {
    let numbers = Set(kept.map(\.number))
    let missing = saved.value.allParts.filter { !numbers.contains($0.number) }
    guard let first = missing.first else { return kept }
    // A part that's sent again is forgotten before, because the store may lose the old one first.
    try await saved.update { state in
      state.phase = .sending
      state.parts = [:]
      for part in kept { state.note(part) }
    }
    let sent = try await parts.sendAll(
      first, PartQueue(parts: missing.dropFirst()), saved.value.partByteCount
    ) { part, _ in try await send(part) }
    return (kept + sent).sorted { $0.number < $1.number }
  }

  private func send(_ part: UploadPart) async throws -> Part {
    do {
      return try await sendOnce(part)
    } catch let error as TransferError where error.isDamaged {
      return try await sendOnce(part)
    }
  }

  private func sendOnce(_ part: UploadPart) async throws -> Part {
    let bytes = bytes(of: part)
    let own = parts.checksum == nil ? try bytes.checksum(saved.value.fileChecksum) : nil
    let sent = try await upload.send(bytes, part.number, id)
    let noted = Part(
      number: sent.number, byteCount: sent.byteCount, eTag: sent.eTag,
      checksum: own ?? sent.checksum)
    try await saved.update { $0.note(noted) }
    return noted
  }

  /// Throws `invalidFile` unless the file consists of the bytes that were sent. Its time isn't
  /// compared, because a copy or a restored file has a different one, and an edit may keep it.
  private func checkFile(_ sent: [Part]) throws {
    try body.checkFile()
    for part in sent {
      let own = try bytes(of: saved.value.part(part.number)).checksum(saved.value.fileChecksum)
      if own != part.checksum { throw TransferError.changed(body.wholeFile?.path ?? "The file") }
    }
  }
}

// The end.
extension RemainingUpload {
  private func complete(_ sent: [Part]) async throws -> UploadedObject {
    try checkFile(sent)
    let list =
      parts.checksum != nil
      ? sent
      : sent.map {
        Part(number: $0.number, byteCount: $0.byteCount, eTag: $0.eTag, checksum: nil)
      }
    // From now on, an upload that doesn't exist anymore may be complete. Its object is then
    // compared with all parts, also with those whose responses were lost.
    try await saved.update { state in
      state.phase = .completing
      for part in sent { state.note(part) }
    }
    let uploaded: UploadedObject
    do {
      uploaded = try await parts.completeOnce(list, saved.value)
    } catch let error as TransferError where error.isConflict || error.isDamaged {
      // The store needs all parts again.
      try? await abort()
      throw error
    }
    try saved.remove()
    upload.progress.finish(at: body.byteCount)
    return uploaded
  }
}

/// Parts in order.
private struct PartQueue: PartSource {
  var parts: ArraySlice<UploadPart>

  mutating func next(_ byteCount: Int) -> UploadPart? { parts.popFirst() }
}

extension UploadCheckpoint {
  /// Notes an uploaded part with the checksum of the file's bytes.
  fileprivate mutating func note(_ part: MultipartUpload.Part) {
    guard let checksum = part.checksum else { return }
    parts[part.number] = SentPart(eTag: part.eTag, checksum: checksum.text)
  }
}

extension TransferError {
  /// Whether a concurrent request decided the condition, after which S3 needs a new upload.
  fileprivate var isConflict: Bool {
    status == 409 && serverCode == "ConditionalRequestConflict"
  }

  /// Whether the store got other bytes than those that were signed.
  fileprivate var isDamaged: Bool {
    ["BadDigest", "XAmzContentSHA256Mismatch"].contains(serverCode)
  }
}
