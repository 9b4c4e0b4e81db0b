// SPDX-License-Identifier: Apache-2.0
// What is wrong with the texts of a request, in words.

internal import SigningSupport

extension RequestReader {
  /// The error of a URL.
  func error(_ problem: RequestProblem, url: String) -> SigV4.SigningError {
    let bytes = url.bytesInUTF8[...]
    guard let url = MessageURL(bytes.span) else {
      return problem.kind == .invalidMethod ? methodError : Self.invalidURL(Array(bytes))
    }
    switch problem.kind {
    case .relativePath, .invalidPathCharacter, .strayPercentInPath:
      return problem.error(inPath: bytes[url.path])
    case .invalidQueryCharacter, .strayPercentInQuery:
      return problem.error(inQuery: bytes[url.query])
    default: return error(problem, authority: bytes[url.authority])
    }
  }

  /// The error of a method, an authority or a header.
  func error(
    _ problem: RequestProblem, authority: ArraySlice<UInt8>
  ) -> SigV4.SigningError {
    if let index = problem.headerIndex {
      return error(problem, of: headers.fields[index], authority: authority)
    }
    switch problem.kind {
    case .invalidMethod: return methodError
    case .tooLarge:
      return SigV4.SigningError(
        .invalidURL,
        """
        The request is too large to sign. Its URL and headers must not exceed \
        \(RequestMessage.maximumByteCount) bytes, and a name in its query 65,535.
        """)
    default: return problem.error(inAuthority: authority)
    }
  }

  private func error(
    _ problem: RequestProblem, of header: SigV4.Header, authority: ArraySlice<UInt8>
  ) -> SigV4.SigningError {
    switch problem.kind {
    case .invalidHeaderName: return header.nameError
    case .controlCharacterInHeader: return header.controlCharacterError(problem.offset)
    case .nonASCIIHeader: return header.nonASCIIError(problem.offset)
    case .conflictingHost:
      return SigV4.SigningError(
        .conflictingHeader,
        """
        the Host header \(quoted: header.value.bytesInUTF8[...].withoutUser) differs from the host of the request, \
        \(quoted: authority.withoutUser); HTTP stacks send the latter, so the signature would not match. \
        Leave the header out, or give that host to the request
        """)
    default: return problem.error(inAuthority: header.value.bytesInUTF8[...])
    }
  }

  private var methodError: SigV4.SigningError {
    SigV4.SigningError(
      .invalidMethod,
      """
      \(quoted: method) is not a valid method of HTTP, which is one word such as GET, PUT, POST, HEAD or \
      DELETE; give it exactly as it will be sent, since it is signed
      """)
  }

  /// A URL without its query, which may hold a signature, and without user and password.
  private static func invalidURL(_ url: [UInt8]) -> SigV4.SigningError {
    let withoutQuery = url[..<(url.firstIndex(of: ASCIIByte.questionMark) ?? url.endIndex)]
    var shown: UTF8Text = "\(quoted: withoutQuery)"
    if let at = withoutQuery.lastIndex(of: ASCIIByte.at) {
      shown = "what ends in \(quoted: withoutQuery[at...])"
    }
    return SigV4.SigningError(
      .invalidURL,
      """
      \(shown) is not an absolute URL with the scheme https, http, wss or ws; write it \
      as https://host/path?query
      """)
  }
}

extension ArraySlice<UInt8> {
  /// An authority without user information, which may hold a password.
  fileprivate var withoutUser: ArraySlice<UInt8> {
    guard let at = lastIndex(of: ASCIIByte.at) else { return self }
    return self[at...].dropFirst()
  }
}

extension RequestProblem {
  /// The error of a host or a port.
  fileprivate func error(inAuthority authority: ArraySlice<UInt8>) -> SigV4.SigningError {
    let place = authority.startIndex + offset
    let host = authority.withoutUser
    if kind == .invalidPort { return Self.invalidPort(authority[place...].dropFirst()) }
    let reason: StaticString =
      switch kind {
      case .emptyHost: "it is empty"
      case .unclosedBracket: "the bracket of its IPv6 address is not closed"
      case .textBehindBracket: "something other than a port follows the address in brackets"
      case .invalidIPv6Address: "the text in brackets is not an IPv6 address, or it has a zone"
      case .nonASCIIHost: "it has characters outside of ASCII; write it in Punycode (xn--...)"
      case .emptyHostLabel: "there is nothing before one of its dots"
      default: "it may hold letters, digits, '-', '.', '_' and '~' only"
      }
    return SigV4.SigningError(
      .invalidHost,
      """
      the host \(quoted: host) cannot be signed: \(reason). The Host header is always signed, so \
      give it exactly as it will be sent: example.com, example.com:8080 or [::1]:9000
      """)
  }

  private static func invalidPort(_ port: ArraySlice<UInt8>) -> SigV4.SigningError {
    let isShown = port.allSatisfy(ASCIIByte.isDigit)
    let shown: UTF8Text = isShown ? "\(quoted: port)" : "(not shown)"
    return SigV4.SigningError(
      .invalidHost,
      """
      the port \(shown) is not a number from 1 to 65535; correct it, or leave it out for the \
      default port of the scheme. A host is given without https:// and without a path
      """)
  }

  /// The error of an encoded path.
  func error(inPath path: ArraySlice<UInt8>) -> SigV4.SigningError {
    switch kind {
    case .relativePath: return SigV4.Path.relativePath(path)
    case .strayPercentInPath: return strayPercent(in: path, "path")
    default:
      return SigV4.SigningError(
        .invalidPath,
        """
        the encoded path \(quoted: path) has \(quoted: [path[path.startIndex + offset]]) at offset \
        \(offset), which cannot stand in a URL unencoded, so what is sent would differ from what \
        is signed; percent-encode it, or give the unencoded path as .raw, with the host
        """)
    }
  }

  /// The error of an encoded query.
  func error(inQuery query: ArraySlice<UInt8>) -> SigV4.SigningError {
    if kind == .strayPercentInQuery { return strayPercent(in: query, "query") }
    return SigV4.SigningError(
      .invalidQuery,
      """
      the encoded query has \(quoted: [query[query.startIndex + offset]]) at offset \(offset), which ends a \
      query or cannot stand in one; percent-encode it, or give the parameters unencoded
      """)
  }

  private func strayPercent(
    in text: ArraySlice<UInt8>, _ part: StaticString
  ) -> SigV4.SigningError {
    SigV4.SigningError(
      .invalidPercentEncoding,
      """
      the \(part) has a '%' without two hexadecimal digits after it, \
      \(quoted: text[(text.startIndex + offset)...].prefix(3)) at offset \(offset), so its \
      meaning is unknown; write a percent sign as %25, or give the \(part) unencoded
      """)
  }
}
