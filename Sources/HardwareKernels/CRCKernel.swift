// SPDX-License-Identifier: Apache-2.0
// Cyclic redundancy checks with the carry-less multiplication and the CRC instruction.
// All of it in one file: a debug build optimises file by file.

#if CompilerBuiltins && ((arch(x86_64) && !hasFeature(Embedded)) || (arch(arm64) && canImport(_Builtin_intrinsics)))
  // The multiplication of x86-64 is a macro of C in the intrinsics' header, and that of arm64 gives
  // a number of 128 bits, which systems of 2022 lack. The compiler's own module has both. Where it has
  // changed, the trait HardwareAccelerationWithoutBuiltins is taken, and the tables of SecureHashing do the work.
  internal import Builtin
  #if arch(x86_64)
    internal import _Builtin_intrinsics.intel
  #endif

  /// Any cyclic redundancy check of up to 64 bits whose bits are reflected, in carry-less
  /// multiplications.
  ///
  /// A register holds polynomials over GF(2) with the highest power in its lowest bit: bit i of 64
  /// is x^(63 - i). A check of 32 bits by P is that of 64 bits by P * x^32, with a register whose
  /// upper half is zero. The caller has made sure that the processor has the instructions; for the
  /// rest the rules of ``SHA256Kernel`` hold.
  package enum CRCKernel {
    /// The register after `byteCount` bytes more.
    ///
    /// `fold1024` is x^1087 and x^1023, `fold128` is x^191 and x^127, each modulo P. `reduction` is
    /// x^128 divided by G without the remainder and without its lowest power, and G without its
    /// highest power, where G is P of 64 bits, or P * x^32.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func update(
      _ register: UInt64, _ bytes: UnsafeRawPointer, _ byteCount: Int,
      _ fold1024: SIMD2<UInt64>, _ fold128: SIMD2<UInt64>, _ reduction: SIMD2<UInt64>
    ) -> UInt64 {
      var register = register
      // Safety: each part stays below byteCount.
      var next = unsafe bytes
      var left = byteCount
      if left >= 16 {
        // The register belongs to the highest powers of what follows.
        var sum = unsafe load(next) ^ Vector(register, 0)
        unsafe next += 16
        left &-= 16
        if left >= 112 {
          sum = unsafe foldLanes(sum, &next, &left, fold1024, fold128)
        }
        while left >= 16 {
          sum = unsafe fold(sum, fold128) ^ load(next)
          unsafe next += 16
          left &-= 16
        }
        // What is left of all that was folded is a message of 16 bytes with the same remainder.
        register = reduce(reduce(sum[0], reduction) ^ sum[1], reduction)
      }
      if left >= 8 {
        register = unsafe reduce(
          register ^ next.loadUnaligned(as: UInt64.self), reduction)
        unsafe next += 8
        left &-= 8
      }
      return unsafe appendLast(next, left, to: register, reduction)
    }

    /// Folds eight lanes of 16 bytes, of which the first is `sum` and seven are still to be loaded,
    /// as long as there are 128 bytes more, and then all of them into one.
    @inline(__always)
    static func foldLanes(
      _ sum: Vector, _ next: inout UnsafeRawPointer, _ left: inout Int,
      _ fold1024: Vector, _ fold128: Vector
    ) -> Vector {
      // Safety: there are 112 bytes, and 128 more whenever the loop goes on.
      var a = sum
      var b = unsafe load(next)
      var c = unsafe load(next + 16)
      var d = unsafe load(next + 32)
      var e = unsafe load(next + 48)
      var f = unsafe load(next + 64)
      var g = unsafe load(next + 80)
      var h = unsafe load(next + 96)
      unsafe next += 112
      left &-= 112
      while left >= 128 {
        a = unsafe fold(a, fold1024) ^ load(next)
        b = unsafe fold(b, fold1024) ^ load(next + 16)
        c = unsafe fold(c, fold1024) ^ load(next + 32)
        d = unsafe fold(d, fold1024) ^ load(next + 48)
        e = unsafe fold(e, fold1024) ^ load(next + 64)
        f = unsafe fold(f, fold1024) ^ load(next + 80)
        g = unsafe fold(g, fold1024) ^ load(next + 96)
        h = unsafe fold(h, fold1024) ^ load(next + 112)
        unsafe next += 128
        left &-= 128
      }
      b ^= fold(a, fold128)
      c ^= fold(b, fold128)
      d ^= fold(c, fold128)
      e ^= fold(d, fold128)
      f ^= fold(e, fold128)
      g ^= fold(f, fold128)
      return h ^ fold(g, fold128)
    }

    /// The register after 0 to 7 bytes more.
    @inline(__always)
    static func appendLast(
      _ bytes: UnsafeRawPointer, _ byteCount: Int, to register: UInt64, _ reduction: Vector
    ) -> UInt64 {
      if byteCount == 0 { return register }
      var word: UInt64 = 0
      for index in 0..<byteCount {
        // Safety: index < byteCount.
        word |=
          unsafe UInt64(bytes.load(fromByteOffset: index, as: UInt8.self)) &<< UInt64(8 &* index)
      }
      // So many powers leave the register and meet the bytes; the lower ones take their place.
      let bitCount = UInt64(8 &* byteCount)
      return reduce((register ^ word) &<< (64 &- bitCount), reduction) ^ (register &>> bitCount)
    }

    /// The 128 bits of a vector, so many powers higher, modulo P: `powers` says how many.
    @inline(__always)
    static func fold(_ vector: Vector, _ powers: Vector) -> Vector {
      multiplyLow(vector, powers) ^ multiplyHigh(vector, powers)
    }

    /// `value` * x^64 modulo G (Barrett's reduction, which is exact without carries).
    @inline(__always)
    static func reduce(_ value: UInt64, _ reduction: Vector) -> UInt64 {
      let quotient = multiplyLow(Vector(value, 0), reduction)
      let product = multiplyLow(quotient, Vector(reduction[1], 0))
      // A product of two such registers is one power too low.
      return (product[1] &<< 1) | (product[0] &>> 63)
    }

    /// 128 bits: the first word holds the higher powers.
    typealias Vector = SIMD2<UInt64>

    @inline(__always)
    static func load(_ bytes: UnsafeRawPointer) -> Vector {
      // Safety: 16 bytes are readable.
      unsafe bytes.loadUnaligned(as: Vector.self)
    }
  }
