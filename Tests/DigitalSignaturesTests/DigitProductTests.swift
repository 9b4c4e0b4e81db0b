// SPDX-License-Identifier: Apache-2.0
// The kernel of RSA for AVX-512 IFMA, by itself.

#if HardwareAcceleration && arch(x86_64)
  @testable internal import DigitalSignatures
  internal import IFMAKernels
  internal import TestSupport
  internal import Testing

  @Suite(
    "Products in 52-bit digits",
    .enabled(
      if: RSAImplementation.available.count > 1, "This processor doesn't have AVX-512 IFMA."))
  struct DigitProductTests {
    /// Source: `digit-products.py` (Python's numbers). Without an inverse, nothing is added to the
    /// product, and the division drops its lowest digits.
    @Test(
      "Each carry of a product gets to the highest digit, alone and beside another product",
      arguments: try VectorTable(named: "digit-products.txt").records)
    func products(_ vector: VectorRecord) throws {
      let (a, b) = try (Self.digits("a", of: vector), Self.digits("b", of: vector))
      let product = try Self.digits("product", of: vector)
      let count = a.count
      for isWide in Self.widths {
        if count >= 40 {
          let found = unsafe Self.result(a, b) { result, a, b, modulus in
            unsafe MontgomeryKernel.multiply(result, a, b, modulus, 0, count, isWide)
          }
          #expect(found == product, "wide: \(isWide)")
        }
        if count <= 40 {
          // The second one is squared, so that the two differ.
          let ones = [UInt64](repeating: 1 << 52 - 1, count: count)
          let found = unsafe Self.result(Self.pair(a, ones), Self.pair(b, ones)) {
            result, a, b, modulus in
            unsafe MontgomeryKernel.multiplyPair(result, a, b, modulus, 0, 0, count, isWide)
          }
          // (R - 1)^2 / R without the fraction is R - 2.
          let square = [1 << 52 - 2] + ones.dropFirst()
          #expect(found == Self.pair(product, square), "wide: \(isWide)")
        }
      }
    }

    private static var widths: [Bool] {
      RSAImplementation.available.compactMap { $0 == .portable ? nil : $0 == .wideIFMA }
    }

    private static func digits(_ name: String, of vector: VectorRecord) throws -> [UInt64] {
      try vector.text(name).split(separator: " ").map { try #require(UInt64($0, radix: 16)) }
    }

    /// Whole vectors of 512 bits for each number.
    private static func pair(_ first: [UInt64], _ second: [UInt64]) -> [UInt64] {
      let zeros = [UInt64](repeating: 0, count: (8 - first.count % 8) % 8)
      return first + zeros + second + zeros
    }

    private static func result(
      _ a: [UInt64], _ b: [UInt64],
      _ multiply: (
        UnsafeMutablePointer<UInt64>, UnsafePointer<UInt64>, UnsafePointer<UInt64>,
        UnsafePointer<UInt64>
      ) -> Void
    ) -> [UInt64] {
      let zeros = [UInt64](repeating: 0, count: (8 - a.count % 8) % 8)
      let modulus = [UInt64](repeating: 1 << 52 - 1, count: a.count + zeros.count)
      var result = [UInt64](repeating: 0, count: modulus.count)
      let (left, right) = (a + zeros, b + zeros)
      // Safety: each is as long as the kernel requires.
      unsafe multiply(&result, left, right, modulus)
      return Array(result.prefix(a.count))
    }
  }
#endif
