// SPDX-License-Identifier: Apache-2.0
// TransferMemory URL KIND FILE: sends a file, or gets one, as its kind says and checks the progress; or does so
// 1,000 times at a server that misbehaves, or cancels it 1,000 times, and counts the descriptors that stay open.
// The 1,000 are calls, uploads, downloads or uploads in parts.

import CredentialProviders
import Foundation
import RequestSigning
import RequestSigningFoundation
import S3Signing

/// The last progress, and whether it has always grown.
final class Progress: @unchecked Sendable {
  private let lock = NSLock()
  private var last: TransferProgress?
  private var grows = true

  func note(_ next: TransferProgress) {
    lock.withLock {
      if let last, last.byteCount >= next.byteCount { grows = false }
      last = next
    }
  }

  var isRight: Bool {
    lock.withLock { grows && last != nil && last?.byteCount == last?.totalByteCount }
  }
}

/// What an object of 1 GiB is, one way or the other.
struct Transfer {
  let url: String
  let kind: String
  let file: URL
  let session: SigningSession

  init() throws {
    url = CommandLine.arguments[1]
    kind = CommandLine.arguments[2]
    file = URL(fileURLWithPath: CommandLine.arguments[3])
    var options = SigningSession.Options()
    if kind.contains("-") { options.maximumAttempts = 1 }
    options.partByteCount = kind.contains("-") ? 5_242_880 : options.partByteCount
    session = SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "key", secretAccessKey: "secret"),
      region: "us-east-1", service: .s3, options: options)
  }

  var object: SigV4.Bucket.Object {
    get throws {
      let endpoint = try SigV4.S3Endpoint.custom(url: url, region: "us-east-1")
      return try SigV4.Bucket("films", at: endpoint, addressing: .path).object("film.mov")
    }
  }

  func upload(_ payload: FilePayload, _ progress: Progress) async throws -> Int {
    try await session.send(
      object.putRequest(.empty), body: .file(file, payload: payload), progress: progress.note
    ).1.statusCode
  }

  func download(_ file: URL, _ progress: Progress) async throws -> Int {
    try await session.download(object.getRequest(), to: file, progress: progress.note).statusCode
  }

  /// Once; the status, and whether progress was right.
  func once() async throws -> (Int, Bool) {
    let progress = Progress()
    switch kind {
    case "hashed": return (try await upload(.hashed, progress), progress.isRight)
    case "unsigned": return (try await upload(.unsigned, progress), progress.isRight)
    case "chunks": return (try await upload(.signedChunks(), progress), progress.isRight)
    case "parts":
      try await session.upload(file, to: object, progress: progress.note)
      return (200, progress.isRight)
    case "pieces":
      try await session.upload(Pieces(), to: object)
      return (200, true)
    case "download": return (try await download(file, progress), progress.isRight)
    default:
      var byteCount = 0
      for try await part in session.bytes(for: try object) { byteCount += part.count }
      return (200, byteCount == 1 << 30)
    }
  }

  /// One of 1,000.
  func attempt(_ number: Int) async throws -> Int {
    if kind.hasPrefix("call") {
      guard let address = URL(string: url + "/films/film.mov") else { throw URLError(.badURL) }
      var request = URLRequest(url: address)
      request.httpMethod = ["GET", "POST", "PUT", "DELETE"][number % 4]
      return try await session.send(request).1.statusCode
    }
    if kind.hasPrefix("upload") {
      return try await upload(number.isMultiple(of: 2) ? .unsigned : .signedChunks(), Progress())
    }
    if kind.hasPrefix("parts") {
      try await session.upload(file, to: object)
      return 200
    }
    return try await download(file.appendingPathExtension("\(number)"), Progress())
  }

  /// 1,000 of them, four at a time, of which each is cancelled after up to 60 ms if at all.
  func thousand() async throws -> [Outcome] {
    try await withThrowingTaskGroup(of: Outcome.self) { group in
      var outcomes: [Outcome] = []
      for number in 0..<1_000 {
        if number >= 4, let outcome = try await group.next() { outcomes.append(outcome) }
        group.addTask { try await outcome(number) }
      }
      for try await outcome in group { outcomes.append(outcome) }
      return outcomes
    }
  }

  private func outcome(_ number: Int) async throws -> Outcome {
    let begin = ContinuousClock.now
    let task = Task { try await attempt(number) }
    var start: ContinuousClock.Instant?
    if kind.hasSuffix("cancellations") {
      try await Task.sleep(for: .microseconds(UInt64.random(in: 0...60_000)))
      start = .now
      task.cancel()
    }
    let name: String
    do { name = "answered \(try await task.value)" } catch { name = "\(type(of: error))" }
    return Outcome(name: name, delay: start.map { .now - $0 }, duration: .now - begin)
  }
}

/// 1 GiB in pieces of 1 MB.
struct Pieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
  var left = 1 << 30

  func makeAsyncIterator() -> Pieces { self }

  mutating func next() async -> Data? {
    if left == 0 { return nil }
    let byteCount = Swift.min(left, 1_000_000)
    left -= byteCount
    return Data(count: byteCount)
  }
}

/// How a transfer ended, and how long after its cancellation and its start.
struct Outcome {
  let name: String
  let delay: Duration?
  let duration: Duration
}

func descriptorCount() throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}

let transfer = try Transfer()
if transfer.kind.contains("-") {
  let before = try descriptorCount()
  let outcomes = try await transfer.thousand()
  // What was cancelled is closed a moment later.
  try await Task.sleep(for: .seconds(2))
  let counts = Dictionary(grouping: outcomes, by: \.name).mapValues(\.count)
  let list = counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
  print(try descriptorCount() - before < 20 ? "closed" : "open", list.joined(separator: ", "))
  if let longest = outcomes.map(\.duration).max() {
    print(longest < .seconds(5) ? "in time:" : "late:", "\(longest) at most")
  }
  let delays = outcomes.compactMap(\.delay).sorted()
  if let longest = delays.last {
    print(
      "the call returned \(delays[delays.count / 2]) after cancel() as a rule, \(longest) at most")
  }
} else {
  let (status, isRight) = try await transfer.once()
  print(status, isRight)
}
