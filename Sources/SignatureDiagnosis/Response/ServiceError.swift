// SPDX-License-Identifier: Apache-2.0
// The error response of a server, in any of its formats.

internal import DocumentSupport
public import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// The error response of a service, parsed. Create one if you send requests with your own HTTP
  /// client. A session throws a `TransferError` instead.
  ///
  ///     let error = SigV4.ServiceError(body)
  ///     print(error.code ?? "no code", error.diagnosis(for: signed))
  ///
  /// Parses the XML of S3, and the JSON and plain text of other services, with or without the
  /// response head, as `curl -i` prints it.
  public struct ServiceError: Swift.Error, Hashable, Sendable {
    /// The server's error code, such as `SignatureDoesNotMatch`. Nil if the response has none.
    public private(set) var code: String?

    /// The server's message. Nil if the response has none. It may quote parts of the request.
    public var message: String? { messageBytes.isEmpty ? nil : messageBytes.textInUTF8 }

    /// The time that the server found in the request.
    public private(set) var requestTime: SigV4.Timestamp?

    /// The server's time. Nil if the body doesn't contain it.
    public private(set) var serverTime: SigV4.Timestamp?

    /// The HTTP status. Nil without the head of the response.
    public private(set) var status: Int?

    /// The canonical request, as the server computed it.
    var canonicalRequest: [UInt8]?

    /// The string to sign, as the server computed it.
    var stringToSign: [UInt8]?

    /// The signature that the server received. Nil if the response doesn't show it.
    public private(set) var signature: String?

    /// The Date header of the response.
    var date: SigV4.Timestamp?

    /// When the presigned URL expired.
    var expires: SigV4.Timestamp?

    /// The region that the server expects, and the bucket's region from the response headers.
    var region: String?
    var bucketRegion: String?

    var endpoint: String?
    var declaredDigest: String?
    var computedDigest: String?
    package var accessKeyID: String?
    var unsignedHeaders: String?
    /// The header that the server rejects.
    var header: String?
    var messageBytes: [UInt8] = []
    /// The start of the same in lowercase, for searching.
    private(set) var lowercasedMessage: [UInt8] = []
    /// Whether the response has no body.
    private(set) var isEmpty = false
    /// The code and the message in fields with less common names.
    private var otherCode: String?
    private var otherMessage: String?
    /// What Google Cloud Storage adds to the message.
    private var details: String?

    /// Parses a response body, or a response with its head.
    ///
    /// A body in an unknown format counts as the message. A body of more than 1,048,576 bytes is
    /// ignored. A head is at most 65,536 bytes.
    public init(_ body: some Collection<UInt8>) {
      let start = body.prefix(Self.maximumHeadByteCount + Self.maximumByteCount + 1)
      let bytes = takeHead(Array(start))
      if bytes.count <= Self.maximumByteCount { takeBody(bytes) }
    }

    /// Parses the response of any HTTP client.
    ///
    /// The headers contain the server's time, and the code if the body has none.
    public init(status: Int, headers: Headers, body: some Collection<UInt8>) {
      self.status = status
      for header in headers { takeHeader(header.name, header.value) }
      let bytes = Array(body.prefix(Self.maximumByteCount + 1))
      if bytes.count <= Self.maximumByteCount { takeBody(bytes) }
    }

    static var maximumByteCount: Int { 1_048_576 }
    private static var maximumHeadByteCount: Int { 65_536 }
  }
}

extension SigV4.ServiceError {
  private mutating func takeBody(_ body: [UInt8]) {
    isEmpty = body.allSatisfy { $0 <= ASCIIByte.space }
    if !takeDocument(body) { takeJSON(CharacterReference.replaced(in: body)) }
    code = code ?? otherCode
    if let otherMessage, messageBytes.isEmpty { messageBytes = Array(otherMessage.utf8) }
    if let details { messageBytes += Array(((messageBytes.isEmpty ? "" : " ") + details).utf8) }
    // Without known fields, the body counts as the message.
    if code == nil && messageBytes.isEmpty && !showsSteps && !isEmpty { messageBytes = body }
    takeStepsOfMessage()
    lowercasedMessage = messageBytes.prefix(Self.searchedByteCount).map(ASCIIByte.lowercased)
    takeTimes()
  }

