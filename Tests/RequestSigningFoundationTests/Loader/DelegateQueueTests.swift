// SPDX-License-Identifier: Apache-2.0
// The queue of the delegate: what is received waits for it, and what waits has a limit.

#if canImport(FoundationNetworking)
  internal import Dispatch
  internal import Foundation
  internal import RequestSigning
  internal import SigningTestSupport
  internal import Testing

  @testable internal import RequestSigningFoundation

  @Suite struct DelegateQueueTests {
    @Test("Not more than 64 operations wait, and all are done in their order")
    func limit() async throws {
      let queue = DelegateQueue()
      let (added, done) = (Guarded(0), Guarded<[Int]>([]))
      let isOpen = DispatchSemaphore(value: 0)
      queue.addOperation { isOpen.wait() }
      Thread.detachNewThread {
        for number in 0..<1_000 {
          queue.addOperation { done.withLock { $0.append(number) } }
          added.withLock { $0 += 1 }
        }
      }
      while added.withLock({ $0 }) < 63 { try await Task.sleep(for: .milliseconds(5)) }
      try await Task.sleep(for: .milliseconds(200))
      #expect(added.withLock { $0 } == 63)
      isOpen.signal()
      while done.withLock({ $0.count }) < 1_000 { try await Task.sleep(for: .milliseconds(5)) }
      #expect(done.withLock { $0 } == Array(0..<1_000))
    }

    @Test("An operation that adds others doesn't wait for itself")
    func within() {
      let (queue, count) = (DelegateQueue(), Guarded(0))
      queue.addOperation {
        for _ in 0..<200 { queue.addOperation { count.withLock { $0 += 1 } } }
      }
      queue.waitUntilAllOperationsAreFinished()
      #expect(count.withLock { $0 } == 200)
    }

    @Test(
      "A response that's too large ends the call while more of it arrives", .endsIfItHangs)
    func tooLarge() async throws {
      let server = try LoopbackServer(.init(zeros: 50_000_000))
      let session = SigningSession(
        credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
        region: "us-east-1", service: .s3)
      let get = try SigV4.Request("GET", url: server.url().absoluteString)
      for _ in 0..<10 {
        let error = await #expect(throws: TransferError.self) {
          try await session.send(get, maximumByteCount: 100_000)
        }
        #expect(error?.code == .invalidResponse)
      }
    }
  }
#endif
