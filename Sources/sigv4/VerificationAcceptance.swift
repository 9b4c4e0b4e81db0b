// SPDX-License-Identifier: Apache-2.0
// Which requests sigv4 verify accepts: those of the region and service that were given, or of any.

internal import RequestVerification
internal import RequestSigning

/// What the options of `verify` restrict.
struct VerificationAcceptance {
  let region: String?
  let service: SigV4.Service?
  let clockWindow: Int?

  init(_ arguments: Arguments) throws(CommandError) {
    region = arguments.value("--region")
    if let name = arguments.value("--service") {
      service = try signing { () throws(SigV4.SigningError) in try .named(name) }
    } else {
      service = nil
    }
    if let text = arguments.value("--clock-window") {
      guard let seconds = Int(text), seconds >= 0 else {
        throw CommandError.usage("--clock-window takes a number of seconds, not \(text)")
      }
      clockWindow = seconds
    } else {
      clockWindow = nil
    }
  }

  /// The verifier reads the scope for itself: one that cannot be read here is refused there.
  func policy(for message: ReceivedMessage) -> SigV4.Verifier.Policy {
    let scope = Self.claimedScope(message)
    let claimedService = scope.flatMap { try? SigV4.Service.named($0.service) }
    var policy = SigV4.Verifier.Policy(
      services: [service ?? claimedService].compactMap { $0 },
      regions: [region ?? scope?.region].compactMap { $0 })
    policy.clockWindow = clockWindow
    // What is not signed is told, so that a person can judge.
    policy.unsignedPayloads = .accepted
    return policy
  }

  /// Region and service of the credential, the last parts but one.
  private static func claimedScope(
    _ message: ReceivedMessage
  ) -> (region: String, service: String)? {
    guard let credential = credential(message) else { return nil }
    let parts = credential.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count < 5 { return nil }
    return (String(parts[parts.count - 3]), String(parts[parts.count - 2]))
  }

  /// The credential in the Authorization header or in the query.
  private static func credential(_ message: ReceivedMessage) -> String? {
    for value in message.headers.values(named: "authorization") {
      for part in value.split(whereSeparator: { $0 == " " || $0 == "," })
      where part.hasPrefix("Credential=") {
        return String(part.dropFirst("Credential=".count))
      }
    }
    for part in message.target.split(whereSeparator: { $0 == "?" || $0 == "&" })
    where part.hasPrefix("X-Amz-Credential=") {
      return decoded(part.dropFirst("X-Amz-Credential=".count))
    }
    return nil
  }

  /// RFC 3986, 2.1.
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