#endif

#if CompilerBuiltins && arch(x86_64) && !hasFeature(Embedded)
  extension CRCKernel {
    /// The register of CRC-32C after `byteCount` bytes more, eight at a time: faster than folding
    /// for up to 256 bytes.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func updateCastagnoli(
      _ register: UInt64, _ bytes: UnsafeRawPointer, _ byteCount: Int
    ) -> UInt64 {
      var register = register
      var position = 0
      while position &+ 8 <= byteCount {
        // Safety: 8 bytes from here on are among the byteCount.
        let word = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        register = _mm_crc32_u64(register, word)
        position &+= 8
      }
      var half = UInt32(truncatingIfNeeded: register)
      while position < byteCount {
        // Safety: position < byteCount.
        let byte = unsafe bytes.load(fromByteOffset: position, as: UInt8.self)
        half = _mm_crc32_u8(half, byte)
        position &+= 1
      }
      return UInt64(half)
    }

    /// The first words of both, multiplied.
    @inline(__always)
    static func multiplyLow(_ a: Vector, _ b: Vector) -> Vector {
      let words: UInt8 = 0x00
      return Builtin.reinterpretCast(
        Builtin.int_x86_pclmulqdq(
          Builtin.reinterpretCast(a), Builtin.reinterpretCast(b), words._value))
    }

    /// The second words of both, multiplied.
    @inline(__always)
    static func multiplyHigh(_ a: Vector, _ b: Vector) -> Vector {
      let words: UInt8 = 0x11
      return Builtin.reinterpretCast(
        Builtin.int_x86_pclmulqdq(
          Builtin.reinterpretCast(a), Builtin.reinterpretCast(b), words._value))
    }
  }
#elseif CompilerBuiltins && arch(arm64) && canImport(_Builtin_intrinsics)
  extension CRCKernel {
    /// The first words of both, multiplied.
    @inline(__always)
    static func multiplyLow(_ a: Vector, _ b: Vector) -> Vector {
      Builtin.reinterpretCast(
        Builtin.int_aarch64_neon_pmull64(a[0]._value, b[0]._value))
    }

    /// The second words of both, multiplied.
    @inline(__always)
    static func multiplyHigh(_ a: Vector, _ b: Vector) -> Vector {
      Builtin.reinterpretCast(
        Builtin.int_aarch64_neon_pmull64(a[1]._value, b[1]._value))
    }
  }
#endif
