// SPDX-License-Identifier: Apache-2.0
// A request as a server received it: nothing decoded, nothing reordered, nothing believed.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// A request as a server received it.
  ///
  ///     var request = SigV4.ReceivedRequest("GET", target: "/a%20b?list-type=2".utf8)
  ///     request.append("Host".utf8, "example.com".utf8)
  ///
  /// It accepts any bytes, and keeps up to ``maximumByteCount`` of them. The verifier says what is wrong with
  /// them.
  public struct ReceivedRequest: Sendable {
    /// The method.
    public let method: String

    /// The scheme, where the server knows it: bodies of chunks without signatures are refused
    /// without TLS.
    public let scheme: Scheme?

    /// The target, byte for byte as it stood in the request line (`:path` in HTTP/2), and behind it the header
    /// lines: names in lowercase, values folded, each with its line end.
    private(set) var text: TextMemory

    /// Where the target stands, and its path: what is before the first '?'.
    let targetRange: Range<Int>
    let pathRange: Range<Int>

    /// How many parameters the query has at most.
    let parameterCount: Int

    /// The header lines in order; `:authority` is not among them.
    private(set) var fields: ContiguousArray<MessageField> = []

    /// The line of the first `:authority`, as a Host header, and how many there were.
    private(set) var authority: MessageField?
    private(set) var authorityCount = 0

    /// The first header that is none.
    private(set) var invalidHeader: InvalidHeader?

    /// Where the text ends.
    private(set) var end: Int

    /// Method, target and headers so far, up to one byte more than the maximum.
    private var byteCount = 0

    /// The maximum size of method, target and headers together, in bytes. Each header and each
    /// parameter counts 32 bytes more (RFC 9113, 6.5.2).
    ///
    /// The verifier rejects a larger request with `requestTooLarge`, before it reads any of it.
    public static let maximumByteCount = 32_768

    /// A request without headers yet.
    ///
    /// - Parameters:
    ///   - method: as it stood in the request line.
    ///   - target: path and query as they stood in the request line, neither decoded nor
    ///     normalised.
    ///   - scheme: nil when the server does not know whether TLS was used.
    public init(
      _ method: String, target: some Collection<UInt8>, scheme: Scheme? = nil
    ) {
      self.method = method
      self.scheme = scheme
      let limit = Self.maximumByteCount + 1
      let bytes =
        target.withContiguousStorageIfAvailable { unsafe ContiguousArray($0.prefix(limit)) }
        ?? ContiguousArray(target.prefix(limit))
      targetRange = bytes.indices
      pathRange = 0..<bytes.span.position(of: ASCIIByte.questionMark)
      text = TextMemory(bytes, capacity: bytes.count + 1_024)  // mostly enough
      end = bytes.count
      parameterCount = bytes.span.parameterCount(from: pathRange.upperBound)
      fields.reserveCapacity(12)  // mostly enough
      count(method.utf8.count)
      count(bytes.count)
      count(Self.fieldByteCount * parameterCount)
    }

    /// What a header or a parameter counts beside its own bytes.
    private static var fieldByteCount: Int { 32 }

    private mutating func count(_ more: Int) {
      byteCount += min(more, Self.maximumByteCount + 1 - byteCount)
    }

    /// A request with all of its headers, Host among them.
    public init(
      _ method: String, target: String, scheme: Scheme? = nil, headers: Headers
    ) {
      self.init(method, target: target.utf8, scheme: scheme)
      for header in headers { append(header.name.utf8, header.value.utf8) }
    }

    /// Adds a header field as it was received, Host or `:authority` too: the name in any case, the
    /// value in any bytes. Other names that begin with ':' are refused by the verifier.
    @inlinable
    public mutating func append(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
      // On concrete memory: for collections of other modules this function is not specialised.
      let done: Void?? = name.withContiguousStorageIfAvailable { name in
        value.withContiguousStorageIfAvailable { value in
          unsafe append(UnsafeRawBufferPointer(name), UnsafeRawBufferPointer(value))
        }
      }
      if case .some(.some) = done { return }
      append(Array(name), Array(value))
    }

    /// Adds a header field. The bytes are copied, unless there are too many.
    @usableFromInline
    mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
      if isTooLarge { return }
      // Safety: the spans live as long as this function runs.
      unsafe append(
        name.bindMemory(to: UInt8.self).span, value.bindMemory(to: UInt8.self).span)
    }

    @inline(never)
    private mutating func append(_ name: TextSpan, _ value: TextSpan) {
      count(name.count)
      count(value.count)
      count(Self.fieldByteCount)
      if isTooLarge { return }
      let isAuthority =
        name.count > 0 && name[0] == ASCIIByte.colon && name.spellsIgnoringCase(":authority")
      text.reserve(end + name.count + value.count + 2)
      var position = end
      do throws(RequestProblem) {
        var output = text.bytes.mutableSpan
        let field = try output.append(
          receivedHeader: name, value, isAuthority: isAuthority, &position)
        end = position
        add(field, isAuthority: isAuthority)
      } catch {
        if invalidHeader == nil {
          invalidHeader = InvalidHeader(
            name: name.array, isOfValue: error.kind == .controlCharacterInHeader)
        }
      }
    }

    private mutating func add(_ field: MessageField, isAuthority: Bool) {
      if !isAuthority { return fields.append(field) }
      authority = authority ?? field
      authorityCount += 1
    }

    private var isTooLarge: Bool { byteCount > Self.maximumByteCount }

    /// The path on the wire.
    var path: ArraySlice<UInt8> { text.bytes[pathRange] }

    /// Where the query stands, after the first '?'.
    var queryRange: Range<Int> {
      min(pathRange.upperBound + 1, targetRange.upperBound)..<targetRange.upperBound
    }

    /// Refuses a request line in which no signature can be looked for, or that others may read in another
    /// way (RFC 9112, 3.2).
    func checkRequestLine() throws(VerificationError) {
      if isTooLarge { throw .requestTooLarge }
      // Safety: the bytes are read only.
      if unsafe !method.withBytesInUTF8(ASCIIByte.isToken) {
        throw VerificationError(
          .invalidRequest,
          "\(UTF8Text.quoted(method)) isn't a valid HTTP method.",
          fix: "Check the code that splits the request line.")
      }
      if path.first != ASCIIByte.slash {
        throw VerificationError(
          .invalidRequest,
          "The target \(shown(path)) doesn't start with '/', but only paths are signed.",
          fix: "Pass the target of the request line, without scheme and host.")
      }
      // '#' and '\': some readers of URLs end a path there, or take it for '/'.
      let target = text.bytes[targetRange]
      if let offset = target.span.positionOfInvalidTargetByte {
        throw VerificationError(
          .invalidRequest,
          "The target contains an unencoded \(UTF8Text.quoted([target[offset]])) at offset "
            + "\(offset), where some URL parsers end or change the path (RFC 3986, 3.3).",
          fix: "Check for a client that builds URLs by hand.")
      }
    }
  }
}

