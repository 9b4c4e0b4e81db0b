// SPDX-License-Identifier: Apache-2.0
// What counts as a success: the document of each call, and not an error or a page with a status of 200.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import Testing

@testable internal import RequestSigningFoundation

/// The documents are those of Amazon S3's API Reference, shortened.
@Suite struct ExpectedBodyTests {
  let credentials: SigV4.Credentials
  let bucket: SigV4.Bucket

  init() throws {
    credentials = try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret")
    bucket = try .aws("films", region: "eu-west-1")
  }

  func session(_ store: SampleStore) -> SigningSession {
    var options = SigningSession.Options()
    options.partByteCount = MultipartUploadTests.partByteCount
    options.parallelPartCount = 1
    options.pause = .zero
    return bucket.session(
      credentials: credentials, options: options, http: { try store.response(to: $0) })
  }

  /// Makes the call that sends a step's request. Returns the keys of a list.
  @discardableResult
  func call(_ step: SampleStore.Step, _ store: SampleStore) async throws -> [String] {
    let session = session(store)
    let object = try bucket.object("a")
    switch step {
    case .list: return try await session.list().reduce(into: []) { $0.append($1.key) }
    case .versions: return try await session.listVersions().reduce(into: []) { $0.append($1.key) }
    case .uploads: return try await session.listUploads().reduce(into: []) { $0.append($1.key) }
    case .deleteMany: try await session.delete(keys: ["a"])
    case .delete: try await session.delete(object)
    case .put: try await session.upload(Data("abc".utf8), to: object)
    case .begin, .part, .complete, .abort:
      try await session.upload(Data(count: MultipartUploadTests.partByteCount + 1), to: object)
    case .copy, .tags, .partCopy: try await session.copy(object, to: bucket.object("b"))
    }
    return []
  }

  @Test(
    "S3's documents are read in its namespace, in none, and with a prefix",
    arguments: SampleStore.Style.allCases)
  func styles(style: SampleStore.Style) async throws {
    for step in SampleStore.Step.allCases where step != .abort {
      let keys = try await call(step, SampleStore(style: style, isLarge: step.isOfLargeCopy))
      #expect(keys == (step.isList ? ["k"] : []), "\(step)")
    }
  }

  /// What a proxy, a sign-in page or another service may send with a status of 200. The last ones
  /// have all the fields of each document, but a different root element.
  static let pages = [
    "<html><head><title>Sign in</title></head><body><p>Welcome</p></body></html>",
    "<!DOCTYPE html><html><head><meta charset=utf-8></head><body>Sign in<br></body></html>",
    "\n<HTML/>", "\u{FEFF}<html xmlns='http://www.w3.org/1999/xhtml'/>",
    "<ListAllMyBucketsResult><Buckets/></ListAllMyBucketsResult>", "<Errors/>", "<error/>",
    "<html><Contents><Key>k</Key><VersionId>v</VersionId><UploadId>u</UploadId></Contents>"
      + "<Version><Key>k</Key><VersionId>v</VersionId></Version><ETag>e</ETag>"
      + "<Upload><Key>k</Key><UploadId>u</UploadId></Upload><UploadId>u</UploadId></html>",
    "<x><ListBucketResult/><DeleteResult/></x>",
  ]

