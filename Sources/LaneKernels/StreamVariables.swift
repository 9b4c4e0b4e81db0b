// SPDX-License-Identifier: Apache-2.0
// The rounds of one message, SHA-256 or SHA-512, in integers: one text for words of 32 and 64 bits.
// Like SHA256Lanes, this is source that each kernel module compiles.

/// A word of SHA-256 or SHA-512.
@usableFromInline package protocol StreamWord: BitwiseCopyable {
  static var zero: Self { get }
  static func &+ (_ left: Self, _ right: Self) -> Self
  static func ^ (_ left: Self, _ right: Self) -> Self
  static func & (_ left: Self, _ right: Self) -> Self

  /// FIPS 180-4, 4.1.2 (4.4) and 4.1.3 (4.10).
  func sum0() -> Self

  /// FIPS 180-4, 4.1.2 (4.5) and 4.1.3 (4.11).
  func sum1() -> Self
}

extension UInt32: StreamWord {
  /// FIPS 180-4, 4.1.2 (4.4).
  @_alwaysEmitIntoClient
  @inline(__always)
  package func sum0() -> Self { sigma(rotations: 2, 13, 22) }

  /// FIPS 180-4, 4.1.2 (4.5).
  @_alwaysEmitIntoClient
  @inline(__always)
  package func sum1() -> Self { sigma(rotations: 6, 11, 25) }
}

extension UInt64: StreamWord {
  /// Written so that it compiles to one instruction that doesn't overwrite its operand (`rorx`).
  @_alwaysEmitIntoClient
  @inline(__always)
  func rotated(_ count: Self) -> Self { (self &>> count) | (self &<< (64 &- count)) }

  /// FIPS 180-4, 4.1.3 (4.10).
  @_alwaysEmitIntoClient
  @inline(__always)
  package func sum0() -> Self { rotated(28) ^ rotated(34) ^ rotated(39) }

  /// FIPS 180-4, 4.1.3 (4.11).
  @_alwaysEmitIntoClient
  @inline(__always)
  package func sum1() -> Self { rotated(14) ^ rotated(18) ^ rotated(41) }
}

/// The working variables of one message, for processors whose rotations don't overwrite their
/// operand.
@frozen
@usableFromInline struct StreamVariables<Word: StreamWord>: BitwiseCopyable {
  @usableFromInline var a, b, c, d, e, f, g, h: Word

  /// The sum still to be added to `a`. Adding it a round later avoids waiting for it.
  @usableFromInline var sum0: Word

  /// FIPS 180-4, 6.2.2 and 6.4.2, step 2.
  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ state: UnsafeMutablePointer<Word>) {
    // Safety: a state is 8 words long.
    unsafe (a, b, c, d) = (state[0], state[1], state[2], state[3])
    unsafe (e, f, g, h) = (state[4], state[5], state[6], state[7])
    sum0 = .zero
  }

  /// Step 3 for one `t`.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func round(_ constantPlusWord: Word) {
    // FIPS 180-4, 4.1.2 (4.2) and (4.3), 4.1.3 (4.8) and (4.9). The order of these lines is worth
    // 8% of the speed.
    a = a &+ sum0
    let ch = ((f ^ g) & e) ^ g
    let t1 = ((h &+ constantPlusWord) &+ ch) &+ e.sum1()
    let maj = ((a ^ b) & (b ^ c)) ^ b
    sum0 = a.sum0()
    (h, g, f, e) = (g, f, e, d &+ t1)
    (d, c, b, a) = (c, b, a, t1 &+ maj)
  }

  /// Sixteen rounds, each with the next word of a schedule in memory.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func sixteenRounds(_ words: UnsafePointer<Word>, stride: Int) {
    // Safety: 16 words are readable at this stride.
    unsafe round(words[0])
    unsafe round(words[stride])
    unsafe round(words[2 &* stride])
    unsafe round(words[3 &* stride])
    unsafe round(words[4 &* stride])
    unsafe round(words[5 &* stride])
    unsafe round(words[6 &* stride])
    unsafe round(words[7 &* stride])
    unsafe round(words[8 &* stride])
    unsafe round(words[9 &* stride])
    unsafe round(words[10 &* stride])
    unsafe round(words[11 &* stride])
    unsafe round(words[12 &* stride])
    unsafe round(words[13 &* stride])
    unsafe round(words[14 &* stride])
    unsafe round(words[15 &* stride])
  }

  /// Step 4.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func add(_ other: Self) {
    (a, b, c, d) = (a &+ sum0 &+ other.a, b &+ other.b, c &+ other.c, d &+ other.d)
    (e, f, g, h) = (e &+ other.e, f &+ other.f, g &+ other.g, h &+ other.h)
    sum0 = .zero
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func store(in state: UnsafeMutablePointer<Word>) {
    // Safety: a state is 8 words long.
    unsafe (state[0], state[1], state[2], state[3]) = (a, b, c, d)
    unsafe (state[4], state[5], state[6], state[7]) = (e, f, g, h)
  }
}
