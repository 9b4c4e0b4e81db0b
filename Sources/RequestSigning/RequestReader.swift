// SPDX-License-Identifier: Apache-2.0
// Builds a message from the strings of a request, or an error.

internal import SigningSupport

/// Reads the strings of a request.
struct RequestReader {
  let method: String
  let headers: SigV4.Headers

  init(_ method: String, _ headers: SigV4.Headers) {
    self.method = method
    self.headers = headers
  }

  /// Returns the message of a URL whose path and query are encoded.
  func message(
    url: String, _ plus: SigV4.Query.PlusSign
  ) throws(SigV4.SigningError) -> RequestMessage {
    var message = RequestMessage()
    do throws(RequestProblem) {
      try url.withUTF8Bytes { (url) throws(RequestProblem) in
        try read(url: url, plus, into: &message)
      }
    } catch {
      throw self.error(error, url: url)
    }
    return message
  }

  /// Returns the message of a host and parts that were already read.
  func message(
    _ scheme: SigV4.Scheme, host: String, _ path: SigV4.Path, _ query: SigV4.Query
  ) throws(SigV4.SigningError) -> RequestMessage {
    var message = RequestMessage()
    do throws(RequestProblem) {
      try host.withUTF8Bytes { (host) throws(RequestProblem) in
        try read(scheme, host: host, path, query, into: &message)
      }
    } catch {
      throw self.error(error, authority: host.bytesInUTF8[...])
    }
    return message
  }

  private func read(
    url: TextSpan, _ plus: SigV4.Query.PlusSign, into message: inout RequestMessage
  ) throws(RequestProblem) {
    let parts = MessageURL(url)
    // The host, the original and the strict path, and the query: up to five bytes for one.
    try reserve(5 &* url.count, parameterCount: parts?.parameterCount ?? 0, in: &message)
    var shape = message.shape
    var text = message.memory.bytes.mutableSpan
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
    message.shape = shape
  }

  private func read(
    _ scheme: SigV4.Scheme, host: TextSpan, _ path: SigV4.Path, _ query: SigV4.Query,
    into message: inout RequestMessage
  ) throws(RequestProblem) {
    let byteCount = host.count &+ path.byteCountBound &+ query.wire.count
    try reserve(byteCount, parameterCount: query.parameterCount, in: &message)
    var shape = message.shape
    shape.scheme = scheme.message
    var text = message.memory.bytes.mutableSpan
    var end = shape.textStart
    try shape.append(method: method, &text, &end)
    try shape.append(authority: host, &text, &end)
    try append(headers, to: &shape, &text, &end)
    path.append(to: &shape, &text, &end)
    query.append(to: &shape, &text, &end)
    shape.sort(&text)
    message.shape = shape
  }

  /// Reserves memory for the method, the headers, and a number of additional bytes.
  private func reserve(
    _ byteCount: Int, parameterCount: Int, in message: inout RequestMessage
  ) throws(RequestProblem) {
    var size = byteCount &+ method.byteCountInUTF8 &+ 32
    for index in headers.fields.indices {
      size &+= headers.fields[index].byteCount &+ 2
    }
    if size > RequestMessage.maximumByteCount { throw RequestProblem(.tooLarge) }
    message.shape.fieldCapacity = headers.count &+ 1 &+ parameterCount
    message.memory.reserve(message.shape.textStart &+ size)
  }

  private func append(
    _ headers: SigV4.Headers, to shape: inout MessageShape, _ text: inout TextOutput,
    _ end: inout Int
  ) throws(RequestProblem) {
    for index in headers.fields.indices {
      let header = headers.fields[index]
      do throws(RequestProblem) {
        try shape.append(
          header: header.name, header.value, isUTF8: header.isEncodedAsUTF8, &text, &end)
      } catch {
        throw error.inHeader(index)
      }
    }
  }
}
