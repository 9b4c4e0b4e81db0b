// SPDX-License-Identifier: Apache-2.0
// The contenders: this package first, and then those found on this machine.

internal import BenchmarkSupport
internal import SecureHashing

struct LineUp {
  private(set) var entrants: [HashingEntrant] = []
  /// The missing contenders, and why.
  private(set) var leftOut: [String] = []

  /// The contenders in SHA-256.
  static func digests(_ openSSL: OpenSSLLibrary?, _ peers: [HashingPeer]) -> LineUp {
    var lineUp = LineUp()
    lineUp.enter(HashingEntrant("swift-sigv4", SwiftDigest()))
    lineUp.enter(HashingEntrant("swift-sigv4-portable", SwiftKernelDigest(.portable)))
    for kernel in SHA256.Implementation.available where kernel.name.hasPrefix("x86-avx") {
      lineUp.enter(HashingEntrant(kernel.name, SwiftKernelDigest(kernel)))
    }
    if let openSSL {
      lineUp.enter("openssl-low-level") { name throws(OpenSSLLibrary.MissingFunction) in
        HashingEntrant(name, try OpenSSLLowLevelDigest(openSSL))
      }
      lineUp.enter("openssl-evp") { name throws(OpenSSLLibrary.MissingFunction) in
        HashingEntrant(name, try OpenSSLEnvelopeDigest(openSSL))
      }
    }
    #if canImport(CryptoKit)
      lineUp.enter(HashingEntrant("cryptokit", CryptoKitDigest()))
    #endif
    for peer in peers { lineUp.enter(HashingEntrant(peer.name, peer.sha256)) }
    return lineUp
  }

  /// The contenders in HMAC-SHA-256, each with this key prepared once.
  static func codes(
    key: [UInt8], _ openSSL: OpenSSLLibrary?, _ peers: [HashingPeer]
  ) -> LineUp {
    var lineUp = LineUp()
    lineUp.enter(HashingEntrant("swift-sigv4", SwiftCode(key, .current)))
    lineUp.enter(HashingEntrant("swift-sigv4-portable", SwiftCode(key, .portable)))
    if let openSSL {
      lineUp.enter("openssl-hmac-ctx") { name throws(OpenSSLLibrary.MissingFunction) in
        HashingEntrant(name, try OpenSSLContextCode(openSSL, key: key))
      }
      lineUp.enter("openssl-evp-mac") { name throws(OpenSSLLibrary.MissingFunction) in
        HashingEntrant(name, try OpenSSLEnvelopeCode(openSSL, key: key))
      }
    }
    #if canImport(CryptoKit)
      lineUp.enter(HashingEntrant("cryptokit", CryptoKitCode(key)))
    #endif
    for peer in peers { lineUp.enter(HashingEntrant(peer.name, peer.code(key: key))) }
    return lineUp
  }

  /// Every kernel that this build and this processor can run, alone.
  static var kernels: LineUp {
    var lineUp = LineUp()
    for kernel in SHA256.Implementation.available {
      lineUp.enter(HashingEntrant("the kernel \(kernel.name)", SwiftKernelDigest(kernel)))
    }
    return lineUp
  }

  private mutating func enter(_ entrant: HashingEntrant) {
    entrants.append(entrant)
  }

  private mutating func enter(
    _ name: String,
    _ make: (_ name: String) throws(OpenSSLLibrary.MissingFunction) -> HashingEntrant
  ) {
    do {
      entrants.append(try make(name))
    } catch {
      leftOut.append("\(name) is left out: \(error.description)")
    }
  }
}