  @Test("A page isn't a success, whatever the call", arguments: SampleStore.Step.allCases)
  func pages(step: SampleStore.Step) async throws {
    var pages = Self.pages
    if step.root != nil { pages += ["", " ", "OK", "{}", "<\(step.root ?? "")", "<X>\(step)</X>"] }
    if step.isDeletion { pages += ["OK", "{}"] }
    for page in pages {
      let store = SampleStore(isLarge: step.isOfLargeCopy, failingPart: step == .abort)
      // The server of a page may send an entity tag, too.
      store.faults = [.response(SampleStore.response(page, ["ETag": "\"page\""]))]
      store.faultyStep = step
      let error = await #expect(throws: TransferError.self, "\(page)") {
        try await call(step, store)
      }
      #expect(error?.code == (step == .abort ? .abortFailed : .invalidResponse), "\(page)")
      #expect(store.count(of: step) == 1, "\(page)")
    }
  }

  @Test(
    "An error after a status of 200 is retried in each call", arguments: SampleStore.Step.allCases)
  func errors(step: SampleStore.Step) async throws {
    let failed = SampleStore.response(
      "<?xml version=\"1.0\"?>\n<Error><Code>InternalError</Code></Error>", ["ETag": "\"e\""])
    let store = SampleStore(isLarge: step.isOfLargeCopy, failingPart: step == .abort)
    store.faults = [.response(failed), .response(failed)]
    store.faultyStep = step
    if step == .abort {
      await #expect(throws: TransferError.self) { try await call(step, store) }
    } else {
      try await call(step, store)
    }
    #expect(store.count(of: step) == step.count + 2)

    let stubborn = SampleStore(isLarge: step.isOfLargeCopy, failingPart: step == .abort)
    stubborn.faults = .init(repeating: .response(failed), count: 9)
    stubborn.faultyStep = step
    let error = await #expect(throws: TransferError.self) { try await call(step, stubborn) }
    #expect(error?.code == (step == .abort ? .abortFailed : .unexpectedStatus))
    #expect(error?.message.contains("InternalError") == true)
  }

  // The second attempt of an abort finds no upload (S3 API Reference, AbortMultipartUpload).
  @Test("Each call is retried after a lost connection", arguments: SampleStore.Step.allCases)
  func lostConnections(step: SampleStore.Step) async throws {
    let store = SampleStore(isLarge: step.isOfLargeCopy, failingPart: step == .abort)
    let gone = SampleStore.response(
      status: 404, "<Error><Code>NoSuchUpload</Code></Error>")
    store.faults = [.lostConnection] + (step == .abort ? [.response(gone)] : [])
    store.faultyStep = step
    if step == .abort {
      let error = await #expect(throws: TransferError.self) { try await call(step, store) }
      #expect(error?.code == .unexpectedStatus && error?.serverCode == "AccessDenied")
      #expect(store.count(of: .abort) == 2)
    } else {
      try await call(step, store)
      #expect(store.count(of: step) == step.count + 1)
    }
  }

  @Test("An abort that is answered by a page that wasn't found has failed")
  func abortAtAnotherServer() async throws {
    for (body, code) in [
      ("<html><body>404</body></html>", TransferError.Code.abortFailed), ("", .unexpectedStatus),
      ("<Error><Code>NoSuchKey</Code></Error>", .unexpectedStatus),
    ] {
      let store = SampleStore(failingPart: true)
      store.faults = [.response(SampleStore.response(status: 404, body))]
      store.faultyStep = .abort
      let error = await #expect(throws: TransferError.self) { try await call(.abort, store) }
      #expect(error?.code == code, "\(body)")
    }
  }

  @Test(
    "A document that's named after the operation is a success, although S3 sends none",
    arguments: [
      (SampleStore.Step.put, "PutObject"), (.part, "UploadPart"), (.delete, "DeleteObject"),
    ])
  func smallStores(step: SampleStore.Step, operation: String) async throws {
    for document in [
      "<\(operation)Result/>", "<?xml version='1.0'?>\n<\(operation)Result> </\(operation)Result>",
    ] {
      let store = SampleStore()
      store.faults = [.response(SampleStore.response(document, ["ETag": "\"e\""]))]
      store.faultyStep = step
      try await call(step, store)
    }
  }

  // Alibaba Cloud OSS, Developer Reference, "Callback": the response to PutObject is that of the
  // application's server.
  @Test("An upload may return the result of a callback")
  func callback() async throws {
    let store = SampleStore()
    store.faults = [.response(SampleStore.response("{\"Status\":\"OK\"}", ["ETag": "\"e\""]))]
    store.faultyStep = .put
    try await call(.put, store)
  }

  @Test("A call of your own gets whatever the server sends")
  func ownRequests() async throws {
    let store = SampleStore()
    store.faults = [.response(SampleStore.response("<html/>"))]
    store.faultyStep = .put
    let request = try bucket.object("a").putRequest(.empty)
    let (data, _) = try await session(store).send(request, body: .data(Data("abc".utf8)))
    #expect(data == Data("<html/>".utf8))
  }

  @Test("What a server repeats of a request's credentials isn't in the error")
  func repeatedCredentials() async throws {
    let token = "Token/of+this=Session"
    let credentials = try SigV4.Credentials(
      accessKeyID: "KEY", secretAccessKey: "secret", sessionToken: token)
    for (text, words) in [
      ("The token \(token) is broken.", "is broken"),
      ("Rejected Authorization: AWS4-HMAC-SHA256 Credential=KEY, Signature=5d672d79", "Rejected"),
    ] {
      let session = bucket.session(
        credentials: credentials,
        http: { _ in
          SampleStore.response(
            status: 418, "<Error><Code>Odd</Code><Message>\(text)</Message></Error>")
        })
      let error = await #expect(throws: TransferError.self) {
        try await session.upload(Data("abc".utf8), to: bucket.object("a"))
      }
      let message = try #require(error?.message)
      #expect(message.contains(words))
      for secret in [token, "5d672d79"] { #expect(!message.contains(secret)) }
    }
  }
}

/// A store that sends the right response to each request, except for one kind of request.
final class SampleStore: Sendable {
  /// The requests of a session's calls.
  enum Step: CaseIterable {
    case list, versions, uploads, deleteMany, delete, put, begin, part, complete, abort, copy, tags
    case partCopy

    init?(_ request: SigV4.HTTPRequest) {
      let query = request.url.split(separator: "?").dropFirst().first ?? ""
      let isCopy = request.headers["x-amz-copy-source"] != nil
      switch (request.method, query) {
      case ("GET", let query) where query.hasPrefix("list-type"): self = .list
      case ("GET", let query) where query.hasPrefix("versions"): self = .versions
      case ("GET", let query) where query.hasPrefix("uploads"): self = .uploads
      case ("GET", "tagging"): self = .tags
      case ("POST", "delete"): self = .deleteMany
      case ("POST", "uploads"): self = .begin
      case ("POST", _): self = .complete
      case ("DELETE", ""): self = .delete
      case ("DELETE", _): self = .abort
      case ("PUT", ""): self = isCopy ? .copy : .put
      case ("PUT", _): self = isCopy ? .partCopy : .part
      default: return nil
      }
    }

