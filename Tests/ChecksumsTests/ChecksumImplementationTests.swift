// SPDX-License-Identifier: Apache-2.0
// Which way of computing checksums this machine has: it is found, used and tested.

@testable internal import Checksums
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Implementations of checks")
struct ChecksumImplementationTests {
  #if HardwareAcceleration && (os(Linux) || os(Android) || canImport(Darwin) && arch(arm64))
    @Test("With the trait on, the instructions that this machine has are found, and used first")
    func machine() throws {
      let expected = try implementationNames() + ["portable"]
      #expect(CRCImplementation.available.map(\.name) == expected)
      #expect(CRCImplementation.current.name == expected.first)
      #expect(CRC32.implementationName == expected.first)
    }
  #elseif !HardwareAcceleration
    @Test("With the trait off, the tables are the only way")
    func machine() {
      #expect(CRCImplementation.current == .portable)
      #expect(CRCImplementation.available == [.portable])
    }
  #endif

  @Test("Each has a name that's documented, and prints as it")
  func names() {
    #expect(CRCImplementation.portable.name == "portable")
    #expect(CRCImplementation.available.last == .portable)
    for implementation in CRCImplementation.available {
      #expect(["portable", "x86-vpclmul", "x86-pclmul", "arm-pmull"].contains(implementation.name))
      #expect("\(implementation)" == implementation.name)
    }
  }

  @Test("A check uses the current implementation, or the one that you pass")
  func choice() {
    #expect(CRC32().register.implementation == .current)
    #expect(CRC32C().register.implementation == .current)
    #expect(CRC64NVME().register.implementation == .current)
    for implementation in CRCImplementation.available {
      var check = CRC64NVME(implementation: implementation)
      check.update(data: [1, 2, 3] as [UInt8])
      #expect(check.register.implementation == implementation)
    }
  }
}

#if HardwareAcceleration
  extension ChecksumImplementationTests {
    /// The expected names of the implementations here, the fastest first.
    func implementationNames() throws -> [String] {
      #if !CompilerBuiltins
        return []
      #elseif canImport(Darwin)
        // Every arm64 processor of Apple has the instruction.
        return ["arm-pmull"]
      #elseif arch(x86_64)
        let flags = try ProcessorDescription.words(of: "flags")
        if !flags.isSuperset(of: ["pclmulqdq", "sse4_2"]) { return [] }
        let hasVectors = flags.isSuperset(of: ["vpclmulqdq", "avx2"])
        return hasVectors ? ["x86-vpclmul", "x86-pclmul"] : ["x86-pclmul"]
      #elseif arch(arm64)
        return try ProcessorDescription.words(of: "Features").contains("pmull") ? ["arm-pmull"] : []
      #else
        return []
      #endif
    }
  }
#endif
