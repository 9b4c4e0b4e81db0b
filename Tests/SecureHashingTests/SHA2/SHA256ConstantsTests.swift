// SPDX-License-Identifier: Apache-2.0
// The constants of SHA-256, recomputed from their definition in FIPS 180-4.

@testable internal import SecureHashing
internal import Testing

@Suite("SHA-256 constants")
struct SHA256ConstantsTests {
  /// A number of 128 bits: `high` * 2^64 + `low`.
  typealias Wide = (high: UInt64, low: UInt64)

  @Test("K holds 32 bits of the fractional parts of the cube roots of the first 64 primes")
  func roundConstants() {
    // FIPS 180-4, 4.2.2: the root of p * 2^96 is the root of p with 32 bits after the point.
    let expected = firstPrimes(64).map { prime in
      UInt32(truncatingIfNeeded: largest { isAtMost(cube($0), (high: prime << 32, low: 0)) })
    }
    #expect(SHA256.roundConstants == expected)
  }

  @Test("H(0) holds 32 bits of the fractional parts of the square roots of the first 8 primes")
  func initialState() {
    // FIPS 180-4, 5.3.3: the root of p * 2^64 is the root of p with 32 bits after the point.
    let expected = firstPrimes(8).map { prime in
      UInt32(truncatingIfNeeded: largest { isAtMost(square($0), (high: prime, low: 0)) })
    }
    let h = SHA256.initialState
    #expect([h.0, h.1, h.2, h.3, h.4, h.5, h.6, h.7] == expected)
  }

  func firstPrimes(_ count: Int) -> [UInt64] {
    var primes: [UInt64] = []
    var candidate: UInt64 = 2
    while primes.count < count {
      if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
      candidate += 1
    }
    return primes
  }

  /// The largest number below 2^37 that a condition holds for, found bit by bit.
  func largest(where isSmallEnough: (UInt64) -> Bool) -> UInt64 {
    var root: UInt64 = 0
    for bit in (0..<37).reversed() where isSmallEnough(root | 1 << bit) { root |= 1 << bit }
    return root
  }

  func square(_ x: UInt64) -> Wide {
    let product = x.multipliedFullWidth(by: x)
    return (product.high, product.low)
  }

  func cube(_ x: UInt64) -> Wide {
    let square = square(x)
    let product = square.low.multipliedFullWidth(by: x)
    return (square.high * x + product.high, product.low)
  }

  func isAtMost(_ left: Wide, _ right: Wide) -> Bool {
    left.high < right.high || (left.high == right.high && left.low <= right.low)
  }
}
