// SPDX-License-Identifier: Apache-2.0
// Header fields in the order in which they were given, with repeats.

internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// One header field.
  public struct Header: Sendable, CustomStringConvertible {
    /// The name, in the case in which it was given.
    public let name: String

    /// The value. It may be secret.
    public let value: String

    #if hasFeature(Embedded)  // where size counts
      private var isSentAsUTF8: Bool { false }
    #else
      fileprivate var isSentAsUTF8 = false
    #endif

    /// A header field. It is checked when a ``SigV4/Request`` is made of it.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// Name and value; the value is hidden where it is a credential.
    public var description: String {
      name + ": " + (isSensitive ? "(not shown)" : value)
    }

    /// Whether the value is a credential, as far as the name tells: those that HTTP and AWS have, and what
    /// applications call so.
    package var isSensitive: Bool {
      let name = name.bytesInUTF8.map(ASCIIByte.lowercased)[...]
      func ends(_ end: StaticString) -> Bool { name.suffix(end.utf8CodeUnitCount).spells(end) }
      return name.spells("authorization") || name.spells("proxy-authorization")
        || name.spells("cookie") || name.spells("set-cookie") || name.prefix(7).spells("x-csrf-")
        || ends("token") || ends("secret") || ends("-key") || ends("password")
    }

    package func isNamed(_ other: String) -> Bool {
      // Safety: both are read only.
      unsafe name.withBytesInUTF8 { name in
        unsafe other.withBytesInUTF8 { unsafe ASCIIByte.equalIgnoringCase(name, $0) }
      }
    }
  }

  /// Header fields in order. A name may be repeated; the case of names does not matter.
  ///
  ///     let headers: SigV4.Headers = ["content-type": "image/png", "x-amz-acl": "private"]
  public struct Headers: RandomAccessCollection, Sendable, ExpressibleByDictionaryLiteral {
    var fields: [Header]

    /// Header fields.
    public init(_ fields: [Header] = []) {
      self.fields = fields
    }

    /// Header fields as pairs of name and value.
    public init(_ pairs: some Sequence<(String, String)>) {
      fields = pairs.map { Header($0.0, $0.1) }
    }

    /// Header fields as pairs of name and value.
    public init(dictionaryLiteral elements: (String, String)...) {
      self.init(elements)
    }

    /// Adds a header field at the end.
    public mutating func append(_ name: String, _ value: String) {
      fields.append(Header(name, value))
    }

    #if !hasFeature(Embedded)  // where size counts
      /// The same fields, whose values may have characters beyond ASCII: for stores that read headers as
      /// UTF-8, such as Ceph and MinIO. Amazon S3 reads them as Latin-1, so no signature would match.
      ///
      ///     let headers: SigV4.Headers = ["x-amz-meta-place": "Zürich"]
      ///     let request = try object.request("PUT", headers: headers.sentAsUTF8)
      ///
      /// The HTTP client has to send them in UTF-8, too.
      public var sentAsUTF8: Headers {
        Headers(
          fields.map { field in
            var field = field
            field.isSentAsUTF8 = true
            return field
          })
      }

      /// The fields of protocols other than AWS's: Google's, Alibaba's, Volcengine's and Huawei's.
      var ofOtherProtocols: Headers {
        Headers(
          fields.filter { field in
            ["x-goog-", "x-oss-", "x-tos-", "x-obs-"].contains {
              UnsignedHeaders.startsIgnoringCase(field.name.utf8, with: $0.utf8)
            }
          })
      }
    #endif

    /// Leaves out the Host header.
    mutating func removeHost() {
      let given = fields
      fields = []
      for field in given where !field.isNamed("host") { fields.append(field) }
    }

    /// The values of all fields of a name, in order.
    public func values(named name: String) -> [String] {
      fields.filter { $0.isNamed(name) }.map { $0.value }
    }

    /// The position of the first field: 0.
    public var startIndex: Int { 0 }

    /// The position after the last field.
    public var endIndex: Int { fields.count }

    /// The field at a position.
    public subscript(position: Int) -> Header { fields[position] }

    /// The fields of one list and then those of another.
    public static func + (left: Headers, right: Headers) -> Headers {
      Headers(left.fields + right.fields)
    }
  }
}

extension SigV4.Header {
  /// Refuses what cannot be sent as a header, or would not arrive as it was signed.
  package func check() throws(SigV4.SigningError) {
    // Safety: the bytes are read only.
    if unsafe !name.withBytesInUTF8(ASCIIByte.isToken) {
      throw SigV4.SigningError(
        .invalidHeaderName,
        """
        \(quoted: name) is not a valid name of a header: it has to consist of letters, digits and \
        !#$%&'*+-.^_`|~ (RFC 9110, 5.6.2); look for a colon or a space at its end
        """)
    }
    let illegal: (offset: Int, byte: UInt8)? = unsafe value.withBytesInUTF8 { bytes in
      #if !hasFeature(Embedded)  // where size counts
        if unsafe EightBytes.isCanonical(bytes) { return nil }
      #endif
      let offset = unsafe bytes.firstIndex {
        ASCIIByte.isControl($0) && $0 != ASCIIByte.tab || $0 > 0x7F && !isSentAsUTF8
      }
      return offset.map { unsafe ($0, bytes[$0]) }
    }
    if let (offset, byte) = illegal {
      throw byte > 0x7F ? nonASCII(offset) : controlCharacter(offset)
    }
  }

  private func controlCharacter(_ offset: Int) -> SigV4.SigningError {
    SigV4.SigningError(
      .invalidHeaderValue,
      """
      the value of the header \(quoted: name) has a control character at offset \(offset); a line \
      end there would let the value smuggle in another header. Remove it; join a folded value with spaces
      """)
  }

  private func nonASCII(_ offset: Int) -> SigV4.SigningError {
    SigV4.SigningError(
      .nonASCIIHeader,
      """
      the value of the header \(quoted: name) has a byte outside of ASCII at offset \(offset); \
      servers read it in another encoding than was signed and answer \
      SignatureDoesNotMatch; encode the value, for example by percent-encoding or RFC 2047
      """)
  }
}

extension SigV4.Header: Redacted {}
