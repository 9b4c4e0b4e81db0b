// SPDX-License-Identifier: Apache-2.0
// What the code and the message of a response say.

internal import RequestSigning

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
    let quotes: [UInt8] = [0x22, 0x27, 0x60]
    let rest = messageBytes[(place?.upperBound ?? 0)...].drop { !quotes.contains($0) }
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

  /// Whether the code or the message means that the signature or its credentials are wrong. EC2
  /// returns AuthFailure for all credentials that it can't validate, and R2 returns Unauthorized.
  var isAboutSignature: Bool {
    let codes = ["SignatureDoesNotMatch", "InvalidSignature", "AuthFailure"]
    if codes.contains(where: isCode) { return true }
    if isCode("Unauthorized") && isOnlyWords("unauthorized") { return true }
    return says("signature") && Self.wordsOfMismatch.contains(where: says)
  }

  /// Words about a signature, such as `Invalid signature` of Garage and IAM Roles Anywhere,
  /// `Signature validation failed` of Backblaze B2, and `mismatch between the signature` of Dell.
  private static let wordsOfMismatch = [
    "invalid", "not valid", "validat", "verif", "incorrect", "wrong", "bad signature", "match",
  ]

  /// Whether the server denies access without a reason.
  var deniesWithoutWords: Bool {
    if code == nil { return status == 403 && isEmpty }
    return isCode("AccessDenied") && isOnlyWords("access denied")
  }

  /// Whether the message is empty, or these lowercase words.
  private func isOnlyWords(_ words: String) -> Bool {
    let message = firstLine.map(ASCIIByte.lowercased)
    return message.isEmpty || message.elementsEqual(words.utf8)
      || message.elementsEqual((words + ".").utf8)
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

  /// Garage's words for an expired URL, and for a request that was signed long ago.
  var saysTooOld: Bool { says("date is too old") }

  var isAboutClocks: Bool {
    isCode("RequestTimeTooSkewed") || isCode("RequestInTheFuture") || saysTooEarly
      || says("difference between the request time and the current time is too large")
  }

  /// The first nonblank line of the message, or the text of an unknown document in one line.
  var firstLine: ArraySlice<UInt8> {
    let text = messageBytes.drop { $0 <= ASCIIByte.space }
    if let first = text.first, [0x3C, 0x5B, 0x7B].contains(first) {
      return Self.line(of: text)
    }
    var line = text.prefix { $0 != ASCIIByte.newline }
    while let last = line.last, last <= ASCIIByte.space { line.removeLast() }
    return line
  }

  /// The first line for an error: credentials of the request, which servers may repeat, are hidden.
  package func shownLine(of request: SigV4.SignedRequest?) -> [UInt8] {
    let secrets = request.map { SigV4.Diagnosis.Redaction($0.preparer.identity).secrets } ?? []
    return CredentialNames.hiding(secrets, inMessage: firstLine)
  }

  /// The text without tags and newlines, and without elements that contain credentials.
  private static func line(of document: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text: [UInt8] = []
    var rest = document
    while !rest.isEmpty {
      text += rest.prefix { $0 != 0x3C } + [ASCIIByte.space]
      let tag = rest.drop { $0 != 0x3C }.prefix { $0 != 0x3E }
      rest = rest[tag.endIndex...].dropFirst()
      let name = tag.dropFirst().prefix { $0 > ASCIIByte.space }
      if CredentialNames.carriesCredential(name) { rest = rest.drop { $0 != 0x3C } }
    }
    let words = text.split { $0 <= ASCIIByte.space }
    return ArraySlice(words.joined(separator: [ASCIIByte.space]))
  }
}
