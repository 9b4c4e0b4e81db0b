// SPDX-License-Identifier: Apache-2.0
// The parts of a signature in the headers of a received webhook.

/// The ID, the timestamp and the signatures of a received webhook. Nothing of it is verified.
struct ReceivedWebhook {
  private let scheme: WebhookScheme
  let id: [UInt8]?
  let timestamp: [UInt8]?
  private let time: MessageSignature.Time?
  /// The elements of the header with the signatures.
  private let elements: [ArraySlice<UInt8>]

  init(
    _ headers: [(name: String, value: String)], _ scheme: WebhookScheme
  ) throws(MessageSignatureError) {
    self.scheme = scheme
    let list = try Self.value(scheme.signatureHeader, in: headers)
    elements = scheme.separator.map { list.split(separator: $0) } ?? [list[...]]
    // Each one costs a comparison, or a verification.
    if elements.count > 32 {
      throw .malformedHeader(scheme.signatureHeader, "has over 32 elements")
    }
    switch scheme.time {
    case nil: timestamp = nil
    case .header(let name)?: timestamp = try Self.value(name, in: headers)
    case .element(let prefix)?:
      let found = elements.filter { $0.starts(with: prefix.utf8) }
      guard found.count == 1, let only = found.first else {
        throw .malformedHeader(scheme.signatureHeader, "doesn't have one element \(prefix)")
      }
      timestamp = Array(only.dropFirst(prefix.utf8.count))
    }
    time = timestamp.flatMap(Self.time)
    if timestamp != nil && time == nil {
      throw .malformedHeader(scheme.timeHeader, "has a time that isn't in whole seconds since 1970")
    }
    if let name = scheme.idHeader {
      let id = try Self.value(name, in: headers)
      if !Self.isID(id) {
        throw .malformedHeader(name, "has a space, a '.' or a control character")
      }
      self.id = id
    } else {
      id = nil
    }
  }

  /// The decoded signatures after a prefix. Elements with another prefix are left out.
  func signatures(after prefix: String) throws(MessageSignatureError) -> [[UInt8]] {
    var signatures: [[UInt8]] = []
    for element in elements where element.starts(with: prefix.utf8) {
      guard let signature = scheme.decode(element.dropFirst(prefix.utf8.count)) else {
        throw .malformedHeader(scheme.signatureHeader, "has a signature in another encoding")
      }
      signatures.append(signature)
    }
    return signatures
  }

  func checkTime(
    _ now: MessageSignature.Time, _ tolerance: Duration
  ) throws(MessageSignatureError) {
    guard let time else { return }
    if now.duration(since: time) > tolerance { throw .tooOld(time.unixSeconds, now.unixSeconds) }
    if time.duration(since: now) > tolerance { throw .inFuture(time.unixSeconds, now.unixSeconds) }
  }

  /// A '.' separates the ID, the timestamp and the body. With one in the ID, a text in a signed
  /// body could be taken as the timestamp, and all before it as the ID.
  static func isID(_ id: [UInt8]) -> Bool {
    !id.isEmpty
      && id.allSatisfy { FieldByte.isPrintable($0) && $0 != UInt8(ascii: " ") && $0 != 0x2E }
  }

  /// A time of at most 12 digits. More aren't seconds, but milliseconds.
  private static func time(_ digits: [UInt8]) -> MessageSignature.Time? {
    if digits.isEmpty || digits.count > 12 || !digits.allSatisfy(FieldByte.isDigit) { return nil }
    return MessageSignature.Time(unixSeconds: FieldByte.number(digits))
  }

  private static func value(
    _ name: String, in headers: [(name: String, value: String)]
  ) throws(MessageSignatureError) -> [UInt8] {
    let found = headers.filter { $0.name.utf8.isSameField(as: name.utf8) }
    guard let first = found.first else {
      throw MessageSignatureError(.missingHeader, "The request has no header \(name).")
    }
    if found.count > 1 {
      throw MessageSignatureError(
        .repeatedHeader, "The request has \(found.count) headers \(name).")
    }
    return Array(first.value.utf8)
  }
}
