// SPDX-License-Identifier: Apache-2.0
// The registry of implementations: those of this machine are found, used and tested.

internal import Checksums
internal import Foundation
@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("SHA-256 implementations")
struct SHA256ImplementationTests {
  #if HardwareAcceleration && (os(Linux) || os(Android) || canImport(Darwin) && arch(arm64))
    @Test("With the trait on, the instructions that this machine has are found, and used first")
    func machine() throws {
      let expected = try ProcessorFeatures.implementationNames()
      #expect(SHA256.Implementation.current.name == expected.first)
      #expect(SHA256.Implementation.available.map(\.name) == expected)
      #expect(
        try SHA256.Implementation.current.laneCount == ProcessorFeatures.laneCount(of: expected))
      atexit { Swift.print(ProcessorFeatures.report) }
    }
  #elseif !HardwareAcceleration
    @Test("With the trait off, the portable kernel is the only one")
    func machine() {
      #expect(SHA256.Implementation.current == .portable)
      #expect(SHA256.Implementation.available == [.portable])
    }
  #endif

  @Test("The current implementation comes first, the portable one last, and no name twice")
  func order() {
    let available = SHA256.Implementation.available
    #expect(available.first == .current)
    #expect(available.last == .portable)
    #expect(Set(available).count == available.count)
    #expect(Set(available.map(\.name)).count == available.count)
  }

  @Test("Each has a name that's documented, and prints as it")
  func names() {
    #expect(SHA256.Implementation.portable.name == "portable")
    for implementation in SHA256.Implementation.available {
      let names = [
        "x86-sha", "arm-sha2", "x86-avx512vl", "x86-avx512", "x86-avx2", "vectors", "portable",
      ]
      #expect(names.contains(implementation.name))
      #expect("\(implementation)" == implementation.name)
    }
  }

  @Test("A computation uses the current implementation, or the one that you pass")
  func choice() {
    #expect(SHA256().implementation == .current)
    let key = SymmetricKey(data: "key".utf8)
    #expect(HMAC<SHA256>(key: key).inner.implementation == .current)
    #expect(HMAC<SHA256>(key: HMAC<SHA256>.PreparedKey(key)).outer.implementation == .current)
    for implementation in SHA256.Implementation.available {
      var computation = SHA256(implementation: implementation)
      #expect(computation.implementation == implementation)
      computation.update(data: [UInt8](repeating: 7, count: 100))
      #expect(computation.implementation == implementation)
      expectBoth(HMAC(key: key, implementation: implementation), use: implementation)
      let prepared = HMAC<SHA256>.PreparedKey(key, implementation: implementation)
      expectBoth(HMAC(key: prepared), use: implementation)
    }
  }

  func expectBoth(_ computation: HMAC<SHA256>, use implementation: SHA256.Implementation) {
    #expect(computation.inner.implementation == implementation)
    #expect(computation.outer.implementation == implementation)
  }
}

extension SHA256.Implementation {
  /// The available ones, and sixteen lanes wherever there is AVX-512: on Intel's processors they
  /// compute the same, but slow down other work, so nothing chooses them there.
  static var runnable: [Self] {
    let isMissing = Processor.hasAVX512 && !Processor.hasWideAVX512
    return available + (isMissing ? [Self(kernel: .wideAVX512)] : [])
  }
}

#if HardwareAcceleration
  /// The operating system's description of the processor, a source independent of the library's.
  enum ProcessorFeatures {
    /// The expected names of the implementations here, in order.
    static func implementationNames() throws -> [String] {
      #if canImport(Darwin)
        // Every arm64 processor of Apple has the SHA2 instructions.
        return ["arm-sha2", "vectors", "portable"]
      #elseif arch(x86_64)
        // Linux names only instructions that the system lets programs use.
        let flags = try ProcessorDescription.words(of: "flags")
        var names: [String] = []
        if flags.isSuperset(of: ["sha_ni", "ssse3", "sse4_1"]) { names.append("x86-sha") }
        #if CompilerBuiltins
          if flags.isSuperset(of: ["avx512f", "avx512bw", "avx512vl", "bmi1", "bmi2"]) {
            names.append("x86-avx512vl")
            if try ProcessorDescription.words(of: "vendor_id").contains("AuthenticAMD") {
              names.append("x86-avx512")
            }
          }
          if flags.isSuperset(of: ["avx2", "bmi1", "bmi2"]) { names.append("x86-avx2") }
        #endif
        return names + ["vectors", "portable"]
      #elseif arch(arm64)
        let isThere = try ProcessorDescription.words(of: "Features").contains("sha2")
        return (isThere ? ["arm-sha2"] : []) + ["vectors", "portable"]
      #else
        return ["vectors", "portable"]
      #endif
    }

    /// The number of messages hashed in parallel with these implementations: as measured, SHA
    /// instructions hash two at a time, unless lanes are faster.
    static func laneCount(of names: [String]) throws -> Int {
      let laneCounts = ["x86-avx512vl": 8, "x86-avx2": 8, "vectors": 4, "portable": 1]
      guard names.first == "x86-sha" else { return names.first.flatMap { laneCounts[$0] } ?? 2 }
      if !names.contains("x86-avx512vl") { return 2 }
      if !names.contains("x86-avx512") { return 8 }
      return try #require(ProcessorDescription.words(of: "cpu family").first.flatMap { Int($0) })
        >= 26 ? 16 : 2
    }

    /// The implementations that ran and those that didn't, printed after all tests.
    static var report: String {
      let hashes = SHA256.Implementation.runnable.map(\.name)
      let checks = CRCImplementation.available.map(\.name)
      #if arch(x86_64)
        let known = [
          "x86-sha", "x86-avx512vl", "x86-avx512", "x86-avx2", "x86-vpclmul", "x86-pclmul",
        ]
      #else
        let known = ["arm-sha2", "arm-pmull"]
      #endif
      let missing = known.filter { !(hashes + checks).contains($0) }
      return "SHA-256 was tested as \(hashes.joined(separator: ", ")); "
        + "CRC as \(checks.joined(separator: ", "))."
        + (missing.isEmpty
          ? ""
          : " This processor cannot run \(missing.joined(separator: ", ")): "
            + "docs/explanation/hardware-kernels.md says where that ran.")
    }
  }
#endif
