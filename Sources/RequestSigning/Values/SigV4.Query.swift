// SPDX-License-Identifier: Apache-2.0
// The parameters of a query, in the caller's order, each percent-encoded once.

nonisolated extension SigV4 {
  /// The query of a request: names with or without values, repeated or not, in order.
  ///
  ///     ["list-type": "2", "prefix": "photos/"]     // a literal
  ///     try .encoded("uploads&prefix=a%20b")        // what stands after '?' in a URL
  public struct Query: Sendable, ExpressibleByDictionaryLiteral {
    /// A name and perhaps a value, strictly percent-encoded.
    struct Parameter {
      let name: [UInt8]
      let value: [UInt8]?
    }

    var parameters: [Parameter]

    init(parameters: [Parameter]) {
      self.parameters = parameters
    }

    /// What a '+' in an encoded query means.
    public enum PlusSign: Sendable {
      /// A space, as in forms; the usual meaning.
      case space
      /// A plus sign.
      case literal
    }

    /// No query.
    public static var empty: Query { Query(parameters: []) }

    /// Parameters of plain text; one without a value is written `name` on the wire.
    public init(dictionaryLiteral elements: (String, String?)...) {
      self.init(elements)
    }

    /// Parameters of plain text; one without a value is written `name` on the wire.
    public init(_ parameters: some Sequence<(String, String?)>) {
      self.parameters = parameters.map { name, value in
        Parameter(
          name: PercentEncoding.encode(name.utf8),
          value: value.map { PercentEncoding.encode($0.utf8) })
      }
    }

    /// A query that is percent-encoded already, without its '?'.
    ///
    /// Characters that need no escape lose it, others get one, and `+` becomes `%20` or `%2B`.
    /// Throws `invalidPercentEncoding` when a '%' lacks its two digits, and `invalidQuery` for '#'
    /// and control characters.
    public static func encoded(
      _ text: String, plus: PlusSign = .space
    ) throws(SigningError) -> Query {
      let bytes = Array(text.utf8)
      try PercentEncoding.check(bytes, of: "query")
      let illegal = bytes.firstIndex { ASCII.isControl($0) || $0 == 0x23 }
      if let illegal {
        throw SigningError(
          .invalidQuery,
          "the encoded query has \(quoted([bytes[illegal]])) at offset \(illegal), which ends a "
            + "query or cannot stand in one; percent-encode it, or give the parameters unencoded")
      }
      return received(bytes, plus: plus)
    }

    /// A query as a server received it, whatever its bytes. A '%' without two digits means itself.
    public static func received(
      _ bytes: some Collection<UInt8>, plus: PlusSign = .space
    ) -> Query {
      var query = Query.empty
      for part in bytes.split(separator: ASCII.ampersand, omittingEmptySubsequences: true) {
        let equals = part.firstIndex(of: ASCII.equals)
        let name = part[..<(equals ?? part.endIndex)]
        let value = equals.map { part[part.index(after: $0)...] }
        query.parameters.append(
          Parameter(
            name: PercentEncoding.reencode(name, plus: plus),
            value: value.map { PercentEncoding.reencode($0, plus: plus) }))
      }
      return query
    }

    /// The same query with one more parameter at its end.
    public func appending(_ name: String, _ value: String?) -> Query {
      var copy = self
      copy.parameters.append(contentsOf: Query([(name, value)]).parameters)
      return copy
    }

    /// Whether there is no parameter.
    public var isEmpty: Bool { parameters.isEmpty }

    /// The parameters as they go on the wire, without '?'.
    var wireBytes: [UInt8] {
      var bytes: [UInt8] = []
      for parameter in parameters {
        if !bytes.isEmpty { bytes.append(ASCII.ampersand) }
        bytes.append(contentsOf: parameter.name)
        if let value = parameter.value {
          bytes.append(ASCII.equals)
          bytes.append(contentsOf: value)
        }
      }
      return bytes
    }
  }
}
