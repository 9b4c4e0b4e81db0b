// SPDX-License-Identifier: Apache-2.0
// Turns the problems of a request into errors with messages.

extension RequestReader {
  /// Returns the error for a URL.
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

  /// Returns the error for a method, an authority or a header.
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
        "The URL and headers of the request are too large to sign.",
        fix: """
          Keep them below \(RequestMessage.maximumByteCount / 5) bytes, and send the data in the \
          body.
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
        The Host header \(quoted: header.value.bytesInUTF8[...].withoutUser) conflicts with the \
        request's host \(quoted: authority.withoutUser), which HTTP clients send.
        """,
        fix: "Remove the header, or pass its host to the request.")
    default: return problem.error(inAuthority: header.value.bytesInUTF8[...])
    }
  }

  private var methodError: SigV4.SigningError {
    SigV4.SigningError(
      .invalidMethod,
      "\(quoted: method) isn't a valid HTTP method.",
      fix: "Use one word, exactly as it's sent, such as GET, PUT, POST, HEAD or DELETE.")
  }

  /// Returns the error for a URL, shown without its query, which may contain a signature, and
  /// without the user and password.
  private static func invalidURL(_ url: [UInt8]) -> SigV4.SigningError {
    let withoutQuery = url[..<(url.firstIndex(of: ASCIIByte.questionMark) ?? url.endIndex)]
    var shown: UTF8Text = "\(quoted: withoutQuery)"
    if let at = withoutQuery.lastIndex(of: ASCIIByte.at) {
      shown = "The string ending in \(quoted: withoutQuery[at...])"
    }
    return SigV4.SigningError(
      .invalidURL,
      "\(shown) isn't an absolute URL with the scheme https, http, wss or ws.",
      fix: "Use the form https://host/path?query.")
  }
}

extension ArraySlice<UInt8> {
  /// The authority without user information, which may contain a password.
  fileprivate var withoutUser: ArraySlice<UInt8> {
    guard let at = lastIndex(of: ASCIIByte.at) else { return self }
    return self[at...].dropFirst()
  }
}

extension RequestProblem {
  /// Returns the error for a host or a port.
  fileprivate func error(inAuthority authority: ArraySlice<UInt8>) -> SigV4.SigningError {
    let place = authority.startIndex + offset
    let host = authority.withoutUser
    if kind == .invalidPort { return Self.invalidPort(authority[place...].dropFirst()) }
    let reason: StaticString =
      switch kind {
      case .emptyHost: "it's empty"
      case .unclosedBracket: "its IPv6 address has no closing bracket"
      case .textBehindBracket: "only a port can follow the address in brackets"
      case .invalidIPv6Address: "the brackets must contain an IPv6 address without a zone"
      case .nonASCIIHost: "non-ASCII characters must be encoded in Punycode (xn--...)"
      case .emptyHostLabel: "a label before a dot is empty"
      default: "only letters, digits, '-', '.', '_' and '~' are allowed"
      }
    return SigV4.SigningError(
      .invalidHost,
      "The host \(quoted: host) isn't valid: \(reason).",
      fix: """
        Use the host exactly as it's sent, such as example.com, example.com:8080 or [::1]:9000.
        """)
  }

  private static func invalidPort(_ port: ArraySlice<UInt8>) -> SigV4.SigningError {
    let isShown = port.allSatisfy(ASCIIByte.isDigit)
    let shown: UTF8Text = isShown ? "\(quoted: port)" : "(not shown)"
    return SigV4.SigningError(
      .invalidHost,
      "The port \(shown) isn't a number from 1 to 65535.",
      fix: """
        Correct it, or remove it to use the scheme's default port. Write the host without https:// \
        and without a path.
        """)
  }

  /// Returns the error for an encoded path.
  func error(inPath path: ArraySlice<UInt8>) -> SigV4.SigningError {
    switch kind {
    case .relativePath: return SigV4.Path.relativePath(path)
    case .strayPercentInPath: return strayPercent(in: path, "path")
    default:
      return SigV4.SigningError(
        .invalidPath,
        """
        The encoded path \(quoted: path) contains an unencoded \
        \(quoted: [path[path.startIndex + offset]]) at offset \(offset).
        """,
        fix: "Percent-encode it, or pass the host and a .raw path.")
    }
  }

  /// Returns the error for an encoded query.
  func error(inQuery query: ArraySlice<UInt8>) -> SigV4.SigningError {
    if kind == .strayPercentInQuery { return strayPercent(in: query, "query") }
    return SigV4.SigningError(
      .invalidQuery,
      """
      The encoded query contains an unencoded \(quoted: [query[query.startIndex + offset]]) at \
      offset \(offset).
      """,
      fix: "Percent-encode it, or pass the parameters unencoded.")
  }

  private func strayPercent(
    in text: ArraySlice<UInt8>, _ part: StaticString
  ) -> SigV4.SigningError {
    SigV4.SigningError(
      .invalidPercentEncoding,
      """
      The \(part) contains \(quoted: text[(text.startIndex + offset)...].prefix(3)) at offset \
      \(offset), a '%' without two hexadecimal digits.
      """,
      fix: "Write a percent sign as %25, or pass the \(part) unencoded.")
  }
}
