// SPDX-License-Identifier: Apache-2.0
// The arguments of sigv4 curl, as curl reads them: what is signed, and what is left to curl.

internal import RequestSigning
internal import SecureHashing
internal import SigningSupport

/// The options that this curl has, as `curl --help all` lists them.
struct CurlOptions {
  /// Whether a value belongs to an option, by its name with all dashes.
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

  /// The long name of an option, and whether a value belongs to it. `--no-` turns a flag off.
  func option(_ name: String) throws -> (name: String, takesValue: Bool) {
    let name = longNames[name] ?? name
    if let takesValue = takesValue[name] { return (name, takesValue) }
    if name.hasPrefix("--no-"), takesValue["--" + name.dropFirst(5)] == false {
      return (name, false)
    }
    throw CommandError.usage("neither sigv4 nor this curl has the option \(name)")
  }
}

/// The arguments of `sigv4 curl`.
struct CurlArguments {
  /// Options of sigv4, and the headers to sign, as `sigv4 sign` takes them.
  private(set) var own: [String] = []

  /// Options that curl gets as they are.
  private(set) var passed: [String] = []

  /// Headers without a value: curl leaves out what it would add.
  private(set) var removedHeaders: [String] = []

  /// The file of --upload-file.
  private(set) var upload: String?

  private var urls: [String] = []
  private var givenMethod: String?
  private var parts: [CurlBodyPart] = []
  private var isHead = false
  private var isJSON = false
  private var isQuery = false

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
          throw CommandError.usage(
            "\(name) is an option of curl, which takes no value after '='; write it as the next argument"
          )
        }
        let option = try options.option(name)
        try read(option.name, option.takesValue ? Self.value(of: name, &rest)[0] : nil)
      } else {
        try readShort(argument.dropFirst(), &rest, options)
      }
    }
  }

  /// `-sSo FILE`: flags, and at most one option whose value follows at once or as the next argument.
  private mutating func readShort(
    _ letters: Substring, _ rest: inout ArraySlice<String>, _ options: CurlOptions
  ) throws {
    var letters = letters
    while let letter = letters.popFirst() {
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
      throw CommandError.usage("the option \(name) needs a value after it")
    }
    return [value]
  }

  private mutating func read(_ name: String, _ value: String?) throws {
    if let reason = Self.refusals[name] ?? (name.hasPrefix("--expand-") ? Self.hidden : nil) {
      throw CommandError.usage("sigv4 curl does not take \(name): \(reason)")
    }
    switch (name, value) {
    case ("--url", let value?): urls.append(value)
    case ("--request", let value?): givenMethod = value
    case ("--head", _): isHead = true
    case ("--get", _): isQuery = true
    case ("--header", let value?): try readHeader(value)
    case ("--upload-file", let value?):
      if let upload {
        throw CommandError.usage("sign one file at a time; \(value) follows \(upload)")
      }
      // A '.' is standard input, too, which curl would read without waiting for it.
      upload = value == "." ? "-" : value
    case ("--json", let value?):
      isJSON = true
      parts.append(CurlBodyPart(value, of: name))
    case (let name, let value?) where name.hasPrefix("--data"):
      parts.append(CurlBodyPart(value, of: name))
    default: passed += [name] + (value.map { [$0] } ?? [])
    }
  }

  private mutating func readHeader(_ text: String) throws {
    if text.hasPrefix("@") {
      let lines = try System.contents(of: String(text.dropFirst()), atMost: 1 << 20)
      for line in String(decoding: lines, as: UTF8.self).split(whereSeparator: \.isNewline) {
        try readHeaderLine(String(line))
      }
    } else {
      try readHeaderLine(text)
    }
  }

  private mutating func readHeaderLine(_ text: String) throws {
    if case (let name, let value?) = text.split(atFirst: ":"), value.allSatisfy(\.isWhitespace) {
      if name.lowercased() == "host" {
        throw CommandError.usage("-H '\(name):' removes the Host header, which is always signed")
      }
      removedHeaders.append(text)
    } else {
      own += ["-H", text]
    }
  }

  /// What would change the request after it was signed, or send it with other credentials.
  private static var refusals: [String: String] {
    let twice = "the request would carry two kinds of credentials; give --profile or variables"
    return [
      "--location": redirect, "--location-trusted": redirect, "--follow": redirect,
      "--user": twice, "--aws-sigv4": twice, "--oauth2-bearer": twice, "--netrc": twice,
      "--netrc-optional": twice, "--netrc-file": twice, "--anyauth": twice, "--digest": twice,
      "--ntlm": twice, "--ntlm-wb": twice, "--negotiate": twice, "--config": hidden,
      "--variable": hidden, "--form": generated, "--form-string": generated,
      "--url-query": "write the query in the URL", "--request-target": "write the path in the URL",
      "--continue-at": "only a part of the body would be sent, and all of it was signed",
      "--crlf": "it changes the body after it was signed",
      "--next": "sign one request at a time", "--parallel": "sign one request at a time",
    ]
  }
  private static var redirect: String {
    "another signature is needed at the target of a redirect, and the session token must not be sent "
      + "there; send the request to the URL that the answer names"
  }
  private static var generated: String {
    "curl generates a part of that body, which would not be signed; use 'sigv4 post-policy'"
  }
  private static var hidden: String { "its contents would not be signed; give them as arguments" }
}

extension CurlArguments {
  /// GET, or what the other options mean, as for curl.
  var method: String {
    givenMethod ?? (isHead ? "HEAD" : upload != nil ? "PUT" : hasBody ? "POST" : "GET")
  }

  /// Whether --data is a body, and not the query.
  private var hasBody: Bool { !parts.isEmpty && !isQuery }

