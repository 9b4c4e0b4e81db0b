// SPDX-License-Identifier: Apache-2.0
// The reusable memory that holds the steps of a signature, one after another.

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
    /// The fields of the added and the signed header lines, followed by the steps:
    ///
    /// 1. The canonical request
    /// 2. Its hash, which the string to sign contains
    /// 3. The string to sign
    /// 4. The key, which isn't stored here
    /// 5. The signature, computed where the key is
    /// 6. The Authorization header or the URL
    package var memory = TextMemory()

    /// The ranges of the steps.
    package var parts = Parts()

    /// Creates an empty buffer.
    public init() {}

    /// Removes the signature and retains the memory.
    mutating func removeAll() { parts = Parts() }

    package struct Parts: Sendable {
      /// The end of what's written so far.
      var end = 0

      /// The location of the signature.
      var placement = SignaturePlacement.headers

      /// The number of headers that signing adds, which are the first fields before the text.
      var addedCount = 0

      /// The number of signed header lines, in order, whose fields follow those.
      var lineCount = 0

      /// The signed header names, the signed payload, and the added parameters of a URL.
      var names = 0..<0
      var payload = 0..<0
      var parameters = 0..<0

      package var canonicalRequest = 0..<0

      /// The signed header names in the canonical request.
      package var signedHeaders = 0..<0
      package var stringToSign = 0..<0

      /// The Authorization header or the URL, and the path and query of a URL.
      package var result = 0..<0
      package var target = 0..<0
      package var signature = 0..<0

      /// Adds the next signed line.
      @inline(__always)
      mutating func addLine(_ field: MessageField, _ output: inout TextOutput) {
        output.set(field, at: SigningBuffer.maximumAddedCount &+ lineCount)
        lineCount &+= 1
      }

      /// Adds the next header of those that signing adds.
      @inline(__always)
      mutating func addHeader(_ field: MessageField, _ output: inout TextOutput) {
        output.set(field, at: addedCount)
        addedCount &+= 1
      }
    }

    /// The maximum number of headers added by signing.
    static var maximumAddedCount: Int { 8 }
  }

  /// The location of a signature.
  package enum SignaturePlacement: Sendable {
    case headers
    /// A URL, with a nil lifetime for services whose URLs contain no lifetime.
    case url(URLLifetime?)

    package var isURL: Bool {
      if case .url = self { true } else { false }
    }
  }

  /// How long a presigned URL is valid, from its signing time.
  package struct URLLifetime: Sendable {
    let seconds: Int
    let expiration: Timestamp

    package init(seconds: Int, until expiration: Timestamp) {
      self.seconds = seconds
      self.expiration = expiration
    }
  }
}

extension SigV4.SigningBuffer {
  private var isURL: Bool { parts.placement.isURL && !parts.result.isEmpty }
  private var isInHeaders: Bool { !parts.placement.isURL && !parts.result.isEmpty }

  /// Calls `body` with the name and value of each header to add to the request, ending with the
  /// Authorization header. The ASCII bytes are valid only in `body`. Does nothing for a presigned
  /// URL, whose headers are in ``SigV4/PresignedURL/requiredHeaders``.
  public func forEachHeader<Failure: Swift.Error>(
    _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(Failure) ->
      Void
  ) throws(Failure) {
    if !isInHeaders { return }
    try unsafe memory.bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      let bytes = UnsafeRawBufferPointer(bytes)
      for index in 0..<parts.addedCount {
        let field = memory.bytes.span.field(index)
        try unsafe body(bytes.part(field.nameRange), bytes.part(field.valueRange))
      }
      let name: StaticString = "Authorization"
      try unsafe body(name.bytesInUTF8, bytes.part(parts.result))
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

  /// The headers that the holder of a presigned URL must send in addition to the request's.
  var headersOfURL: SigV4.Headers {
    var headers: SigV4.Headers = [:]
    for index in 0..<parts.addedCount {
      let field = memory.bytes.span.field(index)
      headers.append(text(field.nameRange), text(field.valueRange))
    }
    return headers
  }

  /// The `Authorization` header value, or an empty string for a presigned URL.
  public var authorization: String { isInHeaders ? text(parts.result) : "" }

  /// The presigned URL, byte for byte, or an empty string for a header-signed request. Secret.
  public var url: String { isURL ? text(parts.result) : "" }

  /// Calls `body` with the presigned URL in ASCII, or with an empty buffer for a header-signed
  /// request. The bytes are secret and valid only in `body`.
  public func withURL<Result, Failure: Swift.Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let range = isURL ? parts.result : 0..<0
    return try unsafe memory.bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try unsafe body(UnsafeRawBufferPointer(bytes).part(range))
    }
  }

  /// The canonical request (SigV4, step 1).
  public var canonicalRequest: SigV4.CanonicalRequest { SigV4.CanonicalRequest(memory, parts) }

  /// The string to sign (SigV4, step 3).
  public var stringToSign: SigV4.StringToSign { SigV4.StringToSign(memory, parts) }

  /// Calls `body` with the string to sign.
  @inline(__always)
  package func withStringToSign<Result>(_ body: (TextSpan) -> Result) -> Result {
    body(memory.bytes.span.extracting(parts.stringToSign))
  }

  /// Returns part of the text.
  package func bytes(_ range: Range<Int>) -> [UInt8] { memory.bytes.span.extracting(range).array }

  /// Returns part of the text, which is ASCII.
  package func text(_ range: Range<Int>) -> String {
    unsafe memory.bytes[range].withUnsafeBytes { unsafe $0.textInUTF8 }
  }
}

extension SigV4.SigningBuffer: CustomStringConvertible {
  /// The size, without the bytes, which may contain a session token.
  public var description: String {
    "SigningBuffer(\(parts.canonicalRequest.count) bytes)"
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
