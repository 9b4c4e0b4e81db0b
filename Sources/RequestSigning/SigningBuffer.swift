// SPDX-License-Identifier: Apache-2.0
// The memory in which the steps of a signature are written, and the steps themselves.

internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// The memory of one signature, which can be used again for the next.
  ///
  ///     var buffer = SigV4.SigningBuffer()
  ///     try signer.sign(request, at: now, into: &buffer)
  ///     buffer.forEachHeader { name, value in connection.write(name, value) }
  ///
  /// It grows to what the largest signature needed; from then on nothing is allocated. What it gives
  /// out as values shares its memory: while such a value lives, the next signature takes new memory.
  public struct SigningBuffer: Sendable {
    /// The headers that signing adds, sorted, each as `name:value`.
    var addedHeaders = FieldList()

    /// The parameters that presigning adds, sorted, each as `name=value`.
    var addedParameters = FieldList()

    /// SigV4, step 1: CanonicalHeaders and SignedHeaders.
    var headerLines: [UInt8] = []
    package var signedHeaders: [UInt8] = []

    /// SigV4, step 1.
    package var canonicalRequestBytes: [UInt8] = []

    /// SigV4, step 3. It holds no secret.
    package var stringToSignBytes: [UInt8] = []

    /// SigV4, step 6: the value of the Authorization header, or the presigned URL.
    var authorizationBytes: [UInt8] = []
    package var urlBytes: [UInt8] = []

    /// Where path and query begin in the URL, and where its signature begins.
    package var targetStart = 0
    package var signatureStart = 0

    /// A header that is sent without being signed: the session token of some services. Secret.
    var unsignedHeader: (name: StaticString, value: SymmetricKey)?

    /// An empty buffer.
    public init() {}
  }
}

extension SigV4.SigningBuffer {
  /// Calls `body` with name and value of each header to add to the request, the Authorization header
  /// last: ASCII bytes, which stay valid in `body` only. A presigned URL has none.
  public func forEachHeader<Failure: Swift.Error>(
    _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(Failure) ->
      Void
  ) throws(Failure) {
    if authorizationBytes.isEmpty { return }
    // Safety: names and values are ranges of bytes that live as long as the closures run.
    try unsafe addedHeaders.bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      let bytes = UnsafeRawBufferPointer(bytes)
      for field in addedHeaders.fields {
        try unsafe body(bytes.part(field.name), bytes.part(field.value))
      }
    }
    if let (name, token) = unsignedHeader {
      try unsafe token.withUnsafeBytes { value throws(Failure) in
        try unsafe body(name.bytesInUTF8, value)
      }
    }
    let name: StaticString = "Authorization"
    try unsafe authorizationBytes.withUnsafeBufferPointer { value throws(Failure) in
      try unsafe body(name.bytesInUTF8, UnsafeRawBufferPointer(value))
    }
  }

  /// The headers to add to the request. They hold credentials. A presigned URL has none.
  public var headers: SigV4.Headers {
    var headers: SigV4.Headers = [:]
    // Safety: both texts are copied before the closure ends.
    unsafe forEachHeader { name, value in
      unsafe headers.append(name.textInUTF8, value.textInUTF8)
    }
    return headers
  }

  /// The value of the Authorization header; empty for a presigned URL.
  public var authorization: String { authorizationBytes.textInUTF8 }

  /// The presigned URL, byte for byte; empty for a request that is signed in its headers. Secret.
  public var url: String { urlBytes.textInUTF8 }

  /// Calls `body` with the presigned URL in ASCII; with nothing for a request that is signed in its
  /// headers. The bytes are secret and stay valid in `body` only.
  public func withURL<Result, Failure: Swift.Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe urlBytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try unsafe body(UnsafeRawBufferPointer(bytes))
    }
  }

  /// SigV4, step 1.
  public var canonicalRequest: SigV4.CanonicalRequest {
    SigV4.CanonicalRequest(bytes: canonicalRequestBytes, signedHeaders: signedHeaders)
  }

  /// SigV4, step 3.
  public var stringToSign: SigV4.StringToSign { SigV4.StringToSign(bytes: stringToSignBytes) }
}

extension SigV4.SigningBuffer {
  /// Forgets what was written; the memory stays.
  mutating func removeAll() {
    addedHeaders.removeAll()
    addedParameters.removeAll()
    headerLines.clear()
    signedHeaders.clear()
    canonicalRequestBytes.clear()
    stringToSignBytes.clear()
    if !authorizationBytes.isEmpty { authorizationBytes.clear() }
    if !urlBytes.isEmpty { urlBytes.clear() }
    unsignedHeader = nil
  }

  /// SigV4, step 1: CanonicalHeaders and SignedHeaders, of the headers of a request and of those that
  /// signing adds, in the order of their names.
  package mutating func writeHeaders(
    _ headers: SigV4.CanonicalHeaders, leavingOut unsigned: SigV4.UnsignedHeaders
  ) {
    headerLines.reserve(headers.bytes.count + addedHeaders.bytes.count)
    signedHeaders.reserve(headers.bytes.count + addedHeaders.bytes.count)
    var added = 0
    var run = SigV4.HeaderRun()
    // Safety: the fields are ranges of the bytes, which live as long as the closures run.
    unsafe headers.bytes.withUnsafeBytes { bytes in
      unsafe addedHeaders.bytes.withUnsafeBytes { addedBytes in
        for line in headers.lines {
          let name = unsafe bytes.part(line.name)
          if unsafe unsigned.contains(name) {
            append(&run, headers)
            run.skip(line)
            continue
          }
          while added < addedHeaders.fields.count {
            let field = addedHeaders.fields[added]
            if unsafe BytewiseOrder.precedes(name, addedBytes.part(field.name)) { break }
            append(&run, headers)
            unsafe append(field, addedBytes)
            added += 1
          }
          if line.start != run.lines.upperBound { append(&run, headers) }
          run.extend(line)
        }
        append(&run, headers)
        while added < addedHeaders.fields.count {
          unsafe append(addedHeaders.fields[added], addedBytes)
          added += 1
        }
      }
    }
    _ = signedHeaders.popLast()
  }

