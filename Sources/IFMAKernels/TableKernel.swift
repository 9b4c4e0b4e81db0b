// SPDX-License-Identifier: Apache-2.0
// Selection from a table, for processors with AVX-512 F, VL, BW, DQ and IFMA, BMI1 and BMI2.

#if arch(x86_64) && !hasFeature(Embedded)
  /// Selection in 512-bit vectors if `isWide` is true, and otherwise in 256-bit vectors. The rules
  /// of ``MontgomeryKernel`` apply.
  package enum TableKernel {
    // Safety, throughout this file: guaranteed by the caller.

    /// Selects an entry of a table, whose entries have 24, 32 or 40 words and start every `stride`
    /// words. Reads every entry.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func select(
      _ result: UnsafeMutablePointer<UInt64>, _ index: UInt64, of entryCount: Int,
      _ table: UnsafePointer<UInt64>, _ wordCount: Int, stride: Int, _ isWide: Bool
    ) {
      @inline(__always) func select(_ vectorCount: Int) {
        if isWide {
          unsafe selectVectors(
            SIMD8<UInt64>.self, vectorCount, result, index, of: entryCount, table, stride)
        } else {
          let half = 4 &* vectorCount
          unsafe selectVectors(
            SIMD4<UInt64>.self, vectorCount, result, index, of: entryCount, table, stride)
          unsafe selectVectors(
            SIMD4<UInt64>.self, vectorCount, result + half, index, of: entryCount, table + half,
            stride)
        }
      }
      switch wordCount {
      case 24: select(3)
      case 32: select(4)
      default: select(5)
      }
    }

    /// Selects 3, 4 or 5 vectors.
    @inline(__always)
    private static func selectVectors<Vector: SIMD<UInt64> & BitwiseCopyable>(
      _: Vector.Type, _ vectorCount: Int, _ result: UnsafeMutablePointer<UInt64>,
      _ index: UInt64, of entryCount: Int, _ table: UnsafePointer<UInt64>, _ stride: Int
    ) {
      let zero = Vector.zero
      var (a, b, c, d, e) = (zero, zero, zero, zero, zero)
      var position: UInt64 = 0
      while position < UInt64(truncatingIfNeeded: entryCount) {
        // All bits are set if the positions are equal, because only 0 has a negative predecessor.
        let mask = Vector(repeating: 0 &- (((position ^ index) &- 1) &>> 63))
        let entry = unsafe table + Int(truncatingIfNeeded: position) &* stride
        @inline(__always) func vector(_ place: Int) -> Vector {
          unsafe UnsafeRawPointer(entry + place &* Vector.scalarCount)
            .loadUnaligned(as: Vector.self) & mask
        }
        (a, b, c) = (a | vector(0), b | vector(1), c | vector(2))
        if vectorCount > 3 { d |= vector(3) }
        if vectorCount > 4 { e |= vector(4) }
        position &+= 1
      }
      @inline(__always) func store(_ vector: Vector, _ place: Int) {
        unsafe UnsafeMutableRawPointer(result + place &* Vector.scalarCount)
          .storeBytes(of: vector, as: Vector.self)
      }
      store(a, 0)
      store(b, 1)
      store(c, 2)
      if vectorCount > 3 { store(d, 3) }
      if vectorCount > 4 { store(e, 4) }
    }
  }
#endif