  private static var searchedByteCount: Int { 65_536 }
}

// Documents.
extension SigV4.ServiceError {
  /// Parses XML or JSON, with or without other text around it, such as a log's or that of
  /// `curl -w`.
  private mutating func takeDocument(_ bytes: [UInt8]) -> Bool {
    if takeJSON(bytes) { return true }
    for part in Self.markup(in: bytes) {
      guard let document = try? XMLFieldReader(ofAnyRoot: part) else { continue }
      for field in document.fields { take(field.name, field.text) }
      takeBytes(document)
      return true
    }
    guard let start = bytes.firstIndex(of: 0x7B), let end = bytes.lastIndex(of: 0x7D), start < end
    else { return false }
    return takeJSON(bytes[start...end])
  }

  /// What may be the XML document, without the text before and after it: up to the end of each of
  /// the first error elements, and up to the last tag.
  private static func markup(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    let start = ["<?xml", "<Error", "<"].lazy.compactMap {
      BytewiseSearch.range(of: $0, in: bytes[...])?.lowerBound
    }.first
    guard let start, let end = bytes[start...].lastIndex(of: 0x3E) else { return [] }
    var parts: [ArraySlice<UInt8>] = []
    var rest = bytes[start...end]
    while parts.count < 3, let tag = BytewiseSearch.range(of: "</Error", in: rest) {
      rest = rest[tag.upperBound...]
      rest = rest.drop { $0 != 0x3E }
      parts.append(bytes[start...rest.startIndex])
    }
    return parts + [bytes[start...end]]
  }

  @discardableResult
  private mutating func takeJSON(_ bytes: some Collection<UInt8>) -> Bool {
    guard let value = try? JSONReader.value(of: bytes) else { return false }
    take(value)
    return true
  }

  private mutating func take(_ value: JSONReader.Value) {
    switch value {
    case .object(let members):
      for member in members {
        if let text = member.value.text { take(member.name, text) } else { take(member.value) }
      }
    case .array(let elements):
      for element in elements { take(element) }
    case .string(let text): take("message", text)
    case .number, .boolean, .null: break
    }
  }

  /// Stores a field, unless one with this name was found before.
  private mutating func take(_ name: String, _ text: String) {
    switch name.lowercased() {
    case "code": code = code ?? text
    case "__type": code = code ?? Self.withoutNamespace(text)
    case "message": messageBytes = messageBytes.isEmpty ? Array(text.utf8) : messageBytes
    // AppSync, OAuth (RFC 6749, 5.2), OpenSearch, and Neptune (Amazon Neptune User Guide, "Graph
    // engine error messages and codes").
    case "errortype": otherCode = otherCode ?? Self.withoutNamespace(text)
    case "error" where !text.utf8.contains(ASCIIByte.space): otherCode = otherCode ?? text
    case "error", "errormessage", "error_description", "reason", "detailedmessage":
      otherMessage = otherMessage ?? text
    case "details": details = details ?? text
    case "canonicalrequest": canonicalRequest = canonicalRequest ?? Self.withoutLineEnds(text.utf8)
    case "stringtosign": stringToSign = stringToSign ?? Self.withoutLineEnds(text.utf8)
    case "signatureprovided": signature = signature ?? text
    case "awsaccesskeyid", "ossaccesskeyid": accessKeyID = accessKeyID ?? text
    case "headersnotsigned": unsignedHeaders = unsignedHeaders ?? text
    case "header": header = header ?? text
    case "requesttime": requestTime = requestTime ?? Self.moment(text)
    case "servertime": serverTime = serverTime ?? Self.moment(text)
    case "x-amz-date": requestTime = requestTime ?? Self.moment(text)
    case "expires": expires = expires ?? Self.moment(text)
    case "region": region = region ?? text
    case "endpoint": endpoint = endpoint ?? text
    case "clientcomputedcontentsha256": declaredDigest = declaredDigest ?? text
    case "s3computedcontentsha256": computedDigest = computedDigest ?? text
    default: break
    }
  }

