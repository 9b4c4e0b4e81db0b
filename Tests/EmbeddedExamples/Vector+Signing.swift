// SPDX-License-Identifier: Apache-2.0
// From the inputs of a vector to a signer, a request and the body of an upload.

import RequestSigning

extension Vector {
  /// Whether a value matches the table. A table without a value matches.
  func agrees(_ name: StaticString, _ value: String) -> Bool {
    bytes(name).map { $0.elementsEqual(value.utf8) } ?? true
  }

  /// Whether a URL is as long as the table's, in which parameters may have a different order.
  func hasLength(_ name: StaticString, _ value: String) -> Bool {
    bytes(name).map { $0.count == value.utf8.count } ?? true
  }

  /// A record that names no credentials has those of the official suite.
  func signer() throws(SigV4.SigningError) -> SigV4.Signer {
    let isSuite = bytes("access-key-id") == nil
    let credentials = try SigV4.Credentials(
      accessKeyID: isSuite ? "AKIDEXAMPLE" : text("access-key-id"),
      secretAccessKey: isSuite
        ? "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" : text("secret-access-key"),
      sessionToken: bytes("token").map { String(decoding: $0, as: UTF8.self) })
    return try SigV4.Signer(credentials: credentials, region: text("region"), service: service())
  }

  /// A record without a lifetime is for a service whose URLs have none.
  func presigned(
    _ request: SigV4.Request, by signer: SigV4.Signer, at time: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    if bytes("lifetime") == nil {
      return try signer.presignedURL(for: request, expiresIn: nil, at: time)
    }
    return try signer.presignedURL(for: request, expiresIn: .seconds(number("lifetime")), at: time)
  }

  private func service() throws(SigV4.SigningError) -> SigV4.Service {
    var service = try SigV4.Service.named(text("service"))
    if has("normalize", "no") { service.pathRule = .encodedTwice }
    if has("sign-body", "yes") { service.payloadRule = .declared }
    if has("omit-token", "yes") { service.sessionTokenRule = .appendedAfterSigning }
    if has("unsigned-headers", "none") { service.unsignedHeaders = .none }
    return service
  }

  /// `url`, or `host` with `key`, `raw-path` or `target`; headers; the payload.
  func request() throws(SigV4.SigningError) -> SigV4.Request {
    let method = text("method")
    if bytes("url") != nil {
      return try SigV4.Request(
        method, url: text("url"), plus: has("plus", "literal") ? .literal : .space,
        headers: headers(), payload: payload())
    }
    if let target = bytes("target") {
      let path = target.prefix { $0 != UInt8(ascii: "?") }
      return try SigV4.Request(
        method, host: text("host"), path: .received(path),
        query: .received(target[path.endIndex...].dropFirst()), headers: headers(),
        payload: payload())
    }
    let path: SigV4.Path =
      if let key = bytes("key") { try .key(bytes: key) } else {
        try .raw(bytes: bytes("raw-path") ?? [])
      }
    return try SigV4.Request(
      method, host: text("host"), path: path, query: query(), headers: headers(),
      payload: payload())
  }

  private func query() -> SigV4.Query {
    SigV4.Query(
      all("parameter").map { line in
        let name = line.prefix { $0 != UInt8(ascii: "=") }
        let value = line[name.endIndex...]
        return (
          String(decoding: name, as: UTF8.self),
          value.isEmpty ? nil : String(decoding: value.dropFirst(), as: UTF8.self)
        )
      })
  }

  func headers(_ field: StaticString = "header") -> SigV4.Headers {
    SigV4.Headers(
      all(field).map { line in
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        return (
          String(decoding: name, as: UTF8.self),
          String(decoding: line[name.endIndex...].dropFirst(), as: UTF8.self)
        )
      })
  }

  private func payload() throws(SigV4.SigningError) -> SigV4.Payload {
    if let body = bytes("body") { return .bytes(body) }
    if has("payload", "UNSIGNED-PAYLOAD") { return .unsigned }
    return bytes("payload") == nil ? .empty : try .literal(text("payload"))
  }
}
