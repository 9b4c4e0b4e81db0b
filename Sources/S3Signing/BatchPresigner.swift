// SPDX-License-Identifier: Apache-2.0
// Presigned URLs for many object keys, hashed in batches.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Presigns the URLs of many objects for one method, scope and time.
  ///
  ///     var batch = try signer.batchPresigner(for: bucket, at: now)
  ///     var urls = SigV4.PresignedURLs()
  ///     try batch.append(keys, to: &urls)
  ///
  /// Each URL is identical to the result of `Signer.presign(_:expiresIn:at:)`. The parts that don't
  /// depend on the key are computed once, and up to sixteen URLs are hashed in parallel (SIMD).
  /// Once the memory fits the longest keys, further URLs allocate nothing.
  package struct BatchPresigner: Sendable {
    /// The parts of a URL and of its canonical request before and after the key.
    private let template: Template

    /// The signing key, and the whole blocks at the beginning of every string to sign. Secret.
    private let key: HMAC<SHA256>.PreparedKey

    /// The URLs in progress.
    private var batch: Batch

    /// Creates a presigner for objects below a request's path, which must end with '/'.
    ///
    /// - Parameters:
    ///   - request: the request for each object, without the key: method, host, the path before the
    ///     key (as in `.root`, or `.key("bucket/")` with path addressing), query, headers and
    ///     payload.
    ///   - lifetime: how long the URLs are valid, 1 second to 7 days.
    ///   - timestamp: the time of the signatures.
    ///   - signer: the credentials, region and service.
    ///
    /// - Throws: `invalidPath` if the path doesn't end with '/', `objectKeyNotSupported` for a
    ///   service without objects, and the errors of `Signer.presign(_:expiresIn:at:)`.
    package init(
      _ request: Request, expiresIn lifetime: Duration, at timestamp: Timestamp, by signer: Signer
    ) throws(SigningError) {
      let rule = signer.service.pathRule
      try Path.key("key").check(rule)
      let path = request.path.strict
      if path.last != ASCIIByte.slash {
        throw SigningError(
          .invalidPath,
          """
          The path \(quoted: path) doesn't end with '/', so a key appended to it would become part \
          of its last segment.
          """,
          fix: """
            Pass the path before the key, such as .root or .key("bucket/").
            """)
      }
      var buffer = SigningBuffer()
      try signer.presign(request, expiresIn: lifetime, at: timestamp, into: &buffer)
      template = Template(buffer, method: request.method, path: path)
      let stringToSign = buffer.stringToSign.bytes.dropLast(2 * SHA256.byteCount)
      let wholeBlocks = stringToSign.count / SHA256.blockByteCount * SHA256.blockByteCount
      key = try signer.signingKey(at: timestamp).prepared(with: stringToSign.prefix(wholeBlocks))
      batch = Batch(stringToSign: Array(stringToSign.dropFirst(wholeBlocks)))
    }

    /// Appends a URL for each key, in order.
    ///
    /// - Throws: `invalidPath` for an empty key, after it has appended the URLs of the keys before
    ///   it.
    package mutating func append(
      _ keys: [String], to urls: inout PresignedURLs
    ) throws(SigningError) {
      defer { ConstantTime.wipeStack() }
      let template = template
      // Safety: the pieces are valid until the closure returns.
      try unsafe template.withPieces { request, url throws(SigningError) in
        for key in keys {
          if key.utf8.isEmpty {
            unsafe finish(url, to: &urls)
            throw Path.emptyKey()
          }
          unsafe batch.write(key, request, template.pathStart)
          if batch.count == Batch.capacity { unsafe finish(url, to: &urls) }
        }
        unsafe finish(url, to: &urls)
      }
    }
  }
}

extension SigV4.BatchPresigner {
  /// Performs steps 2 to 6 of SigV4 for the URLs in progress.
  @inline(never)
  private mutating func finish(_ pieces: Template.URLPieces, to urls: inout SigV4.PresignedURLs) {
    let key = key
    batch.hashRequests()
    // Public from here: signatures aren't secret.
    // Safety: the caller keeps the pieces valid.
    unsafe batch.sign(key) { unsafe urls.append(pieces, $0, $1) }
    batch.removeAll()
  }

  /// The parts that all URLs have in common.
  final class Template: Sendable {
    /// Five pieces: the canonical request before and after the key, and the URL before the path,
    /// between the key and the signature, and after the signature.
    private let text: [UInt8]

    /// The end of each piece except the last.
    private let ends: (Int, Int, Int, Int)

    /// The offset of the path in the canonical request.
    let pathStart: Int

    init(_ buffer: SigV4.SigningBuffer, method: String, path: ArraySlice<UInt8>) {
      let parts = buffer.steps.parts
      let (request, url) = (buffer.steps.bytes(parts.canonicalRequest), Array(buffer.url.utf8))
      let targetStart = parts.target.lowerBound - parts.result.lowerBound
      let signatureStart = parts.signature.lowerBound - parts.result.lowerBound
      pathStart = method.utf8.count + 1
      let keyStart = pathStart + path.count
      let pathEnd = targetStart + path.count
      let signatureEnd = signatureStart + 2 * SHA256.byteCount
      text =
        request + url[..<targetStart] + url[pathEnd..<signatureStart] + url[signatureEnd...]
      let middleStart = request.count + targetStart
      ends = (
        keyStart, request.count, middleStart, middleStart + signatureStart - pathEnd
      )
    }

