// SPDX-License-Identifier: Apache-2.0
// The memory in which the steps of a signature are written, kept for the next signature.

internal import SecureHashing
package import SigningSupport

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
    package var steps = SignatureSteps()

    /// Where the signature stands; nil when there is none.
    package var placement: SignatureSteps.Placement?

    /// A header that is sent without being signed: the session token of some services. Secret.
    var unsignedHeader: (field: SignatureField, token: SymmetricKey)?

    /// An empty buffer.
    public init() {}

    /// Forgets a signature; the memory stays.
    mutating func removeAll() {
      steps.removeAll()
      placement = nil
    }
  }
}

extension SigV4.SigningBuffer {
  private var isURL: Bool { placement?.isURL ?? false }
  private var isInHeaders: Bool { placement != nil && !isURL }

  /// Calls `body` with name and value of each header to add to the request, the Authorization header
  /// last: ASCII bytes, which stay valid in `body` only. A presigned URL has none.
  public func forEachHeader<Failure: Swift.Error>(
    _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(Failure) ->
      Void
  ) throws(Failure) {
    if !isInHeaders { return }
    // Safety: names and values are ranges of bytes that live as long as the closures run.
    try unsafe steps.memory.bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      let bytes = UnsafeRawBufferPointer(bytes)
      for index in 0..<steps.addedHeaderCount {
        let field = steps.addedHeader(index)
        try unsafe body(bytes.part(field.nameRange), bytes.part(field.valueRange))
      }
      if let (field, token) = unsignedHeader {
        try unsafe token.withUnsafeBytes { value throws(Failure) in
          try unsafe body(field.header.bytesInUTF8, value)
        }
      }
      let name: StaticString = "Authorization"
      try unsafe body(name.bytesInUTF8, bytes.part(steps.parts.result))
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
  public var authorization: String { isInHeaders ? steps.text(steps.parts.result) : "" }

  /// The presigned URL, byte for byte; empty for a request that is signed in its headers. Secret.
  public var url: String { isURL ? steps.text(steps.parts.result) : "" }

  /// Calls `body` with the presigned URL in ASCII; with nothing for a request that is signed in its
  /// headers. The bytes are secret and stay valid in `body` only.
  public func withURL<Result, Failure: Swift.Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let range = isURL ? steps.parts.result : 0..<0
    return try unsafe steps.memory.bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try unsafe body(UnsafeRawBufferPointer(bytes).part(range))
    }
  }

  /// SigV4, step 1.
  public var canonicalRequest: SigV4.CanonicalRequest { SigV4.CanonicalRequest(steps) }

  /// SigV4, step 3.
  public var stringToSign: SigV4.StringToSign {
    SigV4.StringToSign(bytes: steps.bytes(steps.parts.stringToSign))
  }
}

extension SigV4.SigningBuffer: CustomStringConvertible {
  /// The size. Never the bytes, which may hold a session token.
  public var description: String {
    "SigningBuffer(\(steps.parts.canonicalRequest.count) bytes)"
  }
}

extension SigV4.SigningBuffer: Redacted {}

// Defined here rather than in the module below: package functions aren't inlined into other modules.

extension OutputSpan<UInt8> {
  /// Appends bytes. Traps unless the span has the capacity.
  @inline(__always)
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
  package mutating func append(bytes: [UInt8]) {
    // Safety: the array lives as long as the closure runs.
    unsafe bytes.withUnsafeBytes { unsafe append(bytes: $0) }
  }

  /// Appends a text in UTF-8.
  mutating func appendUTF8(_ text: StaticString) {
    unsafe append(bytes: text.bytesInUTF8)
  }

  /// Appends a text in UTF-8.
  mutating func appendUTF8(_ text: String) {
    // Safety: the text lives as long as the closure runs. (`text.utf8` would take 7 KB more of code.)
    unsafe text.withBytesInUTF8 { unsafe append(bytes: $0) }
  }

  /// Appends eight characters, the first one lowest.
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
