// SPDX-License-Identifier: Apache-2.0
// Cyclic redundancy checks with carry-less multiplication and the CRC instruction. All of it is in
// one file, because debug builds optimize file by file.

#if CompilerBuiltins && ((arch(x86_64) && !hasFeature(Embedded)) || (arch(arm64) && canImport(_Builtin_intrinsics)))
  // On x86-64, the intrinsics header defines the multiplication as a C macro. On arm64, it returns
  // a 128-bit number, which systems from 2022 don't support. The compiler's own module has both. If
  // a compiler has changed it, use the trait HardwareAccelerationWithoutBuiltins. The tables of
  // SecureHashing then do the work.
  internal import Builtin
  #if arch(x86_64)
    internal import _Builtin_intrinsics.intel
  #endif

  /// Any reflected cyclic redundancy check of up to 64 bits, with carry-less multiplication.
  ///
  /// A register holds polynomials over GF(2) with the highest power in its lowest bit: bit i of 64
  /// is x^(63 - i). A 32-bit check by P is the 64-bit check by P * x^32, with a register whose
  /// upper half is zero. The caller must have checked that the processor has the instructions. The
  /// other rules of ``SHA256Kernel`` apply, too.
  package enum CRCKernel {
    /// Returns the register after `byteCount` more bytes.
    ///
    /// `fold1024` is x^1087 and x^1023, `fold128` is x^191 and x^127, each modulo P. `reduction` is
    /// x^128 divided by G without the remainder and without its lowest power, and G without its
    /// highest power, where G is P if P has 64 bits, and otherwise P * x^32.
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
        // The register belongs to the highest powers of the bytes that follow.
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
        // Everything folded has become a 16-byte message with the same remainder.
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

    /// Folds eight lanes of 16 bytes as long as there are 128 more bytes, then folds all lanes into
    /// one. The first lane is `sum`. This function loads the other seven.
    @inline(__always)
    static func foldLanes(
      _ sum: Vector, _ next: inout UnsafeRawPointer, _ left: inout Int,
      _ fold1024: Vector, _ fold128: Vector
    ) -> Vector {
      // Safety: there are 112 bytes, and 128 more whenever the loop continues.
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

    /// Returns the register after 0 to 7 more bytes.
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
      // This many powers leave the register and are combined with the bytes. The lower powers take
      // their place.
      let bitCount = UInt64(8 &* byteCount)
      return reduce((register ^ word) &<< (64 &- bitCount), reduction) ^ (register &>> bitCount)
    }

    /// Moves the 128 bits of a vector to higher powers, given by `powers`, modulo P.
    @inline(__always)
    static func fold(_ vector: Vector, _ powers: Vector) -> Vector {
      multiplyLow(vector, powers) ^ multiplyHigh(vector, powers)
    }

    /// Returns `value` * x^64 modulo G (Barrett's reduction, which is exact without carries).
    @inline(__always)
    static func reduce(_ value: UInt64, _ reduction: Vector) -> UInt64 {
      let quotient = multiplyLow(Vector(value, 0), reduction)
      let product = multiplyLow(quotient, Vector(reduction[1], 0))
      // A product of two such registers is one power too low.
      return (product[1] &<< 1) | (product[0] &>> 63)
    }

    /// 128 bits: the first word contains the higher powers.
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
    /// Returns the CRC-32C register after `byteCount` more bytes, eight at a time. This is faster
    /// than folding for up to 256 bytes.
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
        // Safety: the 8 bytes from here are among the byteCount.
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

    /// Multiplies the first words of both.
    @inline(__always)
    static func multiplyLow(_ a: Vector, _ b: Vector) -> Vector {
      let words: UInt8 = 0x00
      return Builtin.reinterpretCast(
        Builtin.int_x86_pclmulqdq(
          Builtin.reinterpretCast(a), Builtin.reinterpretCast(b), words._value))
    }

    /// Multiplies the second words of both.
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
    /// Multiplies the first words of both.
    @inline(__always)
    static func multiplyLow(_ a: Vector, _ b: Vector) -> Vector {
      Builtin.reinterpretCast(
        Builtin.int_aarch64_neon_pmull64(a[0]._value, b[0]._value))
    }

    /// Multiplies the second words of both.
    @inline(__always)
    static func multiplyHigh(_ a: Vector, _ b: Vector) -> Vector {
      Builtin.reinterpretCast(
        Builtin.int_aarch64_neon_pmull64(a[1]._value, b[1]._value))
    }
  }
#endif
