// SPDX-License-Identifier: Apache-2.0
// Many presigned URLs that differ in the object key only, two at a time.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Presigns the URLs of many objects for one method, scope and moment.
  ///
  ///     var batch = try signer.batchPresigner(for: bucket, at: now)
  ///     var urls = SigV4.PresignedURLs()
  ///     try batch.append(keys, to: &urls)
  ///
  /// Each URL is byte for byte the one that ``Signer/presign(_:validFor:at:)`` gives. What does not
  /// depend on the key is put together once, two URLs are hashed side by side, and once the memory has
  /// grown to the longest key nothing is allocated for a URL.
  public struct BatchPresigner: Sendable {
    /// The texts of a URL and of its canonical request before and after the key.
    let template: Template

    /// The signing key, and the whole blocks with which every string to sign begins. Secret.
    let key: HMAC<SHA256>.PreparedKey

    /// Two URLs under way.
    var lane: Lane
    var otherLane: Lane

    /// A presigner for objects below the path of a request, which has to end with '/'.
    ///
    /// - Parameters:
    ///   - request: the request for each object, but for the key: method, host, the path before the
    ///     key (as in `.root`, or `.key("bucket/")` where the bucket stands in the path), query,
    ///     headers and payload.
    ///   - seconds: how long the URLs live, 1 to 604,800 seconds.
    ///
    /// Throws `invalidPath` when the path does not end with '/', `keyOutsideObjectStorage` for a
    /// service without objects, and what ``Signer/presign(_:validFor:at:)`` throws.
    public init(
      _ request: Request, validFor seconds: Int, at timestamp: Timestamp, by signer: Signer
    ) throws(SigningError) {
      let rule = signer.preparer.service.pathRule
      try CanonicalPath.check(.key("key"), rule)
      let path = CanonicalPath.wire(request.path, rule)
      if path.last != ASCIIByte.slash {
        throw SigningError(
          .invalidPath,
          """
          the path \(quoted: path) does not end with '/', so a key appended to it would become \
          part of its last segment; give the path before the key, such as .root or \
          .key("bucket/")
          """
        )
      }
      var buffer = SigningBuffer()
      try signer.presign(request, validFor: seconds, at: timestamp, into: &buffer)
      template = Template(buffer, method: request.method, path: path)
      let stringToSign = buffer.stringToSign.bytes.dropLast(2 &* SHA256.byteCount)
      let wholeBlocks = stringToSign.count / SHA256.blockByteCount &* SHA256.blockByteCount
      key = try signer.signingKey(at: timestamp).prepared(with: stringToSign.prefix(wholeBlocks))
      lane = Lane(template, stringToSign: Array(stringToSign.dropFirst(wholeBlocks)))
      otherLane = lane
    }

    /// Appends a URL for each key, in their order.
    ///
    /// Throws `invalidPath` at a key that is empty; the URLs of the keys before it are there.
    public mutating func append(
      _ keys: some Sequence<String>, to urls: inout PresignedURLs
    ) throws(SigningError) {
      try append(Array(keys), to: &urls)
    }

    /// Appends a URL for each key, in their order.
    ///
    /// Throws `invalidPath` at a key that is empty; the URLs of the keys before it are there.
    public mutating func append(
      _ keys: [String], to urls: inout PresignedURLs
    ) throws(SigningError) {
      var isWaiting = false
      for key in keys {
        if key.utf8.isEmpty {
          if isWaiting { finish(to: &urls) }
          throw Path.emptyKey()
        }
        if isWaiting {
          otherLane.write(key, template)
          finishBoth(to: &urls)
        } else {
          lane.write(key, template)
        }
        isWaiting = !isWaiting
      }
      if isWaiting { finish(to: &urls) }
    }
  }
}

extension SigV4.BatchPresigner {
  /// Signs one URL and appends it.
  private mutating func finish(to urls: inout SigV4.PresignedURLs) {
    let digest = unsafe lane.withCanonicalRequest { unsafe SHA256.hash(bufferPointer: $0) }
    lane.writeDigest(digest)
    let code = HMAC.authenticationCode(for: lane.stringToSign, using: key)
    urls.append(template, lane, code.digest)
  }

  /// The same for two, side by side.
  private mutating func finishBoth(to urls: inout SigV4.PresignedURLs) {
    let (digest, otherDigest) = unsafe lane.withCanonicalRequest { bytes in
      unsafe otherLane.withCanonicalRequest { unsafe SHA256.hashPair(bytes, $0) }
    }
    lane.writeDigest(digest)
    otherLane.writeDigest(otherDigest)
    let (code, otherCode) = HMAC.authenticationCodePair(
      for: lane.stringToSign, otherLane.stringToSign, using: key)
    // Public from here on: signatures travel in the open.
    urls.append(template, lane, code.digest)
    urls.append(template, otherLane, otherCode.digest)
  }

