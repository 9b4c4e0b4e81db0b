// SPDX-License-Identifier: Apache-2.0
// The error response of a server, in any of its formats.

internal import DocumentSupport
public import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// The error response of a service.
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
    /// The same in lowercase, for searching.
    private var lowercasedMessage: [UInt8] = []

    /// Parses a response body, or a response with its head.
    ///
    /// A body in an unknown format counts as the message. A body of more than 1,048,576 bytes is
    /// ignored.
    public init(_ body: some Collection<UInt8>) {
      let bytes = Array(body.prefix(Self.maximumByteCount + 1))
      if bytes.count <= Self.maximumByteCount { takeBody(takeHead(bytes)) }
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
  }
}

extension SigV4.ServiceError {
  private mutating func takeBody(_ body: [UInt8]) {
    if !takeDocument(body) {
      let unescaped = CharacterReference.replaced(in: body)
      if !takeJSON(unescaped) { messageBytes = body }
    }
    takeStepsOfMessage()
    lowercasedMessage = messageBytes.map(ASCIIByte.lowercased)
    takeTimes()
  }
}

extension SigV4.ServiceError {
  /// Whether the response shows a step of the signature to compare.
  var showsSteps: Bool { canonicalRequest != nil || stringToSign != nil }

  /// Whether the message contains these lowercase words, ignoring case.
  func says(_ words: String) -> Bool {
    BytewiseSearch.range(of: words, in: lowercasedMessage[...]) != nil
  }

  /// The text between the first quotes after these words.
  func quoted(after words: String) -> String? {
    let place = BytewiseSearch.range(of: words, in: lowercasedMessage[...])
    if place == nil && !words.isEmpty { return nil }
    let rest = messageBytes[(place?.upperBound ?? 0)...].drop { $0 != 0x27 && $0 != 0x22 }
    guard let quote = rest.first, let end = rest.dropFirst().firstIndex(of: quote) else {
      return nil
    }
    return String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
  }

  /// Whether the server returned this code, with or without the suffix of JSON services.
  func isCode(_ name: String) -> Bool {
    guard let code else { return false }
    return code.utf8.elementsEqual(name.utf8)
      || code.utf8.elementsEqual((name + "Exception").utf8)
  }

  /// Whether the code means that the signature is wrong. EC2 returns AuthFailure for all
  /// credentials that it can't validate.
  var isAboutSignature: Bool {
    isCode("SignatureDoesNotMatch") || isCode("InvalidSignature") || isCode("AuthFailure")
  }

  /// Whether the server treats the URL or the request as expired.
  var saysExpired: Bool {
    says("request has expired") || isCode("RequestExpired") || isCode("ExpiredRequest")
  }

  /// Whether the server treats the URL as not yet valid.
  var saysTooEarly: Bool { says("request is not yet valid") || says("request is not valid yet") }

  /// Whether the session token has expired, in the words of API Gateway and S3, with or without a
  /// code.
  package var saysTokenExpired: Bool {
    says("security token included in the request is expired")
      || says("provided token has expired")
  }

  var isAboutClocks: Bool {
    isCode("RequestTimeTooSkewed") || isCode("RequestInTheFuture") || saysTooEarly
      || says("difference between the request time and the current time is too large")
  }

  /// The first nonblank line of the message.
  package var firstLine: ArraySlice<UInt8> {
    messageBytes.drop { $0 <= ASCIIByte.space }.prefix { $0 != ASCIIByte.newline }
  }
}

// Documents.
extension SigV4.ServiceError {
  private mutating func takeDocument(_ bytes: [UInt8]) -> Bool {
    if takeJSON(bytes) { return true }
    let start = bytes.firstIndex { $0 > ASCIIByte.space } ?? bytes.endIndex
    guard let document = try? XMLFieldReader(ofAnyRoot: bytes[start...]) else { return false }
    for field in document.fields { take(field.name, field.text) }
    takeBytes(document)
    return true
  }

  private mutating func takeJSON(_ bytes: [UInt8]) -> Bool {
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
    default: break
    }
  }

  /// Stores a field, unless one with this name was found before.
  private mutating func take(_ name: String, _ text: String) {
    switch name.lowercased() {
    case "code": code = code ?? text
    case "__type": code = code ?? Self.withoutNamespace(text)
    case "message": messageBytes = messageBytes.isEmpty ? Array(text.utf8) : messageBytes
    case "canonicalrequest": canonicalRequest = canonicalRequest ?? Self.withoutLineEnds(text.utf8)
    case "stringtosign": stringToSign = stringToSign ?? Self.withoutLineEnds(text.utf8)
    case "signatureprovided": signature = signature ?? text
    case "awsaccesskeyid": accessKeyID = accessKeyID ?? text
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
