// SPDX-License-Identifier: Apache-2.0
// The arithmetic of polynomials: checksums combined, and the constants recomputed bit by bit.

@testable internal import Checksums
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Polynomials of checks")
struct ChecksumArithmeticTests {
  @Test(
    "Combining the checksums of two messages of any size matches Python's checksum of both",
    arguments: try VectorTable(named: "checksums.txt").records.filter {
      try $0.optionalText("combined") != nil
    })
  func combine(_ vector: VectorRecord) throws {
    let algorithms = [CRC32.tableName, CRC32C.tableName, CRC64NVME.tableName]
    let name = try #require(algorithms.first { vector.name.hasPrefix($0 + ",") })
    switch name {
    case CRC32.tableName: try expectCombined(CRC32.self, vector)
    case CRC32C.tableName: try expectCombined(CRC32C.self, vector)
    default: try expectCombined(CRC64NVME.self, vector)
    }
  }

  @Test("Parts combined from the left, from the right or in pairs have the same checksum")
  func parts() throws {
    let ladder = try ChecksumLadder("crc64nvme", "large")
    let parts = ladder.messages.prefix(4).map { ($0.count, CRC64NVME.checksum(of: $0)) }
    let whole = CRC64NVME.checksum(of: Array(ladder.messages.prefix(4).joined()))
    typealias Part = (byteCount: Int, checksum: UInt64)
    func joined(_ first: Part, _ second: Part) -> Part {
      let checksum = CRC64NVME.combine(
        first.checksum, second.checksum, secondByteCount: UInt64(second.byteCount))
      return (first.byteCount + second.byteCount, checksum)
    }
    #expect(parts.reduce((0, 0), joined).checksum == whole)
    #expect(
      joined(parts[0], joined(parts[1], joined(parts[2], parts[3]))).checksum == whole)
    #expect(joined(joined(parts[0], parts[1]), joined(parts[2], parts[3])).checksum == whole)
  }

  @Test(
    "The powers that fold and reduce match plain division",
    arguments: CRCAlgorithm.allCases)
  func constants(_ polynomial: CRCAlgorithm) {
    let generator = Self.generator(polynomial)
    #expect(polynomial.fold1024 == SIMD2(power(1_087, generator), power(1_023, generator)))
    #expect(polynomial.fold128 == SIMD2(power(191, generator), power(127, generator)))

    // x^128 divided by P of 64 bits, or by P * x^32.
    let shifted = [Bool](repeating: false, count: 65 - generator.count) + generator
    let (quotient, _) = divided(power: 128, by: shifted)
    #expect(quotient.count == 65 && quotient[64])
    #expect(polynomial.reduction[0] == register(of: Array(quotient[1...])))
    #expect(polynomial.reduction[1] == register(of: Array(shifted[..<64])))
  }

  @Test("The tables hold what division of single bytes leaves", arguments: [0, 1, 77, 128, 255])
  func tables(_ byte: Int) {
    for polynomial in CRCAlgorithm.allCases {
      let width = Int(polynomial.bitWidth)
      #expect(polynomial.table.count == 16 * 256)
      for zeros in 0..<16 {
        // The lowest bit of a byte is the highest power of it.
        var register: UInt64 = 0
        for bit in 0..<8 where byte >> bit & 1 == 1 {
          let exponent = width + 8 * zeros + 7 - bit
          register ^= power(exponent, Self.generator(polynomial)) >> UInt64(64 - width)
        }
        #expect(polynomial.table[256 * zeros + byte] == register, "\(polynomial), \(zeros) zeros")
      }
    }
  }

  // MARK: - Helpers

  func expectCombined<Check: CyclicRedundancyCheck>(
    _ check: Check.Type, _ vector: VectorRecord
  ) throws {
    let first = try Check.checksum("first", in: vector)
    let second = try Check.checksum("second", in: vector)
    let count = try CRC64NVME.checksum("second byte count", in: vector)
    let combined = Check.combine(first, second, secondByteCount: count)
    #expect(try combined == Check.checksum("combined", in: vector))
  }

  /// The coefficients of the polynomials, the lowest power first, from the numbers of ISO 3309, RFC
  /// 3720, appendix B.4, and the NVM Command Set Specification, 5.2.1.3.4.
  static func generator(_ polynomial: CRCAlgorithm) -> [Bool] {
    let (number, width): (UInt64, Int) =
      switch polynomial {
      case .crc32: (0x04C1_1DB7, 32)
      case .crc32c: (0x1EDC_6F41, 32)
      case .crc64NVME: (0xAD93_D235_94C9_3659, 64)
      }
    return (0..<width).map { number >> $0 & 1 == 1 } + [true]
  }

  /// x^exponent modulo a polynomial, as a register of 64 bits.
  func power(_ exponent: Int, _ divisor: [Bool]) -> UInt64 {
    register(of: divided(power: exponent, by: divisor).remainder)
  }

  /// x^exponent divided by a polynomial, on paper.
  func divided(
    power exponent: Int, by divisor: [Bool]
  ) -> (quotient: [Bool], remainder: [Bool]) {
    let degree = divisor.count - 1
    var rest = [Bool](repeating: false, count: exponent) + [true]
    var quotient = [Bool](repeating: false, count: exponent - degree + 1)
    for place in (0...exponent - degree).reversed() where rest[place + degree] {
      quotient[place] = true
      for index in 0...degree where divisor[index] { rest[place + index].toggle() }
    }
    return (quotient, Array(rest[..<degree]))
  }

  /// The power i of up to 64 becomes bit 63 - i.
  func register(of coefficients: [Bool]) -> UInt64 {
    coefficients.enumerated().reduce(0) { $1.element ? $0 | 1 << (63 - UInt64($1.offset)) : $0 }
  }
}
