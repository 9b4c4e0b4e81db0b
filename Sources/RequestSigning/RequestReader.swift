// SPDX-License-Identifier: Apache-2.0
// Builds a message from the strings of a request, or an error.

/// Reads the strings of a request.
struct RequestReader {
  let method: String
  let headers: SigV4.Headers

  init(_ method: String, _ headers: SigV4.Headers) {
    self.method = method
    self.headers = headers
  }

  /// Reads a URL whose path and query are encoded.
  static func read(
    _ method: String, url: String, _ plus: SigV4.Query.PlusSign, _ headers: SigV4.Headers,
    into message: inout RequestMessage
  ) throws(SigV4.SigningError) {
    do throws(RequestProblem) {
      try url.withUTF8Bytes { (url) throws(RequestProblem) in
        try read(method, url: url, plus, headers, &message.memory, &message.shape)
      }
    } catch {
      throw RequestReader(method, headers).error(error, url: url)
    }
  }

  /// Reads a host and parts that were already read.
  static func read(
    _ method: String, _ scheme: SigV4.Scheme, host: String, _ path: SigV4.Path,
    _ query: SigV4.Query, _ headers: SigV4.Headers, into message: inout RequestMessage
  ) throws(SigV4.SigningError) {
    do throws(RequestProblem) {
      try host.withUTF8Bytes { (host) throws(RequestProblem) in
        try read(
          method, scheme, host: host, path, query, headers, &message.memory, &message.shape)
      }
    } catch {
      throw RequestReader(method, headers).error(error, authority: host.bytesInUTF8[...])
    }
  }

  private static func read(
    _ method: String, url: TextSpan, _ plus: SigV4.Query.PlusSign, _ headers: SigV4.Headers,
    _ memory: inout TextMemory, _ shape: inout MessageShape
  ) throws(RequestProblem) {
    let parts = MessageURL(url)
    // The host, the original and the strict path, and the query: up to five bytes for one.
    try reserve(
      method, headers, 5 &* url.count, parameterCount: parts?.parameterCount ?? 0, &memory, &shape)
    var text = memory.bytes.mutableSpan
    var end = shape.textStart
    try shape.append(method: method, &text, &end)
    guard let parts else { throw RequestProblem(.invalidURL) }
    shape.scheme = parts.scheme
    try shape.append(authority: url.extracting(parts.authority), &text, &end)
    try append(headers, to: &shape, &text, &end)
    try shape.append(encodedPath: url.extracting(parts.path), &text, &end)
    let query = url.extracting(parts.query)
    try shape.append(encodedQuery: query, plusMeaning: plus.meaning, &text, &end)
    shape.sort(&text)
  }

  private static func read(
    _ method: String, _ scheme: SigV4.Scheme, host: TextSpan, _ path: SigV4.Path,
    _ query: SigV4.Query, _ headers: SigV4.Headers, _ memory: inout TextMemory,
    _ shape: inout MessageShape
  ) throws(RequestProblem) {
    let byteCount = host.count &+ path.byteCountBound &+ query.wire.count
    try reserve(
      method, headers, byteCount, parameterCount: query.parameterCount, &memory, &shape)
    shape.scheme = scheme
    var text = memory.bytes.mutableSpan
    var end = shape.textStart
    try shape.append(method: method, &text, &end)
    try shape.append(authority: host, &text, &end)
    try append(headers, to: &shape, &text, &end)
    path.append(to: &shape, &text, &end)
    query.append(to: &shape, &text, &end)
    shape.sort(&text)
  }

  /// Reserves memory for the method, the headers, and a number of additional bytes.
  private static func reserve(
    _ method: String, _ headers: SigV4.Headers, _ byteCount: Int, parameterCount: Int,
    _ memory: inout TextMemory, _ shape: inout MessageShape
  ) throws(RequestProblem) {
    var size = byteCount &+ method.utf8.count &+ 32
    for index in headers.fields.indices {
      size &+= headers.fields[index].byteCount &+ 2
    }
    if size > RequestMessage.maximumByteCount { throw RequestProblem(.tooLarge) }
    shape.fieldCapacity = headers.count &+ 1 &+ parameterCount
    memory.reserve(shape.textStart &+ size)
  }

  private static func append(
    _ headers: SigV4.Headers, to shape: inout MessageShape, _ text: inout TextOutput,
    _ end: inout Int
  ) throws(RequestProblem) {
    for index in headers.fields.indices {
      do throws(RequestProblem) {
        try shape.append(
          header: headers.fields[index].name, headers.fields[index].value,
          isUTF8: headers.fields[index].isEncodedAsUTF8, &text, &end)
      } catch {
        throw error.inHeader(index)
      }
    }
  }
}
