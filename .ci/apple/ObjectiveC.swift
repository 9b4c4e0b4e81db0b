// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stands in for Apple's module ObjectiveC, for the compiler alone.
// https://developer.apple.com/documentation/objectivec/autoreleasepool(invoking:)

public func autoreleasepool<E, Result>(invoking body: () throws(E) -> Result) throws(E) -> Result
where E: Error, Result: ~Copyable { fatalError() }
