// SPDX-License-Identifier: Apache-2.0
// The how-to page on uploads that pause: the server's part works.

internal import Foundation
internal import RequestSigningFoundation
internal import SigningTestSupport
internal import Testing

// Server
/// A part, and the request that sends it.
struct PartSlot: Codable {
  let part: UploadPart
  let url: URL
  let headers: [String: String]
}

struct FilmUploads {
  let session: SigningSession
  let bucket: SigV4.Bucket

  /// Store the result next to the user's film.
  func start(_ key: String, byteCount: Int64) async throws -> UploadCheckpoint {
    try await session.startUpload(ofByteCount: byteCount, to: bucket.object(key))
  }

  /// Call it at first, and again whenever the sender asks what is missing.
  func slots(of upload: UploadCheckpoint) async throws -> [PartSlot] {
    var slots: [PartSlot] = []
    for part in try await session.missingParts(of: upload) {
      let request = try await session.presignedRequest(
        for: part, of: upload, expiresIn: .seconds(86_400))
      guard let url = request.url else { continue }
      slots.append(PartSlot(part: part, url: url, headers: request.allHTTPHeaderFields ?? [:]))
    }
    return slots
  }

  func finish(_ upload: UploadCheckpoint) async throws {
    try await session.finish(upload)
  }
}

/// The lines of the server's part are here, and a test compares the two.
@Suite("How-to: resumable uploads")
struct ResumableUploadsHowToTests {
  @Test("The server starts, signs and finishes, and each slot is JSON with the ends of its range")
  func server() async throws {
    let site = try UploadSite()
    let uploads = FilmUploads(session: try site.session(), bucket: try site.bucket())
    let upload = try await uploads.start("film.mov", byteCount: 9_500)
    let slots = try await uploads.slots(of: upload)
    let text = String(decoding: try JSONEncoder().encode(slots.last), as: UTF8.self)
    #expect(text.contains("\"range\":[9000,9500]"))
    #expect(text.contains("\"number\":10"))
    await #expect(throws: TransferError.self) { try await uploads.finish(upload) }
  }

  @Test("The program on the page has at most 30 lines, and the server's part is in this file")
  func page() throws {
    let page = try HowToPage("resumable-uploads.md")
    let program = page.block("swift").drop { !$0.hasPrefix("// main.swift") }
      .prefix { !$0.hasPrefix("// Server") }
    #expect((10...30).contains(program.count))
    try page.expectCode(in: #filePath, count: 24, skipping: [0, 2])
  }
}
