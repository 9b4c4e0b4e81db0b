// SPDX-License-Identifier: Apache-2.0
// The reusable memory for the steps of a signature.

internal import SecureHashing

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

extension UnsafeRawBufferPointer {
  /// Returns the bytes of a range, limited to those that exist.
  package func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    // Safety: the range is clamped to the existing bytes.
    unsafe UnsafeRawBufferPointer(rebasing: self[range.clamped(to: 0..<count)])
  }
}
