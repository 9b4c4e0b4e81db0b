// SPDX-License-Identifier: Apache-2.0
// How the tests compare: texts byte for byte, URLs as decoded pairs.

internal import Foundation
package import RequestSigning
package import Testing

/// Expects two texts to have the same bytes; Swift's `==` calls more texts equal than that.
package func expect(
  _ what: String, _ actual: String, is expected: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(
    actual.utf8.elementsEqual(expected.utf8),
    "\(what)\n--- is\n\(actual)\n--- should be\n\(expected)", sourceLocation: sourceLocation)
}

/// The parameters of a URL or target in order, each `name=value`, percent-decoded by Foundation.
package func decodedParameters(of url: String) throws -> [String] {
  guard let question = url.firstIndex(of: "?") else { return [] }
  let query = url[url.index(after: question)...]
  return try query.split(separator: "&", omittingEmptySubsequences: false).map { part in
    let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = try #require(pair.first?.removingPercentEncoding)
    let value = try #require(pair.dropFirst().joined().removingPercentEncoding)
    return name + "=" + value
  }
}

/// Header fields in a form that can be compared as a multiset: `name:value`, the name in lowercase.
package func lines(of headers: SigV4.Headers) -> [String] {
  headers.map { $0.name.lowercased() + ":" + $0.value }.sorted()
}
