// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the cyclic redundancy checks in plain Swift, and their constants.

/// The arithmetic of a cyclic redundancy check: polynomials over GF(2) modulo a generator
/// polynomial P.
///
/// All checks here are reflected: the lowest bit of a number holds the highest power. A 32-bit
/// register is the lower half of 64 bits, so that all checks share the same arithmetic.
@frozen
@usableFromInline
package enum CRCAlgorithm: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  case crc32, crc32c, crc64NVME

  /// P without its highest power.
  package var coefficients: UInt64 {
    switch self {
    case .crc32: 0xedb8_8320
    case .crc32c: 0x82f6_3b78
    case .crc64NVME: 0x9a6c_9329_ac4b_c9b5
    }
  }

  /// The degree of P, which is the checksum's width in bits.
  var bitWidth: UInt64 {
    switch self {
    case .crc32, .crc32c: 32
    case .crc64NVME: 64
    }
  }

  /// Returns the register after `byteCount` more bytes, processed sixteen at a time.
  func update(_ register: UInt64, _ bytes: UnsafeRawPointer, _ byteCount: Int) -> UInt64 {
    // Safety: the table has 16 * 256 entries, and each load stays below byteCount.
    unsafe table.withUnsafeBufferPointer { table in
      var register = register
      var position = 0
      while byteCount - position >= 16 {
        let first = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        let second = unsafe bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self)
        // The second half doesn't depend on the register.
        let half = unsafe Self.remainder(UInt64(littleEndian: second), 0, table)
        register = unsafe Self.remainder(register ^ UInt64(littleEndian: first), 8, table) ^ half
        position += 16
      }
      while position < byteCount {
        let byte = unsafe bytes.load(fromByteOffset: position, as: UInt8.self)
        let index = Int(UInt8(truncatingIfNeeded: register) ^ byte)
        register = unsafe table[index] ^ (register &>> 8)
        position += 1
      }
      return register
    }
  }

  /// Returns the checksum of two concatenated messages.
  func combine(_ first: UInt64, _ second: UInt64, secondByteCount: UInt64) -> UInt64 {
    // The second message's length shifts the first one to higher powers. The initial and final
    // values of the registers are the same in all three checksums and cancel out.
    multiply(first, power(ofByteCount: secondByteCount)) ^ second
  }

  // MARK: - Helpers

  /// Returns the register that eight bytes leave if `distance` more bytes follow: 0 or 8.
  @inline(__always)
  static func remainder(
    _ word: UInt64, _ distance: Int, _ table: UnsafeBufferPointer<UInt64>
  ) -> UInt64 {
    @inline(__always) func entry(_ index: Int) -> UInt64 {
      let byte = UInt8(truncatingIfNeeded: word &>> UInt64(8 &* index))
      // Safety: the first summand is at most 15 * 256, and the table has 16 * 256 entries.
      return unsafe table[(distance &+ 7 &- index) &* 256 &+ Int(byte)]
    }
    let low = (entry(0) ^ entry(1)) ^ (entry(2) ^ entry(3))
    let high = (entry(4) ^ entry(5)) ^ (entry(6) ^ entry(7))
    return low ^ high
  }

  /// x^(8 * byteCount) modulo P, by squaring.
  func power(ofByteCount byteCount: UInt64) -> UInt64 {
    // x^0 is the highest bit.
    var power: UInt64 = 1 << (bitWidth - 1)
    var square: UInt64 = power >> 8
    var left = byteCount
    while left > 0 {
      if left & 1 != 0 { power = multiply(power, square) }
      square = multiply(square, square)
      left >>= 1
    }
    return power
  }

  /// Returns the product of two polynomials modulo P.
  func multiply(_ a: UInt64, _ b: UInt64) -> UInt64 {
    var (product, factor): (UInt64, UInt64) = (0, b)
    var bit: UInt64 = 1 << (bitWidth - 1)
    while bit != 0 {
      if a & bit != 0 { product ^= factor }
      factor = timesX(factor)
      bit >>= 1
    }
    return product
  }

  /// Returns a polynomial times x, modulo P.
  @inline(__always)
  func timesX(_ a: UInt64) -> UInt64 {
    a & 1 == 0 ? a >> 1 : (a >> 1) ^ coefficients
  }
}

extension CRCAlgorithm {
  /// The register that each byte leaves if 0 to 15 zeros follow: 16 * 256 entries, computed once.
  var table: [UInt64] {
    switch self {
    case .crc32: Self.crc32Table
    case .crc32c: Self.crc32cTable
    case .crc64NVME: Self.crc64NVMETable
    }
  }

  static let crc32Table = CRCAlgorithm.crc32.makeTable()
  static let crc32cTable = CRCAlgorithm.crc32c.makeTable()
  static let crc64NVMETable = CRCAlgorithm.crc64NVME.makeTable()

  func makeTable() -> [UInt64] {
    var table: [UInt64] = []
    table.reserveCapacity(4_096)
    for index in 0..<4_096 {
      var register = index < 256 ? UInt64(index) : table[index - 256]
      for _ in 0..<8 { register = timesX(register) }
      table.append(register)
    }
    return table
  }
}

// The constants of the kernels. The tests recompute them by division.
extension CRCAlgorithm {
  /// x^1087 and x^1023 modulo P, as 64-bit registers: the factors that move 128 bits up by 1,024
  /// powers.
  var fold1024: SIMD2<UInt64> {
    switch self {
    case .crc32: SIMD2(0x7d65_7a10_0000_0000, 0x7406_fa95_0000_0000)
    case .crc32c: SIMD2(0x6577_b245_0000_0000, 0x7417_153f_0000_0000)
    case .crc64NVME: SIMD2(0xa1ca_681e_733f_9c40, 0x5f85_2fb6_1e8d_92dc)
    }
  }

  /// x^191 and x^127 modulo P: the factors that move 128 bits up by 128 powers.
  var fold128: SIMD2<UInt64> {
    switch self {
    case .crc32: SIMD2(0x6567_3b46_0000_0000, 0x9ba5_4c6f_0000_0000)
    case .crc32c: SIMD2(0x3743_f7bd_0000_0000, 0x3171_d430_0000_0000)
    case .crc64NVME: SIMD2(0xeadc_41fd_2ba3_d420, 0x21e9_761e_2526_21ac)
    }
  }

  /// x^128 divided by G, without the remainder and the lowest power, and G without its highest
  /// power, where G is P if P has 64 bits, and otherwise P * x^32.
  var reduction: SIMD2<UInt64> {
    switch self {
    case .crc32: SIMD2(0xb4e5_b025_f701_1641, coefficients)
    case .crc32c: SIMD2(0x4869_ec38_dea7_13f1, coefficients)
    case .crc64NVME: SIMD2(0x27ec_fa32_9aef_9f77, coefficients)
    }
  }
}
