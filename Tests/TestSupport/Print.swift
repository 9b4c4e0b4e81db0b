// SPDX-License-Identifier: Apache-2.0
// Output of examples isn't shown between the results of the tests.

/// Makes the text that the standard library's function of this name prints, and shows nothing.
public func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  _ = items.map { String(describing: $0) }.joined(separator: separator) + terminator
}
