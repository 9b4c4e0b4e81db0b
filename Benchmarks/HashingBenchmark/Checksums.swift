// SPDX-License-Identifier: Apache-2.0
// CRC-32 by every implementation of this package, compared with zlib and libdeflate if they're
// found.

internal import BenchmarkSupport
internal import Checksums

/// The other checks of this package differ only in their constants, except CRC-32C of up to 256
/// bytes, for which x86-64 has an instruction.
@safe
struct Checksums {
  private typealias Zlib =
    @convention(c) (CUnsignedLong, UnsafeRawPointer?, CUnsignedInt) -> CUnsignedLong
  private typealias Libdeflate = @convention(c) (UInt32, UnsafeRawPointer?, Int) -> UInt32

  private let zlib: Zlib?
  private let libdeflate: Libdeflate?

  init() {
    // Safety: the types match zlib.h and libdeflate.h.
    unsafe zlib = SharedLibrary(["libz.so.1", "libz.1.dylib"])?.function("crc32")
    unsafe libdeflate = SharedLibrary(["libdeflate.so.0", "libdeflate.0.dylib"])?
      .function("libdeflate_crc32")
  }

  /// Who is missing.
  var leftOut: [String] {
    let absent = unsafe [("zlib", zlib == nil), ("libdeflate", libdeflate == nil)]
    return absent.filter(\.1).map { "\($0.0) is left out: it was not found" }
  }

  /// The contests in all sizes.
  var trials: [Trial] { MessagePair.byteCounts.map(trial) }

  private func trial(_ byteCount: Int) -> Trial {
    let message = MessagePair(byteCount: byteCount, isKeyed: false).first
    var contenders = Self.ours.map { name, implementation in
      unsafe Self.contender(name, message) {
        var check = CRC32(implementation: implementation)
        unsafe check.update(bufferPointer: $0)
        return check.finalize()
      }
    }
    // Safety: the libraries read the bytes of the message.
    if let crc32 = unsafe zlib {
      contenders.append(
        unsafe Self.contender("zlib", message) {
          unsafe UInt32(truncatingIfNeeded: crc32(0, $0.baseAddress, CUnsignedInt($0.count)))
        })
    }
    if let crc32 = unsafe libdeflate {
      contenders.append(
        unsafe Self.contender("libdeflate", message) { unsafe crc32(0, $0.baseAddress, $0.count) })
    }
    return Trial(
      operation: "crc32", bytes: byteCount, messages: 1,
      baseline: unsafe zlib == nil ? "swift-sigv4-portable" : "zlib", contenders: contenders,
      expected: CRC32.bigEndianBytes(of: Self.checksums[byteCount] ?? 0))
  }

  /// The library's choice, the others that this processor can run, and the tables.
  private static var ours: [(name: String, implementation: CRCImplementation)] {
    let others = CRCImplementation.available.filter { $0 != .current && $0 != .portable }
    return [("swift-sigv4", .current)] + others.map { ($0.name, $0) }
      + [("swift-sigv4-portable", .portable)]
  }

  private static func contender(
    _ name: String, _ message: ByteBuffer, _ checksum: @escaping (UnsafeRawBufferPointer) -> UInt32
  ) -> Contender {
    let output = ByteBuffer(byteCount: 4)
    return Contender(
      name: name,
      run: { repetitions in
        // Safety: the buffers are kept by this closure, and there are 4 bytes of output.
        for _ in 0..<repetitions {
          let checksum = unsafe checksum(UnsafeRawBufferPointer(message.bytes))
          unsafe output.start.storeBytes(of: checksum.bigEndian, as: UInt32.self)
        }
      }, output: { output.array })
  }

  /// Computed by Python's zlib, of the first messages of `MessagePair`.
  private static let checksums: [Int: UInt32] = [
    64: 0x44d2_4382, 256: 0x9cb6_4e90, 1 << 10: 0xd117_9e48, 1 << 14: 0xfd48_e89f,
    1 << 20: 0x4c31_2e16,
  ]
}
