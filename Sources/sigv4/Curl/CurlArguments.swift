// SPDX-License-Identifier: Apache-2.0
// Parses the arguments of sigv4 curl into the request to sign and the options to pass to curl.

internal import RequestSigning

/// The options of the installed curl, from `curl --help all`.
struct CurlOptions {
  /// Whether each option takes a value, by its name including dashes.
  private var takesValue: [String: Bool] = [:]
  private var longNames: [String: String] = [:]

  init(help: String) {
    for line in help.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard let place = words.firstIndex(where: { $0.hasPrefix("--") }), place < 2 else { continue }
      // --proxy [protocol://]host[:port]
      let next = words.dropFirst(place + 1).first
      let takesValue = next?.hasPrefix("<") == true || next?.hasPrefix("[") == true
      self.takesValue[words[place]] = takesValue
      if place == 1 { longNames[String(words[0].prefix(2))] = words[place] }
    }
  }

  /// Returns the long name of an option, and whether it takes a value. `--no-` turns a flag off.
  /// The help has only one of the two names.
  func option(_ name: String) throws -> (name: String, takesValue: Bool) {
    let name = longNames[name] ?? name
    if let takesValue = takesValue[name] { return (name, takesValue) }
    let other = name.hasPrefix("--no-") ? name.dropFirst(5) : "no-" + name.dropFirst(2)
    // curl 8.10 and later still accept the earlier name of --show-headers.
    let isInclude = name == "--include" && takesValue["--show-headers"] == false
    if isInclude || name.hasPrefix("--") && takesValue["--" + other] == false {
      return (name, false)
    }
    throw CommandError(
      .usage, "Neither sigv4 nor this curl has the option \(name).",
      fix: OtherWords.option(name) ?? "Check the spelling, or 'curl --help all'.")
  }
}

/// The arguments of `sigv4 curl`.
struct CurlArguments {
  /// sigv4's own options and the headers to sign, as arguments of `sigv4 sign`.
  private(set) var own: [String] = []

  /// Options to pass to curl unchanged.
  private(set) var passed: [String] = []

  /// Headers without a value, which curl doesn't add.
  private(set) var removedHeaders: [String] = []

  /// Headers for the proxy.
  private(set) var proxyHeaders: [String] = []

  /// The file to upload (--upload-file).
  private(set) var upload: String?

  private var urls: [String] = []
  private var givenMethod: String?
  private var parts: [CurlBodyPart] = []
  private var headerNames: [String] = []
  private var isHead = false
  private var isJSON = false
  private var isQuery = false
  /// The options that read standard input.
  private var inputReaders: [String] = []