    /// The canonical request before and after the key.
    typealias RequestPieces = (start: UnsafeRawBufferPointer, end: UnsafeRawBufferPointer)

    /// The URL before the path, between the key and the signature, and after the signature.
    typealias URLPieces = (
      start: UnsafeRawBufferPointer, middle: UnsafeRawBufferPointer, end: UnsafeRawBufferPointer
    )

    func withPieces(
      _ body: (RequestPieces, URLPieces) throws(SigV4.SigningError) -> Void
    ) throws(SigV4.SigningError) {
      // Safety: the pieces are valid until the closure returns.
      try unsafe text.withUnsafeBufferPointer { text throws(SigV4.SigningError) in
        let text = UnsafeRawBufferPointer(text)
        try unsafe body(
          (text.part(0..<ends.0), text.part(ends.0..<ends.1)),
          (
            text.part(ends.1..<ends.2), text.part(ends.2..<ends.3), text.part(ends.3..<text.count)
          ))
      }
    }
  }

  /// The URLs in progress, up to the number that are hashed in parallel.
  struct Batch: Sendable {
    static var capacity: Int { SHA256.jobCapacity }

    /// The canonical requests, one after another, and their ends.
    private var requests = TextMemory()
    private var end = 0
    private var ends: [Int] = []

    /// The ranges of path and key in the canonical requests.
    private var paths: [Range<Int>] = []

    /// For each request, the part of the string to sign after the constant whole blocks. Only its
    /// last bytes, the digest, change.
    private var stringsToSign: [UInt8]
    private let stringByteCount: Int

    init(stringToSign: [UInt8]) {
      let string = stringToSign + [UInt8](repeating: 0, count: 2 * SHA256.byteCount)
      stringByteCount = string.count
      stringsToSign = (0..<Self.capacity).flatMap { _ in string }
    }

    var count: Int { ends.count }

    mutating func removeAll() {
      end = 0
      ends.removeAll(keepingCapacity: true)
      paths.removeAll(keepingCapacity: true)
    }

    /// Performs step 1 of SigV4.
    mutating func write(_ key: String, _ template: Template.RequestPieces, _ pathStart: Int) {
      let pathStart = end + pathStart
      var position = end
      requests.reserve(
        unsafe end + template.start.count + 3 * key.utf8.count + template.end.count)
      var text = requests.bytes.mutableSpan
      unsafe text.append(template.start.bindMemory(to: UInt8.self).span, &position)
      text.append(encoding: key, as: .path, &position)
      let pathEnd = position
      unsafe text.append(template.end.bindMemory(to: UInt8.self).span, &position)
      end = position
      paths.append(pathStart..<pathEnd)
      ends.append(end)
    }

    /// Performs steps 2 and 3 of SigV4.
    mutating func hashRequests() {
      var ends = ends.makeIterator()
      var (start, stringEnd) = (0, 0)
      // Safety: neither buffer moves, and the ranges are within them.
      unsafe requests.bytes.withUnsafeBytes { requests in
        unsafe stringsToSign.withUnsafeMutableBytes { strings in
          unsafe SHA256.BatchJob.run {
            guard let end = ends.next() else { return nil }
            defer { start = end }
            return unsafe SHA256.BatchJob(hashing: requests.part(start..<end))
          } _: {
            stringEnd += stringByteCount
            let digits = unsafe strings[(stringEnd - 2 * SHA256.byteCount)..<stringEnd]
            unsafe $0.digest.withUnsafeBytes {
              unsafe Hexadecimal.encode($0, into: UnsafeMutableRawBufferPointer(rebasing: digits))
            }
          }
        }
      }
    }

    /// Performs steps 5 and 6 of SigV4, and calls `body` with each path and signature.
    func sign(
      _ key: HMAC<SHA256>.PreparedKey,
      _ body: (UnsafeRawBufferPointer, SHA256.Digest) -> Void
    ) {
      var path = paths.makeIterator()
      var start = 0
      // Safety: neither buffer moves, and the ranges are within them.
      unsafe requests.bytes.withUnsafeBytes { requests in
        unsafe stringsToSign.withUnsafeBytes { strings in
          unsafe SHA256.BatchJob.run {
            if start == count * stringByteCount { return nil }
            defer { start += stringByteCount }
            return unsafe SHA256.BatchJob(
              key, appending: strings.part(start..<start + stringByteCount))
          } _: {
            if let path = path.next() { unsafe body(requests.part(path), $0.digest) }
          }
        }
      }
    }
  }
}

extension SigV4.BatchPresigner: CustomStringConvertible {
  /// The type name, without the key or token.
  package var description: String { "BatchPresigner" }
}

