// SPDX-License-Identifier: Apache-2.0
// From the inputs of a signing vector to a signer and a request, as a user would write them.

public import RequestSigning

extension VectorRecord {
  /// The signer: `region`, `service` and its rules, the credentials.
  public func signer() throws -> SigV4.Signer {
    try SigV4.Signer(credentials: credentials(), region: text("region"), service: service())
  }

  /// The credentials; a record that names none has those of the official suite.
  public func credentials() throws -> SigV4.Credentials {
    try SigV4.Credentials(
      accessKeyID: optionalText("access-key-id") ?? "AKIDEXAMPLE",
      secretAccessKey: optionalText("secret-access-key")
        ?? "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
      sessionToken: optionalText("token"))
  }

  /// The time: `date`, in the form of X-Amz-Date.
  public func timestamp() throws -> SigV4.Timestamp {
    try SigV4.Timestamp(text("date"))
  }

  /// The request: `url`, or `host` with `key`, `raw-path` or `target`; `header`s; the payload.
  public func request() throws -> SigV4.Request {
    if let url = try optionalText("url") {
      return try SigV4.Request(
        text("method"), url: url, plus: plusSign(), headers: headers(), payload: payload())
    }
    let (path, query) = try pathAndQuery()
    return try SigV4.Request(
      text("method"), host: text("host"), path: path, query: query, headers: headers(),
      payload: payload())
  }

  /// Header fields, each written `name:value`.
  public func headers(_ field: String = "header") throws -> SigV4.Headers {
    SigV4.Headers(
      try texts(field).map { line in
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), String(parts[1]))
      })
  }

  private func service() throws -> SigV4.Service {
    var service: SigV4.Service
    switch try text("service") {
    case "s3": service = .s3
    case "s3express": service = .s3Express
    case "iotdevicegateway": service = .iotDeviceGateway
    case let name: service = try .standard(name)
    }
    if try optionalText("normalize") == "no" { service = service.with(\.pathRule, .encodedTwice) }
    if try optionalText("sign-body") == "yes" { service = service.with(\.payloadRule, .declared) }
    if try optionalText("omit-token") == "yes" {
      service = service.with(\.sessionTokenRule, .appendedAfterSigning)
    }
    if try optionalText("unsigned-headers") == "none" {
      service = service.with(\.unsignedHeaders, .none)
    }
    return service
  }

  private func plusSign() throws -> SigV4.Query.PlusSign {
    try optionalText("plus") == "literal" ? .literal : .space
  }

  private func pathAndQuery() throws -> (SigV4.Path, SigV4.Query) {
    if let target = try optionalBytes("target") {
      let path = target.prefix { $0 != UInt8(ascii: "?") }
      return (.received(path), .received(target[path.endIndex...].dropFirst()))
    }
    let query = SigV4.Query(
      try texts("parameter").map { line in
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
      })
    if let key = try optionalBytes("key") { return (try .key(bytes: key), query) }
    return (try .raw(bytes: bytes("raw-path")), query)
  }

  /// `body`, or `payload`: the keyword that replaces it.
  private func payload() throws -> SigV4.Payload {
    if let body = try optionalBytes("body") { return .bytes(body) }
    switch try optionalText("payload") {
    case "UNSIGNED-PAYLOAD": return .unsigned
    case let words?: return try .literal(words)
    case nil: return .empty
    }
  }
}
