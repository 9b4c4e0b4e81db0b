// SPDX-License-Identifier: Apache-2.0
// The memory in which the steps of a signature are written, the steps themselves, and how pieces are appended.

internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// The memory of one signature, which can be used again for the next.
  ///
  ///     var buffer = SigV4.SigningBuffer()
  ///     try signer.sign(request, at: now, into: &buffer)
  ///     buffer.forEachHeader { name, value in connection.write(name, value) }
  ///
  /// It grows to what the largest signature needed; from then on nothing is allocated. A value that it
  /// returned shares its memory: while such a value is kept, the next signature takes new memory.
  public struct SigningBuffer: Sendable {
    /// The headers that signing adds, sorted, each as `name:value`.
    var addedHeaders = FieldList()

    /// The parameters that presigning adds, sorted, each as `name=value`.
    var addedParameters = FieldList()

    /// SigV4, step 1: CanonicalHeaders and SignedHeaders.
    var headerLines: [UInt8] = []
    package var signedHeaders: [UInt8] = []

    /// SigV4, step 1, and where the names of the signed headers stand in it.
    package var canonicalRequestBytes: [UInt8] = []
    var signedHeadersRange = 0..<0

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
    SigV4.CanonicalRequest(bytes: canonicalRequestBytes, signedHeaders: signedHeadersRange)
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
    signedHeadersRange = 0..<0
    stringToSignBytes.clear()
    authorizationBytes.clear()
    urlBytes.clear()
    unsignedHeader = nil
  }

  /// SigV4, step 1: CanonicalHeaders and SignedHeaders, of the headers of a request and of those that
  /// signing adds.
  mutating func writeHeaders(
    _ headers: SigV4.CanonicalHeaders, leavingOut unsigned: SigV4.UnsignedHeaders
  ) {
    let capacity = headers.bytes.count + addedHeaders.bytes.count
    headerLines.append(upTo: capacity) { lines in
      signedHeaders.append(upTo: capacity) { names in
        headers.append(with: addedHeaders, leavingOut: unsigned, to: &lines, &names)
      }
    }
    _ = signedHeaders.popLast()  // the last semicolon
  }

  /// SigV4, step 1: the canonical request. The headers are written already.
  mutating func writeCanonicalRequest(
    _ method: String, _ path: SigV4.Path, _ rule: SigV4.Service.PathRule, _ query: SigV4.Query,
    _ payload: SigV4.Payload
  ) {
    let parameters = query.canonicalCapacity + addedParameters.bytes.count
    let headers = headerLines.count + signedHeaders.count
    let lineFeeds = 5
    let capacity =
      method.byteCountInUTF8 + path.canonicalCapacity(rule) + parameters + headers
      + payload.byteCount + lineFeeds
    canonicalRequestBytes.append(upTo: capacity) { text in
      text.appendTarget(method, path, rule, query, with: addedParameters)
      text.append(bytes: headerLines)
      text.append(byte: ASCIIByte.newline)
      let start = text.count
      text.append(bytes: signedHeaders)
      signedHeadersRange = start..<text.count
      text.append(byte: ASCIIByte.newline)
      payload.append(to: &text)
    }
  }
}

extension OutputSpan<UInt8> {
  /// SigV4, step 1: HTTPMethod, CanonicalURI and CanonicalQueryString, each with its line end.
  mutating func appendTarget(
    _ method: String, _ path: SigV4.Path, _ rule: SigV4.Service.PathRule, _ query: SigV4.Query,
    with added: SigV4.FieldList
  ) {
    appendUTF8(method)
    append(byte: ASCIIByte.newline)
    path.appendCanonical(rule, to: &self)
    append(byte: ASCIIByte.newline)
    query.appendCanonical(with: added, to: &self)
    append(byte: ASCIIByte.newline)
  }
}

extension SigV4.SigningBuffer: CustomStringConvertible {
  /// The size. Never the bytes, which may hold a session token.
  public var description: String { "SigningBuffer(\(canonicalRequestBytes.count) bytes)" }
}

extension SigV4.SigningBuffer: Redacted {}

// This stands here, and not in the module below, because package functions are not inlined into other modules.

extension [UInt8] {
  /// Appends what `body` writes, which is `capacity` bytes at most: memory is looked after once for all of
  /// it, which is several times as fast as many appends. (Embedded Swift has one copy for all callers.)
  #if hasFeature(Embedded)  // where size counts
    @_optimize(none) @inline(never)
  #else
    @inline(__always)
  #endif
  package mutating func append(
    upTo capacity: Int, _ body: (inout OutputSpan<UInt8>) -> Void
  ) {
    append(addingCapacity: capacity, initializingWith: body)
  }
}

extension OutputSpan<UInt8> {
  /// Appends bytes. Traps unless the span has the capacity.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #else
    @inline(__always)
  #endif
  package mutating func append(bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count <= freeCapacity)
    // Safety: so many bytes are free.
    unsafe withUnsafeMutableBufferPointer { memory, count in
      let free = unsafe UnsafeMutableBufferPointer(rebasing: memory[count...])
      unsafe UnsafeMutableRawBufferPointer(free).copyMemory(from: bytes)
      count += bytes.count
    }
  }

  /// Appends bytes.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  package mutating func append(bytes: [UInt8]) {
    // Safety: the array lives as long as the closure runs.
    unsafe bytes.withUnsafeBytes { unsafe append(bytes: $0) }
  }

  /// Appends a part of some bytes.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  package mutating func append(_ range: Range<Int>, of bytes: [UInt8]) {
    // Safety: the array lives as long as the closure runs.
    unsafe bytes.withUnsafeBytes { unsafe append(bytes: $0.part(range)) }
  }

  /// Appends one byte; in Embedded Swift by one function for all places.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  mutating func append(byte: UInt8) { append(byte) }

  /// Appends a text in UTF-8.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  mutating func appendUTF8(_ text: StaticString) {
    unsafe append(bytes: text.bytesInUTF8)
  }

  /// Appends a text in UTF-8.
  mutating func appendUTF8(_ text: String) {
    // Safety: the text lives as long as the closure runs. (`text.utf8` would take 7 KB more of code.)
    unsafe text.withBytesInUTF8 { unsafe append(bytes: $0) }
  }

  /// Appends eight characters, the first one lowest.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  mutating func append(characters: UInt64) {
    unsafe Swift.withUnsafeBytes(of: characters.littleEndian) { unsafe append(bytes: $0) }
  }

  /// Appends a number of 0 or more in decimal digits, 19 at most.
  mutating func append(decimal number: Int) {
    let rest = number / 10
    if rest > 0 { append(decimal: rest) }
    append(UInt8(truncatingIfNeeded: number % 10) + 0x30)
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes of a range; those of them that exist.
  package func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    // Safety: the range is cut to the bytes that are there.
    unsafe UnsafeRawBufferPointer(rebasing: self[range.clamped(to: 0..<count)])
  }
}
