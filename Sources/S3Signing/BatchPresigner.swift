// SPDX-License-Identifier: Apache-2.0
// Many presigned URLs that differ in the object key only, many at a time, and a list of them.

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
  /// Each URL is byte for byte the one that `Signer.presign(_:expiresIn:at:)` gives. What does not
  /// depend on the key is put together once, up to sixteen URLs are hashed side by side, and once the
  /// memory has grown to the longest keys nothing is allocated for a URL.
  package struct BatchPresigner: Sendable {
    /// The texts of a URL and of its canonical request before and after the key.
    private let template: Template

    /// The signing key, and the whole blocks with which every string to sign begins. Secret.
    private let key: HMAC<SHA256>.PreparedKey

    /// The URLs under way.
    private var batch: Batch

    /// A presigner for objects below the path of a request, which has to end with '/'.
    ///
    /// - Parameters:
    ///   - request: the request for each object, but for the key: method, host, the path before the
    ///     key (as in `.root`, or `.key("bucket/")` where the bucket stands in the path), query,
    ///     headers and payload.
    ///   - lifetime: how long the URLs live, 1 second to 7 days.
    ///   - timestamp: when they are made.
    ///   - signer: credentials, region and service.
    ///
    /// Throws `invalidPath` when the path does not end with '/', `objectKeyNotSupported` for a
    /// service without objects, and what `Signer.presign(_:expiresIn:at:)` throws.
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

    /// Appends a URL for each key, in their order.
    ///
    /// Throws `invalidPath` at a key that is empty; the URLs of the keys before it are there.
    package mutating func append(
      _ keys: [String], to urls: inout PresignedURLs
    ) throws(SigningError) {
      defer { ConstantTime.wipeStack() }
      let template = template
      // Safety: the pieces live as long as the closure runs.
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
  /// SigV4, steps 2 to 6, of the URLs under way.
  @inline(never)
  private mutating func finish(_ pieces: Template.URLPieces, to urls: inout SigV4.PresignedURLs) {
    let key = key
    batch.hashRequests()
    // Public from here on: signatures travel in the open.
    // Safety: the caller keeps the pieces.
    unsafe batch.sign(key) { unsafe urls.append(pieces, $0, $1) }
    batch.removeAll()
  }

  /// What all URLs have in common.
  final class Template: Sendable {
    /// Five pieces: the canonical request up to the key, and after it; the URL before the path, between
    /// key and signature, and after the signature.
    private let text: [UInt8]

    /// Where each piece but the last ends.
    private let ends: (Int, Int, Int, Int)

    /// Where the path begins in the canonical request.
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

    /// The canonical request up to the key, and after it.
    typealias RequestPieces = (start: UnsafeRawBufferPointer, end: UnsafeRawBufferPointer)

    /// The URL before the path, between key and signature, and after the signature.
    typealias URLPieces = (
      start: UnsafeRawBufferPointer, middle: UnsafeRawBufferPointer, end: UnsafeRawBufferPointer
    )

    func withPieces(
      _ body: (RequestPieces, URLPieces) throws(SigV4.SigningError) -> Void
    ) throws(SigV4.SigningError) {
      // Safety: the pieces live as long as the closure runs.
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

  /// URLs under way, as many as are hashed side by side.
  struct Batch: Sendable {
    static var capacity: Int { SHA256.jobCapacity }

    /// The canonical requests, one after the other, and where each ends.
    private var requests = TextMemory()
    private var end = 0
    private var ends: [Int] = []

    /// Where path and key stand in each of them.
    private var paths: [Range<Int>] = []

    /// For each of them, the end of its string to sign after constant whole blocks. Only the digest, in
    /// which it ends, changes.
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

    /// SigV4, step 1.
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

    /// SigV4, steps 2 and 3.
    mutating func hashRequests() {
      var ends = ends.makeIterator()
      var (start, stringEnd) = (0, 0)
      // Safety: requests and strings lie still, and the ranges are theirs.
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

    /// SigV4, steps 5 and 6: calls `body` with each path and signature.
    func sign(
      _ key: HMAC<SHA256>.PreparedKey,
      _ body: (UnsafeRawBufferPointer, SHA256.Digest) -> Void
    ) {
      var path = paths.makeIterator()
      var start = 0
      // Safety: the strings and the requests lie still, and the ranges are theirs.
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
  /// What this is. Neither key nor token.
  package var description: String { "BatchPresigner" }
}

extension SigV4 {
  /// Presigned URLs one after the other in memory that can be used again. Secret: anyone who has a
  /// URL can use it.
  package struct PresignedURLs: RandomAccessCollection, Sendable {
    private var memory: [UInt8] = []
    private var ends: [Int] = []

    /// An empty list.
    package init() {}

    /// Removes all URLs; the memory stays for the next ones.
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

    /// Calls `body` with the URL at a position, in ASCII. The bytes stay valid in `body` only.
    package func withUnsafeBytes<Result>(
      at position: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
      unsafe memory[range(of: position)].withUnsafeBytes { unsafe body($0) }
    }

    private func range(of position: Int) -> Range<Int> {
      (position == 0 ? 0 : ends[position - 1])..<ends[position]
    }

    /// SigV4, step 6: appends the URL of a path.
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
  /// How many there are. Never the URLs.
  package var description: String { "PresignedURLs(\(count))" }
}

extension SigV4.BatchPresigner: Redacted {}
extension SigV4.PresignedURLs: Redacted {}

extension SigV4.Signer {
  /// Presigns the URLs of many objects in a bucket. Up to sixteen are hashed in parallel (SIMD). They expire after
  /// an hour by default.
  ///
  ///     let urls = try signer.presignedURLs(for: ["1.jpg", "2.jpg"], in: bucket, at: now)
  ///
  /// Each URL is the same as from `presign(_:expiresIn:at:)`.
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
  /// Throws `invalidPath` for an empty key, and the errors of `presign(_:expiresIn:at:)`.
  public func presignedURLs(
    for keys: some Sequence<String>, in bucket: SigV4.Bucket, method: String = "GET",
    query: SigV4.Query = .empty, headers: SigV4.Headers = [:], payload: SigV4.Payload = .empty,
    expiresIn lifetime: Duration = .seconds(3_600), at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> [String] {
    var batch = try batchPresigner(
      for: bucket, method: method, query: query, headers: headers, payload: payload,
      expiresIn: lifetime, at: timestamp)
    var urls = SigV4.PresignedURLs()
    try batch.append(Array(keys), to: &urls)
    return Array(urls)
  }

  /// A presigner for the URLs of many objects of a bucket, good for an hour unless you say
  /// otherwise.
  ///
  ///     var batch = try signer.batchPresigner(for: bucket, at: now)
  ///     try batch.append(keys, to: &urls)
  ///
  /// Throws what ``SigV4/BatchPresigner/init(_:expiresIn:at:by:)`` throws.
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
