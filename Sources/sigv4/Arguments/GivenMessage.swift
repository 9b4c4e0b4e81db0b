// SPDX-License-Identifier: Apache-2.0
// The request and the key of sigv4 message.

internal import DigitalSignatures
internal import MessageSignatures
internal import RequestSigning
internal import RequestVerification
internal import SecureHashing

/// The request: a URL with its method, headers and body, or a raw one on standard input.
enum GivenMessage {
  static func read(
    _ options: Arguments
  ) throws -> (message: HTTPMessage, body: [UInt8]) {
    guard let url = options.value("--url") else { return try readInput(options) }
    let body = try options.value("-d").map { text in
      text.hasPrefix("@")
        ? try System.contents(of: String(text.dropFirst()), atMost: 1 << 30) : Array(text.utf8)
    }
    let message = try HTTPMessage(
      method: options.value("-X") ?? (body == nil ? "GET" : "POST"), url: url,
      fields: try SigningOptions.headers(options.values("-H")).map { ($0.name, $0.value) })
    return (message, body ?? [])
  }

  private static func readInput(
    _ options: Arguments
  ) throws -> (message: HTTPMessage, body: [UInt8]) {
    if let name = ["-X", "-H", "-d"].first(where: options.has) {
      throw CommandError(
        .usage, "\(name) can be used only with --url.",
        fix: "Remove it. A request on standard input contains its method, headers and body.")
    }
    var input = try ReceivedMessage(reading: System.readStandardInput)
    guard let host = input.headers.values(named: "host").first else {
      throw CommandError(
        .failure, "The request has no Host header.", fix: "Add it, or pass --url.")
    }
    var body: [UInt8] = []
    while let portion = try input.nextPortion() { body += portion }
    let message = try HTTPMessage(
      method: input.method, scheme: "https", authority: host, target: input.target,
      fields: input.headers.map { ($0.name, $0.value) })
    return (message, body)
  }
}

/// The key in a file or a variable, which decides the algorithm.
struct MessageKey {
  private let options: Arguments

  init(_ options: Arguments, _ kind: MessageCommand.Kind) throws {
    self.options = options
    let pem = kind == .sign ? "--private-key" : "--public-key"
    let given = [pem, "--key-file", "--key-variable"].filter(options.has)
    if given.count != 1 {
      throw CommandError(
        .usage, "message \(kind.rawValue) needs exactly one key.",
        fix: "Use \(pem), --key-file or --key-variable.")
    }
  }

  var signing: MessageSignature.SigningKey {
    get throws {
      guard let text = try pem("--private-key") else { return .hmac(try secret()) }
      if let key = try? Curve25519.Signing.PrivateKey(pemRepresentation: text) {
        return .ed25519(key)
      }
      switch try X509PrivateKey(pemRepresentation: text) {
      case .p256(let key): return .p256(key)
      case .rsa(let key): return .rsaPKCS1(key)
      }
    }
  }

  var verification: MessageSignature.VerificationKey {
    get throws {
      guard let text = try pem("--public-key") else { return .hmac(try secret()) }
      if let key = try? Curve25519.Signing.PublicKey(pemRepresentation: text) {
        return .ed25519(key)
      }
      switch try X509PublicKey(pemRepresentation: text) {
      case .p256(let key): return .p256(key)
      case .rsa(let key): return .rsaPKCS1(key)
      }
    }
  }

  private func pem(_ name: String) throws -> String? {
    guard let value = options.value(name) else { return nil }
    let path = try FileArgument.path(value)
    return String(decoding: try System.contents(of: path, atMost: 65_536), as: UTF8.self)
  }

  private func secret() throws -> SymmetricKey {
    let encoding = options.value("--key-encoding") ?? "raw"
    return SymmetricKey(
      data: try HMACCommand.decoded(HMACCommand.keyBytes(options), encoding: encoding))
  }
}
