// SPDX-License-Identifier: Apache-2.0
// What docs/how-to/servers.md names of swift-nio's NIOHTTP1, in its spelling, for the compiler.

package struct HTTPMethod: RawRepresentable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
  package static let GET = HTTPMethod(rawValue: "GET")
  package static let POST = HTTPMethod(rawValue: "POST")
}

package struct HTTPHeaders: Sequence, Sendable, ExpressibleByDictionaryLiteral {
  private var fields: [(name: String, value: String)] = []
  package init() {}
  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name: name, value: value) }
  }
  package mutating func add(name: String, value: String) { fields.append((name, value)) }
  package mutating func replaceOrAdd(name: String, value: String) {
    fields.removeAll { $0.name.lowercased() == name.lowercased() }
    add(name: name, value: value)
  }
  package func makeIterator() -> some IteratorProtocol<(name: String, value: String)> {
    fields.makeIterator()
  }
}

package struct HTTPResponseStatus: Sendable {
  package let code: UInt
  package init(statusCode: Int, reasonPhrase: String = "") { code = UInt(statusCode) }
}