  init(_ arguments: [String], _ options: CurlOptions, _ specifications: [OptionSpecification])
    throws
  {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        urls += rest
        break
      }
      let (name, attached) = argument.split(atFirst: "=")
      if !argument.hasPrefix("-") || argument == "-" {
        urls.append(argument)
      } else if argument.hasPrefix("--"),
        let own = specifications.first(where: { $0.names.contains(name) })
      {
        self.own.append(argument)
        if own.takesValue && attached == nil { self.own += try Self.value(of: name, &rest) }
      } else if argument.hasPrefix("--") {
        if attached != nil {
          throw CommandError(
            .usage, "curl's option \(name) doesn't accept a value after '='.",
            fix: "Pass the value as the next argument.")
        }
        let option = try options.option(name)
        try read(option.name, option.takesValue ? Self.value(of: name, &rest)[0] : nil)
      } else {
        try readShort(argument.dropFirst(), &rest, options)
      }
    }
  }

  /// Throws if two options read standard input: the second one would find it empty.
  private mutating func readInput(_ name: String) throws {
    if let other = inputReaders.first {
      throw CommandError(
        .usage, "\(other) and \(name) can't both read standard input.",
        fix: "Pass the value of one of them, or read it from a file.")
    }
    inputReaders.append(name)
  }

  /// Reads short options such as `-sSo FILE`: flags, and at most one option with a value, which
  /// follows directly or as the next argument.
  private mutating func readShort(
    _ letters: Substring, _ rest: inout ArraySlice<String>, _ options: CurlOptions
  ) throws {
    var letters = letters
    while let letter = letters.popFirst() {
      if letter == "h" { throw HelpRequest() }
      if letter == "q" {
        // curl runs with its own -q (--disable) anyway.
        own.append("-q")
        continue
      }
      let option = try options.option("-\(letter)")
      if option.takesValue {
        let value = letters.isEmpty ? try Self.value(of: option.name, &rest)[0] : String(letters)
        return try read(option.name, value)
      }
      try read(option.name, nil)
    }
  }

  private static func value(of name: String, _ rest: inout ArraySlice<String>) throws -> [String] {
    guard let value = rest.popFirst() else {
      throw CommandError(
        .usage, "The option \(name) needs a value.", fix: "Pass the value after the option.")
    }
    return [value]
  }

  private mutating func read(_ name: String, _ value: String?) throws {
    if let refusal = Self.refusals[name] ?? (name.hasPrefix("--expand-") ? Self.hidden : nil) {
      throw CommandError(
        .usage, "sigv4 curl doesn't support \(name): \(refusal.reason).", fix: refusal.fix)
    }
    switch (name, value) {
    case ("--url", let value?): urls.append(value)
    case ("--request", let value?): givenMethod = value
    case ("--head", _): isHead = true
    case ("--get", _): isQuery = true
    case ("--header", let value?):
      if Self.readsStandardInput(value) { try readInput("-H @-") }
      for header in try GivenHeader.all(in: value, of: "-H") { try read(header) }
    case ("--cookie", let value?) where System.isStandardInput(value),
      ("--write-out", let value?) where Self.readsStandardInput(value),
      ("--proxy-header", let value?) where Self.readsStandardInput(value):
      throw CommandError(
        .usage, "\(name) can't read standard input, where curl reads the body.",
        fix: "Pass the value, or read it from a file.")
    case ("--upload-file", let value?):
      if let upload {
        throw CommandError(
          .usage, "--upload-file is set to both \(upload) and \(value).",
          fix: "Sign one file at a time.")
      }
      // '.' is also standard input, which curl would read without blocking.
      upload = value == "." ? "-" : value
      if System.isStandardInput(value) || value == "." { try readInput("-T -") }
    case (let name, let value?) where name == "--json" || name.hasPrefix("--data"):
      isJSON = isJSON || name == "--json"
      let part = CurlBodyPart(value, of: name)
      if part.path.map(System.isStandardInput) == true { try readInput("\(name) @-") }
      parts.append(part)
    case ("--proxy-header", let value?):
      proxyHeaders += try GivenHeader.all(in: value, of: name).map(Self.proxyHeader)
    default: passed += try [name] + (value.map { [try Self.line($0, of: name)] } ?? [])
    }
  }

  private mutating func read(_ header: GivenHeader) throws {
    headerNames.append(header.name.lowercased())
    switch header {
    case .field: own += ["-H", header.curlText]
    case .removed(let name) where name.lowercased() == "host":
      throw CommandError(
        .usage, "-H '\(name):' removes the Host header, which is always signed.",
        fix: "Remove this option.")
    case .removed: removedHeaders.append(header.curlText)
    }
  }

  /// Returns a header for the proxy. With an http URL, the proxy passes it on to the server.
  private static func proxyHeader(_ header: GivenHeader) throws -> String {
    let name = header.name.lowercased()
    if name.hasPrefix("x-amz-") || ["host", "authorization", "content-type"].contains(name) {
      throw CommandError(
        .usage, "--proxy-header \(header.name) could reach the server unsigned.",
        fix: "Use -H, which signs it.")
    }
    if case .field(let field) = header {
      for field in SigV4.Headers([field]).encodedAsUTF8 { try field.check() }
    }
    return header.curlText
  }

  /// Returns the value of an option, which curl may put in a header. A line break would begin
  /// another header.
  private static func line(_ value: String, of name: String) throws -> String {
    if name == "--write-out" || !value.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
      return value
    }
    throw CommandError(
      .usage, "The value of \(name) contains a line break, which could add an unsigned header.",
      fix: "Remove it.")
  }

  /// curl's options that change the signed request or send it with different credentials.
  private static var refusals: [String: (reason: String, fix: String)] {
    let twice = (
      reason: "the request would have two kinds of credentials",
      fix: "Use --profile or environment variables."
    )
    let changed = "it changes the signed URL"
    let one = (reason: "it sends more than one request", fix: "Sign one request at a time.")
    return [
      "--location": redirect, "--location-trusted": redirect, "--follow": redirect,
      "--user": twice, "--aws-sigv4": twice, "--oauth2-bearer": twice, "--netrc": twice,
      "--netrc-optional": twice, "--netrc-file": twice, "--anyauth": twice, "--digest": twice,
      "--ntlm": twice, "--ntlm-wb": twice, "--negotiate": twice, "--config": hidden,
      "--variable": hidden, "--form": generated, "--form-string": generated,
      "--url-query": (changed, "Write the query in the URL."),
      "--request-target": (changed, "Write the path in the URL."),
      "--continue-at": (
        "it sends only part of the signed body", "Send the whole body. For a download, use -r."
      ),
      "--crlf": newlines, "--use-ascii": newlines,
      "--next": one, "--parallel": one,
    ]
  }
  private static var redirect: (reason: String, fix: String) {
    (
      "the target of a redirect needs a different signature and must not receive the session token",
      "Send the request to the URL in the response."
    )
  }
  private static var newlines: (reason: String, fix: String) {
    ("it changes the signed body", "Remove this option.")
  }
  private static var generated: (reason: String, fix: String) {
    ("curl generates part of the body, which can't be signed", "Use 'sigv4 post-policy'.")
  }
  private static var hidden: (reason: String, fix: String) {
    ("its contents can't be signed", "Pass them as arguments.")
  }
}

