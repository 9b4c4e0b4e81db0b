// SPDX-License-Identifier: Apache-2.0
// Where URLSession tells what it received, and waits when that is not used as fast as it comes.

#if canImport(FoundationNetworking)
  internal import Dispatch
  internal import Foundation

  /// A queue for one delegate, which lets so many portions of 16 KiB or less wait and no more.
  ///
  /// FoundationNetworking 6.3.1 adds each portion that a server sends, however long the ones before have to
  /// wait for a slow disk: without a limit the memory would grow to the size of the answer. (URLSession of
  /// Apple's platforms waits by itself.)
  final class DelegateQueue: OperationQueue, @unchecked Sendable {
    private static let limit = 64
    // Not made with its full value: to end it while it has less would end the process.
    private let space = DispatchSemaphore(value: 0)

    override init() {
      super.init()
      maxConcurrentOperationCount = 1
      for _ in 0..<Self.limit { space.signal() }
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      // From the queue itself there would be no end to the wait.
      if OperationQueue.current === self { return super.addOperation(block) }
      space.wait()
      super.addOperation { [space] in
        block()
        space.signal()
      }
    }
  }
#endif
