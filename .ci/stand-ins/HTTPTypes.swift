// SPDX-License-Identifier: Apache-2.0
// What docs/how-to/servers.md names of swift-http-types, in its spelling, for the compiler.

package struct HTTPField: Sendable {
  package struct Name: Hashable, Sendable {
    package let rawName: String
    package init?(_ name: String) { rawName = name }
    package static let contentType = Name(known: "Content-Type")
    init(known name: String) { rawName = name }
  }
  package var name: Name
  package var value: String
  package init(name: Name, value: String) { (self.name, self.value) = (name, value) }
}

package struct HTTPFields: Sequence, Sendable, ExpressibleByDictionaryLiteral {
  private var fields: [HTTPField] = []
  package init() {}
  package init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
    fields = elements.map { HTTPField(name: $0, value: $1) }
  }
  package mutating func append(_ field: HTTPField) { fields.append(field) }
  package func makeIterator() -> some IteratorProtocol<HTTPField> { fields.makeIterator() }
}

package struct HTTPRequest: Sendable {
  package struct Method: RawRepresentable, Sendable {
    package let rawValue: String
    package init?(rawValue: String) { self.rawValue = rawValue }
  }
  package var method: Method
  package var authority: String?
  package var path: String?
  package var headerFields = HTTPFields()
  package init(method: Method, authority: String?, path: String?) {
    (self.method, self.authority, self.path) = (method, authority, path)
  }
}

package struct HTTPResponse: Sendable {
  package struct Status: Sendable {
    package let code: Int
    package init(code: Int, reasonPhrase: String = "") { self.code = code }
    package static let ok = Status(code: 200)
  }
}
