// SPDX-License-Identifier: Apache-2.0
// A request as a server received it: nothing decoded, nothing reordered, nothing believed.

internal import DocumentSupport
public import RequestSigning
internal import S3Signing
internal import SigningSupport

extension SigV4 {
  /// A request as a server received it.
  ///
  ///     var request = SigV4.ReceivedRequest("GET", target: "/a%20b?list-type=2".utf8)
  ///     request.append("Host".utf8, "example.com".utf8)
  ///
  /// Any bytes are taken, in any number, and in time proportional to their number (times its logarithm,
  /// since parameters and headers are sorted). What is wrong with them is said by the verifier.
  public struct ReceivedRequest: Sendable {
    /// The method.
    public let method: String

    /// The scheme, where the server knows it: bodies of chunks without signatures are refused without
    /// TLS.
    public let scheme: Scheme?

    /// The request target, byte for byte as it stood in the request line (`:path` in HTTP/2).
    let target: [UInt8]

    /// The header fields in order, names in lowercase.
    private(set) var fields = HeaderFields()

    /// The values of `:authority`.
    package private(set) var authorities: [[UInt8]] = []

    /// A request without headers yet.
    ///
    /// - Parameters:
    ///   - target: path and query as they stood in the request line, neither decoded nor normalised.
    ///   - scheme: nil when the server does not know whether TLS was used.
    public init(
      _ method: String, target: some Collection<UInt8>, scheme: Scheme? = nil
    ) {
      self.method = method
      self.scheme = scheme
      self.target = Array(target)
    }

    /// A request with all of its headers, Host among them.
    public init(
      _ method: String, target: String, scheme: Scheme? = nil, headers: Headers
    ) {
      self.init(method, target: target.utf8, scheme: scheme)
      for header in headers { append(header.name.utf8, header.value.utf8) }
    }

    /// Adds a header field as it was received, Host or `:authority` too: the name in any case, the value
    /// in any bytes. Other names that begin with ':' are refused by the verifier.
    public mutating func append(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
      if ASCIIByte.equalIgnoringCase(name, ":authority".utf8) {
        authorities.append(Array(value))
      } else {
        // Safety: the bytes are copied before the closures end.
        unsafe Array(name).withUnsafeBytes { name in
          unsafe Array(value).withUnsafeBytes { value in unsafe fields.append(name, value) }
        }
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

extension SigV4.ReceivedRequest {
  /// The path on the wire: what stands before the first '?'.
  var path: ArraySlice<UInt8> { target.prefix { $0 != ASCIIByte.questionMark } }

  /// What stands after the first '?'.
  var query: ArraySlice<UInt8> { target[path.endIndex...].dropFirst() }

  /// Refuses a request line in which no signature can be looked for.
  func checkRequestLine() throws(SigV4.VerificationError) {
    if method.utf8.isEmpty || !method.utf8.allSatisfy(ASCIIByte.isTokenCharacter) {
      throw SigV4.VerificationError(
        .invalidRequest,
        "the method \(UTF8Text.quoted(method)) is no token of HTTP; look at what splits the request line"
      )
    }
    if target.first != ASCIIByte.slash {
      throw SigV4.VerificationError(
        .invalidRequest,
        """
        the target \(SigV4.shown(path)) does not begin with '/', and only paths are signed; give \
        the target of the request line, without scheme and host
        """)
    }
  }
}
