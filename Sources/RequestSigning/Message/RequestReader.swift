// SPDX-License-Identifier: Apache-2.0
// Reads the strings of a request into a message.

/// Reads a request, from a URL or from parts that were already read.
enum RequestReader {
  /// Reads a URL whose path and query are encoded.
  static func read(
    _ method: String, url: String, _ plus: SigV4.Query.PlusSign, _ headers: SigV4.Headers,
    into message: inout RequestMessage
  ) throws(SigV4.SigningError) {
    try url.withUTF8Bytes { (url) throws(SigV4.SigningError) in
      try read(method, url: url, plus, headers, &message.memory, &message.shape)
    }
  }

  /// Reads a host and parts that were already read.
  static func read(
    _ method: String, _ scheme: SigV4.Scheme, host: String, _ path: SigV4.Path,
    _ query: SigV4.Query, _ headers: SigV4.Headers, into message: inout RequestMessage
  ) throws(SigV4.SigningError) {
    try host.withUTF8Bytes { (host) throws(SigV4.SigningError) in
      try read(
        method, scheme, host: host, path, query, headers, &message.memory, &message.shape)
    }
  }

  private static func read(
    _ method: String, url: TextSpan, _ plus: SigV4.Query.PlusSign, _ headers: SigV4.Headers,
    _ memory: inout TextMemory, _ shape: inout MessageShape
  ) throws(SigV4.SigningError) {
    let parts = MessageURL(url)
    // The host, the original and the strict path, and the query: up to five bytes for one.
    try reserve(
      method, headers, 5 &* url.count, parameterCount: parts?.parameterCount ?? 0, &memory, &shape)
    var text = memory.bytes.mutableSpan
    var end = shape.textStart
    try shape.readMethod(method, &text, &end)
    guard let parts else { throw invalidURL(url.array) }
    shape.scheme = parts.scheme
    try shape.readHost(url.extracting(parts.authority), &text, &end)
    try readHeaders(headers, &shape, &text, &end)
    try shape.readPath(encoded: url.extracting(parts.path), &text, &end)
    let query = url.extracting(parts.query)
    try shape.readQuery(encoded: query, plusMeaning: plus.meaning, &text, &end)
    shape.sort(&text)
  }

  private static func read(
    _ method: String, _ scheme: SigV4.Scheme, host: TextSpan, _ path: SigV4.Path,
    _ query: SigV4.Query, _ headers: SigV4.Headers, _ memory: inout TextMemory,
    _ shape: inout MessageShape
  ) throws(SigV4.SigningError) {
    let byteCount = host.count &+ path.byteCountBound &+ query.wire.count
    try reserve(
      method, headers, byteCount, parameterCount: query.parameterCount, &memory, &shape)
    shape.scheme = scheme
    var text = memory.bytes.mutableSpan
    var end = shape.textStart
    try shape.readMethod(method, &text, &end)
    try shape.readHost(host, &text, &end)
    try readHeaders(headers, &shape, &text, &end)
    try path.write(to: &shape, &text, &end)
    query.write(to: &shape, &text, &end)
    shape.sort(&text)
  }

  /// Reserves memory for the method, the headers, and a number of additional bytes.
  private static func reserve(
    _ method: String, _ headers: SigV4.Headers, _ byteCount: Int, parameterCount: Int,
    _ memory: inout TextMemory, _ shape: inout MessageShape
  ) throws(SigV4.SigningError) {
    var size = byteCount &+ method.byteCountInUTF8 &+ 32
    for index in headers.fields.indices {
      size &+= headers.fields[index].byteCount &+ 2
    }
    if size > RequestMessage.maximumByteCount {
      throw SigV4.SigningError(
        .invalidURL,
        "The URL and headers of the request are too large to sign.",
        fix: """
          Keep them below \(RequestMessage.maximumByteCount / 5) bytes, and send the data in the \
          body.
          """)
    }
    shape.fieldCapacity = headers.count &+ 1 &+ parameterCount
    memory.reserve(shape.textStart &+ size)
  }

  private static func readHeaders(
    _ headers: SigV4.Headers, _ shape: inout MessageShape, _ text: inout TextOutput,
    _ end: inout Int
  ) throws(SigV4.SigningError) {
    for index in headers.fields.indices {
      try shape.readHeader(
        headers.fields[index].name, headers.fields[index].value,
        isUTF8: headers.fields[index].isEncodedAsUTF8, &text, &end)
    }
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
