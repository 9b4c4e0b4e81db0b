// SPDX-License-Identifier: Apache-2.0
// Presigned URLs for many object keys, hashed in batches.

internal import RequestSigning
internal import SecureHashing

/// Presigns the URLs of many objects for one method, scope and time. The parts that don't depend
/// on the key are computed once.
struct BatchPresigner: Sendable {
  private let template: Template

  /// The signing key, and the whole blocks at the beginning of every string to sign. Secret.
  private let key: HMAC<SHA256>.PreparedKey

  /// The canonical requests in progress, one after another.
  private var requests = TextMemory()
  private var requestEnds: [Int] = []

  /// The ranges of path and key in the canonical requests.
  private var paths: [Range<Int>] = []

  /// For each request, the part of the string to sign after the constant whole blocks. Only its
  /// last bytes, the digest, change.
  private var stringsToSign: [UInt8]
  private let stringByteCount: Int

  /// The signatures in progress, and the memory of one URL. URLs are secret.
  private var signatures: [SHA256.Digest] = []
  private var url = TextMemory()

  /// Creates a presigner for objects below a request's path, which must end with '/'.
  ///
  /// - Throws: `objectKeyNotSupported` for a service without objects, and the errors of
  ///   `Signer.presignedURL(for:expiresIn:at:)`.
  init(
    _ request: SigV4.Request, expiresIn lifetime: Duration?, at timestamp: SigV4.Timestamp,
    by signer: SigV4.Signer
  ) throws(SigV4.SigningError) {
    try SigV4.Path.key("key").check(signer.service.pathRule)
    var buffer = SigV4.SigningBuffer()
    try signer.presignedURL(for: request, expiresIn: lifetime, at: timestamp, into: &buffer)
    template = Template(buffer, request)
    let string = buffer.stringToSign.bytes
    let constantByteCount = string.count - 2 * SHA256.byteCount
    let wholeBlocks = constantByteCount / SHA256.blockByteCount * SHA256.blockByteCount
    key = try signer.signingKey(at: timestamp).prepared(with: string.prefix(wholeBlocks))
    let rest = string.dropFirst(wholeBlocks)
    stringByteCount = rest.count
    stringsToSign = (0..<SHA256.jobCapacity).flatMap { _ in rest }
  }

  /// Returns a URL for each key, in order.
  ///
  /// - Throws: `invalidPath` for an empty key.
  mutating func urls(of keys: [String]) throws(SigV4.SigningError) -> [String] {
    if keys.contains(where: { $0.utf8.isEmpty }) { throw SigV4.Path.emptyKey() }
    defer { ConstantTime.wipeStack() }
    var urls: [String] = []
    urls.reserveCapacity(keys.count)
    signatures.reserveCapacity(SHA256.jobCapacity)
    for key in keys {
      writeRequest(key)
      if paths.count == SHA256.jobCapacity { finish(&urls) }
    }
    finish(&urls)
    return urls
  }

  /// Performs step 1 of SigV4.
  private mutating func writeRequest(_ key: String) {
    let template = template
    var end = requestEnds.last ?? 0
    requests.reserve(
      end + template.requestStart.count + 3 * key.utf8.count + template.requestEnd.count)
    var text = requests.bytes.mutableSpan
    let pathStart = end + template.pathOffset
    text.append(template.requestStart.span, &end)
    text.writeEncoded(key, as: .path, &end)
    let pathEnd = end
    text.append(template.requestEnd.span, &end)
    paths.append(pathStart..<pathEnd)
    requestEnds.append(end)
  }

  /// Performs steps 2 to 6 of SigV4 for the requests in progress.
  @inline(never)
  private mutating func finish(_ urls: inout [String]) {
    hashRequests()
    sign()
    // Public from here: signatures aren't secret.
    for (path, signature) in zip(paths, signatures) {
      url.reserve(template.urlByteCount + path.count)
      let end = Self.write(&url, template, requests, path, signature)
      // Safety: the bytes are copied before the closure ends.
      urls.append(unsafe url.bytes[..<end].withUnsafeBytes { unsafe $0.textInUTF8 })
    }
    requestEnds.removeAll(keepingCapacity: true)
    paths.removeAll(keepingCapacity: true)
  }

  /// Performs step 6 of SigV4. Returns the end of the URL.
  private static func write(
    _ url: inout TextMemory, _ template: Template, _ requests: borrowing TextMemory,
    _ path: Range<Int>, _ signature: SHA256.Digest
  ) -> Int {
    var text = url.bytes.mutableSpan
    var end = 0
    text.append(template.urlStart.span, &end)
    text.append(requests.bytes.span.extracting(path), &end)
    text.append(template.urlMiddle.span, &end)
    text.append(signature, &end)
    text.append(template.urlEnd.span, &end)
    return end
  }

  /// Performs steps 2 and 3 of SigV4.
  private mutating func hashRequests() {
    var ends = requestEnds.makeIterator()
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

  /// Performs step 5 of SigV4.
  private mutating func sign() {
    signatures.removeAll(keepingCapacity: true)
    let (key, stringByteCount) = (key, stringByteCount)
    let end = paths.count * stringByteCount
    var start = 0
    // Safety: the buffer doesn't move, and the ranges are within it.
    unsafe stringsToSign.withUnsafeBytes { strings in
      unsafe SHA256.BatchJob.run {
        if start == end { return nil }
        defer { start += stringByteCount }
        return unsafe SHA256.BatchJob(key, appending: strings.part(start..<start + stringByteCount))
      } _: {
        unsafe signatures.append($0.digest)
      }
    }
  }
}

/// The parts that the URLs have in common.
private struct Template {
  /// The canonical request before and after the key.
  let requestStart, requestEnd: ContiguousArray<UInt8>

  /// The offset of the path in the canonical request.
  let pathOffset: Int

  /// The URL before the path, between the key and the signature, and after the signature.
  let urlStart, urlMiddle, urlEnd: ContiguousArray<UInt8>

  /// The size of a URL without its path.
  var urlByteCount: Int { urlStart.count + urlMiddle.count + urlEnd.count + 2 * SHA256.byteCount }

  /// Cuts the steps of a request whose path is followed by the key.
  init(_ steps: SigV4.SigningBuffer, _ request: SigV4.Request) {
    let parts = steps.parts
    func part(_ start: Int, _ end: Int) -> ContiguousArray<UInt8> {
      ContiguousArray(steps.bytes(start..<end))
    }
    pathOffset = request.method.utf8.count + 1
    let pathByteCount = request.path.strict.count
    let (start, end) = (parts.canonicalRequest.lowerBound, parts.canonicalRequest.upperBound)
    let keyStart = start + pathOffset + pathByteCount
    requestStart = part(start, keyStart)
    requestEnd = part(keyStart, end)
    let target = parts.target.lowerBound
    urlStart = part(parts.result.lowerBound, target)
    urlMiddle = part(target + pathByteCount, parts.signature.lowerBound)
    urlEnd = part(parts.signature.upperBound, parts.result.upperBound)
  }
}

extension BatchPresigner: Redacted {
  /// The type name, without the key or token.
  var description: String { "BatchPresigner" }
}
