// SPDX-License-Identifier: Apache-2.0
// Which way of computing checksums this machine has: it is found, used and tested.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Implementations of checks")
struct ChecksumImplementationTests {
  #if HardwareAcceleration && (os(Linux) || os(Android) || canImport(Darwin) && arch(arm64))
    @Test("With the trait on, the instructions that this machine has are found, and used first")
    func machine() throws {
      let expected = try ProcessorFeatures.checkImplementationNames() + ["portable"]
      #expect(CRC32.Implementation.available.map(\.name) == expected)
      #expect(CRC32.Implementation.current.name == expected.first)
    }
  #elseif !HardwareAcceleration
    @Test("With the trait off, the tables are the only way")
    func machine() {
      #expect(CRC32.Implementation.current == .portable)
      #expect(CRC32.Implementation.available == [.portable])
    }
  #endif

  @Test("Each has a name that's documented, and prints as it")
  func names() {
    #expect(CRC32.Implementation.portable.name == "portable")
    #expect(CRC32.Implementation.available.last == .portable)
    for implementation in CRC32.Implementation.available {
      #expect(["portable", "x86-vpclmul", "x86-pclmul", "arm-pmull"].contains(implementation.name))
      #expect("\(implementation)" == implementation.name)
    }
  }

  @Test("A check uses the current implementation, or the one that you pass")
  func choice() {
    #expect(CRC32().implementation == .current)
    #expect(CRC32C().implementation == .current)
    #expect(CRC64NVME().implementation == .current)
    for implementation in CRC32.Implementation.available {
      var check = CRC64NVME(implementation: implementation)
      check.update(data: [1, 2, 3] as [UInt8])
      #expect(check.implementation == implementation)
    }
  }
}

#if HardwareAcceleration
  extension ProcessorFeatures {
    /// The expected names of the implementations here, the fastest first.
    static func checkImplementationNames() throws -> [String] {
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
