// SPDX-License-Identifier: Apache-2.0
// sigv4 message: signs and verifies messages with HTTP Message Signatures (RFC 9421).

internal import DocumentSupport
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
      "--url", "-X", "-H", "-d", "--response", "--cover", "--label", "--tag", "--at",
      "--algorithm", "--key-file", "--key-variable", "--key-encoding", "--json"
    ).meaning([
      "--url": "URL (default: a raw request on standard input)",
      "-X": "method (default: GET, or POST with --data)",
      "-H": "header sent with the URL (repeatable)",
      "-d": "body sent with the URL (@FILE reads a file)",
      "--response": "raw response to sign or verify (its request: --url)",
      "--at": "20130524T000000Z or a Unix time (default: now)",
      "--algorithm": "RSA: rsa-pss-sha512 (default) or rsa-v1_5-sha256",
      "--key-file": "file that contains the secret of both sides (HMAC)",
      "--key-variable": "environment variable that contains the secret",
    ])
  }

  static func run(_ arguments: [String]) throws {
    let kind: Kind = try Arguments(arguments, specifications).kind(of: "message", "kind")
    let options = try Arguments(arguments, kind.options + commonSpecifications)
    try checkInput(options)
    let key = try MessageKey(options, kind)
    let given = try GivenMessage(options)
    let time = try SigningOptions.timestamp(options.value("--at"))
    let now = MessageSignature.Time(unixSeconds: time.unixSeconds)
    switch kind {
    case .sign: try sign(given, with: key.signing, options, now)
    case .verify:
      let report = try MessageReport(
        given, key.verification, options, now, signerBase: signerBase(options))
      try System.write(
        options.has("--json") ? report.json.indented + "\n" : report.page, to: .standardOutput)
      if let error = report.error {
        throw CommandError(
          .failure, "The signature isn't valid: \(error.code).",
          fix: "Check the output for details.")
      }
    }
  }

  /// Throws if standard input would be read twice. Without a URL or a response, it's the message.
  private static func checkInput(_ options: Arguments) throws {
    let files = ["--private-key", "--public-key", "--key-file", "--base", "--response"]
      .compactMap(options.value)
    let bodies = options.values("-d").filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) }
    let isMessage = !options.has("--url") && !options.has("--response")
    if (files + bodies).count(where: System.isStandardInput) + (isMessage ? 1 : 0) > 1 {
      throw CommandError(
        .usage, "Standard input can be read only once.", fix: "Pass the other inputs as files.")
    }
  }

  /// Prints the fields that the signature adds, for `curl -H @-`.
  private static func sign(
    _ given: GivenMessage, with key: MessageSignature.SigningKey, _ options: Arguments,
    _ now: MessageSignature.Time
  ) throws {
    guard let keyID = options.value("--key-id") else {
      throw CommandError(.usage, "message sign needs --key-id.", fix: "Add --key-id.")
    }
    let label = options.value("--label") ?? "sig1"
    let signer = try MessageSigner(
      key: key, keyID: keyID, covering: CoveredComponents.parse(options) ?? given.defaultCover,
      label: label, tag: options.value("--tag"),
      lifetime: options.has("--expires") ? options.lifetime(default: "") : nil)
    let signed = try signer.sign(
      given.message, body: given.body, at: now, nonce: options.value("--nonce"))
    let fields = signed.fields.dropFirst(given.message.fields.count)
    if options.has("--json") {
      let base = try MessageSignature.base(of: signed, label: label)
      try System.writeLine(
        JSONText.object([
          ("headers", .headers(SigV4.Headers(fields.map { SigV4.Header($0.name, $0.value) }))),
          ("signatureBase", .string(String(decoding: base, as: UTF8.self))),
        ]).indented)
    } else {
      for field in fields { try System.writeLine(field.name + ": " + field.value) }
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
