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
    /// What the ranges are ranges of: the parameters, or a longer text with the parameters in it.
    package private(set) var bytes: [UInt8] = []

    /// Where the parameters stand.
    private(set) var range = 0..<0

    /// The parameters as they go on the wire, without '?': strictly percent-encoded, in order.
    package var wire: ArraySlice<UInt8> { bytes[range] }

    /// Whether the parameters stand in canonical order, each with a value.
    private(set) var isCanonical = true

    /// Where the parameters stand, in canonical order.
    package private(set) var sorted: [FieldRange] = []

    /// What a '+' in an encoded query means.
    public enum PlusSign: Sendable {
      /// A space, as in forms; the usual meaning.
      case space
      /// A plus sign.
      case literal

      var meaning: UInt8 {
        switch self {
        case .space: ASCIIByte.space
        case .literal: ASCIIByte.plus
        }
      }
    }

    /// No query.
    public static var empty: Query { Query() }

    private init() {}

    /// Parameters of plain text; one without a value is written `name` on the wire.
    public init(dictionaryLiteral elements: (String, String?)...) {
      self.init(elements)
    }

    /// Parameters of plain text; one without a value is written `name` on the wire.
    public init(_ parameters: some Sequence<(String, String?)>) {
      for (name, value) in parameters {
        append(name, value)
      }
      sort()
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
      let bytes = text.bytesInUTF8
      return try encoded(bytes, in: bytes.indices, plus: plus)
    }

    /// A query that is percent-encoded already, in a part of a text.
    static func encoded(
      _ text: [UInt8], in range: Range<Int>, plus: PlusSign
    ) throws(SigningError) -> Query {
      #if !hasFeature(Embedded)  // where size counts
        if let query = Query(strict: text, in: range) { return query }
      #endif
      let bytes = text[range]
      try URIEncoding.check(bytes, of: "query")
      let illegal = bytes.firstIndex { $0 < 0x21 || $0 > 0x7E || $0 == 0x23 }
      if let illegal {
        throw SigningError(
          .invalidQuery,
          """
          the encoded query has \(quoted: [bytes[illegal]]) at offset \(illegal &- bytes.startIndex), which ends a \
          query or cannot stand in one; percent-encode it, or give the parameters unencoded
          """)
      }
      return reencoded(bytes, plus: plus)
    }

    /// A query as a server received it, whatever its bytes. A '%' without two digits means itself.
    @inlinable public static func received(
      _ bytes: some Collection<UInt8>, plus: PlusSign = .space
    ) -> Query {
      let bytes = Array(bytes)
      return received(bytes, in: bytes.indices, plus: plus)
    }

    /// A query as a server received it, in a part of a text.
    @usableFromInline package static func received(
      _ text: [UInt8], in range: Range<Int>, plus: PlusSign
    ) -> Query {
      #if !hasFeature(Embedded)  // where size counts
        if let query = Query(strict: text, in: range) { return query }
      #endif
      return reencoded(text[range], plus: plus)
    }

    private static func reencoded(_ bytes: ArraySlice<UInt8>, plus: PlusSign) -> Query {
      var query = Query()
      if bytes.isEmpty { return query }
      var parameters: [FieldRange] = []
      parameters.reserveCapacity(4)  // most often enough
      // Safety: all parts are ranges of the bytes.
      unsafe bytes.withUnsafeBytes { bytes in
        query.bytes.append(upTo: 3 * bytes.count) { text in
          var position = 0
          while position < bytes.count {
            let (start, end) = unsafe (
              position, bytes.firstPosition(of: ASCIIByte.ampersand, from: position)
            )
            position = end + 1
            if start == end { continue }
            if !parameters.isEmpty { text.append(byte: ASCIIByte.ampersand) }
            let equals = unsafe bytes.part(0..<end).firstPosition(of: ASCIIByte.equals, from: start)
            let nameStart = text.count
            unsafe URIEncoding.append(
              reencoding: bytes.part(start..<equals), plusMeaning: plus.meaning, to: &text)
            let nameEnd = text.count
            if equals < end {
              text.append(byte: ASCIIByte.equals)
              unsafe URIEncoding.append(
                reencoding: bytes.part(equals + 1..<end), plusMeaning: plus.meaning, to: &text)
            }
            parameters.append(FieldRange(start: nameStart, nameEnd: nameEnd, end: text.count))
          }
        }
      }
      query.sorted = parameters
      query.range = query.bytes.indices
      query.sort()
      return query
    }

    #if !hasFeature(Embedded)
      /// A query that is strictly percent-encoded as it is, in a part of a text; nil for others.
      private init?(strict text: [UInt8], in range: Range<Int>) {
        guard let parameters = Self.strictParameters(of: text, in: range) else { return nil }
        bytes = text
        self.range = range
        sorted = parameters
        sort()
      }

      /// Where the parameters stand in a query that is strictly percent-encoded; nil for others.
      private static func strictParameters(
        of text: [UInt8], in range: Range<Int>
      ) -> [FieldRange]? {
        // Safety: only positions of the range are read.
        unsafe text.withUnsafeBytes { text in
          let bytes = unsafe UnsafeRawBufferPointer(rebasing: text[..<range.upperBound])
          var parameters: [FieldRange] = []
          parameters.reserveCapacity(8)  // most often enough
          var start = range.lowerBound
          while true {
            var end = start
            unsafe URIEncoding.skipStrict(bytes, &end, as: .component)
            let nameEnd = end
            if unsafe end < bytes.count && bytes[end] == ASCIIByte.equals {
              end += 1
              unsafe URIEncoding.skipStrict(bytes, &end, as: .component)
            }
            if end == start { return nil }
            parameters.append(FieldRange(start: start, nameEnd: nameEnd, end: end))
            if end == bytes.count { return parameters }
            if unsafe bytes[end] != ASCIIByte.ampersand { return nil }
            start = end + 1
          }
        }
      }
    #endif

    /// The same query with one more parameter at its end.
    public func appending(_ name: String, _ value: String?) -> Query {
      var copy = self
      copy.leaveText()
      copy.append(name, value)
      copy.sort()
      return copy
    }

    /// What is signed of a query that carries its own signature: its canonical form lacks some of its
    /// parameters.
    package func signedPart(without isUnsigned: (FieldRange) -> Bool) -> Query {
      var copy = self
      copy.sorted.removeAll(where: isUnsigned)
      copy.isCanonical = false
      return copy
    }

    /// The same query, without a longer text that it is a part of.
    var alone: Query {
      var copy = self
      if range.count < bytes.count { copy.leaveText() }
      return copy
    }

    /// Whether there is no parameter.
    public var isEmpty: Bool { sorted.isEmpty }

    /// Goes out of a longer text, so that another parameter can stand at the end.
    private mutating func leaveText() {
      let start = range.lowerBound
      bytes = Array(wire)
      range = bytes.indices
      sorted = sorted.map {
        FieldRange(start: $0.start - start, nameEnd: $0.nameEnd - start, end: $0.end - start)
      }
    }

    private mutating func append(_ name: String, _ value: String?) {
      append(name.bytesInUTF8, value.map { $0.bytesInUTF8 })
    }

    /// Adds a parameter of plain bytes; but not one without name and value, of which nothing would be
    /// sent.
    private mutating func append(_ name: [UInt8], _ value: [UInt8]?) {
      if name.isEmpty && value == nil { return }
      if !sorted.isEmpty { bytes.append(byte: ASCIIByte.ampersand) }
      let start = bytes.count
      var nameEnd = start
      bytes.append(upTo: 3 * (name.count + (value?.count ?? 0)) + 1) { text in
        URIEncoding.append(name, to: &text)
        nameEnd += text.count
        if let value {
          text.append(byte: ASCIIByte.equals)
          URIEncoding.append(value, to: &text)
        }
      }
      range = bytes.indices
      sorted.append(FieldRange(start: start, nameEnd: nameEnd, end: bytes.count))
    }

    /// SigV4, step 1: by encoded name, then by encoded value.
    private mutating func sort() {
      sorted.sort(by: .nameThenValue, in: bytes)
      var end = range.lowerBound - 1
      for parameter in sorted {
        isCanonical = isCanonical && parameter.start == end + 1 && parameter.hasValue
        end = parameter.end
      }
    }
  }
}

