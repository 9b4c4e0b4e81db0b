// SPDX-License-Identifier: Apache-2.0
// The message of sigv4 message, and what to cover of it.

internal import MessageSignatures
internal import RequestSigning

/// A request, as a URL with its method, headers and body, or a raw one on standard input; or a raw
/// response, with its request as a URL.
struct GivenMessage {
  let message: HTTPMessage
  let body: [UInt8]

  /// What a signature of it should cover.
  let defaultCover: [MessageSignature.Component]

  init(_ options: Arguments) throws {
    let url = options.value("--url")
    if url == nil, let name = ["-X", "-H", "-d"].first(where: options.has) {
      throw CommandError(
        .usage, "\(name) can be used only with --url.",
        fix: "Remove it. A request on standard input contains its method, headers and body.")
    }
    if let path = options.value("--response") {
      try self.init(responseIn: path, to: url.map { try Self.request(options, $0) })
    } else if let url {
      let request = try Self.request(options, url)
      self.init(request.message, request.body, Self.requestComponents)
    } else {
      try self.init(readingRequest: System.readStandardInput)
    }
  }

  private init(
    _ message: HTTPMessage, _ body: [UInt8], _ components: [MessageSignature.Component]
  ) {
    self.message = message
    self.body = body
    defaultCover = components + (body.isEmpty ? [] : [.contentDigest])
  }

  private static let requestComponents: [MessageSignature.Component] = [
    .method, .authority, .path, .query,
  ]

  private typealias Request = (method: String, message: HTTPMessage, body: [UInt8])

  private static func request(_ options: Arguments, _ url: String) throws -> Request {
    if options.values("-d").count > 1 {
      throw CommandError(
        .usage, "A message has only one body, so -d can't be repeated.",
        fix: "Pass the whole body as one -d, or as -d @FILE.")
    }
    let body = try options.value("-d").map { text in
      text.hasPrefix("@")
        ? try System.contents(of: String(text.dropFirst()), atMost: 1 << 30) : Array(text.utf8)
    }
    let headers = try SigningOptions.headers(options.values("-H"))
    if try ConnectTo(url, headers) != nil {
      throw CommandError(
        .usage, "The -H Host header differs from the URL's host, which is signed.",
        fix: "Pass the URL with the host that the receiver sees.")
    }
    let method = options.value("-X") ?? (body == nil ? "GET" : "POST")
    let message = try HTTPMessage(
      method: method, url: url, fields: fields(headers))
    return (method, message, body ?? [])
  }

  private init(readingRequest read: @escaping () throws -> ArraySlice<UInt8>) throws {
    var input = try ReceivedMessage(reading: read)
    guard let host = input.headers.values(named: "host").first else {
      throw CommandError(
        .failure, "The request has no Host header.", fix: "Add it, or pass --url.")
    }
    let message = try HTTPMessage(
      method: input.method, scheme: "https", authority: host, target: input.target,
      fields: Self.fields(input.headers))
    self.init(message, try Self.body { try input.nextPortion() }, Self.requestComponents)
  }

  private init(
    responseIn path: String, to request: Request?
  ) throws {
    var content = try System.contents(of: path, atMost: 1 << 30)[...]
    var input = try RawMessage(.response) {
      defer { content = [] }
      return content
    }
    let status = try Self.status(input.firstLine)
    // RFC 9112, 6.3: the length of such a response is that of another one's body.
    if request?.method == "HEAD" || status == 204 || status == 304 { input.expectNoBody() }
    let message = try HTTPMessage(
      status: status, fields: Self.fields(input.headers), to: request?.message)
    self.init(
      message, try Self.body { try input.nextPortion() },
      [.status] + (request == nil ? [] : Self.requestComponents.map(\.ofRequest)))
  }

  /// The status of `HTTP/1.1 200 OK` (RFC 9112, 4), or of `HTTP/2 200` as curl prints it.
  private static func status(_ line: [UInt8]) throws -> Int {
    let words = line.split(separator: UInt8(ascii: " "))
    guard words.count > 1, words[0].starts(with: "HTTP/".utf8), words[1].count == 3,
      let status = UInt16(String(decoding: words[1], as: UTF8.self))
    else {
      throw RawMessage.Kind.response.malformed(
        "its first line isn't HTTP/1.1 STATUS", fix: "Add the status line, as in 'curl -i'.")
    }
    if status < 200 {
      throw RawMessage.Kind.response.malformed(
        "\(status) is the status of an interim response (RFC 9110, 15.2)",
        fix: "Remove the lines before the final response's.")
    }
    return Int(status)
  }

  private static func fields(_ headers: SigV4.Headers) -> [(name: String, value: String)] {
    headers.map { ($0.name, $0.value) }
  }

  private static func body(_ next: () throws -> ArraySlice<UInt8>?) throws -> [UInt8] {
    var body: [UInt8] = []
    while let portion = try next() { body += portion }
    return body
  }
}

/// The components of --cover.
enum CoveredComponents {
  /// Reads the components, which are separated by spaces, as in a signature. Quotation marks may be
  /// missing: `content-digest;key=sha-256`.
  static func parse(_ options: Arguments) throws -> [MessageSignature.Component]? {
    try options.value("--cover")?.split(separator: " ").map { word in
      let parts = word.split(separator: ";", omittingEmptySubsequences: false)
      let parameters = parts.dropFirst().map { part in
        let (name, value) = String(part).split(atFirst: "=")
        return ";" + name + (value.map { "=" + quoted($0) } ?? "")
      }
      do throws(MessageSignatureError) {
        return try MessageSignature.Component(
          identifier: quoted(String(parts[0])) + parameters.joined())
      } catch {
        throw CommandError(
          .usage, "--cover doesn't support \(word): \(error.problem)",
          fix: "Use @method, @authority, @path, @query, the name of a header, or another component "
            + "of RFC 9421, such as @method;req.")
      }
    }
  }

  private static func quoted(_ text: String) -> String {
    text.hasPrefix("\"") ? text : "\"" + text + "\""
  }
}
