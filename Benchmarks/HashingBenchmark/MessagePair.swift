// SPDX-License-Identifier: Apache-2.0
// Two messages and what their digests or codes are.

internal import BenchmarkSupport
internal import SecureHashing

struct MessagePair {
  let first: ByteBuffer
  let second: ByteBuffer
  let firstOutput: [UInt8]
  let secondOutput: [UInt8]

  /// Messages with the outputs that somebody else has published or computed, in hexadecimal.
  init(
    _ first: some Collection<UInt8>, _ second: some Collection<UInt8>, outputs: (String, String)
  ) {
    self.first = ByteBuffer(first)
    self.second = ByteBuffer(second)
    firstOutput = (try? Hexadecimal.decode(outputs.0)) ?? []
    secondOutput = (try? Hexadecimal.decode(outputs.1)) ?? []
  }
}

extension MessagePair {
  /// The sizes that are measured.
  static let byteCounts = [64, 256, 1 << 10, 1 << 14, 1 << 20]

  /// The key of all measured codes: the bytes 0 to 31.
  static let key = [UInt8](0..<32)

  /// The messages of one of the sizes. Byte i of the first one is 31 i + i / 256, of the second one
  /// 17 i + i / 256 + 1, modulo 256.
  init(byteCount: Int, isKeyed: Bool) {
    let indices = 0..<byteCount
    let outputs = isKeyed ? Self.codes[byteCount] : Self.digests[byteCount]
    self.init(
      indices.map { UInt8(truncatingIfNeeded: 31 &* $0 &+ $0 >> 8) },
      indices.map { UInt8(truncatingIfNeeded: 17 &* $0 &+ $0 >> 8 &+ 1) },
      outputs: outputs ?? ("", ""))
  }

  /// Computed by Python's hashlib.
  private static let digests = [
    64: (
      "a08f82c23e6c13629d8e33d0d2a13005fb104363eb793b5e8842044951d27764",
      "87cf1b78d090f669cfdf732a0e8325c661825cf656b1ce8ac7f8f033ca4e14c2"
    ),
    256: (
      "41b5522dfcce5e658659f6d0f7d12e0122b2489b86da252d1ae3d85d98e7179e",
      "48f18c0a345005d5bc3bdb94c53df6cc89b454cdee4f2830292cc2d886abc00c"
    ),
    1 << 10: (
      "e577987572edcdbaa752f9bdcbbe6e86dfe78063e6ee15125c6f8a19d517ac17",
      "b922884509ebecfb6337cd83ba2da20bbaf0468717e0924770a4ba061c30d608"
    ),
    1 << 14: (
      "83a5ee9c1db0b82ae94961fee75a195f6104c65235c07590569657709c1316e8",
      "3537a95f9da778f26e2fb13f829eae631fdcba67ed12a8df4f95318171bc0055"
    ),
    1 << 20: (
      "f6a34d4c79c3d12c297589206bf216b084347471a53ea5e7fe9a46bd1230f098",
      "5beba662318c3e3556f195b4bea2d0878fbbc60fa5af7036b6d972599fdd43d1"
    ),
  ]

  /// Computed by Python's hmac, with the key above.
  private static let codes = [
    64: (
      "80915909a118ffa3ec4a9261d88dd3c4d9fea1fbd3023086d98dcbbcf4484518",
      "d67484099ab0ba4052397023d54e072701d6c95b34f944c588abe665b22db9ef"
    ),
    256: (
      "21e6f035ee1fdc9a2503de6974a56f9ea2885d981398e78f6120656127824776",
      "eae872899fc17a4918f6a0e9a19bed32cb51256f7e63847b31f6728c062110de"
    ),
    1 << 10: (
      "b58a16d6c6afcf8f97b79f9eb31c949cd3aade30e44e413997d670ccff794313",
      "724eb5f25349d59a70a16f7dc7e8128491f6c3d88d53dd2f7b42417ad9059fc4"
    ),
    1 << 14: (
      "195ecc7264db153349bcb63247ecbe675a06879a37564d5a36af6d66096a0d42",
      "234b04f3592adfc971efd55d807f0a8cdf427f3f9cc90e9bca0bfea197e3956a"
    ),
    1 << 20: (
      "116b1a3fe03003896b63e403c02171cf21b565f5b506e18c0692497ab5fb5ecc",
      "6a4fed4d49b9bfc8ca29d0869bcff0c34148f5d53d3e72febd57992f1a1e5437"
    ),
  ]
}
