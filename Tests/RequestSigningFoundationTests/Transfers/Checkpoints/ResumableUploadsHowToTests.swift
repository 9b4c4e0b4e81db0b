// SPDX-License-Identifier: Apache-2.0
// The how-to page on uploads that pause: its code compiles, and the server's part works.

internal import CredentialProviders
internal import Foundation
internal import RequestSigningFoundation
internal import SigningTestSupport
internal import Testing

#if canImport(UIKit)
  internal import UIKit
#endif

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

/// The lines of the page are here, and a test compares the two.
@Suite("How-to: resumable uploads")
struct ResumableUploadsHowToTests {
  /// The program on the page. It needs a bucket.
  func program() async throws {
    let bucket = try SigV4.Bucket.aws("films", region: "eu-west-1")
    let session = bucket.session(credentials: .default)
    let film = URL(fileURLWithPath: CommandLine.arguments[1])
    let checkpoint = film.appendingPathExtension("upload")

    if let upload = try? UploadCheckpoint(contentsOf: checkpoint) {
      print("\(upload.uploadedByteCount) of \(upload.byteCount) bytes are uploaded already")
    }
    let uploaded = try await session.upload(
      film, to: bucket.object(film.lastPathComponent), checkpoint: checkpoint
    ) { print($0.fractionCompleted) }
    print(uploaded.eTag)
  }

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

  @Test("The program on the page has at most 30 lines, and the page is in this file")
  func page() throws {
    let page = try HowToPage("resumable-uploads.md")
    let program = page.block("swift").drop { !$0.hasPrefix("// main.swift") }
      .prefix { !$0.hasPrefix("// Server") }
    #expect((10...30).contains(program.count))
    let here = Set(
      try HowToPage.lines(of: URL(fileURLWithPath: #filePath)).map(HowToPage.trimmed))
    let missing = page.block("swift").map(HowToPage.trimmed).filter {
      !$0.isEmpty && !$0.hasPrefix("// ") && !$0.hasPrefix("import ") && !here.contains($0)
    }
    #expect(missing == [])
  }
}

#if canImport(UIKit)
  @MainActor final class BackgroundUploads {
    static let shared = BackgroundUploads()
    static let identifier = "com.example.films.parts"

    /// What the system passed to the app delegate.
    var completionHandler: (() -> Void)?

    private lazy var session = URLSession(
      configuration: .background(withIdentifier: Self.identifier), delegate: PartMonitor(),
      delegateQueue: nil)

    /// Enqueues all parts, while the app is in front. Call it again after each launch.
    func send(_ slots: [PartSlot], of film: URL, id: String) async throws {
      let running = Set(await session.allTasks.compactMap(\.taskDescription))
      try FileManager.default.createDirectory(
        at: PartMonitor.folder, withIntermediateDirectories: true)
      for slot in slots {
        let name = "\(id)-\(slot.part.number)"
        if running.contains(name) { continue }
        let copy = PartMonitor.folder.appendingPathComponent(name)
        try? FileManager.default.removeItem(at: copy)
        try await Self.copy(slot.part, of: film, to: copy)
        var request = URLRequest(url: slot.url)
        request.httpMethod = "PUT"
        request.allHTTPHeaderFields = slot.headers
        let task = session.uploadTask(with: request, fromFile: copy)
        task.taskDescription = name
        task.resume()
      }
    }

    /// Copies a part without blocking the main actor.
    @concurrent private static func copy(
      _ part: UploadPart, of film: URL, to copy: URL
    ) async throws {
      try part.write(from: film, to: copy)
    }
  }

  nonisolated final class PartMonitor: NSObject, URLSessionTaskDelegate {
    static let folder = URL.applicationSupportDirectory.appendingPathComponent("parts")

    /// Removes the copy of a part. The status doesn't matter here: the server knows what is missing.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      guard let name = task.taskDescription else { return }
      try? FileManager.default.removeItem(at: Self.folder.appendingPathComponent(name))
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
      Task { @MainActor in
        // Here, ask the server for the missing parts, or to finish.
        BackgroundUploads.shared.completionHandler?()
        BackgroundUploads.shared.completionHandler = nil
      }
    }
  }

  final class AppDelegate: NSObject, UIApplicationDelegate {
    func application(
      _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
      completionHandler: @escaping () -> Void
    ) {
      BackgroundUploads.shared.completionHandler = completionHandler
    }
  }
#endif
