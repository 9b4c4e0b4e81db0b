// SPDX-License-Identifier: Apache-2.0
// What a server says when it refuses a signature, in whatever format it says it.

internal import DocumentSupport
public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4.Mismatch {
  /// The body of a refusal: XML as S3 writes it, JSON or plain text as other services do.
  public struct Answer: Hashable, Sendable, CustomStringConvertible {
    /// The server's code of the error, such as `SignatureDoesNotMatch`.
    public private(set) var errorCode: String?

    /// When the request was signed that the server refuses.
    public private(set) var requestTime: SigV4.Timestamp?

    /// The server's clock, when it shows it.
    public private(set) var serverTime: SigV4.Timestamp?

    /// The canonical request, as the server computed it.
    var canonicalRequest: [UInt8]?

    /// The string to sign, as the server computed it.
    var stringToSign: [UInt8]?

    /// The signature that arrived.
    var signature: String?

    var accessKeyID: String?
    var unsignedHeaders: String?
    var message: [UInt8] = []

    /// Reads an answer. Every text is one: what cannot be read tells nothing, and neither does a body
    /// of more than 1,048,576 bytes.
    public init(_ body: some Collection<UInt8>) {
      let bytes = Array(body.prefix(Self.maximumByteCount + 1))
      if bytes.count > Self.maximumByteCount { return }
      if !takeDocument(bytes) {
        let unescaped = CharacterReference.replaced(in: bytes)
        if !takeJSON(unescaped) { message = bytes }
      }
      takeStepsOfMessage()
      takeTimes()
    }

    /// The server's code, and whether it shows what it signed.
    public var description: String {
      "Answer(" + (errorCode.map { UTF8Text.quoted($0) } ?? "no code")
        + (showsSteps ? ", with what the server signed)" : ")")
    }

    static var maximumByteCount: Int { 1_048_576 }
  }
}

extension SigV4.Mismatch.Answer {
  /// Whether there is something to compare.
  var showsSteps: Bool { canonicalRequest != nil || stringToSign != nil }

  /// Whether the message has these words.
  func says(_ words: String) -> Bool { BytewiseSearch.range(of: words, in: message[...]) != nil }

  /// The first line of the message that is not blank.
  var firstLine: ArraySlice<UInt8> {
    message.drop { $0 <= ASCIIByte.space }.prefix { $0 != ASCIIByte.newline }
  }
}

// Documents.
extension SigV4.Mismatch.Answer {
  private mutating func takeDocument(_ bytes: [UInt8]) -> Bool {
    if takeJSON(bytes) { return true }
    let start = bytes.firstIndex { $0 > ASCIIByte.space } ?? bytes.endIndex
    guard let document = try? XMLFieldReader(bytes[start...]) else { return false }
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

  /// The first field of a name counts.
  private mutating func take(_ name: String, _ text: String) {
    switch name.lowercased() {
    case "code", "__type": errorCode = errorCode ?? text
    case "message": message = message.isEmpty ? Array(text.utf8) : message
    case "canonicalrequest": canonicalRequest = canonicalRequest ?? Self.withoutLineEnds(text.utf8)
    case "stringtosign": stringToSign = stringToSign ?? Self.withoutLineEnds(text.utf8)
    case "signatureprovided": signature = signature ?? text
    case "awsaccesskeyid": accessKeyID = accessKeyID ?? text
    case "headersnotsigned": unsignedHeaders = unsignedHeaders ?? text
    case "requesttime": requestTime = requestTime ?? Self.moment(text)
    case "servertime": serverTime = serverTime ?? Self.moment(text)
    default: break
    }
  }

  /// The bytes as the server had them, where they are whole: a text may have lost some on its way.
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

  /// Neither text begins or ends with a line end; documents may add them.
  private static func withoutLineEnds(_ text: some Sequence<UInt8>) -> [UInt8] {
    var bytes = Array(text.drop { $0 == 0x0A || $0 == 0x0D })
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    return bytes
  }
}

// Words.
extension SigV4.Mismatch.Answer {
  /// The texts that services without fields for them put into their message, between quotes.
  private mutating func takeStepsOfMessage() {
    if showsSteps { return }
    takeSteps(of: message)
    // Neither quotes nor a ';' are ever written plainly in a query.
    let isEscaped =
      canonicalRequest.map { request in
        let query = request.split(
          separator: ASCIIByte.newline, maxSplits: 3, omittingEmptySubsequences: false
        ).dropFirst(2).first
        return BytewiseSearch.range(of: "&amp;", in: query ?? []) != nil
      } ?? (BytewiseSearch.range(of: "&#", in: message[...]) != nil)
    if isEscaped { takeSteps(of: CharacterReference.replaced(in: message)) }
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

  /// What stands between the first quote and the last one.
  private static func quotedText(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard let first = bytes.firstIndex(of: 0x27), let last = bytes.lastIndex(of: 0x27),
      first < last
    else { return nil }
    return withoutLineEnds(bytes[(first + 1)..<last])
  }

  /// The times of messages on clocks, and of both texts.
  private mutating func takeTimes() {
    for words in ["Signature expired:", "Signature not yet current:"] {
      if let range = BytewiseSearch.range(of: words, in: message[...]) {
        let times = Self.moments(in: message[range.upperBound...].prefix(200))
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

  /// A time in one of the forms that fields have.
  private static func moment(_ text: String) -> SigV4.Timestamp? {
    if let moment = try? SigV4.Timestamp(text) { return moment }
    if let moment = SigV4.Timestamp(extended: text) { return moment }
    return try? SigV4.Timestamp(httpDate: text)
  }
}
