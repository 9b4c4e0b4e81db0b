// SPDX-License-Identifier: Apache-2.0
// The functions of a Swift package of another project, which are C functions in a loaded library.

internal import BenchmarkSupport

/// A loaded package (`HashingPackage`). Its functions are those in `Peers`.
@safe
struct HashingPeer {
  typealias Hash = @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer) -> Void
  typealias MakeKey = @convention(c) (UnsafeRawPointer?, Int) -> UnsafeMutableRawPointer
  typealias Code =
    @convention(c) (UnsafeRawPointer, UnsafeRawPointer?, Int, UnsafeMutableRawPointer) -> Void

  let name: String
  let version: String

  private let hash256: Hash
  private let hash512: Hash
  private let makeKey: MakeKey
  private let code: Code

  init?(name: String, version: String, _ library: SharedLibrary) {
    guard let hash256: Hash = unsafe library.function("peer_sha256"),
      let hash512: Hash = unsafe library.function("peer_sha512"),
      let makeKey: MakeKey = unsafe library.function("peer_key"),
      let code: Code = unsafe library.function("peer_hmac_sha256")
    else { return nil }
    self.name = name
    self.version = version
    // Safety: the types match the files in Peers.
    unsafe self.hash256 = hash256
    unsafe self.hash512 = hash512
    unsafe self.makeKey = makeKey
    unsafe self.code = code
  }

  var sha256: PeerSHA256 { unsafe PeerSHA256(hash: hash256) }

  var sha512: PeerSHA512 { unsafe PeerSHA512(hash: hash512) }

  /// HMAC-SHA-256 with a key prepared once, which is never released.
  func code(key: [UInt8]) -> PeerCode {
    // Safety: the peer copies the key.
    unsafe PeerCode(key: makeKey(key, key.count), code: code)
  }
}

@safe
struct PeerSHA256: MessageFunction {
  let hash: HashingPeer.Hash

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 32 bytes of output.
    unsafe hash(message.baseAddress, message.count, output)
  }
}

@safe
struct PeerSHA512: MessageFunction {
  static var byteCount: Int { 64 }
  let hash: HashingPeer.Hash

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 64 bytes of output.
    unsafe hash(message.baseAddress, message.count, output)
  }
}

@safe
struct PeerCode: MessageFunction {
  let key: UnsafeMutableRawPointer
  let code: HashingPeer.Code

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 32 bytes of output, and the key is never released.
    unsafe code(key, message.baseAddress, message.count, output)
  }
}
