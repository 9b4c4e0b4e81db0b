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

    /// The method, the target byte for byte as in the request line (`:path` in HTTP/2), and the
    /// header lines: lowercase names and folded values, each with a newline. The verifier reads
    /// them where they are.
    var message = RequestMessage()

    /// The end of the text.
    var end = 0

    /// The range of the target, and of its path, which ends before the first '?'.
    private(set) var target = 0..<0
    private(set) var path = 0..<0

    /// Whether the path and the query are in strict form, so that they needn't be encoded again.
    var isPathStrict = false
    var isQueryStrict = false

    /// The number of header lines that fit.
    private var headerCapacity = 10  // usually enough

    /// The line of the first `:authority`, as a Host header, and the number of `:authority`
    /// headers.
    private(set) var authority: MessageField?
    private(set) var authorityCount = 0

    /// The first invalid header.
    private(set) var invalidHeader: InvalidHeader?

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
    @inlinable
    public init(
      _ method: String, target: some Collection<UInt8>, scheme: Scheme? = nil
    ) {
      // Use concrete memory: this initializer isn't specialized for other modules' collections.
      let request = target.withContiguousStorageIfAvailable {
        unsafe Self(method, UnsafeRawBufferPointer($0), scheme)
      }
      if let request {
        self = request
      } else {
        self.init(method, target: Array(target.prefix(Self.maximumByteCount + 1)), scheme: scheme)
      }
    }

    @usableFromInline
    init(_ method: String, _ target: UnsafeRawBufferPointer, _ scheme: Scheme?) {
      self.init(method, unsafe target.bindMemory(to: UInt8.self).span, scheme)
    }

    @inline(never)
    private init(_ method: String, _ given: TextSpan, _ scheme: Scheme?) {
      self.method = method
      self.scheme = scheme
      let given = given.extracting(0..<min(given.count, Self.maximumByteCount + 1))
      let pathByteCount = given.position(of: ASCIIByte.questionMark)
      let parameterCount = given.parameterCount(from: pathByteCount)
      count(method.utf8.count)
      count(given.count)
      count(Self.fieldByteCount * parameterCount)
      if isTooLarge {
        target = 0..<given.count  // not stored
        return
      }
      // One more field for `:authority`.
      message.shape.fieldCapacity =
        headerCapacity + 1 + Self.maximumMissingHeaders + parameterCount
      let start = message.shape.textStart
      // Usually enough for the headers, and for what is decoded.
      message.memory.reserve(start + method.utf8.count + given.count + 640)
      (target, end) = Self.write(method, given, at: start, &message.memory)
      message.shape.method = start..<target.lowerBound
      path = target.lowerBound..<target.lowerBound + pathByteCount
    }

    /// Writes the method and the target. Returns the range of the target, and the end of the text.
    private static func write(
      _ method: String, _ target: TextSpan, at start: Int, _ memory: inout TextMemory
    ) -> (target: Range<Int>, end: Int) {
      var text = memory.bytes.mutableSpan
      var end = start
      text.append(method, &end)
      let targetStart = end
      text.append(target, &end)
      return (targetStart..<end, end)
    }

    /// The maximum number of signed headers that the request may lack.
    static var maximumMissingHeaders: Int { 16 }

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
      if message.shape.headers.count == headerCapacity { addSpaceForHeaders() }
      message.memory.reserve(end + name.count + value.count + 2)
      let index = message.shape.fieldCount
      var position = end
      do throws(InvalidHeaderPart) {
        var text = message.memory.bytes.mutableSpan
        let field = try text.readHeader(received: name, value, isAuthority: isAuthority, &position)
        if !isAuthority { text.set(field, at: index) }
        end = position
        add(field, isAuthority: isAuthority)
      } catch {
        if invalidHeader == nil {
          invalidHeader = InvalidHeader(name: name.array, isOfValue: error == .value)
        }
      }
    }

    private mutating func add(_ field: MessageField, isAuthority: Bool) {
      if !isAuthority { return message.shape.countHeader(field) }
      authority = authority ?? field
      authorityCount += 1
    }

    /// Moves the text to double the number of header lines that fit.
    @inline(never)
    private mutating func addSpaceForHeaders() {
      let distance = headerCapacity * MessageField.byteCount
      message.memory = memory(movedBy: distance)
      end += distance
      message.shape.fieldCapacity += headerCapacity
      headerCapacity *= 2
      message.shape.method = message.shape.method.moved(by: distance)
      (target, path) = (target.moved(by: distance), path.moved(by: distance))
      authority = authority?.moved(by: distance)
    }

    private func memory(movedBy distance: Int) -> TextMemory {
      let source = message.memory.bytes.span
      let start = message.shape.textStart
      var memory = TextMemory()
      memory.reserve(end + distance + 1_024)
      var text = memory.bytes.mutableSpan
      var position = start + distance
      text.append(source.extracting(start..<end), &position)
      for index in message.shape.headers {
        text.set(source.field(index).moved(by: distance), at: index)
      }
      return memory
    }

    var isTooLarge: Bool { byteCount > Self.maximumByteCount }
  }
}

extension SigV4.ReceivedRequest {
  /// A header that isn't valid HTTP.
  struct InvalidHeader {
    let name: [UInt8]

    /// Whether the name is valid, but the value contains a control character.
    let isOfValue: Bool
  }
}

extension Range<Int> {
  fileprivate func moved(by distance: Int) -> Range<Int> {
    lowerBound + distance..<upperBound + distance
  }
}

extension SigV4.ReceivedRequest: CustomStringConvertible {
  /// The method and sizes. The target and headers may contain secrets.
  public var description: String {
    "ReceivedRequest(\(UTF8Text.quoted(method)), \(target.count) bytes of target, "
      + "\(message.shape.headers.count) headers)"
  }
}

extension SigV4.ReceivedRequest: Redacted {}
