// SPDX-License-Identifier: Apache-2.0
// The key of sigv4 message, and its algorithm.

internal import DigitalSignatures
internal import MessageSignatures
internal import RequestSigning
internal import SecureHashing

/// The key in a file or a variable. It decides the algorithm, except for an RSA key, which may be
/// used for two.
struct MessageKey {
  private let options: Arguments
  private let pemOption: String

  init(_ options: Arguments, _ kind: MessageCommand.Kind) throws {
    self.options = options
    pemOption = kind == .sign ? "--private-key" : "--public-key"
    let given = [pemOption, "--key-file", "--key-variable"].filter(options.has)
    if given.count != 1 {
      throw CommandError(
        .usage, "message \(kind.rawValue) needs exactly one key.",
        fix: "Use \(pemOption), --key-file or --key-variable.")
    }
    if given[0] == pemOption && options.has("--key-encoding") {
      throw CommandError(
        .usage, "--key-encoding is only for --key-file and --key-variable.", fix: "Remove it.")
    }
  }

  var signing: MessageSignature.SigningKey {
    get throws {
      guard let text = try pem else { return .hmac(try secret()) }
      let kind = try KeyAlgorithm(ofPrivateKey: text)
      let algorithm = try algorithm(of: kind)
      switch kind {
      case .ed25519: return .ed25519(try Curve25519.Signing.PrivateKey(pemRepresentation: text))
      case .p256: return .p256(try P256.Signing.PrivateKey(pemRepresentation: text))
      default:
        let key = try RSA.Signing.PrivateKey(pemRepresentation: text)
        return algorithm == Self.pss ? .rsaPSS(key) : .rsaPKCS1(key)
      }
    }
  }

  var verification: MessageSignature.VerificationKey {
    get throws {
      guard let text = try pem else { return .hmac(try secret()) }
      let kind = try KeyAlgorithm(ofPublicKey: text)
      let algorithm = try algorithm(of: kind)
      switch kind {
      case .ed25519: return .ed25519(try Curve25519.Signing.PublicKey(pemRepresentation: text))
      case .p256: return .p256(try P256.Signing.PublicKey(pemRepresentation: text))
      default:
        let key = try RSA.Signing.PublicKey(pemRepresentation: text)
        return algorithm == Self.pss ? .rsaPSS(key) : .rsaPKCS1(key)
      }
    }
  }

  private static let pss = "rsa-pss-sha512"

  /// The algorithm of --algorithm, or the first one that a key is for. Nil is a shared secret.
  private func algorithm(of kind: KeyAlgorithm?) throws -> String {
    let possible =
      switch kind {
      case nil: ["hmac-sha256"]
      case .ed25519: ["ed25519"]
      case .p256: ["ecdsa-p256-sha256"]
      case .rsaPSS: [Self.pss]
      default: [Self.pss, "rsa-v1_5-sha256"]
      }
    let chosen = options.value("--algorithm") ?? possible[0]
    if possible.contains(chosen) { return chosen }
    throw CommandError(
      .usage, "The key can't be used with --algorithm \(chosen).",
      fix: "Use \(possible.joined(separator: " or ")), or another key.")
  }

  private var pem: String? {
    get throws {
      guard let value = options.value(pemOption) else { return nil }
      let path = try FileArgument.path(value)
      return String(decoding: try System.contents(of: path, atMost: 65_536), as: UTF8.self)
    }
  }

  private func secret() throws -> SymmetricKey {
    _ = try algorithm(of: nil)
    let given = try HMACCommand.keyBytes(options)
    let encoding = options.value("--key-encoding") ?? "raw"
    let secret = try HMACCommand.decoded(given, encoding: encoding)
    if secret.isEmpty { throw HMACCommand.emptyKey }
    // PEM that can't be read may be a key, too. Text may precede it.
    if KeyAlgorithm.isOfPair(secret)
      || BytewiseSearch.range(of: "-----BEGIN", in: given[...]) != nil
    {
      throw CommandError(
        .usage, "The secret of both sides is a key of a pair, which belongs to one side.",
        fix: "Pass the key in PEM with \(pemOption).")
    }
    return SymmetricKey(data: secret)
  }
}
