// SPDX-License-Identifier: Apache-2.0
// The arithmetic below Ed25519 against Python's integers.

@testable internal import DigitalSignatures
internal import SecureHashing
internal import TestSupport
internal import Testing

/// Source: `ed25519-arithmetic.py`. Most limbs and words are edges, also of what an operation may be
/// called with.
@Suite("Arithmetic of Ed25519")
struct EdwardsArithmeticTests {
  typealias Element = Edwards25519.Element
  typealias Scalar = Edwards25519.Scalar

  @Test("Modulo the prime, every operation matches Python's integers, up to the largest limbs")
  func primeOperations() throws {
    let (factor, summand, subtrahend): (UInt64, UInt64, UInt64) = (
      (1 << 54) - 1, (1 << 53) - 1, (1 << 53) - 76
    )
    let operations: [(String, UInt64, UInt64, (Element, Element) -> Words256)] = [
      ("multiply", factor, factor, { ($0 * $1).number }),
      ("square", factor, factor, { first, _ in first.squared().number }),
      ("add", summand, summand, { ($0 + $1).number }),
      ("subtract", summand, subtrahend, { ($0 - $1).number }),
      ("number", factor, factor, { first, _ in first.number }),
      ("invert", factor, factor, { first, _ in first.inverted().number }),
    ]
    for (name, first, second, operation) in operations {
      try check("prime \(name)") { generator in
        let first = generator.element(most: first)
        return Array(Secret.Bytes(operation(first, generator.element(most: second))))
      }
    }
  }

  @Test("Modulo the order, every operation matches Python's integers")
  func orderOperations() throws {
    let operations: [(String, (Words256, Words256) -> Words256)] = [
      ("multiply", { Scalar.montgomeryProduct($0, Scalar(reducing: $1)).words }),
      ("add", { (Scalar(reducing: $0) + Scalar(reducing: $1)).words }),
      ("reduce", { Self.reduced($0, $1).words }),
      ("comb digits", { first, _ in Scalar(reducing: first).combDigits }),
    ]
    for (name, operation) in operations {
      try check("order \(name)") { generator in
        let first = generator.number(below: .zero) { $0 }
        return Array(Secret.Bytes(operation(first, generator.number(below: .zero) { $0 })))
      }
    }
  }

  @Test("Multiples and their sums are Python's, of points with a part of small order, too")
  func points() throws {
    try check("base point") { generator in
      Self.bytes(of: Edwards25519.BasePoint.times(Self.scalar(&generator)))
    }
    let base = Edwards25519.BasePoint.times(Scalar(reduced: Words256(1, 0, 0, 0)))
    // L times a point: what is left is a part of small order.
    let three = try #require(Edwards25519.Point(encoding: Words256(3, 0, 0, 0)))
    let small = Edwards25519.BasePoint.sum(
      Scalar(reduced: .zero), plus: Scalar(reduced: Scalar.order), times: three)
    let full = Edwards25519.Point(
      x: small.x, y: small.y, z: small.z, t: small.x * small.y * small.z.inverted())
    let points = [base, base.negated, full, base + Edwards25519.Summand(full)]
    var index = 0
    try check("sums") { generator in
      let (s, k) = (Self.scalar(&generator), Self.scalar(&generator))
      defer { index += 1 }
      return Self.bytes(
        of: Edwards25519.BasePoint.sum(s, plus: k, times: points[index % points.count]))
    }
  }

  /// RFC 8032, 5.1.3, step 4. As keys, both points are rejected for their small order, too.
  @Test("Zero has no sign: x = -0 isn't decoded")
  func negativeZero() {
    for y in [Words256(1, 0, 0, 0), Words256(0xFFFF_FFFF_FFFF_FFEC, .max, .max, .max >> 1)] {
      #expect(Edwards25519.Point(encoding: y) != nil)
      let negative = Words256(y.w0, y.w1, y.w2, y.w3 | 1 << 63)
      #expect(Edwards25519.Point(encoding: negative) == nil)
    }
  }

  private static func reduced(_ low: Words256, _ high: Words256) -> Scalar {
    let bytes = Array(Secret.Bytes(low.reversed)) + Array(Secret.Bytes(high.reversed))
    return SHA512.Digest(bytes: bytes).map { Scalar(reducing: $0) } ?? Scalar(reduced: .zero)
  }

  private static func scalar(_ generator: inout Xorshift64) -> Scalar {
    Scalar(reduced: generator.number(below: Scalar.order) { Scalar(reducing: $0).words })
  }

  private static func bytes(of point: Edwards25519.Point) -> [UInt8] {
    Array(Secret.Bytes(point.encoding.reversed))
  }

  private func check(_ name: String, _ result: (inout Xorshift64) -> [UInt8]) throws {
    let vector = try VectorTable(named: "ed25519-arithmetic.txt").record(named: name)
    var generator = Xorshift64(seed: UInt64(try vector.integer("seed")))
    var results = SHA256()
    for _ in 0..<(try vector.integer("count")) { results.update(data: result(&generator)) }
    let matches = try Array(results.finalize()) == vector.hexadecimal("digest")
    #expect(matches, "\(name)")
  }
}

extension Xorshift64 {
  /// As `element` of ed25519-arithmetic.py.
  fileprivate mutating func element(most: UInt64) -> Edwards25519.Element {
    let edges: [UInt64] = [0, 1, (1 << 51) - 1, 1 << 51, most - 1, most]
    func limb(_ generator: inout Xorshift64) -> UInt64 {
      let choice = Int(generator.next() % 8)
      return choice < 6 ? edges[choice] : generator.next() % (most + 1)
    }
    return Edwards25519.Element(
      limb(&self), limb(&self), limb(&self), limb(&self), limb(&self))
  }
}