  /// The presigned URL of the path alone, which is taken apart where keys and signatures come in.
  struct Template: Sendable {
    let bytes: [UInt8]

    /// The canonical request before the key, and after it.
    let requestStart: Range<Int>
    let requestEnd: Range<Int>

    /// How many bytes of the canonical request stand before the path.
    let pathStart: Int

    /// The URL before the path, between key and signature, and after the signature.
    let urlStart: Range<Int>
    let urlMiddle: Range<Int>
    let urlEnd: Range<Int>

    init(_ buffer: SigV4.SigningBuffer, method: String, path: [UInt8]) {
      let (request, url) = (buffer.layout.canonicalRequest, buffer.layout.url)
      let (target, signature) = (buffer.layout.target, buffer.layout.signatureInURL)
      bytes = buffer.memory
      pathStart = method.utf8.count &+ 1
      let keyStart = request.lowerBound &+ pathStart &+ path.count
      requestStart = request.lowerBound..<keyStart
      requestEnd = keyStart..<request.upperBound
      urlStart = url.lowerBound..<target.lowerBound
      urlMiddle = target.lowerBound &+ path.count..<signature.lowerBound
      urlEnd = signature.upperBound..<url.upperBound
    }

    /// How long a URL is beside its path and key, in bytes.
    var urlByteCount: Int {
      urlStart.count &+ urlMiddle.count &+ 2 &* SHA256.byteCount &+ urlEnd.count
    }
  }

  /// A URL under way.
  struct Lane: Sendable {
    var canonicalRequest: [UInt8]
    var canonicalRequestCount = 0

    /// Where path and key stand in the canonical request.
    var path = 0..<0

    /// The end of the string to sign, after its constant whole blocks.
    var stringToSign: [UInt8]

    init(_ template: Template, stringToSign: [UInt8]) {
      canonicalRequest = Array(template.bytes[template.requestStart])
      self.stringToSign = stringToSign + [UInt8](repeating: 0, count: 2 &* SHA256.byteCount)
    }

    /// Writes the canonical request of a key.
    mutating func write(_ key: String, _ template: Template) {
      let start = template.requestStart.count
      let most = start &+ 3 &* key.utf8.count &+ template.requestEnd.count
      if canonicalRequest.count < most {
        canonicalRequest.append(contentsOf: repeatElement(0, count: most &- canonicalRequest.count))
      }
      unsafe canonicalRequest.withUnsafeMutableBufferPointer { memory in
        var writer = unsafe SigV4.ByteWriter(memory, after: start)
        URIEncoding.writePath(key, to: &writer)
        path = template.pathStart..<writer.count
        unsafe template.bytes.withUnsafeBytes { unsafe writer.append($0.part(template.requestEnd)) }
        canonicalRequestCount = writer.count
      }
    }

    /// Mutating, so that the memory belongs to the caller alone and its owners are not counted.
    @inline(__always)
    mutating func withCanonicalRequest<Result>(
      _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
      let count = canonicalRequestCount
      return unsafe canonicalRequest.withUnsafeMutableBytes {
        unsafe body(UnsafeRawBufferPointer($0).part(0..<count))
      }
    }

    /// Writes the digest of the canonical request into the string to sign.
    mutating func writeDigest(_ digest: SHA256.Digest) {
      let start = stringToSign.count &- 2 &* SHA256.byteCount
      unsafe stringToSign.withUnsafeMutableBufferPointer { memory in
        var writer = unsafe SigV4.ByteWriter(memory, after: start)
        writer.appendHexadecimal(digest)
      }
    }
  }
}

extension SigV4.BatchPresigner: CustomStringConvertible {
  /// What this is. Neither key nor token.
  public var description: String { "BatchPresigner" }
}

extension SigV4.BatchPresigner: ConcealsContents {}

extension SigV4.Signer {
  /// A presigner for the URLs of many objects of a bucket, good for an hour unless told otherwise.
  ///
  ///     var batch = try signer.batchPresigner(for: bucket, at: now)
  ///     try batch.append(keys, to: &urls)
  ///
  /// Throws what ``SigV4/BatchPresigner/init(_:validFor:at:by:)`` throws.
  public func batchPresigner(
    for bucket: SigV4.Bucket, method: String = "GET", query: SigV4.Query = .empty,
    headers: SigV4.Headers = [:], payload: SigV4.Payload = .empty,
    validFor seconds: Int = 3_600, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.BatchPresigner {
    let request = try SigV4.Request(
      method, scheme: bucket.endpoint.scheme, host: bucket.host,
      path: bucket.isInPath ? .key(bucket.name + "/") : .root, query: query, headers: headers,
      payload: payload)
    return try SigV4.BatchPresigner(request, validFor: seconds, at: timestamp, by: self)
  }
}
