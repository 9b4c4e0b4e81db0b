// SPDX-License-Identifier: Apache-2.0
// The reusable memory for the steps of a signature.

internal import SecureHashing
package import SigningSupport

extension SigV4 {
  /// A reusable buffer for signatures.
  ///
  ///     var buffer = SigV4.SigningBuffer()
  ///     try signer.sign(request, at: now, into: &buffer)
  ///     buffer.forEachHeader { name, value in connection.write(name, value) }
  ///
  /// It grows to the size of the largest signature, and allocates nothing after that. A value that
  /// it returned shares its memory. While you hold such a value, the next signature allocates new
  /// memory.
  public struct SigningBuffer: Sendable {
    package var steps = SignatureSteps()

    /// The signature's location, or nil if there is no signature.
    package var placement: SignatureSteps.Placement?

    /// A header that's sent unsigned: the session token of some services. Secret.
    var unsignedHeader: (field: SignatureField, token: SymmetricKey)?

    /// Creates an empty buffer.
    public init() {}

    /// Removes the signature and retains the memory.
    mutating func removeAll() {
      steps.removeAll()
      placement = nil
    }
  }
}

extension SigV4.SigningBuffer {
  private var isURL: Bool { placement?.isURL ?? false }
  private var isInHeaders: Bool { placement != nil && !isURL }

  /// Calls `body` with the name and value of each header to add to the request, ending with the
  /// Authorization header. The ASCII bytes are valid only in `body`. Does nothing for a presigned
  /// URL, whose headers are in ``SigV4/PresignedURL/requiredHeaders``.
  public func forEachHeader<Failure: Swift.Error>(
    _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(Failure) ->
      Void
  ) throws(Failure) {
    if !isInHeaders { return }
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

  /// The headers to add to the request. They contain credentials. Empty for a presigned URL, whose
  /// headers are in ``SigV4/PresignedURL/requiredHeaders``.
  public var headers: SigV4.Headers {
    var headers: SigV4.Headers = [:]
    unsafe forEachHeader { name, value in
      unsafe headers.append(name.textInUTF8, value.textInUTF8)
    }
    return headers
  }

  /// The `Authorization` header value, or an empty string for a presigned URL.
  public var authorization: String { isInHeaders ? steps.text(steps.parts.result) : "" }

  /// The presigned URL, byte for byte, or an empty string for a header-signed request. Secret.
  public var url: String { isURL ? steps.text(steps.parts.result) : "" }

  /// Calls `body` with the presigned URL in ASCII, or with an empty buffer for a header-signed
  /// request. The bytes are secret and valid only in `body`.
  public func withURL<Result, Failure: Swift.Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let range = isURL ? steps.parts.result : 0..<0
    return try unsafe steps.memory.bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try unsafe body(UnsafeRawBufferPointer(bytes).part(range))
    }
  }

  /// The canonical request (SigV4, step 1).
  public var canonicalRequest: SigV4.CanonicalRequest { SigV4.CanonicalRequest(steps) }

  /// The string to sign (SigV4, step 3).
  public var stringToSign: SigV4.StringToSign {
    SigV4.StringToSign(steps)
  }
}

extension SigV4.SigningBuffer: CustomStringConvertible {
  /// The size, without the bytes, which may contain a session token.
  public var description: String {
    "SigningBuffer(\(steps.parts.canonicalRequest.count) bytes)"
  }
}

extension SigV4.SigningBuffer: Redacted {}

// Defined here instead of in the module below, because package functions aren't inlined into other
// modules.

extension OutputSpan<UInt8> {
  /// Appends bytes. Traps if the span doesn't have the capacity.
  @inline(__always)
  package mutating func append(bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count <= freeCapacity)
    unsafe withUnsafeMutableBufferPointer { memory, count in
      let free = unsafe UnsafeMutableBufferPointer(rebasing: memory[count...])
      unsafe UnsafeMutableRawBufferPointer(free).copyMemory(from: bytes)
      count += bytes.count
    }
  }

  /// Appends bytes.
  package mutating func append(bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe append(bytes: $0) }
  }

  /// Appends a string in UTF-8.
  mutating func appendUTF8(_ text: StaticString) {
    unsafe append(bytes: text.bytesInUTF8)
  }

  /// Appends a string in UTF-8.
  mutating func appendUTF8(_ text: String) {
    // `text.utf8` would add 7 KB of code.
    unsafe text.withBytesInUTF8 { unsafe append(bytes: $0) }
  }

  /// Appends eight characters, the first one lowest.
  mutating func append(characters: UInt64) {
    unsafe Swift.withUnsafeBytes(of: characters.littleEndian) { unsafe append(bytes: $0) }
  }

  /// Appends a nonnegative number in up to 19 decimal digits.
  mutating func append(decimal number: Int) {
    let rest = number / 10
    if rest > 0 { append(decimal: rest) }
    append(UInt8(truncatingIfNeeded: number % 10) + 0x30)
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the bytes of a range, limited to those that exist.
  package func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    // Safety: the range is clamped to the existing bytes.
    unsafe UnsafeRawBufferPointer(rebasing: self[range.clamped(to: 0..<count)])
  }
}
