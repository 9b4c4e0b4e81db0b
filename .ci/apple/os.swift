// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stands in for Apple's module os, for the compiler alone: nothing here runs.
// https://developer.apple.com/documentation/os/osallocatedunfairlock

@available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  public init(uncheckedState initialState: State) {}
  public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R { fatalError() }
  public func withLock<R>(_ body: @Sendable (inout State) throws -> R) rethrows -> R
  where R: Sendable { fatalError() }
  public func withLockIfAvailableUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R? {
    fatalError()
  }
  public func withLockIfAvailable<R>(_ body: @Sendable (inout State) throws -> R) rethrows -> R?
  where R: Sendable { fatalError() }
}
@available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
extension OSAllocatedUnfairLock where State: Sendable { public init(initialState: State) {} }