    var isList: Bool { [.list, .versions, .uploads].contains(self) }
    var isDeletion: Bool { [.delete, .abort].contains(self) }
    var isOfLargeCopy: Bool { [.tags, .partCopy].contains(self) }
    /// How often a call sends the request if nothing fails: for each part.
    var count: Int {
      switch self {
      case .part: 2
      case .partCopy: 24
      default: 1
      }
    }

    /// The root element of the response, or nil if it's empty.
    var root: String? {
      switch self {
      case .list: "ListBucketResult"
      case .versions: "ListVersionsResult"
      case .uploads: "ListMultipartUploadsResult"
      case .deleteMany: "DeleteResult"
      case .begin: "InitiateMultipartUploadResult"
      case .complete: "CompleteMultipartUploadResult"
      case .copy: "CopyObjectResult"
      case .tags: "Tagging"
      case .partCopy: "CopyPartResult"
      case .delete, .put, .part, .abort: nil
      }
    }

    var content: String {
      switch self {
      case .list: "<Contents><Key>k</Key></Contents>"
      case .versions: "<Version><Key>k</Key><VersionId>v</VersionId></Version>"
      case .uploads: "<Upload><Key>k</Key><UploadId>u</UploadId></Upload>"
      case .begin: "<UploadId>u</UploadId>"
      case .complete, .copy, .partCopy: "<ETag>\"e\"</ETag>"
      case .tags: "<TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet>"
      case .deleteMany, .delete, .put, .part, .abort: ""
      }
    }
  }

  enum Style: CaseIterable {
    case s3Namespace, noNamespace, prefix

    func document(_ root: String, _ content: String) -> String {
      let namespace = "=\"http://s3.amazonaws.com/doc/2006-03-01/\""
      switch self {
      case .s3Namespace: return "<\(root) xmlns\(namespace)>\(content)</\(root)>"
      case .noNamespace: return "<\(root)>\(content)</\(root)>"
      case .prefix:
        let content = content.replacingOccurrences(of: "<", with: "<s:")
          .replacingOccurrences(of: "<s:/", with: "</s:")
        return "<s:\(root) xmlns:s\(namespace)>\(content)</s:\(root)>"
      }
    }
  }

  enum Fault: Sendable {
    case response(SigV4.HTTPResponse)
    case lostConnection
  }

  private struct State {
    var steps: [Step] = []
    var requests: [SigV4.HTTPRequest] = []
    var faults: [Fault] = []
    var faultyStep: Step?
  }

  private let state = Guarded(State())
  private let style: Style
  private let isLarge: Bool
  private let failingPart: Bool

  /// - Parameters:
  ///   - isLarge: whether the object is too large for one copy.
  ///   - failingPart: whether parts are refused.
  init(style: Style = .s3Namespace, isLarge: Bool = false, failingPart: Bool = false) {
    self.style = style
    self.isLarge = isLarge
    self.failingPart = failingPart
  }

  /// What happens instead of the first responses to the faulty step.
  var faults: [Fault] {
    get { state.withLock { $0.faults } }
    set { state.withLock { $0.faults = newValue } }
  }

  var faultyStep: Step? {
    get { state.withLock { $0.faultyStep } }
    set { state.withLock { $0.faultyStep = newValue } }
  }

  func count(of step: Step) -> Int { state.withLock { $0.steps.count { $0 == step } } }

  func requests() -> [SigV4.HTTPRequest] { state.withLock { $0.requests } }

  struct LostConnection: Error {}

  func response(to request: SigV4.HTTPRequest) throws -> SigV4.HTTPResponse {
    let size = isLarge ? 6 << 30 : 3
    guard let step = Step(request) else {
      let isHead = request.method == "HEAD"
      return Self.response(
        "", ["ETag": "\"e\""] + (isHead ? ["Content-Length": "\(size)"] : [:]))
    }
    let fault = state.withLock { state -> Fault? in
      state.steps.append(step)
      state.requests.append(request)
      if step != state.faultyStep || state.faults.isEmpty { return nil }
      return state.faults.removeFirst()
    }
    switch fault {
    case .response(let response)?: return response
    case .lostConnection?: throw LostConnection()
    case nil: break
    }
    if step == .copy && isLarge {
      return Self.response(status: 400, "<Error><Code>InvalidRequest</Code></Error>")
    }
    if step == .part && failingPart {
      return Self.response(status: 403, "<Error><Code>AccessDenied</Code></Error>")
    }
    guard let root = step.root else {
      return Self.response(status: step.isDeletion ? 204 : 200, "", ["ETag": "\"e\""])
    }
    return Self.response(style.document(root, step.content))
  }

  static func response(
    status: Int = 200, _ body: String, _ headers: SigV4.Headers = [:]
  ) -> SigV4.HTTPResponse {
    SigV4.HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
  }
}