  /// Stores the server's bytes if they're complete, since the text may have lost some in transit.
  private mutating func takeBytes(_ document: XMLFieldReader) {
    canonicalRequest =
      Self.bytes(document.text(named: "CanonicalRequestBytes"), unlessShorterThan: canonicalRequest)
    stringToSign =
      Self.bytes(document.text(named: "StringToSignBytes"), unlessShorterThan: stringToSign)
  }

  /// Pairs of hexadecimal digits with spaces between them.
  private static func bytes(
    _ digits: String?, unlessShorterThan text: [UInt8]?
  ) -> [UInt8]? {
    let digits = digits.map { $0.utf8.filter { $0 > ASCIIByte.space } }
    guard let digits, let bytes = try? Hexadecimal.decode(digits) else { return text }
    let lineCounts = [bytes, text ?? []].map { $0.count { $0 == ASCIIByte.newline } }
    return lineCounts[0] < lineCounts[1] ? text : bytes
  }

  /// Removes leading and trailing newlines. The steps have none, but documents may add them.
  private static func withoutLineEnds(_ text: some Sequence<UInt8>) -> [UInt8] {
    var bytes = Array(text.drop { $0 == 0x0A || $0 == 0x0D })
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    return bytes
  }
}

// The head of a response.
extension SigV4.ServiceError {
  /// Parses the response heads, and returns the bytes after them. There may be several, from
  /// interim responses, proxies and redirects. The last one counts.
  private mutating func takeHead(_ bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    while rest.starts(with: "HTTP/".utf8) {
      (status, date, bucketRegion, code) = (nil, nil, nil, nil)
      var isFirst = true
      while !rest.isEmpty {
        var line = rest.prefix { $0 != ASCIIByte.newline }
        rest = rest[line.endIndex...].dropFirst()
        if line.last == 0x0D { line.removeLast() }
        if line.isEmpty { break }
        if isFirst { takeStatus(line) } else { takeHeaderLine(line) }
        isFirst = false
      }
    }
    return Array(rest)
  }

  /// RFC 9112, 4: the version, the status, and an optional phrase.
  private mutating func takeStatus(_ line: ArraySlice<UInt8>) {
    let parts = line.split(separator: ASCIIByte.space)
    if parts.count > 1 { status = Int(String(decoding: parts[1], as: UTF8.self)) }
  }

  private mutating func takeHeaderLine(_ line: ArraySlice<UInt8>) {
    let name = String(decoding: line.prefix { $0 != ASCIIByte.colon }, as: UTF8.self)
    let value = String(
      decoding: line.dropFirst(name.utf8.count + 1).drop { $0 == ASCIIByte.space }, as: UTF8.self)
    takeHeader(name, value)
  }

  private mutating func takeHeader(_ name: String, _ value: String) {
    switch name.lowercased() {
    case "date": date = Self.moment(value)
    case "x-amz-bucket-region": bucketRegion = value
    case "x-amzn-errortype":
      code = Self.withoutNamespace(value)
    default: break
    }
  }

  /// The name of a Smithy type: `NotFound` of `com.example#NotFound:http://...`.
  private static func withoutNamespace(_ type: String) -> String {
    String(type.prefix { $0 != ":" }.split(separator: "#").last ?? "")
  }
}

