// SPDX-License-Identifier: Apache-2.0
// The arithmetic below the signatures against Python's integers, and the tables against plain
// arithmetic.

@testable internal import DigitalSignatures
internal import SecureHashing
internal import TestSupport
internal import Testing

/// Source: `p256-arithmetic.py`. One number of eight is next to 0 or to the modulus; of the words of
/// the others, seven of eight are edges of a word or of its halves.
@Suite("Arithmetic of P-256")
struct ArithmeticTests {
  typealias Operation = @Sendable (Words256, Words256) -> Words256

  static let prime: [(String, Operation)] = [
    ("multiply", { (FieldElement(montgomery: $0) * FieldElement(montgomery: $1)).words }),
    ("square", { first, _ in FieldElement(montgomery: first).squared().words }),
    ("add", { (FieldElement(montgomery: $0) + FieldElement(montgomery: $1)).words }),
    ("subtract", { (FieldElement(montgomery: $0) - FieldElement(montgomery: $1)).words }),
    ("invert", { first, _ in FieldElement(first).inverted().number }),
  ]

  static let order: [(String, Operation)] = [
    ("multiply", { Scalar.montgomeryProduct(Scalar(reduced: $0), Scalar(reduced: $1)).words }),
    ("add", { (Scalar(reduced: $0) + Scalar(reduced: $1)).words }),
    ("halve", { first, _ in Scalar(reduced: first).halved().words }),
    ("invert", { first, _ in Scalar(reduced: first).inverted().words }),
  ]

  @Test("Modulo the prime, every operation matches Python's integers")
  func primeOperations() throws {
    for (name, operation) in Self.prime {
      try check("prime \(name)", modulus: FieldElement.prime, operation)
    }
  }

  @Test("Modulo the order, every operation matches Python's integers")
  func orderOperations() throws {
    for (name, operation) in Self.order {
      try check("order \(name)", modulus: Scalar.order, operation)
    }
  }

  @Test(
    "Sums of two multiples are Python's, with both tables, where points are equal or opposite too")
  func points() throws {
    let vector = try VectorTable(named: "p256-arithmetic.txt").record(named: "points")
    var generator = Xorshift64(seed: UInt64(try vector.integer("seed")))
    var (plain, prepared) = (SHA256(), SHA256())
    let base = AffinePoint(wordsOf: BasePoint.oddMultiples, at: 0)
    for index in 0..<(try vector.integer("count")) {
      let u1 = Scalar(reduced: generator.number(below: Scalar.order))
      let u2 = Scalar(reduced: generator.number(below: Scalar.order))
      let key: AffinePoint =
        switch index % 3 {
        case 0: base
        case 1: base.negated(where: .max)
        default: BasePoint.times(Scalar(reduced: Words256(generator.next(), 0, 0, 0))).affine
        }
      plain.update(data: VerificationProduct.sum(u1, u2, key).coordinates)
      let table = Comb.table(of: key)
      prepared.update(data: VerificationProduct.sum(u1, u2, comb: table).coordinates)
    }
    let expected = try vector.hexadecimal("digest")
    #expect(Array(plain.finalize()) == expected)
    #expect(Array(prepared.finalize()) == expected)
  }

  @Test("Multiples of the base point match Python's, including those near the order")
  func basePoint() throws {
    let vector = try VectorTable(named: "p256-arithmetic.txt").record(named: "base point")
    var generator = Xorshift64(seed: UInt64(try vector.integer("seed")))
    var results = SHA256()
    for _ in 0..<(try vector.integer("count")) {
      let point = BasePoint.times(Scalar(reduced: generator.number(below: Scalar.order))).affine
      results.update(data: Secret.Bytes(point.x.number))
      results.update(data: Secret.Bytes(point.y.number))
    }
    #expect(try Array(results.finalize()) == vector.hexadecimal("digest"))
  }

  @Test("The tables match repeated additions")
  func tables() throws {
    let base = AffinePoint(wordsOf: BasePoint.oddMultiples, at: 0)
    #expect(base.isOnCurve)
    #expect(Comb.table(of: base) == BasePoint.comb)
    #expect(BasePoint.comb.count == Comb.wordCount)
    var multiple = JacobianPoint.infinity
    for index in 0..<64 {
      multiple.add(base)
      let expected = AffinePoint(wordsOf: BasePoint.oddMultiples, at: index)
      #expect(multiple.coordinates == expected.coordinates)
      multiple.add(base)
    }
  }

  private func check(_ name: String, modulus: Words256, _ operation: Operation) throws {
    let vector = try VectorTable(named: "p256-arithmetic.txt").record(named: name)
    var generator = Xorshift64(seed: UInt64(try vector.integer("seed")))
    var results = SHA256()
    for _ in 0..<(try vector.integer("count")) {
      let first = generator.number(below: modulus)
      let second = generator.number(below: modulus)
      results.update(data: Secret.Bytes(operation(first, second)))
    }
    let matches = try Array(results.finalize()) == vector.hexadecimal("digest")
    #expect(matches, "\(name)")
  }
}

extension Xorshift64 {
  fileprivate mutating func number(below modulus: Words256) -> Words256 {
    number(below: modulus) { $0.reduced(carry: 0, modulus: modulus) }
  }

  /// As `number` of randomness/numbers.py. A modulus of zero stands for 2^256.
  mutating func number(
    below modulus: Words256, _ reduced: (Words256) -> Words256
  ) -> Words256 {
    switch next() % 16 {
    case 0: return Words256(next() % 4, 0, 0, 0)
    case 1: return Words256.subtract(modulus, Words256(1 + next() % 4, 0, 0, 0)).difference
    default: break
    }
    let edges: [UInt64] = [0, 1, .max, .max - 1, 1 << 63, 0xFFFF_FFFF, 1 << 32]
    func word(_ generator: inout Xorshift64) -> UInt64 {
      let choice = Int(generator.next() % 8)
      return choice < 7 ? edges[choice] : generator.next()
    }
    return reduced(Words256(word(&self), word(&self), word(&self), word(&self)))
  }
}

extension AffinePoint {
  var coordinates: [UInt8] { Array(Secret.Bytes(x.number)) + Array(Secret.Bytes(y.number)) }
}

extension JacobianPoint {
  /// Zeros for infinity.
  var coordinates: [UInt8] { ProjectivePoint(self).affine.coordinates }
}
