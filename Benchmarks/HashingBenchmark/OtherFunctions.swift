// SPDX-License-Identifier: Apache-2.0
// SHA-512, XXH64 and XXH3 of one message, compared with OpenSSL and libxxhash if they're found.

internal import BenchmarkSupport
internal import Checksums
internal import Foundation
internal import SecureHashing

struct OtherFunctions {
  private var contests: [Contest] = []

  /// Who is missing, and why.
  private(set) var leftOut: [String] = []

  /// A function, who computes it, and its outputs by the sizes of messages.
  private struct Contest {
    let operation: String
    var entrants: [HashingEntrant]
    let outputs: [Int: String]
  }

  init(_ openSSL: OpenSSLLibrary?, _ peers: [HashingPeer]) {
    addSHA512(openSSL, peers)
    let library = XXHashLibrary()
    if library == nil { leftOut.append("libxxhash is left out: it was not found") }
    addXXHash(library)
  }

  /// The contests in all sizes.
  var trials: [Trial] {
    contests.flatMap { contest in
      MessagePair.byteCounts.map { byteCount in
        let messages = MessagePair(byteCount: byteCount, isKeyed: false)
        return Trial(
          operation: contest.operation, bytes: byteCount, messages: 1,
          // The peer, if any, follows the library's choice.
          baseline: contest.entrants[1].name,
          contenders: contest.entrants.map { $0.single(messages) },
          expected: (try? Hexadecimal.decode(contest.outputs[byteCount] ?? "")) ?? [])
      }
    }
  }

  private mutating func addSHA512(_ openSSL: OpenSSLLibrary?, _ peers: [HashingPeer]) {
    var entrants = [HashingEntrant("swift-sigv4", SwiftSHA512(implementation: .current))]
    do {
      if let openSSL {
        entrants.append(
          HashingEntrant(
            "openssl-low-level", OpenSSLSHA512(digest: try OpenSSLLowLevelDigest(openSSL, "SHA512"))
          )
        )
      }
    } catch {
      leftOut.append("openssl-low-level is left out: \(error.description)")
    }
    entrants.append(
      HashingEntrant("swift-sigv4-portable", SwiftSHA512(implementation: .portable)))
    for implementation in SHA512Implementation.available where implementation != .portable {
      entrants.append(
        HashingEntrant(implementation.name, SwiftSHA512(implementation: implementation)))
    }
    entrants += peers.map { HashingEntrant($0.name, $0.sha512) }
    contests.append(
      Contest(operation: "sha512", entrants: entrants, outputs: KnownOutputs.sha512))
  }

  private mutating func addXXHash(_ library: XXHashLibrary?) {
    contests.append(
      Contest(
        operation: "xxh64",
        entrants: [HashingEntrant("swift-sigv4", SwiftXXHash64())]
          + (library.map { [HashingEntrant("libxxhash", LibraryXXHash64(library: $0))] } ?? [])
          + [HashingEntrant("swift-sigv4-portable", SwiftXXHash64())],
        outputs: KnownOutputs.xxHash64))
    contests.append(
      Contest(
        operation: "xxh3",
        entrants: [HashingEntrant("swift-sigv4", SwiftXXHash3())]
          + (library.map { [HashingEntrant("libxxhash", LibraryXXHash3(library: $0))] } ?? [])
          + Self.kernels.map { HashingEntrant($0, SwiftXXHash3Kernel(implementation: $1)) },
        outputs: KnownOutputs.xxHash3))
    contests.append(
      Contest(
        operation: "xxh128",
        entrants: [HashingEntrant("swift-sigv4", SwiftXXHash128())]
          + (library.map { [HashingEntrant("libxxhash", LibraryXXHash128(library: $0))] } ?? [])
          + Self.kernels.map { HashingEntrant($0, SwiftXXHash128Kernel(implementation: $1)) },
        outputs: KnownOutputs.xxHash128))
  }

  /// The portable loop, and what else this processor can run.
  private static var kernels: [(String, XXHash3Implementation)] {
    [("swift-sigv4-portable", .portable)]
      + XXHash3Implementation.available.filter { $0 != .current && $0 != .portable }
      .map { ($0.name, $0) }
  }
}

// MARK: - This package

extension SHA512Implementation {
  /// The name of the contender.
  var name: String {
    switch self {
    case .avx512: "x86-avx512"
    case .avx2: "x86-avx2"
    case .portable: "portable"
    }
  }
}

struct SwiftSHA512: MessageFunction {
  static var byteCount: Int { 64 }
  let implementation: SHA512Implementation

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 64 bytes of output.
    let digest = unsafe SHA512(implementation: implementation).finalize(appending: message)
    unsafe output.storeBytes(of: digest, as: SHA512.Digest.self)
  }
}

struct SwiftXXHash64: MessageFunction {
  static var byteCount: Int { 8 }

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 8 bytes of output.
    let sum = unsafe XXHash64Checksum.checksum(bufferPointer: message)
    unsafe output.storeBytes(of: sum.bigEndian, as: UInt64.self)
  }
}

struct SwiftXXHash3: MessageFunction {
  static var byteCount: Int { 8 }

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 8 bytes of output.
    let sum = unsafe XXHash3Checksum.checksum(bufferPointer: message)
    unsafe output.storeBytes(of: sum.bigEndian, as: UInt64.self)
  }
}

struct SwiftXXHash3Kernel: MessageFunction {
  static var byteCount: Int { 8 }
  let implementation: XXHash3Implementation

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 8 bytes of output.
    let sum = unsafe XXHash3Checksum.checksum(
      bufferPointer: message, implementation: implementation)
    unsafe output.storeBytes(of: sum.bigEndian, as: UInt64.self)
  }
}

struct SwiftXXHash128: MessageFunction {
  static var byteCount: Int { 16 }

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 16 bytes of output.
    let sum = unsafe XXHash128Checksum.checksum(bufferPointer: message)
    unsafe output.storeBytes(of: sum.high.bigEndian, as: UInt64.self)
    unsafe output.storeBytes(of: sum.low.bigEndian, toByteOffset: 8, as: UInt64.self)
  }
}

struct SwiftXXHash128Kernel: MessageFunction {
  static var byteCount: Int { 16 }
  let implementation: XXHash3Implementation

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 16 bytes of output.
    let sum = unsafe XXHash128Checksum.checksum(
      bufferPointer: message, implementation: implementation)
    unsafe output.storeBytes(of: sum.high.bigEndian, as: UInt64.self)
    unsafe output.storeBytes(of: sum.low.bigEndian, toByteOffset: 8, as: UInt64.self)
  }
}
