// SPDX-License-Identifier: Apache-2.0
// All forms of a key and a message that HMAC accepts, for one vector.

@testable internal import SecureHashing

enum HMACForms {
  typealias Form = (form: String, bytes: [UInt8])

  /// The code of a message through every form, by a certain implementation and by the current one.
  static func codes(
    of message: [UInt8], under key: [UInt8], by implementation: SHA256.Implementation
  ) -> [Form] {
    let symmetric = SymmetricKey(data: key)
    let named = HMAC<SHA256>.PreparedKey(symmetric, implementation: implementation)
    let start = HMAC<SHA256>(key: symmetric, implementation: implementation)
    let pair = HMAC<SHA256>.authenticationCodePair(for: message, message, using: named)
    let forms: [Form] = [
      ("named implementation", Array(start.finalize(appending: message))),
      ("named implementation, portions", code(of: message, from: start)),
      ("prepared key", Array(HMAC<SHA256>.authenticationCode(for: message, using: named))),
      ("prepared key, portions", code(of: message, from: HMAC(key: named))),
      ("prepared key, without copies", code(of: message, by: named)),
      ("pair, first", Array(pair.0)),
      ("pair, second", Array(pair.1)),
    ]
    return forms + codes(of: message, under: symmetric) + codes(of: message, underBytes: key)
      + codes(ofSpan: message, under: symmetric)
  }

  /// The functions that take no implementation.
  static func codes(of message: [UInt8], under key: SymmetricKey) -> [Form] {
    let prepared = HMAC<SHA256>.PreparedKey(key)
    return [
      ("one call", Array(HMAC<SHA256>.authenticationCode(for: message, using: key))),
      ("one call, prepared", Array(HMAC<SHA256>.authenticationCode(for: message, using: prepared))),
      ("portions", code(of: message, from: HMAC<SHA256>(key: key))),
      ("portions, prepared", code(of: message, from: HMAC<SHA256>(key: prepared))),
    ]
  }

  /// The key in the caller's memory.
  static func codes(of message: [UInt8], underBytes key: [UInt8]) -> [Form] {
    // Safety: the buffer ends before the array does.
    unsafe key.withUnsafeBufferPointer { key in
      let pointer = unsafe HMAC<SHA256>(keyBytes: UnsafeRawBufferPointer(key))
      let span = unsafe HMAC<SHA256>(keyBytes: key.span)
      return [
        ("key in a buffer", code(of: message, from: pointer)),
        ("key in a span", code(of: message, from: span)),
      ]
    }
  }

  /// The message as a span.
  static func codes(ofSpan message: [UInt8], under key: SymmetricKey) -> [Form] {
    // Safety: the buffer ends before the array does.
    unsafe message.withUnsafeBufferPointer { message in
      let whole = unsafe HMAC<SHA256>.authenticationCode(for: message.span, using: key)
      var computation = HMAC<SHA256>(key: key)
      unsafe computation.update(data: message.span)
      return [
        ("message in a span", Array(whole)),
        ("message appended as a span", Array(computation.finalize())),
      ]
    }
  }

  /// The code of a message that arrives in three portions.
  static func code(of message: [UInt8], from start: HMAC<SHA256>) -> [UInt8] {
    var computation = start
    computation.update(data: message.prefix(3))
    computation.update(data: message.dropFirst(3).prefix(70))
    // Safety: the bytes are used only inside the closure.
    unsafe message.dropFirst(73).withUnsafeBytes { unsafe computation.update(bufferPointer: $0) }
    return Array(computation.finalize())
  }

  /// The code by the function that leaves no copy of a mid-state on the stack.
  static func code(of message: [UInt8], by prepared: HMAC<SHA256>.PreparedKey) -> [UInt8] {
    // Safety: the bytes are used only inside the closure.
    unsafe message.withUnsafeBytes { unsafe Array(prepared.code(of: $0)) }
  }
}