extension SigV4 {
  /// Presigned URLs in reusable memory. Secret: anyone who has a URL can use it.
  package struct PresignedURLs: RandomAccessCollection, Sendable {
    private var memory: [UInt8] = []
    private var ends: [Int] = []

    /// Creates an empty list.
    package init() {}

    /// Removes all URLs, but not the memory, which new ones reuse.
    package mutating func removeAll() {
      memory.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
    }

    /// The position of the first URL: 0.
    package var startIndex: Int { 0 }

    /// The position after the last URL.
    package var endIndex: Int { ends.count }

    /// The URL at a position.
    package subscript(position: Int) -> String {
      String(decoding: memory[range(of: position)], as: UTF8.self)
    }

    /// Calls `body` with the URL at a position, in ASCII. The bytes are valid only in `body`.
    package func withUnsafeBytes<Result>(
      at position: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
      unsafe memory[range(of: position)].withUnsafeBytes { unsafe body($0) }
    }

    private func range(of position: Int) -> Range<Int> {
      (position == 0 ? 0 : ends[position - 1])..<ends[position]
    }

    /// Performs step 6 of SigV4: appends the URL of a path.
    fileprivate mutating func append(
      _ pieces: BatchPresigner.Template.URLPieces, _ path: UnsafeRawBufferPointer,
      _ signature: SHA256.Digest
    ) {
      let capacity =
        unsafe pieces.start.count + path.count + pieces.middle.count + 2 * SHA256.byteCount
        + pieces.end.count
      memory.append(addingCapacity: capacity) { url in
        unsafe url.append(bytes: pieces.start)
        unsafe url.append(bytes: path)
        unsafe url.append(bytes: pieces.middle)
        signature.append(hexadecimalTo: &url)
        unsafe url.append(bytes: pieces.end)
      }
      ends.append(memory.count)
    }
  }
}

extension SigV4.PresignedURLs: CustomStringConvertible {
  /// The number of URLs, without the URLs.
  package var description: String { "PresignedURLs(\(count))" }
}

extension SigV4.BatchPresigner: Redacted {}
extension SigV4.PresignedURLs: Redacted {}

extension SigV4.Signer {
  /// Presigns the URLs of many objects in a bucket. Up to sixteen are hashed in parallel (SIMD).
  /// They expire after an hour by default.
  ///
  ///     let urls = try signer.presignedURLs(for: ["1.jpg", "2.jpg"], in: bucket, at: now)
  ///
  /// Each URL is the same as from `presign(_:expiresIn:at:)`. With Signature Version 4a, they're
  /// presigned one by one.
  ///
  /// - Parameters:
  ///   - keys: the keys of the objects.
  ///   - bucket: their bucket.
  ///   - method: the HTTP method.
  ///   - query: additional parameters.
  ///   - headers: headers that must be sent with each URL.
  ///   - payload: the payload, which object storage doesn't sign by default.
  ///   - lifetime: how long the URLs are valid, 1 second to 7 days.
  ///   - timestamp: the time of the signatures.
  ///
  /// - Throws: `invalidPath` for an empty key, and the errors of `presign(_:expiresIn:at:)`.
  public func presignedURLs(
    for keys: some Sequence<String>, in bucket: SigV4.Bucket, method: String = "GET",
    query: SigV4.Query = .empty, headers: SigV4.Headers = [:], payload: SigV4.Payload = .empty,
    expiresIn lifetime: Duration = .seconds(3_600), at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> [String] {
    if !hasDailyKeys {
      return try keys.map { key throws(SigV4.SigningError) in
        let request = try bucket.object(key).request(
          method, query: query, headers: headers, payload: payload)
        return try presign(request, expiresIn: lifetime, at: timestamp).url
      }
    }
    var batch = try batchPresigner(
      for: bucket, method: method, query: query, headers: headers, payload: payload,
      expiresIn: lifetime, at: timestamp)
    var urls = SigV4.PresignedURLs()
    try batch.append(Array(keys), to: &urls)
    return Array(urls)
  }

  /// Creates a presigner for the URLs of many objects in a bucket. They expire after an hour by
  /// default.
  ///
  ///     var batch = try signer.batchPresigner(for: bucket, at: now)
  ///     try batch.append(keys, to: &urls)
  ///
  /// - Throws: The errors of ``SigV4/BatchPresigner/init(_:expiresIn:at:by:)``.
  package func batchPresigner(
    for bucket: SigV4.Bucket, method: String = "GET", query: SigV4.Query = .empty,
    headers: SigV4.Headers = [:], payload: SigV4.Payload = .empty,
    expiresIn lifetime: Duration = .seconds(3_600), at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.BatchPresigner {
    let request = try SigV4.Request(
      method, scheme: bucket.endpoint.scheme, host: bucket.host, path: .plain(bucket.pathStart),
      query: query, headers: headers, payload: payload)
    return try SigV4.BatchPresigner(request, expiresIn: lifetime, at: timestamp, by: self)
  }
}
