// SPDX-License-Identifier: Apache-2.0
// Shared by all targets: libFuzzer's entry, inputs as values, reports of findings, and one signer.

internal import Glibc
internal import RequestSigning

/// Called by libFuzzer with each input. Anything but a return is a finding.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.chosen(FuzzInput(rest: Array(UnsafeBufferPointer(start: start, count: count))[...]))
  return 0
}

/// The targets by name. The environment chooses one.
enum FuzzTarget {
  static let chosen: @Sendable (FuzzInput) -> Void = {
    if let name = getenv("FUZZ_TARGET"), let target = all[String(cString: name)] { return target }
    fatalError("FUZZ_TARGET names no target; .ci/fuzz runs them")
  }()

  private static let all: [String: @Sendable (FuzzInput) -> Void] = [
    "arguments": CommandTargets.arguments, "base64": TextTargets.base64, "bots": BotTargets.bots,
    "certificates": CertificateTargets.certificates, "chunks": ChunkTargets.chunks,
    "claims": MultiRegionTargets.claims, "cloudfront": CloudFrontTargets.cloudfront,
    "credentials": CredentialTargets.credentials, "curl": CommandTargets.curl,
    "curve": CurveTargets.curve, "dates": TextTargets.dates,
    "diagnosis": AnswerTargets.diagnosis, "edwards": EdwardsTargets.edwards,
    "events": EventTargets.events,
    "forms": FormTargets.forms, "hashing": HashingTargets.hashing,
    "hexadecimal": TextTargets.hexadecimal, "json": DocumentTargets.json,
    "lists": ListTargets.lists, "message-signatures": MessageSignatureTargets.messages,
    "messages": CommandTargets.messages,
    "policies": FormTargets.policies, "profiles": DocumentTargets.profiles,
    "received": RequestTargets.received, "requests": RequestTargets.requests,
    "rsa": RSATargets.rsa, "sent-urls": AnswerTargets.sentURLs,
    "structured-fields": MessageSignatureTargets.structuredFields,
    "trailers": ChunkTargets.trailers, "urls": RequestTargets.urls,
    "webhooks": WebhookTargets.webhooks, "xml": DocumentTargets.xml,
  ]
}

/// An input, taken from its beginning.
struct FuzzInput {
  var rest: ArraySlice<UInt8>

  var bytes: [UInt8] { Array(rest) }
  var text: String { String(decoding: rest, as: UTF8.self) }

  /// A byte; 0 at the end.
  mutating func number() -> Int { Int(rest.popFirst() ?? 0) }

  /// The bytes before the next such byte, which is dropped.
  mutating func field(before end: UInt8 = 0x0A) -> [UInt8] {
    let field = rest.prefix { $0 != end }
    rest = rest[field.endIndex...].dropFirst()
    return Array(field)
  }

  mutating func line() -> String { String(decoding: field(), as: UTF8.self) }

  /// The lines up to an empty one, each as a name and a value.
  mutating func pairs(_ separator: UInt8 = 0x3A) -> [(name: [UInt8], value: [UInt8])] {
    var pairs: [(name: [UInt8], value: [UInt8])] = []
    while true {
      var line = FuzzInput(rest: field()[...])
      if line.rest.isEmpty { return pairs }
      pairs.append((line.field(before: separator), line.bytes))
    }
  }
}

extension Collection<UInt8> {
  var text: String { String(decoding: self, as: UTF8.self) }
}

extension [UInt8] {
  /// The bytes in portions with sizes from a seed: all at once for 0.
  func portions(_ seed: Int) -> [ArraySlice<UInt8>] {
    if seed == 0 { return [self[...]] }
    var (rest, state, portions) = (self[...], UInt32(seed), [ArraySlice<UInt8>]())
    while !rest.isEmpty {
      state = state &* 1_103_515_245 &+ 12_345
      let size = Int(state >> 16) % (1 << (Int(state >> 8) & 15)) + (seed & 1)
      portions.append(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return portions
  }
}

/// A finding unless a property holds.
func expect(_ holds: Bool, _ property: @autoclosure () -> String) {
  if !holds { fatalError("does not hold: \(property())") }
}

/// A value that every input must have. Otherwise, it's a finding.
func required<Value, Failure>(
  _ property: String, _ body: () throws(Failure) -> Value
) -> Value {
  do { return try body() } catch { fatalError("does not hold: \(property): \(error)") }
}

/// Whether texts have the same bytes: Unicode calls more texts equal.
func same(_ left: String?, _ right: String?) -> Bool {
  left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
}

/// The keys and the moment of the examples in the documents of AWS.
enum Signing {
  static let token = "FwoG/ZXIv+YXdz//example+session/token=="
  static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
  static let now = required("the moment is one") { try SigV4.Timestamp("20130524T000000Z") }
  static let credentials = required("the credentials are good") {
    try SigV4.Credentials(accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: secret)
  }
  static let temporary = required("the credentials are good") {
    try SigV4.Credentials(
      accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: secret, sessionToken: token)
  }

  static func signer(
    _ service: SigV4.Service, _ credentials: SigV4.Credentials = credentials
  ) -> SigV4.Signer {
    required("the signer is good") {
      try SigV4.Signer(credentials: credentials, region: "us-east-1", service: service)
    }
  }
}
