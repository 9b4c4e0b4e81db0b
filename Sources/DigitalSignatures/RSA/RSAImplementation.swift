// SPDX-License-Identifier: Apache-2.0
// The implementations of RSA's powers.

internal import SecureHashing

/// A way to compute the powers of RSA that this processor supports. All implementations compute the
/// same numbers.
enum RSAImplementation: BitwiseCopyable, Sendable {
  /// AVX-512 IFMA in 512-bit vectors.
  case wideIFMA

  /// AVX-512 IFMA in 256-bit vectors.
  case ifma

  /// 64-bit integers, for any processor.
  case portable

  /// The fastest implementation that this build and processor support.
  static let current: Self = available[0]

  /// All implementations that this build and processor support, fastest first. On Intel's
  /// processors, 512-bit vectors slow down other code.
  static var available: [Self] {
    #if HardwareAcceleration && canImport(IFMAKernels) && arch(x86_64) && !hasFeature(Embedded)
      if Processor.hasIFMA {
        return Processor.hasWideAVX512
          ? [.wideIFMA, .ifma, .portable] : [.ifma, .portable, .wideIFMA]
      }
    #endif
    return [.portable]
  }

  /// `result = base^exponent`, neither in Montgomery form. Overwrites `base`. Scratch has twice as
  /// many limbs.
  func publicPower(
    _ result: Limbs.Words, _ base: Limbs.Words, _ exponent: UInt64, _ modulus: MontgomeryModulus,
    _ scratch: Limbs.Words
  ) {
    // Safety: guaranteed by the caller.
    #if HardwareAcceleration && canImport(IFMAKernels) && arch(x86_64) && !hasFeature(Embedded)
      if self != .portable {
        unsafe DigitModuli.publicPower(result, base, exponent, modulus, isWide: self == .wideIFMA)
        return
      }
    #endif
    unsafe modulus.publicPower(result, base, exponent, scratch)
  }

  /// The size of a pair of residues in words, and of what else their arithmetic needs.
  func sizes(half: Int) -> (pair: Int, work: Int) {
    #if HardwareAcceleration && canImport(IFMAKernels) && arch(x86_64) && !hasFeature(Embedded)
      if self != .portable { return DigitResidues.sizes(half: half) }
    #endif
    return IntegerResidues.sizes(half: half)
  }
}
