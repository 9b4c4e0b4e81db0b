// SPDX-License-Identifier: Apache-2.0
// UploadMemory URL KIND FILE: uploads a file as its kind says and checks the progress; or uploads it 1,000 times
// to a server that misbehaves, or cancels it 1,000 times, and counts the descriptors that stay open.

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

let (url, kind, file) = (
  CommandLine.arguments[1], CommandLine.arguments[2], URL(fileURLWithPath: CommandLine.arguments[3])
)
var options = SigningSession.Options()
if ["faults", "cancellations"].contains(kind) { options.maximumAttempts = 1 }
let session = SigningSession(
  credentials: try SigV4.Credentials(accessKeyID: "key", secretAccessKey: "secret"),
  region: "us-east-1", service: .s3, options: options)
let payloads: [String: FilePayload] = [
  "hashed": .hashed, "unsigned": .unsigned, "chunks": .signedChunks(),
]

func upload(_ payload: FilePayload, _ progress: Progress) async throws -> Int {
  try await session.upload(
    .file(file, payload: payload), with: SigV4.Request("PUT", url: url), progress: progress.note
  ).1.statusCode
}

func uploadInParts(_ progress: Progress) async throws {
  let endpoint = try SigV4.S3Endpoint.custom(url: url, region: "us-east-1")
  let bucket = try SigV4.Bucket("films", at: endpoint, addressing: .path)
  try await session.uploadInParts(file, to: bucket.object("film.mov"), progress: progress.note)
}

func descriptorCount() throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}

/// How an upload ended, and how long after its cancellation.
struct Outcome {
  let name: String
  let delay: Duration?
}

/// 1,000 uploads, four at a time, of which each is cancelled after up to so many microseconds.
func endEarly(after limit: UInt64?) async throws -> [Outcome] {
  try await withThrowingTaskGroup(of: Outcome.self) { group in
    var outcomes: [Outcome] = []
    for number in 0..<1_000 {
      if number >= 4, let outcome = try await group.next() { outcomes.append(outcome) }
      group.addTask {
        let task = Task {
          try await upload(number.isMultiple(of: 2) ? .unsigned : .signedChunks(), Progress())
        }
        var start: ContinuousClock.Instant?
        if let limit {
          try await Task.sleep(for: .microseconds(UInt64.random(in: 0...limit)))
          start = .now
          task.cancel()
        }
        let name: String
        do { name = "answered \(try await task.value)" } catch { name = "\(type(of: error))" }
        return Outcome(name: name, delay: start.map { .now - $0 })
      }
    }
    for try await outcome in group { outcomes.append(outcome) }
    return outcomes
  }
}

switch kind {
case "faults", "cancellations":
  let before = try descriptorCount()
  let outcomes = try await endEarly(after: kind == "faults" ? nil : 60_000)
  // What was cancelled is closed a moment later.
  try await Task.sleep(for: .seconds(2))
  let counts = Dictionary(grouping: outcomes, by: \.name).mapValues(\.count)
  let list = counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
  print(try descriptorCount() - before < 20 ? "closed" : "open", list.joined(separator: ", "))
  let delays = outcomes.compactMap(\.delay).sorted()
  if let longest = delays.last {
    print(
      "the call returned \(delays[delays.count / 2]) after cancel() as a rule, \(longest) at most")
  }
case "parts":
  let progress = Progress()
  try await uploadInParts(progress)
  print(200, progress.isRight)
default:
  let progress = Progress()
  print(try await upload(payloads[kind] ?? .hashed, progress), progress.isRight)
}
