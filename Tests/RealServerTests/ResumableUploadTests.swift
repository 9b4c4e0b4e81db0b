// SPDX-License-Identifier: Apache-2.0
// A server continues uploads that were interrupted, and takes parts by presigned requests.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import RequestSigningFoundation
internal import S3Signing
internal import SigningTestSupport
import Testing

@Suite("Real server: resumable uploads", .enabled(if: RealServer.isNamed, RealServer.reason))
struct ResumableUploadTests {
  private let temporary: TemporaryFolder
  private var folder: URL { temporary.url }
  let file: URL
  let checkpoint: URL
  let bytes = pattern(ofSize: 35_000)

  init() throws {
    temporary = try TemporaryFolder()
    file = temporary.url.appendingPathComponent("film.mov")
    checkpoint = temporary.url.appendingPathComponent("film.json")
    try Data(bytes).write(to: file)
  }

  /// The number of requests until the next one isn't sent, or its response is lost.
  actor Network {
    struct Lost: Error {}

    private var left = Int.max
    private var losesResponse = false
    private(set) var partCount = 0

    func fail(after count: Int, losingResponse: Bool = false) {
      left = count
      losesResponse = losingResponse
      partCount = 0
    }

    func send(_ request: SigV4.HTTPRequest) async throws -> SigV4.HTTPResponse {
      left -= 1
      if left < 0 && !losesResponse { throw Lost() }
      var sent = URLRequest(url: try #require(URL(string: request.url)))
      sent.httpMethod = request.method
      for header in request.headers { sent.setValue(header.value, forHTTPHeaderField: header.name) }
      sent.httpBody = Data(request.body)
      let (data, response) = try await URLSession.shared.data(for: sent)
      if left < 0 { throw Lost() }
      if request.url.contains("partNumber=") { partCount += 1 }
      let answer = try #require(response as? HTTPURLResponse)
      let fields = answer.allHeaderFields.map { SigV4.Header("\($0.key)", "\($0.value)") }
      return SigV4.HTTPResponse(
        status: answer.statusCode, headers: SigV4.Headers(fields), body: Array(data))
    }
  }

  func session(_ store: Store, _ network: Network) throws -> SigningSession {
    var options = SigningSession.Options()
    options.minimumPartByteCount = 1
    options.partByteCount = 10_000
    options.parallelPartCount = 1
    options.maximumAttempts = 1
    return try store.bucket.session(
      credentials: RealServer.credentials(), options: options,
      http: { try await network.send($0) })
  }

  @Test("An upload that is interrupted at each request continues, and sends no part twice")
  func interrupted() async throws {
    let store = try Store("resumable-uploads")
    let network = Network()
    let session = try session(store, network)
    let object = try store.bucket.object("é film.mov")
    for losesResponse in [false, true] {
      // Begin, four parts, complete.
      for count in 1...5 {
        await network.fail(after: count, losingResponse: losesResponse)
        await #expect(throws: TransferError.self) {
          try await session.upload(file, to: object, checkpoint: checkpoint)
        }
        await network.fail(after: .max)
        let uploaded = try await session.upload(file, to: object, checkpoint: checkpoint)
        #expect(uploaded.partCount == 4)
        let sentBefore = count - 1 + (losesResponse ? 1 : 0)
        #expect(await network.partCount == 4 - min(sentBefore, 4))
        #expect(try store.contents(of: object.key) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["film.mov"])
        #expect(try store.send(object.deleteRequest()).status == 204)
      }
    }
    var left = 0
    for try await _ in session.listUploads() { left += 1 }
    #expect(left == 0)
  }

  @Test("Parts are sent by presigned requests with their length, and the upload is finished")
  func delegated() async throws {
    let store = try Store("delegated-uploads")
    let network = Network()
    let session = try session(store, network)
    let object = try store.bucket.object("film.mov")
    let upload = try await session.startUpload(ofByteCount: Int64(bytes.count), to: object)
    for part in try await session.missingParts(of: upload) {
      var request = try await session.presignedRequest(for: part, of: upload)
      let body = bytes[Int(part.range.lowerBound)..<Int(part.range.upperBound)]
      request.httpBody = Data(body.dropLast())
      let refused = try await URLSession.shared.data(for: request).1 as? HTTPURLResponse
      #expect(refused?.statusCode == 403)
      request.httpBody = Data(body)
      let response = try await URLSession.shared.data(for: request).1 as? HTTPURLResponse
      #expect(response?.statusCode == 200)
    }
    #expect(try await session.missingParts(of: upload) == [])
    try await session.finish(upload)
    #expect(try store.contents(of: object.key) == bytes)
    #expect(try store.send(object.deleteRequest()).status == 204)
    let other = try await session.startUpload(ofByteCount: Int64(bytes.count), to: object)
    try await session.abort(other)
    await #expect(throws: TransferError.self) { try await session.finish(other) }
  }
}