  /// Appends the lines and names of a run of headers, and begins the next run after it.
  private mutating func append(_ run: inout SigV4.HeaderRun, _ headers: SigV4.CanonicalHeaders) {
    if run.lines.isEmpty { return }
    // Safety: the ranges are ranges of the bytes, which live as long as the closures run.
    unsafe headers.bytes.withUnsafeBytes {
      unsafe headerLines.append(contentsOf: $0.part(run.lines))
    }
    unsafe headers.names.withUnsafeBytes {
      unsafe signedHeaders.append(contentsOf: $0.part(run.names))
    }
    run = SigV4.HeaderRun(after: run)
  }

  /// Appends one line, which ends in a line feed, and a name with a semicolon.
  private mutating func append(_ line: SigV4.FieldRange, _ bytes: UnsafeRawBufferPointer) {
    // Safety: after each line stands its line feed.
    unsafe headerLines.append(contentsOf: bytes.part(line.start..<line.end + 1))
    unsafe signedHeaders.append(contentsOf: bytes.part(line.name))
    signedHeaders.append(byte: ASCIIByte.semicolon)
  }

  /// SigV4, step 1: the canonical request. The headers are written already.
  #if !hasFeature(Embedded)  // where size counts
    @inline(__always)
  #endif
  package mutating func writeCanonicalRequest(
    _ method: String, _ path: SigV4.Path, _ rule: SigV4.Service.PathRule, _ query: SigV4.Query,
    _ payload: SigV4.Payload
  ) {
    canonicalRequestBytes.reserve(
      96 + path.encodedOnce.count + query.bytes.count + addedParameters.bytes.count
        + headerLines.count + signedHeaders.count)
    canonicalRequestBytes.appendUTF8(method)
    canonicalRequestBytes.append(byte: ASCIIByte.newline)
    path.appendCanonical(rule, to: &canonicalRequestBytes)
    canonicalRequestBytes.append(byte: ASCIIByte.newline)
    appendCanonicalQuery(query)
    canonicalRequestBytes.append(byte: ASCIIByte.newline)
    canonicalRequestBytes.append(bytes: headerLines)
    canonicalRequestBytes.append(byte: ASCIIByte.newline)
    canonicalRequestBytes.append(bytes: signedHeaders)
    canonicalRequestBytes.append(byte: ASCIIByte.newline)
    payload.append(to: &canonicalRequestBytes)
  }

  /// SigV4, step 1: CanonicalQueryString, of the parameters of a request and of those that presigning
  /// adds, in the order of their names.
  private mutating func appendCanonicalQuery(_ query: SigV4.Query) {
    if query.isCanonical && addedParameters.fields.isEmpty {
      return canonicalRequestBytes.append(bytes: query.bytes)
    }
    var added = 0
    // Safety: the parameters are ranges of the bytes, which live as long as the closures run.
    unsafe query.bytes.withUnsafeBytes { bytes in
      unsafe addedParameters.bytes.withUnsafeBytes { addedBytes in
        for parameter in query.sorted {
          if added < addedParameters.fields.count {
            let end = unsafe addedParameters.end(of: added, before: bytes.part(parameter.name))
            unsafe appendParameters(added..<end, addedBytes)
            added = end
          }
          unsafe canonicalRequestBytes.append(contentsOf: bytes.part(parameter.whole))
          if !parameter.hasValue { canonicalRequestBytes.append(byte: ASCIIByte.equals) }
          canonicalRequestBytes.append(byte: ASCIIByte.ampersand)
        }
        unsafe appendParameters(added..<addedParameters.fields.count, addedBytes)
      }
    }
    if !query.isEmpty || !addedParameters.fields.isEmpty { canonicalRequestBytes.removeLast() }
  }

  /// Appends some of the parameters that presigning adds, with an ampersand after each.
  private mutating func appendParameters(_ range: Range<Int>, _ bytes: UnsafeRawBufferPointer) {
    if range.isEmpty { return }
    let start = addedParameters.fields[range.lowerBound].start
    let end = addedParameters.fields[range.upperBound - 1].end + 1
    // Safety: the parameters are ranges of the bytes.
    unsafe canonicalRequestBytes.append(contentsOf: bytes.part(start..<end))
  }

  /// SigV4, steps 2 and 3: the string to sign, with the digest of the canonical request.
  package mutating func writeStringToSign(_ texts: SigV4.ScopeTexts, at time: SigV4.Timestamp) {
    stringToSignBytes.reserve(96 + texts.algorithmLine.count + texts.scopeLineEnd.count)
    stringToSignBytes.append(bytes: texts.algorithmLine)
    time.append(to: &stringToSignBytes)
    stringToSignBytes.append(byte: ASCIIByte.newline)
    time.appendDay(to: &stringToSignBytes)
    stringToSignBytes.append(bytes: texts.scopeLineEnd)
    SHA256.hash(data: canonicalRequestBytes).append(hexadecimalTo: &stringToSignBytes)
  }
}

extension SigV4.SigningBuffer: CustomStringConvertible {
  /// The size. Never the bytes, which may hold a session token.
  public var description: String { "SigningBuffer(\(canonicalRequestBytes.count) bytes)" }
}

extension SigV4.SigningBuffer: Redacted {}