extension CurlArguments {
  /// The method: GET, unless other options change it, as for curl.
  var method: String {
    givenMethod ?? (isHead ? "HEAD" : upload != nil ? "PUT" : hasBody ? "POST" : "GET")
  }

  /// Whether --data is the body instead of the query.
  private var hasBody: Bool { !parts.isEmpty && !isQuery }

  /// The URL, with the data of --get and, for a directory, the name of the uploaded file.
  func url() throws -> String {
    let url = try GivenURL.only(urls, missing: "The URL is missing.")
    if Self.hasUser(url) {
      throw CommandError(
        .usage, "The URL contains a user, so the request would have two kinds of credentials.",
        fix: "Remove the user from the URL.")
    }
    if isQuery && !parts.isEmpty {
      if url.hasPrefix("s3://") {
        throw CommandError(
          .usage, "--get would append the data to the object key of \(url).",
          fix: "Pass each parameter as --query NAME=VALUE.")
      }
      let query = try Self.bytes(of: parts)
      try Self.checkQuery(query[...])
      let (place, fragment) = url.split(atFirst: "#")
      return place + (place.contains("?") ? "&" : "?") + String(decoding: query, as: UTF8.self)
        + (fragment.map { "#" + $0 } ?? "")
    }
    return upload.map { $0 == "-" || hasQuery(url) ? url : Self.place(of: $0, at: url) } ?? url
  }

  /// Whether the URL or an option has a query, not a key with '?'. If so, newer versions of curl
  /// don't append the file's name (pull request 10969, April 2023).
  private func hasQuery(_ url: String) -> Bool {
    !url.hasPrefix("s3://") && url.split(atFirst: "#").name.contains("?")
      || own.contains { $0 == "--query" || $0.hasPrefix("--query=") }
  }

