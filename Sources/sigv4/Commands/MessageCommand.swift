// SPDX-License-Identifier: Apache-2.0
// sigv4 message: signs and verifies requests with HTTP Message Signatures (RFC 9421).

internal import MessageSignatures
internal import RequestSigning

/// `sigv4 message [options] sign|verify`
enum MessageCommand {
  enum Kind: String, CaseIterable {
    case sign
    case verify

    var options: [OptionSpecification] {
      switch self {
      case .sign: .named("--private-key", "--key-id", "--nonce", "--expires").meaning(Self.texts)
      case .verify: .named("--public-key", "--base").meaning(Self.texts)
      }
    }

    fileprivate static let texts = [
      "--private-key": "sign: Ed25519, P-256 or RSA key in PEM",
      "--expires": "sign: lifetime, such as 60 or 5m (default: none)",
    ]
  }

  static var specifications: [OptionSpecification] {
    Kind.sign.options + Kind.verify.options + commonSpecifications
  }

  private static var commonSpecifications: [OptionSpecification] {
    .named(
      "--url", "-X", "-H", "-d", "--cover", "--label", "--tag", "--at", "--key-file",
      "--key-variable", "--key-encoding"
    ).meaning([
      "--url": "URL (default: a raw request on standard input)",
      "-X": "method (default: GET, or POST with --data)",
      "-H": "header sent with the URL (repeatable)",
      "-d": "body sent with the URL (@FILE reads a file)",
      "--at": "20130524T000000Z or a Unix time (default: now)",
      "--key-file": "file that contains the secret of both sides (HMAC)",
      "--key-variable": "environment variable that contains the secret",
    ])
  }

  static func run(_ arguments: [String]) throws {
    let kind: Kind = try Arguments(arguments, specifications).kind(of: "message", "kind")
    let options = try Arguments(arguments, kind.options + commonSpecifications)
    let key = try MessageKey(options, kind)
    let (message, body) = try GivenMessage.read(options)
    let time = try SigningOptions.timestamp(options.value("--at"))
    let now = MessageSignature.Time(unixSeconds: time.unixSeconds)
    switch kind {
    case .sign: try sign(message, body, with: key.signing, options, now)
    case .verify:
      let report = try MessageReport(message, body, key.verification, options, now)
      try System.write(report.page(signerBase: signerBase(options)), to: .standardOutput)
      if let error = report.error {
        throw CommandError(
          .failure, "The signature isn't valid: \(error.code).",
          fix: "Check the output for details.")
      }
    }
  }

  /// Prints the fields that the signature adds, for `curl -H @-`.
  private static func sign(
    _ message: HTTPMessage, _ body: [UInt8],
    with key: MessageSignature.SigningKey, _ options: Arguments, _ now: MessageSignature.Time
  ) throws {
    guard let keyID = options.value("--key-id") else {
      throw CommandError(.usage, "message sign needs --key-id.", fix: "Add --key-id.")
    }
    let signer = try MessageSigner(
      key: key, keyID: keyID,
      covering: CoveredComponents.parse(options) ?? CoveredComponents.all(of: body),
      label: options.value("--label") ?? "sig1", tag: options.value("--tag"),
      lifetime: options.has("--expires") ? options.lifetime(default: "") : nil)
    let signed = try signer.sign(message, body: body, at: now, nonce: options.value("--nonce"))
    for field in signed.fields.dropFirst(message.fields.count) {
      try System.writeLine(field.name + ": " + field.value)
    }
  }

  /// The lines of the file with the signer's base, without newlines after the last one.
  private static func signerBase(_ options: Arguments) throws -> [UInt8]? {
    guard let path = options.value("--base") else { return nil }
    var base = try System.contents(of: path, atMost: 1 << 20)
    base.removeAll { $0 == 0x0D }
    while base.last == 0x0A { base.removeLast() }
    return base
  }
}

/// The components of --cover.
enum CoveredComponents {
  /// What a signature of a request should cover.
  static func all(of body: [UInt8]) -> [MessageSignature.Component] {
    [.method, .authority, .path, .query] + (body.isEmpty ? [] : [.contentDigest])
  }

  /// The components, separated by spaces. A field's member is `NAME;key=MEMBER`.
  static func parse(_ options: Arguments) throws -> [MessageSignature.Component]? {
    try options.value("--cover")?.split(separator: " ").map { word in
      let (name, member) = String(word).split(atFirst: ";")
      if let member {
        if member.hasPrefix("key="), !name.hasPrefix("@") {
          return .field(name, key: String(member.dropFirst(4)))
        }
      } else if let component = derived.first(where: { $0.name == name })?.component {
        return component
      } else if !name.hasPrefix("@") {
        return .field(name)
      }
      throw CommandError(
        .usage, "--cover doesn't support \(word).",
        fix: "Use \(derived.map(\.name).joined(separator: ", ")), the name of a field, or "
          + "NAME;key=MEMBER.")
    }
  }

  private static let derived: [(name: String, component: MessageSignature.Component)] = [
    ("@method", .method), ("@target-uri", .targetURI), ("@authority", .authority),
    ("@scheme", .scheme), ("@request-target", .requestTarget), ("@path", .path),
    ("@query", .query),
  ]
}
