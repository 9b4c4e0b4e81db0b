// SPDX-License-Identifier: Apache-2.0
// A signed request as a URLRequest that URLSession sends exactly as it was signed.

internal import Foundation
internal import RequestSigning

extension URLRequest {
  /// Creates a request that URLSession sends exactly as signed. Other settings come from the
  /// template.
  init(_ signed: SigV4.SignedRequest, _ body: Body, like template: URLRequest?) throws {
    let url = try URL(
      loadable: signed.url, target: signed.target, signed.preparer.service, known: template?.url)
    try self.init(signed.method, url, signed.headers, body, like: template)
  }

  /// The same for a signature in the URL.
  init(_ presigned: SigV4.PresignedURL, _ body: Body, like template: URLRequest?) throws {
    try self.init(
      presigned.method, URL(presigned), presigned.requiredHeaders, body, like: template)
  }

  private init(
    _ method: String, _ url: URL, _ headers: SigV4.Headers, _ body: Body,
    like template: URLRequest?
  ) throws {
    try body.check(method: method)
    self = template ?? URLRequest(url: url)
    if self.url != url { self.url = url }
    try setLoadable(method: method)
    try setLoadable(headers, body)
    boundStream()
  }

  /// The headers that URLSession writes itself, in lowercase (URLRequest, "Reserved HTTP Headers").
  static let reservedNames = ["connection", "content-length", "transfer-encoding"]

  /// Sets the method. Some versions of URLRequest change it to uppercase, so this checks the
  /// result.
  private mutating func setLoadable(method: String) throws(TransferError) {
    if httpMethod == method { return }
    httpMethod = method
    if httpMethod != method {
      throw TransferError(
        .requestWouldChange,
        "URLRequest changes the method \(UTF8Text.quoted(method.utf8, upTo: 40)) to "
          + "\(httpMethod ?? "nothing").", fix: "Use uppercase.")
    }
  }

  /// Sets the headers of a signed request, and retains the request's other headers. Headers that
  /// URLSession writes itself are checked and not set.
  private mutating func setLoadable(_ headers: SigV4.Headers, _ body: Body) throws(TransferError) {
    var fields: [(key: String, name: String, value: String, isSigned: Bool)] = []
    // SigV4, step 1: repeated headers are signed as one, joined by commas.
    func add(_ name: String, _ value: String, isSigned: Bool) throws(TransferError) {
      let key = name.lowercased()
      try body.check(name, value, key)
      // URLSession writes the signed host.
      if isSigned ? URLRequest.reservedNames.contains(key) : key == "host" { return }
      guard let index = fields.firstIndex(where: { $0.key == key }) else {
        return fields.append((key, name, value, isSigned))
      }
      fields[index].value = fields[index].isSigned ? fields[index].value + "," + value : value
      fields[index].isSigned = isSigned
    }
    for (name, value) in allHTTPHeaderFields ?? [:] { try add(name, value, isSigned: false) }
    for header in headers { try add(header.name, header.value, isSigned: true) }
    // libcurl drops a header whose value is only spaces, although it's signed as an empty one.
    let pairs = fields.map { ($0.name, $0.value.withoutOuterSpace) }
    allHTTPHeaderFields = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }
}

extension Body {
  /// Throws `requestWouldChange` if URLSession sends no body with the method.
  func check(method: String) throws(TransferError) {
    if isPresent && ["GET", "HEAD"].contains(method) {
      throw TransferError(
        .requestWouldChange,
        "URLSession sends no body with \(method).", fix: "Use a different method or HTTP client.")
    }
  }

  /// Throws `conflictingHeader` for a header that URLSession would change, or that would change how
  /// it sends the body.
  func check(_ name: String, _ value: String, _ key: String) throws(TransferError) {
    let isRight =
      switch (key, content) {
      case ("content-length", _): (byteCount ?? Int(value)).map { "\($0)" } == value
      case ("transfer-encoding", .stream): value.lowercased() == "chunked"
      case ("transfer-encoding", _): false
      case ("connection", _): value.lowercased() == "close"
      default: true
      }
    if isRight { return }
    let length = byteCount.map { " of \($0) bytes" } ?? ""
    throw TransferError(
      .conflictingHeader,
      "\(name): \(UTF8Text.quoted(value.utf8, upTo: 40)) conflicts with how the body\(length) "
        + "is sent.", fix: "Remove the header. The HTTP client adds its own.")
  }
}

extension String {
  /// The string without spaces and tabs at its ends.
  fileprivate var withoutOuterSpace: String {
    let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard utf8.first.map(isSpace) == true || utf8.last.map(isSpace) == true else { return self }
    let start = utf8.drop(while: isSpace)
    let end = start.lastIndex { !isSpace($0) }.map(utf8.index(after:)) ?? start.startIndex
    return String(self[start.startIndex..<end])
  }
}
