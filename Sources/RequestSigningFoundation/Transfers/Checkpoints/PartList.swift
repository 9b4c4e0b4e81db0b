// SPDX-License-Identifier: Apache-2.0
// The parts that a store has of an upload.

internal import DocumentSupport
internal import Foundation
internal import RequestSigning
internal import S3Signing

/// What a list of parts may contain.
enum PartList {
  /// The numbers of parts: Amazon S3's.
  static let numbers = 1...SigV4.UploadLimits().maximumPartCount
}

extension MultipartUpload {
  /// Lists the parts that the store has, by number.
  ///
  /// - Throws: `unexpectedStatus`, also if the upload doesn't exist
  ///   (``TransferError/isUploadGone``), or `invalidResponse` if the list contradicts itself, or is
  ///   that of a different upload.
  ///
  /// Source: Amazon S3, API Reference, "ListParts".
  func listParts(_ id: String) async throws -> [Int: Part] {
    var parts: [Int: Part] = [:]
    var marker: Int? = 0
    while let asked = marker {
      let page = try await page(id, after: asked)
      for part in page.parts { parts[part.number] = part }
      marker = page.next
    }
    return parts
  }

  private func page(
    _ id: String, after marker: Int
  ) async throws -> (parts: [Part], next: Int?) {
    var query: [(String, String?)] = [("uploadId", id)]
    if marker > 0 { query.append(("part-number-marker", "\(marker)")) }
    let answer = try await session.answer(
      to: Exchange(
        request: object.request("GET", query: SigV4.Query(query), headers: partHeaders),
        direction: .plain(nil), expected: .document(root: ["ListPartsResult"])))
    let page = BucketPage(try answer.document("a list of the upload's parts").fields)
    if let other = page.text(of: "UploadId"), !other.utf8.elementsEqual(id.utf8) {
      throw wrong("It's the list of the upload \(UTF8Text.quoted(other.utf8, upTo: 40)).")
    }
    let parts = try page.entries.filter { $0.name == "Part" }.map(part)
    guard let isTruncated = page.isTruncated else {
      throw wrong("IsTruncated is neither true nor false.")
    }
    if !isTruncated { return (parts, nil) }
    let next = page.text(of: "NextPartNumberMarker").map { Int($0) } ?? parts.map(\.number).max()
    // Prevents an infinite loop.
    guard let next, next > marker, PartList.numbers.contains(Int64(next)) else {
      throw wrong("It's truncated, but doesn't say where it continues.")
    }
    return (parts, next)
  }

  private func part(_ entry: BucketListEntry) throws -> Part {
    func number(_ name: String, in range: ClosedRange<Int64>) throws(TransferError) -> Int64 {
      let text = entry.text(name) ?? ""
      if let number = Int64(text), range.contains(number) { return number }
      throw wrong("\(name) is \(UTF8Text.quoted(text.utf8, upTo: 40)).")
    }
    let partNumber = Int(try number("PartNumber", in: PartList.numbers))
    guard let eTag = entry.text("ETag"), !eTag.isEmpty else {
      throw wrong("Part \(partNumber) has no ETag.")
    }
    let listed = checksum.flatMap { entry.text("Checksum" + $0.name) }
    return Part(
      number: partNumber, byteCount: try number("Size", in: 0...(.max)), eTag: eTag,
      checksum: try checksum.flatMap { algorithm in
        try listed.map { text in
          do { return try SigV4.Checksum(algorithm, base64: text) } catch {
            throw wrong("Checksum\(algorithm.name) is \(UTF8Text.quoted(text.utf8, upTo: 40)).")
          }
        }
      })
  }

  private func wrong(_ problem: String) -> TransferError {
    TransferError(
      .invalidResponse,
      "The list of the upload's parts is invalid. \(problem)",
      fix: "Check the endpoint \(object.bucket.endpoint.host). Nothing was changed.")
  }
}

extension TransferError {
  /// Whether the store doesn't have the upload: it was completed, aborted or removed. The Ceph
  /// Object Gateway has a different code.
  var isUploadGone: Bool {
    status == 404 && ["NoSuchUpload", "NoSuchKey"].contains(serverCode)
  }
}
