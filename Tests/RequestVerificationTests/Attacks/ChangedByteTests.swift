// SPDX-License-Identifier: Apache-2.0
// Every changed byte of a signed request is rejected, with a few named exceptions.

internal import SigningTestSupport
internal import RequestVerification
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Verification: changed bytes")
struct ChangedByteTests {
  /// Debug builds, and samples, take a part of the requests and one change of each byte in turn.
  #if DEBUG
    static let requestCount = 20
  #else
    static let requestCount = sampleSize(20, of: 500)
  #endif
  static let isEveryChangeTried = requestCount == 500

  /// The lowest bit, the bit of a letter's case, and the bit that ASCII never has.
  static let changes: [UInt8] = [0x01, 0x20, 0x80]

  @Test("Every changed byte of method, target, headers and body is rejected")
  func everyByte() {
    (0..<10).forEachCase { (part: UInt64) in
      var generator = try PlainRequestGenerator(seed: 0x6368_616E_6765_6421 + part)
      var requestCount = 0
      var changeCount = 0
      var exceptionCount = 0
      while requestCount < Self.requestCount / 10 {
        let isPresigned = requestCount % 2 == 1
        guard let sent = try WireCase(generator.next(), isPresigned: isPresigned, after: 0),
          !sent.isPayloadInWords
        else { continue }
        requestCount += 1
        try sent.verify(sent.request)
        for (index, change) in Change.all(of: sent.request).enumerated() {
          let masks = Self.isEveryChangeTried ? Self.changes : [Self.changes[index % 3]]
          for mask in masks {
            changeCount += 1
            var request = sent.request
            change.apply(mask, to: &request)
            if sent.isVerified(request) {
              exceptionCount += 1
              let reason = ChangeException.all.first { $0.permits(change, mask, request, sent) }
              #expect(reason != nil, "\(change), mask \(mask), of \(sent.plain) by \(sent.caller)")
            }
          }
        }
      }
      #expect(changeCount > requestCount * 100)
      #expect(exceptionCount < changeCount / 2, "\(exceptionCount) of \(changeCount)")
    }
  }
}

extension WireCase {
  func isVerified(_ request: WireRequest) -> Bool {
    do throws(SigV4.VerificationError) {
      try verify(request)
      return true
    } catch {
      return false
    }
  }
}

/// The place of one byte.
enum Change {
  case method(Int)
  case target(Int)
  case name(Int, Int)
  case value(Int, Int)
  case body(Int)

  static func all(of request: WireRequest) -> [Change] {
    var all: [Change] = request.method.indices.map { .method($0) }
    all += request.target.indices.map { .target($0) }
    for (index, header) in request.headers.enumerated() {
      all += header.name.indices.map { .name(index, $0) }
      all += header.value.indices.map { .value(index, $0) }
    }
    return all + request.body.indices.map { .body($0) }
  }

  func apply(_ mask: UInt8, to request: inout WireRequest) {
    switch self {
    case .method(let offset): request.method[offset] ^= mask
    case .target(let offset): request.target[offset] ^= mask
    case .name(let index, let offset): request.headers[index].name[offset] ^= mask
    case .value(let index, let offset): request.headers[index].value[offset] ^= mask
    case .body(let offset): request.body[offset] ^= mask
    }
  }
}

/// The changes that the signature doesn't cover, and why that's right.
struct ChangeException: Sendable {
  let permits: @Sendable (Change, UInt8, WireRequest, WireCase) -> Bool

  static let all = [
    caseOfNames, caseOfEscapes, unsignedHeaders, emptyHeaders, unsignedPayload, droppedSegments,
  ]

  /// RFC 9110, 5.1: names of headers have no case.
  static let caseOfNames = ChangeException { change, mask, _, sent in
    if case .name(let index, let offset) = change, mask == 0x20 {
      return isLetter(sent.request.headers[index].name[offset])
    }
    return false
  }

  /// RFC 3986, 2.1: the digits of escapes have no case, where escapes are decoded: in queries, and in
  /// paths that are encoded once.
  static let caseOfEscapes = ChangeException { change, mask, _, sent in
    guard case .target(let offset) = change, mask == 0x20 else { return false }
    let target = sent.request.target
    let isInQuery = target[..<offset].contains(UInt8(ascii: "?"))
    let isEscape = target[..<offset].suffix(2).contains(UInt8(ascii: "%"))
    return isLetter(target[offset]) && isEscape
      && (isInQuery || !sent.caller.service.encodesPathTwice)
  }

  /// SigV4, step 1: what proxies change is left unsigned, so nothing protects it; a server acts on signed
  /// headers only.
  static let unsignedHeaders = ChangeException { change, _, _, sent in
    let index: Int
    switch change {
    case .name(let position, _), .value(let position, _): index = position
    case .method, .target, .body: return false
    }
    let name = String(decoding: sent.request.headers[index].name, as: UTF8.self).lowercased()
    return sent.caller.service.unsignedHeaders.contains { pattern in
      pattern.hasSuffix("*") ? name.hasPrefix(pattern.dropLast()) : name == pattern
    }
  }

  /// As Amazon S3 has it, a signed header that isn't there is an empty one. HTTP clients drop empty ones.
  static let emptyHeaders = ChangeException { change, _, _, sent in
    guard case .name(let index, _) = change else { return false }
    let (name, value) = sent.request.headers[index]
    let isAlone = sent.request.headers.count { $0.name.elementsEqual(name) } == 1
    return isAlone && value.allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }

  /// UNSIGNED-PAYLOAD: the body isn't signed, and these tests' policy accepts that.
  static let unsignedPayload = ChangeException { change, _, _, sent in
    guard case .body = change else { return false }
    if case .unsigned = sent.plain.payload { return true }
    return false
  }

  /// RFC 3986, 5.2.4, in services that normalise: a dot segment and an empty one are both dropped. The
  /// expected path is that of the tests' own signer.
  static let droppedSegments = ChangeException { change, _, request, sent in
    guard case .target = change, sent.caller.service.normalizesPath else { return false }
    let paths = [request, sent.request].map { request in
      PlainSigner.normalized(Array(request.target.prefix { $0 != UInt8(ascii: "?") }))
    }
    let queries = [request, sent.request].map { $0.target.drop { $0 != UInt8(ascii: "?") } }
    return paths[0] == paths[1] && queries[0] == queries[1]
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
  }
}