extension SigV4.Query: Redacted {
  /// How many parameters there are. A value may be secret.
  public var description: String { "Query(\(sorted.count))" }
}

extension SigV4.Query {
  /// How many bytes the canonical form takes at most: each parameter may get a '='.
  var canonicalCapacity: Int { range.count + sorted.count + 1 }

  /// SigV4, step 1: CanonicalQueryString, of these parameters and of those that presigning adds, in the
  /// order of their names.
  func appendCanonical(with added: SigV4.FieldList, to text: inout OutputSpan<UInt8>) {
    if isCanonical && added.fields.isEmpty { return text.append(range, of: bytes) }
    var next = 0
    // Safety: the parameters are ranges of the bytes, which live as long as the closures run.
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe added.bytes.withUnsafeBytes { addedBytes in
        for parameter in sorted {
          let name = unsafe bytes.part(parameter.name)
          let end = unsafe added.end(of: next, before: name)
          unsafe text.append(bytes: addedBytes.part(added.range(of: next..<end)))
          next = end
          unsafe text.append(bytes: bytes.part(parameter.whole))
          if !parameter.hasValue { text.append(byte: ASCIIByte.equals) }
          text.append(byte: ASCIIByte.ampersand)
        }
        let rest = next..<added.fields.count
        unsafe text.append(bytes: addedBytes.part(added.range(of: rest)))
      }
    }
    if !isEmpty || !added.fields.isEmpty { _ = text.removeLast() }  // the last ampersand
  }
}
