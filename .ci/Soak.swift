// SPDX-License-Identifier: Apache-2.0
// Soak SECONDS SHARING: eight threads share a signer, its cache of keys and a verifier for so long; or, when SHARING is
// "each", have a signer with a cache each. Every ten seconds a line says what they did and what memory and descriptors
// the process has.

import Foundation
import RequestSigning
import RequestVerification
import Synchronization

/// What all threads share.
final class Shared: Sendable {
  let request: SigV4.Request
  let credentials: SigV4.Credentials
  /// None when each thread has its own.
  let signer: SigV4.Signer?
  let verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
  let signatures = Atomic<Int>(0)
  let verifications = Atomic<Int>(0)
  let isOver = Atomic<Bool>(false)

  init(hasSigner: Bool) throws {
    request = try SigV4.Request("GET", url: "https://examplebucket.s3.amazonaws.com/test.txt")
    credentials = try SigV4.Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "secret")
    signer = try hasSigner ? Self.newSigner(credentials) : nil
  }

  private static func newSigner(_ credentials: SigV4.Credentials) throws -> SigV4.Signer {
    try SigV4.Signer(
      credentials: credentials, region: "us-east-1", service: .s3,
      keys: SigV4.SigningKeyCache(capacity: 8))
  }

  /// Signs on one day after the other, so that keys are derived, kept and thrown away.
  func work(_ number: Int) throws {
    let signer = try signer ?? Self.newSigner(credentials)
    var buffer = SigV4.SigningBuffer()
    var round = number
    while !isOver.load(ordering: .relaxed) {
      let now = try SigV4.Timestamp(unixSeconds: 1_700_000_000 + Int64(round % 32) * 86_400)
      for _ in 0..<1_000 { try signer.sign(request, at: now, into: &buffer) }
      signatures.add(1_000, ordering: .relaxed)
      try verify(signer, at: now)
      verifications.add(1, ordering: .relaxed)
      round += 1
    }
  }

  /// A URL is accepted, and another one with the same signature is not.
  private func verify(_ signer: SigV4.Signer, at now: SigV4.Timestamp) throws {
    let url = try signer.presignedURL(for: request, expiresIn: .seconds(900), at: now).url
    let query = url.drop { $0 != "?" }
    let headers: SigV4.Headers = ["host": "examplebucket.s3.amazonaws.com"]
    let right = SigV4.ReceivedRequest("GET", target: "/test.txt" + query, headers: headers)
    _ = try verifier.check(right, at: now).verify(with: credentials)
    let wrong = SigV4.ReceivedRequest("GET", target: "/other.txt" + query, headers: headers)
    let unverified = try verifier.check(wrong, at: now)
    do { _ = try unverified.verify(with: credentials) } catch { return }
    throw Forgery()
  }
}

/// A URL that was changed has been accepted.
struct Forgery: Error {}

/// The memory of the process in KiB, and its descriptors.
func resources() throws -> (Int, Int) {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
  let memory = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  return (memory ?? 0, descriptors)
}

let arguments = CommandLine.arguments.dropFirst()
let duration = Int(arguments.first ?? "") ?? 600
let shared = try Shared(hasSigner: arguments.last != "each")
let failures = Mutex<[String]>([])
let threads = DispatchGroup()
for number in 0..<8 {
  threads.enter()
  Thread.detachNewThread {
    do { try shared.work(number) } catch { failures.withLock { $0.append("\(error)") } }
    threads.leave()
  }
}
let start = ContinuousClock.now
var samples: [(Int, Int)] = []
while ContinuousClock.now - start < .seconds(duration) {
  Thread.sleep(forTimeInterval: 10)
  let (memory, descriptors) = try resources()
  samples.append((memory, descriptors))
  let seconds = (ContinuousClock.now - start).components.seconds
  let count = shared.signatures.load(ordering: .relaxed)
  print(
    "\(seconds) s: \(count) signatures, \(count / Int(seconds)) a second,",
    "\(shared.verifications.load(ordering: .relaxed)) URLs verified,",
    "\(memory) KiB, \(descriptors) descriptors")
}
shared.isOver.store(true, ordering: .relaxed)
threads.wait()
let failed = failures.withLock { $0 }
let (first, last) = (samples[0], samples[samples.count - 1])
if !failed.isEmpty || last.0 > first.0 + 4_096 || last.1 > first.1 {
  print("failed:", failed, "from \(first.0) KiB and \(first.1) descriptors to \(last)")
  exit(1)
}
print("no growth: \(first.0) KiB after ten seconds, \(last.0) KiB at the end")