// Words.
extension SigV4.ServiceError {
  /// Finds the steps that services without fields for them quote in their message.
  private mutating func takeStepsOfMessage() {
    if showsSteps { return }
    takeSteps(of: messageBytes)
    // A query never contains an unencoded quote or ';'.
    let isEscaped =
      canonicalRequest.map { request in
        let query = request.split(
          separator: ASCIIByte.newline, maxSplits: 3, omittingEmptySubsequences: false
        ).dropFirst(2).first
        return BytewiseSearch.range(of: "&amp;", in: query ?? []) != nil
      } ?? (BytewiseSearch.range(of: "&#", in: messageBytes[...]) != nil)
    if isEscaped { takeSteps(of: CharacterReference.replaced(in: messageBytes)) }
  }

  private mutating func takeSteps(of message: [UInt8]) {
    let middle = BytewiseSearch.range(of: "String-to-Sign should have been", in: message[...])
    if let start = BytewiseSearch.range(
      of: "Canonical String for this request should have been", in: message[...])
    {
      let end = max(middle?.lowerBound ?? message.endIndex, start.upperBound)
      canonicalRequest = Self.quotedText(message[start.upperBound..<end]) ?? canonicalRequest
    }
    if let middle {
      stringToSign = Self.quotedText(message[middle.upperBound...]) ?? stringToSign
    }
  }

  /// The text between the first and the last quote.
  private static func quotedText(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard let first = bytes.firstIndex(of: 0x27), let last = bytes.lastIndex(of: 0x27),
      first < last
    else { return nil }
    return withoutLineEnds(bytes[(first + 1)..<last])
  }

  /// Finds the times in messages about clocks, and in both steps.
  private mutating func takeTimes() {
    for words in ["Signature expired:", "Signature not yet current:"] {
      if let range = BytewiseSearch.range(of: words, in: messageBytes[...]) {
        let times = Self.moments(in: messageBytes[range.upperBound...].prefix(200))
        if let first = times.first, times.count > 2 {
          requestTime = requestTime ?? first
          serverTime = serverTime ?? times[2]
        }
      }
    }
    if requestTime == nil, let stringToSign {
      requestTime = Self.moments(in: stringToSign.prefix(200)).first
    }
    if requestTime == nil, let canonicalRequest,
      let range = BytewiseSearch.range(of: "x-amz-date:", in: canonicalRequest[...])
        ?? BytewiseSearch.range(of: "X-Amz-Date=", in: canonicalRequest[...])
    {
      requestTime = Self.moments(in: canonicalRequest[range.upperBound...].prefix(16)).first
    }
  }

  /// All times of the form `20130524T000000Z`, in order.
  private static func moments(in bytes: ArraySlice<UInt8>) -> [SigV4.Timestamp] {
    var moments: [SigV4.Timestamp] = []
    var rest = bytes
    while rest.count >= 16 {
      let text = String(decoding: rest.prefix(16), as: UTF8.self)
      if ASCIIByte.isDigit(rest[rest.startIndex]), let moment = try? SigV4.Timestamp(text) {
        moments.append(moment)
        rest = rest.dropFirst(16)
      } else {
        rest = rest.dropFirst()
      }
    }
    return moments
  }

  /// A time in one of the formats of fields.
  private static func moment(_ text: String) -> SigV4.Timestamp? {
    if let moment = try? SigV4.Timestamp(text) { return moment }
    if let moment = SigV4.Timestamp(extended: text) { return moment }
    // For a URL that isn't valid yet, S3 writes the time in milliseconds.
    if text.utf8.count == 13, let milliseconds = Int64(text) {
      return try? SigV4.Timestamp(unixSeconds: milliseconds / 1_000)
    }
    return try? SigV4.Timestamp(httpDate: text)
  }
}

extension SigV4.ServiceError: CustomStringConvertible {
  /// The code and the status, without the message, which may quote parts of the request.
  public var description: String {
    let status = status.map { ", status \($0)" } ?? ""
    return "ServiceError(" + (code.map { UTF8Text.quoted($0) } ?? "no code") + status + ")"
  }
}

extension SigV4.ServiceError: Redacted {}
