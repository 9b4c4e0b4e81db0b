// SPDX-License-Identifier: Apache-2.0
// Verifies and signs webhooks with one call, for each sender.

public import SecureHashing

/// The webhooks that one sender signs.
///
///     let webhook = try Webhook.stripe(secret: "whsec_...")
///     try webhook.verify(headers: headers, body: body, at: now)
///
/// Create it once. It's secret, and never prints its keys. Verify before you parse the body.
public struct Webhook: Sendable {
  let scheme: WebhookScheme
  /// The first one signs.
  let keys: [WebhookKey]

  /// Verifies a received webhook.
  ///
  /// One of its signatures must match under one of the keys, and its timestamp must be near the
  /// current time. GitHub and Shopify sign no timestamp: to notice a webhook that's sent again,
  /// store the IDs in their headers, though these aren't signed either.
  ///
  /// - Parameters:
  ///   - headers: the headers of the request, one element for each line. A repeated header of the
  ///     signature is rejected.
  ///   - body: the body's bytes exactly as received.
  ///   - now: the current time.
  ///   - tolerance: how far the timestamp may be in the past or the future.
  /// - Throws: The first reason, in this order: headers, signatures, timestamp.
  public func verify(
    headers: some Sequence<(name: String, value: String)>, body: some Collection<UInt8>,
    at now: MessageSignature.Time, tolerance: Duration = .seconds(300)
  ) throws(MessageSignatureError) {
    defer { ConstantTime.wipeStack() }
    let received = try ReceivedWebhook(Array(headers), scheme)
    let start = scheme.signedStart(id: received.id, timestamp: received.timestamp)
    var (isValid, signatureCount) = (false, 0)
    for key in keys {
      let signatures = try received.signatures(after: key.prefix)
      signatureCount += signatures.count
      if key.isAnyValid(signatures, for: start, body) { isValid = true }
    }
    if signatureCount == 0 {
      throw .malformedHeader(scheme.signatureHeader, "has no signature for these keys")
    }
    if !isValid {
      throw MessageSignatureError(
        .noMatchingSignature,
        "No signature matches under the keys (\(keys.count)).")
    }
    try received.checkTime(now, tolerance)
  }

  /// Verifies a received webhook whose headers are a dictionary, as in a Lambda function.
  /// Parameters and errors are the same.
  public func verify(
    headers: [String: String], body: some Collection<UInt8>, at now: MessageSignature.Time,
    tolerance: Duration = .seconds(300)
  ) throws(MessageSignatureError) {
    let lines = headers.map { (name: $0.key, value: $0.value) }
    try verify(headers: lines, body: body, at: now, tolerance: tolerance)
  }

  /// Returns the headers to send with a body, for senders and for tests of receivers.
  ///
  /// With several secrets, Standard Webhooks and Stripe get a signature with each.
  ///
  /// - Parameters:
  ///   - id: the message's ID, which stays the same when the message is sent again. Standard
  ///     Webhooks requires it, and the others have none.
  ///   - body: the body's bytes as they're sent.
  ///   - now: the current time.
  /// - Throws: `invalidID`, or `unusableKey` if the webhook was created with a public key.
  public func headers(
    id: String? = nil, body: some Collection<UInt8>, at now: MessageSignature.Time
  ) throws(MessageSignatureError) -> [(name: String, value: String)] {
    defer { ConstantTime.wipeStack() }
    let idBytes = id.map { Array($0.utf8) }
    if scheme.idHeader == nil ? idBytes != nil : idBytes.map(ReceivedWebhook.isID) != true {
      throw MessageSignatureError(.invalidID, "The webhook has no ID, or one that can't be sent.")
    }
    let timestamp = scheme.time.map { _ in String(now.unixSeconds) }
    let start = scheme.signedStart(id: idBytes, timestamp: timestamp.map { Array($0.utf8) })
    var signatures: [String] = []
    for key in scheme.separator == nil ? keys.prefix(1) : keys[...] {
      signatures.append(key.prefix + scheme.encode(try key.signature(for: start, body)))
    }
    return scheme.headers(id: id, timestamp: timestamp, signatures: signatures)
  }
}

extension Webhook: Redacted {
  /// The header of the signatures, never a key.
  public var description: String { "Webhook(\(scheme.signatureHeader))" }
}
