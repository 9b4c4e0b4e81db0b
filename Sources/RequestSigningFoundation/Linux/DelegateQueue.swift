// SPDX-License-Identifier: Apache-2.0
// The queue for URLSession's events, which limits how many of them wait.

#if canImport(FoundationNetworking)
  internal import Dispatch
  internal import Foundation

  /// A delegate queue that limits how many portions (of up to 16 KiB) wait.
  ///
  /// FoundationNetworking 6.3.1 adds each received portion, however long the previous ones wait for
  /// a slow disk. Without a limit, memory would grow to the size of the response. (URLSession on
  /// Apple platforms limits itself.)
  final class DelegateQueue: OperationQueue, @unchecked Sendable {
    private static let limit = 64
    // Not created with its full value, because releasing a semaphore below its initial value
    // crashes.
    private let space = DispatchSemaphore(value: 0)

    override init() {
      super.init()
      maxConcurrentOperationCount = 1
      for _ in 0..<Self.limit { space.signal() }
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      // Waiting on the queue itself would be a deadlock.
      if OperationQueue.current === self { return super.addOperation(block) }
      space.wait()
      super.addOperation { [space] in
        block()
        space.signal()
      }
    }
  }
#endif
