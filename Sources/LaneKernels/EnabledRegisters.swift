// SPDX-License-Identifier: Apache-2.0
// The registers that the operating system saves when it switches threads.

#if CompilerBuiltins && arch(x86_64) && !hasFeature(Embedded)
  internal import Builtin

  /// The registers that programs can use, in addition to those that every x86-64 processor has.
  package enum EnabledRegisters {
    /// Reads XCR0 (Intel, Software Developer's Manual, volume 1, 13.3). The caller must have
    /// checked that the system uses XSAVE: bit 27 of ECX in leaf 1 of CPUID.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func components() -> UInt64 {
      UInt64(Builtin.int_x86_xgetbv(UInt32(0)._value))
    }
  }
#endif
