// SPDX-License-Identifier: Apache-2.0
// The query parameters, in the caller's order, each percent-encoded once.

public import SecureHashing

extension SigV4 {
  /// The query of a request: ordered names, with or without values.
  ///
  /// Names can repeat.
  ///
  ///     ["list-type": "2", "prefix": "photos/"]     // a literal
  ///     try .encoded("uploads&prefix=a%20b")        // the part after '?' in a URL
  public struct Query: Sendable, ExpressibleByDictionaryLiteral {
    /// The parameters as they're sent, without '?': strictly percent-encoded, in order.
    package private(set) var wire: [UInt8] = []

    /// The meaning of a '+' in an encoded query.
    public struct PlusSign: Hashable, Sendable {
      /// The character that a '+' means.
      package let meaning: UInt8

      /// A space, as in forms. This is the usual meaning.
      public static var space: Self { Self(meaning: ASCIIByte.space) }
      /// A plus sign.
      public static var literal: Self { Self(meaning: ASCIIByte.plus) }
    }

    /// An empty query.
    public static var empty: Query { Query(wire: []) }

    private init(wire: [UInt8]) {
      self.wire = wire
    }

    /// Creates a query from unencoded parameters. A parameter without a value is sent as `name`.
    public init(dictionaryLiteral elements: (String, String?)...) {
      self.init(elements)
    }

    /// Creates a query from unencoded parameters. A parameter without a value is sent as `name`.
    public init(_ parameters: some Sequence<(String, String?)>) {
      for (name, value) in parameters {
        append(name, value)
      }
    }

    /// Creates a query from unencoded parameters. A parameter without a value is sent as `name`.
    public init(_ parameters: KeyValuePairs<String, String?>) {
      self.init(parameters.map { ($0.key, $0.value) })
    }

    #if !hasFeature(Embedded)
      // A literal is one of pairs, because a dictionary has no repeated names.
      /// Creates a query from unencoded parameters in a dictionary, sorted by name.
      @_disfavoredOverload public init(_ parameters: [String: String]) {
        self.init(parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
      }
    #endif

    /// Returns a query that's already percent-encoded, without its '?'.
    ///
    /// Unnecessary escapes are removed, missing ones are added, and `+` becomes `%20` or `%2B`.
    ///
    /// - Throws: `invalidPercentEncoding` if a '%' isn't followed by two hexadecimal digits, or
    ///   `invalidQuery` for '#', spaces, control characters and non-ASCII bytes. Encoded paths
    ///   can't contain these either.
    public static func encoded(
      _ text: String, plus: PlusSign = .space
    ) throws(SigningError) -> Query {
      let bytes = text.bytesInUTF8[...]
      try bytes.span.checkQuery()
      return Query(reencoding: bytes, plus: plus)
    }

    /// Returns a query as a server received it, with any bytes. A '%' without two digits is a
    /// percent sign.
    @inlinable public static func received(
      _ bytes: some Collection<UInt8>, plus: PlusSign = .space
    ) -> Query {
      Query(reencoding: Array(bytes)[...], plus: plus)
    }

    /// Creates the strict form of a query in any encoding. Empty parameters are dropped.
    @usableFromInline
    init(reencoding bytes: ArraySlice<UInt8>, plus: PlusSign) {
      let query = bytes.span
      var shape = MessageShape()
      shape.fieldCapacity = query.parameterCount(from: 0)
      var memory = TextMemory()
      memory.reserve(shape.textStart + 3 * query.count)
      var text = memory.bytes.mutableSpan
      var end = shape.textStart
      shape.readQuery(received: query, plusMeaning: plus.meaning, &text, &end)
      wire = text.span.extracting(shape.query).array
    }

    /// Returns the query with another parameter appended.
    public func appending(_ name: String, _ value: String?) -> Query {
      var copy = self
      copy.append(name, value)
      return copy
    }

    /// Appends an unencoded parameter, unless it has neither a name nor a value.
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

    /// Whether the query has no parameters.
    public var isEmpty: Bool { wire.isEmpty }
  }
}

extension SigV4.Query: Redacted {
  /// The number of parameters. Values may be secret.
  public var description: String { "Query(\(parameterCount))" }
}

extension SigV4.Query {
  /// A name and a value in strict form. Either is empty if it's missing.
  package typealias Parameter = (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)

  /// The number of parameters.
  var parameterCount: Int {
    let query = wire[...]
    return query.span.parameterCount(from: 0)
  }

  /// The parameters in the order in which they're sent.
  package var parameters: [Parameter] {
    wire.split(separator: ASCIIByte.ampersand).map { parameter in
      let nameEnd = parameter.firstPosition(of: ASCIIByte.equals)
      return (parameter[..<nameEnd], parameter[nameEnd...].dropFirst())
    }
  }

  /// Creates the query of a request.
  init(of request: SigV4.Request) {
    self.init(wire: request.bytes(request.message.shape.query))
  }

  /// Writes the query into a message.
  func write(to shape: inout MessageShape, _ text: inout TextOutput, _ end: inout Int) {
    shape.query = end..<end
    if wire.isEmpty { return }
    let query = wire[...]
    let isAppended = shape.readStrictQuery(query.span, isChecked: true, &text, &end)
    precondition(isAppended, "parameters are encoded when they're added")
  }
}
