// SPDX-License-Identifier: Apache-2.0
// A request as received: neither decoded, nor sorted, nor trusted.

public import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// A request as your server received it.
  ///
  ///     var request = SigV4.ReceivedRequest("GET", target: "/a%20b?list-type=2".utf8)
  ///     request.append("Host".utf8, "example.com".utf8)
  ///
  /// It accepts any bytes, and stores up to ``maximumByteCount`` of them. The verifier rejects
  /// invalid requests.
  public struct ReceivedRequest: Sendable {
    /// The HTTP method.
    public let method: String

    /// The scheme, or nil if the server doesn't know it, which counts as TLS. Without TLS, the
    /// verifier rejects unsigned chunks, and unsigned bodies of header-signed requests.
    public let scheme: Scheme?

    /// The target, byte for byte as in the request line (`:path` in HTTP/2), then the header lines:
    /// lowercase names and folded values, each with a newline.
    private(set) var text: TextMemory

    /// The range of the target, and of its path, which ends before the first '?'.
    let targetRange: Range<Int>
    let pathRange: Range<Int>

    /// An upper bound for the number of query parameters.
    let parameterCount: Int

    /// The header lines in order, without `:authority`.
    private(set) var fields: ContiguousArray<MessageField> = []

    /// The line of the first `:authority`, as a Host header, and the number of `:authority`
    /// headers.
    private(set) var authority: MessageField?
    private(set) var authorityCount = 0

    /// The first invalid header.
    private(set) var invalidHeader: InvalidHeader?

    /// The end of the text.
    private(set) var end: Int

    /// The size of method, target and headers so far, up to the maximum plus one.
    private var byteCount = 0

    /// The maximum size of method, target and headers together, in bytes. Each header and each
    /// parameter counts as 32 additional bytes (RFC 9113, 6.5.2).
    ///
    /// The verifier rejects a larger request with `requestTooLarge` before reading it.
    public static let maximumByteCount = 32_768

    /// Creates a request without headers.
    ///
    /// - Parameters:
    ///   - method: the method in the request line.
    ///   - target: the path and query in the request line, neither decoded nor normalized.
    ///   - scheme: the scheme, or nil if the server doesn't know whether TLS was used.
    public init(
      _ method: String, target: some Collection<UInt8>, scheme: Scheme? = nil
    ) {
      self.method = method
      self.scheme = scheme
      let copy = target.withContiguousStorageIfAvailable { Self.copy(unsafe $0.span) }
      let (memory, byteCount) =
        copy ?? Self.copy(ContiguousArray(target.prefix(Self.maximumByteCount + 1)).span)
      let bytes = memory.bytes.span.extracting(0..<byteCount)
      let pathEnd = bytes.position(of: ASCIIByte.questionMark)
      parameterCount = bytes.parameterCount(from: pathEnd)
      (text, end) = (memory, byteCount)
      (targetRange, pathRange) = (0..<byteCount, 0..<pathEnd)
      fields.reserveCapacity(12)  // usually enough
      count(method.utf8.count)
      count(byteCount)
      count(Self.fieldByteCount * parameterCount)
    }

    /// Copies a target into memory that's usually large enough for the headers, and returns its
    /// size, at most the maximum plus one.
    private static func copy(_ target: TextSpan) -> (TextMemory, Int) {
      let count = min(target.count, maximumByteCount + 1)
      return (TextMemory(target.extracting(0..<count), adding: 1_024), count)
    }

    /// The additional size of a header or parameter.
    private static var fieldByteCount: Int { 32 }

    private mutating func count(_ more: Int) {
      byteCount += min(more, Self.maximumByteCount + 1 - byteCount)
    }

    /// Creates a request with all of its headers, including Host.
    public init(
      _ method: String, target: String, scheme: Scheme? = nil, headers: Headers
    ) {
      self.init(method, target: target.utf8, scheme: scheme)
      for header in headers { append(header.name.utf8, header.value.utf8) }
    }

    /// Adds a received header field, including Host or `:authority`.
    ///
    /// The name may be in any case, and the value may contain any bytes. The verifier rejects other
    /// names that start with `:`.
    @inlinable
    public mutating func append(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
      // Use concrete memory: this function isn't specialized for other modules' collections.
      let done: Void?? = name.withContiguousStorageIfAvailable { name in
        value.withContiguousStorageIfAvailable { value in
          unsafe append(UnsafeRawBufferPointer(name), UnsafeRawBufferPointer(value))
        }
      }
      if case .some(.some) = done { return }
      append(Array(name), Array(value))
    }

    /// Adds a header field. Copies the bytes unless the request is too large.
    @usableFromInline
    mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
      if isTooLarge { return }
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
      do throws(InvalidHeaderPart) {
        var output = text.bytes.mutableSpan
        let field = try output.readHeader(
          received: name, value, isAuthority: isAuthority, &position)
        end = position
        add(field, isAuthority: isAuthority)
      } catch {
        if invalidHeader == nil {
          invalidHeader = InvalidHeader(name: name.array, isOfValue: error == .value)
        }
      }
    }

    private mutating func add(_ field: MessageField, isAuthority: Bool) {
      if isAuthority {
        authority = authority ?? field
        authorityCount += 1
        return
      }
      fields.append(field)
    }

    private var isTooLarge: Bool { byteCount > Self.maximumByteCount }

    /// The path as received.
    var path: ArraySlice<UInt8> { text.bytes[pathRange] }

    /// The range of the query, after the first '?'.
    var queryRange: Range<Int> {
      min(pathRange.upperBound + 1, targetRange.upperBound)..<targetRange.upperBound
    }

    /// Rejects an invalid request line, and one that other parsers may read differently (RFC 9112,
    /// 3.2).
    func checkRequestLine() throws(VerificationError) {
      if isTooLarge { throw .requestTooLarge }
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
      // '#' and '\': some URL parsers end the path there, or read '/'.
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
  /// A header that isn't valid HTTP.
  struct InvalidHeader {
    let name: [UInt8]

    /// Whether the name is valid, but the value contains a control character.
    let isOfValue: Bool
  }

  /// Rejects invalid header names (RFC 9110, 5.6.2), values that could forge a line of the
  /// canonical request, and several hosts.
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
  /// The method and sizes. The target and headers may contain secrets.
  public var description: String {
    "ReceivedRequest(\(UTF8Text.quoted(method)), \(targetRange.count) bytes of target, "
      + "\(fields.count) headers)"
  }
}

extension SigV4.ReceivedRequest: Redacted {}