  /// Whether the value of an option is standard input, as in `@-`.
  private static func readsStandardInput(_ value: String) -> Bool {
    value.hasPrefix("@") && System.isStandardInput(value.dropFirst())
  }

  /// Whether a URL has the form https://user@host.
  private static func hasUser(_ url: String) -> Bool {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 && parts[1].isEmpty
      && parts[2].prefix { !["/", "?", "#"].contains($0) }.contains("@")
  }

  /// Throws if the data of --get isn't valid in a URL. curl would send it anyway.
  private static func checkQuery(_ query: ArraySlice<UInt8>) throws {
    let position =
      query.firstIndex { !ASCIIByte.isVisible($0) || $0 == ASCIIByte.hash }
      ?? query.span.positionOfStrayPercent
    guard let position else { return }
    throw CommandError(
      .usage,
      "The data of --get contains \(UTF8Text.quoted([query[position]])), which must be "
        + "percent-encoded in a URL.",
      fix: "Use --data-urlencode instead of --data.")
  }

  /// The URL to which curl uploads a file. It appends the file's name to an empty path and to one
  /// with a trailing slash.
  private static func place(of file: String, at url: String) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    if url.hasPrefix("s3://") {
      let (bucket, key) = ObjectLocation.parts(ofPlace: url.utf8.dropFirst(5))
      return key.isEmpty || key.hasSuffix("/") ? "s3://" + bucket + "/" + key + name : url
    }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    // The scheme, an empty part between two slashes, the authority, and the path, if any.
    let hasPath = path.split(separator: "/", omittingEmptySubsequences: false).count > 3
    if hasPath && !path.hasSuffix("/") { return url }
    return path + (hasPath ? "" : "/") + escaped(name) + url[path.endIndex...]
  }

  /// The body that curl sends: an unchanged file or bytes. Nil if there is no body.
  func body() throws -> CurlBody? {
    if upload != nil && !parts.isEmpty {
      throw CommandError(
        .usage, "--upload-file and --data can't be used together.", fix: "Remove one of them.")
    }
    if let upload {
      return try Self.isRepeatable(upload) ? .upload(upload) : .input(System.portions(of: upload))
    }
    // curl sends a length of 0 for an empty body, but none without a body.
    if !hasBody { return CurlCommand.expectsBody(method) && !isHead ? .bytes([]) : nil }
    if let file = parts[0].unchangedFile, parts.count == 1, try Self.isRepeatable(file) {
      return .file(file)
    }
    return .bytes(try Self.bytes(of: parts))
  }

  /// Whether curl can read a file that was already read. A pipe would be empty, and curl has other
  /// descriptors.
  private static func isRepeatable(_ path: String) throws -> Bool {
    let isDescriptor = ["/dev/stdin", "/dev/fd/", "/proc/"].contains { path.hasPrefix($0) }
    return try !isDescriptor && System.byteCount(of: path) != nil
  }

  /// The headers that curl adds for a body, and that must be signed.
  var addedHeaders: [String] {
    let kind = isJSON ? "application/json" : "application/x-www-form-urlencoded"
    let added = (hasBody ? ["Content-Type: " + kind] : []) + (isJSON ? ["Accept: " + kind] : [])
    return added.filter { !headerNames.contains($0.split(atFirst: ":").name.lowercased()) }
  }

  /// curl's options for the method.
  var methodOptions: [(name: String, value: String?)] {
    (givenMethod.map { [("request", $0)] } ?? []) + (isHead ? [("head", nil)] : [])
  }

  private static func escaped(_ name: String) -> String {
    String(decoding: URIEncoding.encode(Array(name.utf8)), as: UTF8.self)
  }

  private static func bytes(of parts: [CurlBodyPart]) throws -> [UInt8] {
    try parts.reduce(into: []) { bytes, part in
      if !bytes.isEmpty && !part.isJSON { bytes.append(UInt8(ascii: "&")) }
      bytes += try part.bytes()
    }
  }
}
