// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stands in for Apple's module Dispatch, for the compiler alone.
// https://developer.apple.com/documentation/dispatch/dispatchqueue

open class DispatchQueue: @unchecked Sendable {
  public convenience init(label: String) { fatalError() }
  init() {}
  public func async(execute work: @escaping @Sendable () -> Void) {}
}
