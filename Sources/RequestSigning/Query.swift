// SPDX-License-Identifier: Apache-2.0
// The parameters of a query, in the caller's order, each percent-encoded once.

public import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// The query of a request: names with or without values, repeated or not, in order.
  ///
  ///     ["list-type": "2", "prefix": "photos/"]     // a literal
  ///     try .encoded("uploads&prefix=a%20b")        // what stands after '?' in a URL
  public struct Query: Sendable, ExpressibleByDictionaryLiteral {
    /// The parameters as they are sent, without '?': strictly percent-encoded, in order.
    package private(set) var wire: [UInt8] = []

    /// What a '+' in an encoded query means.
    public enum PlusSign: Sendable {
      /// A space, as in forms; the usual meaning.
      case space
      /// A plus sign.
      case literal

      package var meaning: UInt8 {
        switch self {
        case .space: ASCIIByte.space
        case .literal: ASCIIByte.plus
        }
      }
    }

    /// No query.
    public static var empty: Query { Query(wire: []) }

    private init(wire: [UInt8]) {
      self.wire = wire
    }

    /// Parameters of plain text; one without a value is written `name` on the wire.
    public init(dictionaryLiteral elements: (String, String?)...) {
      self.init(elements)
    }

    /// Parameters of plain text; one without a value is written `name` on the wire.
    public init(_ parameters: some Sequence<(String, String?)>) {
      for (name, value) in parameters {
        append(name, value)
      }
    }

    /// A query that is percent-encoded already, without its '?'.
    ///
    /// Characters that need no escape lose it, others get one, and `+` becomes `%20` or `%2B`.
    /// Throws `invalidPercentEncoding` when a '%' lacks its two digits, and `invalidQuery` for '#',
    /// spaces, control characters and bytes beyond ASCII: an encoded query has none of them, as an
    /// encoded path has none.
    public static func encoded(
      _ text: String, plus: PlusSign = .space
    ) throws(SigningError) -> Query {
      let bytes = text.bytesInUTF8[...]
      do throws(RequestProblem) { try bytes.span.checkQuery() } catch {
        throw error.error(inQuery: bytes)
      }
      return Query(reencoding: bytes, plus: plus)
    }

    /// A query as a server received it, whatever its bytes. A '%' without two digits means itself.
    @inlinable public static func received(
      _ bytes: some Collection<UInt8>, plus: PlusSign = .space
    ) -> Query {
      Query(reencoding: Array(bytes)[...], plus: plus)
    }

    /// The strict form of a query that is encoded somehow. Empty parameters are dropped.
    @usableFromInline
    init(reencoding bytes: ArraySlice<UInt8>, plus: PlusSign) {
      let query = bytes.span
      var shape = MessageShape()
      shape.fieldCapacity = query.parameterCount(from: 0)
      var memory = TextMemory()
      memory.reserve(shape.textStart + 3 * query.count)
      var text = memory.bytes.mutableSpan
      var end = shape.textStart
      shape.append(receivedQuery: query, plusMeaning: plus.meaning, &text, &end)
      wire = text.span.extracting(shape.query).array
    }

    /// The same query with one more parameter at its end.
    public func appending(_ name: String, _ value: String?) -> Query {
      var copy = self
      copy.append(name, value)
      return copy
    }

    /// Adds a parameter of plain text; but not one without name and value, of which nothing would be
    /// sent.
    private mutating func append(_ name: String, _ value: String?) {
      if name.utf8.isEmpty && value == nil { return }
      if !wire.isEmpty { wire.append(ASCIIByte.ampersand) }
      wire += URIEncoding.encode(name.bytesInUTF8)
      guard let value else { return }
      wire.append(ASCIIByte.equals)
      wire += URIEncoding.encode(value.bytesInUTF8)
    }

    /// Appends the parameters to the query of a URL. If there are any, the fragment is dropped.
    func appended(to url: String) -> String {
      if wire.isEmpty { return url }
      let bytes = url.bytesInUTF8.prefix { $0 != UInt8(ascii: "#") }
      let separator =
        bytes.contains(ASCIIByte.questionMark) ? ASCIIByte.ampersand : ASCIIByte.questionMark
      return (Array(bytes) + [separator] + wire).textInUTF8
    }

    /// Whether there is no parameter.
    public var isEmpty: Bool { wire.isEmpty }
  }
}

extension SigV4.Query: Redacted {
  /// How many parameters there are. A value may be secret.
  public var description: String { "Query(\(parameterCount))" }
}

extension SigV4.Query {
  /// A name and a value in strict form; an empty one where there is none.
  package typealias Parameter = (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)

  /// How many parameters there are.
  var parameterCount: Int {
    let query = wire[...]
    return query.span.parameterCount(from: 0)
  }

  /// The parameters in the order in which they are sent.
  package var parameters: [Parameter] {
    wire.split(separator: ASCIIByte.ampersand).map { parameter in
      let nameEnd = parameter.firstPosition(of: ASCIIByte.equals)
      return (parameter[..<nameEnd], parameter[nameEnd...].dropFirst())
    }
  }

  /// The query of a request.
  init(of request: SigV4.Request) {
    self.init(wire: request.bytes(request.message.shape.query))
  }

  /// Writes the query into a message.
  func append(to shape: inout MessageShape, _ text: inout TextOutput, _ end: inout Int) {
    let query = wire[...]
    shape.append(receivedQuery: query.span, plusMeaning: ASCIIByte.plus, &text, &end)
  }
}
