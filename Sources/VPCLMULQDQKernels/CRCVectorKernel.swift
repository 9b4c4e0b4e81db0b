// SPDX-License-Identifier: Apache-2.0
// Cyclic redundancy checks with carry-less multiplication in 256-bit vectors.

#if CompilerBuiltins && arch(x86_64) && !hasFeature(Embedded)
  // The intrinsics header defines the multiplication as a C macro.
  internal import Builtin

  /// The bulk of a cyclic redundancy check, for processors with AVX2 and VPCLMULQDQ. `CRCKernel` of
  /// HardwareKernels does the rest, and documents its numbers.
  ///
  /// The caller must have checked that the processor has both. This module is compiled for such a
  /// processor, so nothing here may be generic, inlined into other modules, or shared.
  package enum CRCVectorKernel {
    /// Replaces a message, including the register, by a 128-byte message `sum` with the same
    /// remainder.
    ///
    /// `byteCount` is a multiple of 128, and at least 128. `fold1024` is x^1087 and x^1023,
    /// each modulo P.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func fold(
      _ register: UInt64, _ bytes: UnsafeRawPointer, _ byteCount: Int, _ fold1024: SIMD2<UInt64>,
      to sum: UnsafeMutableRawPointer
    ) {
      let powers = Vector(lowHalf: fold1024, highHalf: fold1024)
      // Safety: there are 128 bytes, and 128 more whenever the loop continues. The sum is 128 bytes
      // long. The register belongs to the highest powers of the bytes that follow.
      var a = unsafe load(bytes) ^ Vector(register, 0, 0, 0)
      var b = unsafe load(bytes + 32)
      var c = unsafe load(bytes + 64)
      var d = unsafe load(bytes + 96)
      var position = 128
      while position < byteCount {
        let next = unsafe bytes + position
        a = unsafe fold(a, powers) ^ load(next)
        b = unsafe fold(b, powers) ^ load(next + 32)
        c = unsafe fold(c, powers) ^ load(next + 64)
        d = unsafe fold(d, powers) ^ load(next + 96)
        position &+= 128
      }
      unsafe sum.storeBytes(of: a, as: Vector.self)
      unsafe sum.storeBytes(of: b, toByteOffset: 32, as: Vector.self)
      unsafe sum.storeBytes(of: c, toByteOffset: 64, as: Vector.self)
      unsafe sum.storeBytes(of: d, toByteOffset: 96, as: Vector.self)
    }

    /// 256 bits: in each half, the first word contains the higher powers.
    typealias Vector = SIMD4<UInt64>

    @inline(__always)
    static func load(_ bytes: UnsafeRawPointer) -> Vector {
      // Safety: 32 bytes are readable.
      unsafe bytes.loadUnaligned(as: Vector.self)
    }

    /// Moves the 128 bits of each half to higher powers, given by `powers`, modulo P.
    @inline(__always)
    static func fold(_ vector: Vector, _ powers: Vector) -> Vector {
      let (firstWords, secondWords): (UInt8, UInt8) = (0x00, 0x11)
      let first: Vector = Builtin.reinterpretCast(
        Builtin.int_x86_pclmulqdq_256(
          Builtin.reinterpretCast(vector), Builtin.reinterpretCast(powers), firstWords._value))
      let second: Vector = Builtin.reinterpretCast(
        Builtin.int_x86_pclmulqdq_256(
          Builtin.reinterpretCast(vector), Builtin.reinterpretCast(powers), secondWords._value))
      return first ^ second
    }
  }
#endif