extension SigV4.ReceivedRequest {
  /// A header that HTTP does not allow.
  struct InvalidHeader {
    let name: [UInt8]

    /// Whether the name is right, and the value has a control character.
    let isOfValue: Bool
  }

  /// Refuses headers whose names are no tokens (RFC 9110, 5.6.2), or whose values could forge a line of the canonical
  /// request; and more hosts than one.
  func checkHeaders() throws(SigV4.VerificationError) {
    if let invalidHeader {
      let name = UTF8Text.quoted(invalidHeader.name)
      throw SigV4.VerificationError(
        .invalidRequest,
        invalidHeader.isOfValue
          ? "The value of header \(name) contains a control character, which could forge other "
            + "headers."
          : "\(name) isn't a valid header name (RFC 9110, 5.6.2).",
        fix: invalidHeader.isOfValue
          ? "Use a server that rejects such requests."
          : "Remove what the server itself adds, such as :path.")
    }
    guard let authority else { return }
    let bytes = text.bytes.span
    var isSame = authorityCount == 1
    for field in fields where field.isHeader(.host) {
      let (value, other) = (
        bytes.extracting(field.valueRange), bytes.extracting(authority.valueRange)
      )
      isSame = isSame && value.hasSameBytes(as: other)
    }
    if isSame { return }
    throw SigV4.VerificationError(
      .repeatedField,
      "The request names several hosts in :authority and Host, so another server could act on the "
        + "unverified one.",
      fix: "Use a server that rejects such requests.")
  }
}

extension SigV4.ReceivedRequest: CustomStringConvertible {
  /// Method and sizes. Target and headers may hold secrets.
  public var description: String {
    "ReceivedRequest(\(UTF8Text.quoted(method)), \(targetRange.count) bytes of target, "
      + "\(fields.count) headers)"
  }
}

extension SigV4.ReceivedRequest: Redacted {}