  /// The only URL, with the data of --get and, for a folder, the name of the uploaded file.
  func url() throws -> String {
    guard let url = urls.first, urls.count == 1 else {
      throw CommandError.usage(
        urls.isEmpty ? "the URL is missing" : "sign one URL at a time; \(urls[1]) is a second one")
    }
    if isQuery && !parts.isEmpty {
      if url.hasPrefix("s3://") {
        throw CommandError.usage(
          "--get puts the data behind the key of \(url); give each parameter as --query NAME=VALUE")
      }
      let query = try Self.bytes(of: parts)
      try Self.checkQuery(query[...])
      return url + (url.contains("?") ? "&" : "?") + String(decoding: query, as: UTF8.self)
    }
    return upload.map { $0 == "-" ? url : Self.place(of: $0, at: url) } ?? url
  }

  /// Refuses data of --get that no URL can have: curl would send it all the same.
  private static func checkQuery(_ query: ArraySlice<UInt8>) throws {
    let position =
      query.firstIndex { !ASCIIByte.isVisible($0) || $0 == ASCIIByte.hash }
      ?? query.span.positionOfStrayPercent
    guard let position else { return }
    throw CommandError.usage(
      "the data of --get contains \(UTF8Text.quoted([query[position]])), which a URL encodes; use "
        + "--data-urlencode instead of --data")
  }

  /// Where curl puts a file: at a path that ends with '/', or is missing, under the file's own name.
  private static func place(of file: String, at url: String) -> String {
    let isObject = url.hasPrefix("s3://")
    let path = isObject ? url[...] : url.prefix { $0 != "?" && $0 != "#" }
    // scheme:, two slashes, authority, and a slash where there is a path.
    let hasPath = path.split(separator: "/", omittingEmptySubsequences: false).count > 3
    if hasPath && !path.hasSuffix("/") { return url }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return path + (hasPath ? "" : "/") + (isObject ? name : escaped(name)) + url[path.endIndex...]
  }

  /// What curl is told to send: a file as it is, or bytes; nil without a body.
  func body() throws -> CurlBody? {
    if upload != nil && !parts.isEmpty {
      throw CommandError.usage("--upload-file and --data cannot be used together")
    }
    if let upload { return upload == "-" ? .input(try System.portions(of: "-")) : .upload(upload) }
    // Curl sends the length of an empty body, and none where it has no body.
    if !hasBody { return CurlCommand.expectsBody(method) && !isHead ? .bytes([]) : nil }
    if let file = parts[0].unchangedFile, parts.count == 1 { return .file(file) }
    return .bytes(try Self.bytes(of: parts))
  }

  /// The headers that curl adds to a body, so that they are signed.
  var addedHeaders: [String] {
    let kind = isJSON ? "application/json" : "application/x-www-form-urlencoded"
    let added = (hasBody ? ["Content-Type: " + kind] : []) + (isJSON ? ["Accept: " + kind] : [])
    let given = (own + removedHeaders).map { $0.lowercased().prefix { $0 != ":" && $0 != ";" } }
    return added.filter { !given.contains($0.lowercased().prefix { $0 != ":" }) }
  }

  /// The method, as options of curl.
  var methodOptions: [(name: String, value: String?)] {
    (givenMethod.map { [("request", $0)] } ?? []) + (isHead ? [("head", nil)] : [])
  }

  private static func escaped(_ name: String) -> String {
    String(decoding: URIEncoding.encode(Array(name.utf8)), as: UTF8.self)
  }

  private static func bytes(of parts: [CurlBodyPart]) throws -> [UInt8] {
    try parts.enumerated().reduce(into: []) { bytes, part in
      if part.offset > 0 && !part.element.isJSON { bytes.append(UInt8(ascii: "&")) }
      bytes += try part.element.bytes()
    }
  }
}

/// The body that curl is told to send.
enum CurlBody {
  /// A file that curl streams (--upload-file).
  case upload(String)
  /// Our standard input, which curl streams: kept once, in the portions in which it was read.
  case input([[UInt8]])
  /// A file that curl reads (--data-binary).
  case file(String)
  case bytes([UInt8])

  func payload() throws -> SigV4.Payload {
    switch self {
    case .upload(let path), .file(let path): return try RequestBody(parts: ["@" + path]).payload()
    case .bytes(let bytes): return .bytes(bytes)
    case .input(let portions):
      var hash = SHA256()
      portions.forEach { hash.update(data: $0) }
      return .digest(hash.finalize())
    }
  }
}

/// One --data option.
struct CurlBodyPart {
  private let option: String
  private let name: String
  private let text: String
  private let path: String?

  init(_ value: String, of option: String) {
    self.option = option
    var (name, text, path) = ("", value, String?.none)
    if option == "--data-urlencode" {
      // curl(1): content, =content, name=content, @file and name@file.
      if let mark = value.firstIndex(where: { $0 == "=" || $0 == "@" }) {
        name = String(value[..<mark])
        text = String(value[value.index(after: mark)...])
        if value[mark] == "@" { path = text }
      }
    } else if option != "--data-raw" && value.hasPrefix("@") {
      path = String(value.dropFirst())
    }
    (self.name, self.text, self.path) = (name, text, path)
  }

  var isJSON: Bool { option == "--json" }

  /// The path of a file whose bytes are the part; nil when they are read from standard input or changed.
  var unchangedFile: String? {
    path == "-" || (option != "--data-binary" && option != "--json") ? nil : path
  }

  func bytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    if let path {
      try System.readPortions(of: path) { bytes += $0 }
    } else {
      bytes = Array(text.utf8)
    }
    switch option {
    case "--data-urlencode":
      return Array((name.isEmpty ? "" : name + "=").utf8) + URIEncoding.encode(bytes)
    case "--data", "--data-ascii":
      return path == nil ? bytes : bytes.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    default: return bytes
    }
  }
}
