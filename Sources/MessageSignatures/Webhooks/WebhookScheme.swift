// SPDX-License-Identifier: Apache-2.0
// The schemes of the vendors, as data: where the parts of a signature are, and what is signed.

internal import SecureHashing

/// Where a vendor puts the parts of a signature, and what it signs: `start`, the ID and the
/// timestamp with a delimiter after each, and the body.
struct WebhookScheme: Sendable {
  enum TimePlace: Sendable {
    case header(String)
    /// An element of the header with the signatures, after this prefix.
    case element(String)
  }

  enum Encoding: Sendable { case hexadecimal, base64 }

  let signatureHeader: String
  var idHeader: String?
  var time: TimePlace?
  /// Between several signatures. Nil if there's only one.
  var separator: UInt8?
  let encoding: Encoding
  var start = ""
  var delimiter = ""

  /// Source: Standard Webhooks 1.0.0, "Signature scheme", "Webhook headers".
  static let standard = standard("webhook")
  /// Source: Svix Docs, "Verifying Manually".
  static let svix = standard("svix")
  /// Source: Stripe Docs, "Receive Stripe events in your webhook endpoint", "Verify manually".
  static let stripe = Self(
    signatureHeader: "Stripe-Signature", time: .element("t="), separator: UInt8(ascii: ","),
    encoding: .hexadecimal, delimiter: ".")
  /// Source: GitHub Docs, "Validating webhook deliveries".
  static let gitHub = Self(signatureHeader: "X-Hub-Signature-256", encoding: .hexadecimal)
  /// Source: Slack, "Verifying requests from Slack".
  static let slack = Self(
    signatureHeader: "X-Slack-Signature", time: .header("X-Slack-Request-Timestamp"),
    encoding: .hexadecimal, start: "v0:", delimiter: ":")
  /// Source: Shopify, "Verify webhook deliveries".
  static let shopify = Self(signatureHeader: "X-Shopify-Hmac-SHA256", encoding: .base64)

  private static func standard(_ prefix: String) -> Self {
    Self(
      signatureHeader: prefix + "-signature", idHeader: prefix + "-id",
      time: .header(prefix + "-timestamp"), separator: UInt8(ascii: " "), encoding: .base64,
      delimiter: ".")
  }

  var timeHeader: String {
    if case .header(let name)? = time { name } else { signatureHeader }
  }

  /// Source: Discord, "Setting up an endpoint: Validating security request headers".
  static let discord = Self(
    signatureHeader: "X-Signature-Ed25519", time: .header("X-Signature-Timestamp"),
    encoding: .hexadecimal)

  /// What is signed before the body.
  func signedStart(id: [UInt8]?, timestamp: [UInt8]?) -> [UInt8] {
    [id, timestamp].compactMap { $0 }.reduce(Array(start.utf8)) { $0 + $1 + delimiter.utf8 }
  }

  /// The headers with these parts.
  func headers(
    id: String?, timestamp: String?, signatures: [String]
  ) -> [(name: String, value: String)] {
    var headers: [(name: String, value: String)] = []
    var elements = signatures
    if let idHeader, let id { headers.append((idHeader, id)) }
    switch time {
    case .header(let name)?: headers.append((name, timestamp ?? ""))
    case .element(let prefix)?: elements.insert(prefix + (timestamp ?? ""), at: 0)
    case nil: break
    }
    let separator = [separator ?? UInt8(ascii: " ")].asString
    return headers + [(signatureHeader, elements.joined(separator: separator))]
  }

  func encode(_ signature: [UInt8]) -> String {
    switch encoding {
    case .hexadecimal: Hexadecimal.encode(signature)
    case .base64: Base64.encode(signature)
    }
  }

  /// Returns nil for what isn't encoded.
  func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    switch encoding {
    case .hexadecimal: try? Hexadecimal.decode(text)
    case .base64: try? Base64.decode(text.asString)
    }
  }
}
