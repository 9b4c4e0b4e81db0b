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

    /// The request target, byte for byte as it stood in the request line (`:path` in HTTP/2).
    let target: [UInt8]

    /// Where the path stands in the target: before the first '?'.
    let pathRange: Range<Int>

    /// The header fields in order, names in lowercase.
    private(set) var fields = HeaderFields()

    /// The values of `:authority`.
    private(set) var authorities: [[UInt8]] = []

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
      self.target =
        target.withContiguousStorageIfAvailable { unsafe Array($0.prefix(limit)) }
        ?? Array(target.prefix(limit))
      pathRange = 0..<self.target[...].firstPosition(of: ASCIIByte.questionMark)
      count(method.utf8.count)
      count(self.target.count)
      count(Self.fieldByteCount * parameterCount)
    }

    /// What a header or a parameter counts beside its own bytes.
    private static var fieldByteCount: Int { 32 }

    /// How many parameters the query has at most.
    private var parameterCount: Int {
      if pathRange.upperBound == target.endIndex { return 0 }
      // Safety: the bytes are read only. A plain loop over them is one of vectors.
      return unsafe target.withUnsafeBytes { target in
        var count = 1
        for index in queryRange {
          if unsafe target[index] == ASCIIByte.ampersand { count &+= 1 }
        }
        return count
      }
    }

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
      count(name.count)
      count(value.count)
      count(Self.fieldByteCount)
      if isTooLarge { return }
      let authority: StaticString = ":authority"
      if unsafe name.first == ASCIIByte.colon
        && ASCIIByte.equalIgnoringCase(name, authority.bytesInUTF8)
      {
        unsafe authorities.append([UInt8](value))
        return
      }
      if fields.fields.isEmpty { fields.reserve(fieldCount: 12, byteCount: 768) }  // mostly enough
      unsafe fields.append(name, value)
    }

    private var isTooLarge: Bool { byteCount > Self.maximumByteCount }

    /// The path on the wire.
    var path: ArraySlice<UInt8> { target[pathRange] }

    /// Where the query stands in the target, after the first '?'.
    var queryRange: Range<Int> { min(pathRange.upperBound + 1, target.endIndex)..<target.endIndex }

    /// Refuses a request line in which no signature can be looked for, or that others may read in another
    /// way (RFC 9112, 3.2).
    func checkRequestLine() throws(VerificationError) {
      if isTooLarge {
        throw VerificationError(
          .requestTooLarge,
          "The target and headers are larger than \(Self.maximumByteCount) bytes. Check what adds "
            + "headers or parameters, or treat the request as an attack.")
      }
      // Safety: the bytes are read only.
      if unsafe !method.withBytesInUTF8(ASCIIByte.isToken) {
        throw VerificationError(
          .invalidRequest,
          "the method \(UTF8Text.quoted(method)) is not a token of HTTP; look at what splits the "
            + "request line")
      }
      if target.first != ASCIIByte.slash {
        throw VerificationError(
          .invalidRequest,
          "the target \(shown(path)) does not begin with '/', and only paths are signed; give the "
            + "target of the request line, without scheme and host")
      }
      // '#' and '\': some readers of URLs end a path there, or take it for '/'.
      // Safety: the bytes are read only.
      if unsafe !target.withUnsafeBytes(EightBytes.isPlainTarget),
        let offset = target.firstIndex(where: {
          $0 < 0x21 || $0 == 0x7F || $0 == ASCIIByte.hash || $0 == ASCIIByte.backslash
        })
      {
        throw VerificationError(
          .invalidRequest,
          "the target has \(UTF8Text.quoted([target[offset]])) at offset \(offset), which belongs "
            + "percent-encoded (RFC 3986, 3.3): some readers of URLs stop there or take it for "
            + "something else, and act on another target than was signed; look for a client that "
            + "builds its URLs by hand")
      }
    }
  }
}

extension SigV4.ReceivedRequest: CustomStringConvertible {
  /// Method and sizes. Target and headers may hold secrets.
  public var description: String {
    "ReceivedRequest(\(UTF8Text.quoted(method)), \(target.count) bytes of target, "
      + "\(fields.fields.count) headers)"
  }
}

extension SigV4.ReceivedRequest: Redacted {}
