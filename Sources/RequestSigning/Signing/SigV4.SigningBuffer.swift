// SPDX-License-Identifier: Apache-2.0
// The one piece of memory that holds all texts of a signature.

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
    package var memory: [UInt8] = []

    /// How much of the memory is written, in bytes.
    var count = 0

    package var layout = Layout()

    /// An empty buffer.
    public init() {}

    /// Where the texts stand.
    package struct Layout: Sendable {
      var parameters = 0..<0
      package var canonicalRequest = 0..<0
      var signedHeaders = 0..<0
      package var stringToSign = 0..<0
      var required = RequiredHeaders.Places()
      var tokenHeader = RequiredHeader.securityToken
      var authorization: Range<Int>?
      package var url = 0..<0
      package var target = 0..<0
      package var signatureInURL = 0..<0
    }
  }
}

extension SigV4.SigningBuffer {
  /// Calls `body` with name and value of each header that has to be added to the request, the
  /// Authorization header last: ASCII bytes, which stay valid in `body` only. None for a URL.
  public func forEachHeader<Failure: Swift.Error>(
    _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(Failure) ->
      Void
  ) throws(Failure) {
    guard let authorization = layout.authorization else { return }
    let places = layout.required
    // Safety: handed on as it came.
    try unsafe visit(SigV4.RequiredHeader.contentDigest.name, places.contentDigest, body)
    try unsafe visit(SigV4.RequiredHeader.date.name, places.date, body)
    try unsafe visit(layout.tokenHeader.name, places.token, body)
    try unsafe visit("Authorization", authorization, body)
  }

  /// The headers that have to be added to the request. They hold credentials. None for a URL.
  public var headers: SigV4.Headers {
    var headers: SigV4.Headers = [:]
    // Safety: both texts are copied before the closure ends.
    unsafe forEachHeader { name, value in
      unsafe headers.append(name.textInUTF8, value.textInUTF8)
    }
    return headers
  }

  /// The value of the Authorization header; empty for a URL.
  public var authorization: String { text(layout.authorization ?? 0..<0) }

  /// The presigned URL, byte for byte; empty for a request that is signed in its headers. Secret.
  public var url: String { text(layout.url) }

  /// Calls `body` with the presigned URL in ASCII; with nothing for a request that is signed in its
  /// headers. The bytes are secret and stay valid in `body` only.
  public func withURL<Result, Failure: Swift.Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Safety: handed on as it came.
    try unsafe withBytes(layout.url, body)
  }

  /// Room 1.
  public var canonicalRequest: SigV4.CanonicalRequest { SigV4.CanonicalRequest(in: self) }

  /// Room 2.
  public var stringToSign: SigV4.StringToSign { SigV4.StringToSign(in: self) }
}

extension SigV4.SigningBuffer {
  /// Forgets what was written.
  mutating func reset() {
    count = 0
    layout = Layout()
  }

  /// Makes sure that there is some memory; what is written already, stays.
  package mutating func expect(_ byteCount: Int) {
    if memory.count >= byteCount { return }
    // Safety: the new memory is larger, and no byte is read as a text before it is written.
    memory = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { larger, initializedCount in
      unsafe memory.withUnsafeBytes {
        unsafe UnsafeMutableRawBufferPointer(larger).copyMemory(from: $0)
      }
      initializedCount = byteCount
    }
  }

  /// Lets `body` write behind all that is written; once more when the memory was too small. Returns
  /// where the bytes stand.
  @inline(__always)
  package mutating func write(_ body: (inout SigV4.ByteWriter) -> Void) -> Range<Int> {
    let start = count
    repeat {
      // Safety: the memory lives as long as the closure runs.
      unsafe memory.withUnsafeMutableBufferPointer { memory in
        var writer = unsafe SigV4.ByteWriter(memory, after: start)
        body(&writer)
        count = writer.count
      }
    } while grow()
    return start..<count
  }

  /// Provides more memory when what was written did not fit; false when it did.
  private mutating func grow() -> Bool {
    if count <= memory.count { return false }
    expect(2 &* count)
    return true
  }

  @inline(__always)
  func withBytes<Result, Failure: Swift.Error>(
    _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Safety: the memory lives as long as the closure runs.
    try unsafe memory.withUnsafeBufferPointer { memory throws(Failure) in
      try unsafe body(UnsafeRawBufferPointer(memory).part(range))
    }
  }

  package func text(_ range: Range<Int>) -> String {
    // Safety: the text is copied before the closure ends.
    unsafe withBytes(range) { unsafe $0.textInUTF8 }
  }

  /// Calls `body` with a header, when it was written.
  private func visit<Failure: Swift.Error>(
    _ name: StaticString, _ value: Range<Int>?,
    _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(Failure) ->
      Void
  ) throws(Failure) {
    guard let value else { return }
    // Safety: the bytes live as long as the closure runs.
    try unsafe withBytes(value) { value throws(Failure) in
      try unsafe body(name.bytesInUTF8, value)
    }
  }
}

extension SigV4.SigningBuffer: CustomStringConvertible {
  /// The size. Never the bytes, which may hold a session token.
  public var description: String { "SigningBuffer(\(count) bytes)" }
}

extension SigV4.SigningBuffer: ConcealsContents {}
