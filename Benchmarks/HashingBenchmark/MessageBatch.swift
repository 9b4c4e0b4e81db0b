// SPDX-License-Identifier: Apache-2.0
// Many messages at once, and the contest in hashing them.

internal import BenchmarkSupport
internal import SecureHashing

/// Messages of one size, a key for each, and what their digests and codes are.
@safe
struct MessageBatch {
  struct Size: Hashable {
    let count: Int
    let byteCount: Int
  }

  /// The sizes that are measured.
  static let sizes = [5, 16, 100, 1_000].flatMap { count in
    [64, 700, 1 << 14].map { Size(count: count, byteCount: $0) }
  }

  let size: Size
  let buffers: [ByteBuffer]
  let keys: [[UInt8]]

  /// The messages in the buffers' memory, valid as long as the buffers.
  let messages: [UnsafeRawBufferPointer]

  /// Byte i of message m is 31 i + i / 256 + 7 m, byte j of its key 5 m + j, modulo 256.
  init(_ size: Size) {
    self.size = size
    buffers = (0..<size.count).map { m in
      ByteBuffer(
        (0..<size.byteCount).map { UInt8(truncatingIfNeeded: 31 &* $0 &+ $0 >> 8 &+ 7 &* m) })
    }
    keys = (0..<size.count).map { m in
      (0..<32).map { UInt8(truncatingIfNeeded: 5 &* m &+ $0) }
    }
    unsafe messages = buffers.map { unsafe UnsafeRawBufferPointer($0.bytes) }
  }

  /// The contest in all digests, which come to one digest over them.
  func digests(
    _ openSSL: OpenSSLLibrary?, _ peers: [HashingPeer]
  ) throws(BenchmarkError) -> Trial {
    var contenders = SHA256.Implementation.available.map { implementation in
      unsafe contender(Self.name(implementation)) { messages in
        unsafe SHA256.hashBatch(messages, implementation: implementation)
      }
    }
    var baseline: String?
    if let openSSL, let function = try? OpenSSLLowLevelDigest(openSSL) {
      baseline = "openssl-low-level"
      contenders.append(oneByOne("openssl-low-level") { _ in function })
    }
    contenders += peers.map { peer in oneByOne(peer.name) { _ in peer.sha256 } }
    return trial("sha256-batch", contenders, Self.digests[size], baseline)
  }

  /// The contest in codes, each with its own prepared key.
  func codes(
    _ openSSL: OpenSSLLibrary?, _ peers: [HashingPeer]
  ) throws(BenchmarkError) -> Trial {
    var contenders = SHA256.Implementation.available.map { implementation in
      let items = unsafe zip(messages, keys).map { message, key in
        let key = SymmetricKey(data: key)
        return unsafe (
          message: message,
          key: HMAC<SHA256>.PreparedKey(key, implementation: implementation)
        )
      }
      return unsafe contender(Self.name(implementation)) { _ in
        unsafe HMAC<SHA256>.authenticationCodeBatch(for: items).map(\.digest)
      }
    }
    var baseline: String?
    if let openSSL {
      let functions = keys.compactMap { try? OpenSSLContextCode(openSSL, key: $0) }
      if functions.count == keys.count {
        baseline = "openssl-hmac-ctx"
        contenders.append(oneByOne("openssl-hmac-ctx") { functions[$0] })
      }
    }
    contenders += peers.map { peer in
      let functions = keys.map(peer.code)
      return oneByOne(peer.name) { functions[$0] }
    }
    return trial("hmac-sha256-batch", contenders, Self.codes[size], baseline)
  }

  private func trial(
    _ operation: String, _ contenders: [Contender], _ expected: String?, _ baseline: String?
  ) -> Trial {
    Trial(
      operation: "\(operation)-\(size.count)", bytes: size.byteCount, messages: size.count,
      baseline: baseline ?? "swift-sigv4-portable", contenders: contenders,
      expected: (try? Hexadecimal.decode(expected ?? "")) ?? [])
  }

  /// The library's choice has the library's name, and the others have their own.
  private static func name(_ implementation: SHA256.Implementation) -> String {
    switch implementation {
    case .current: "swift-sigv4"
    case .portable: "swift-sigv4-portable"
    default: implementation.name
    }
  }

  private func contender(
    _ name: String, _ compute: @escaping ([UnsafeRawBufferPointer]) -> [SHA256.Digest]
  ) -> Contender {
    let (buffers, messages) = unsafe (buffers, messages)
    var digests: [SHA256.Digest] = []
    return Contender(
      name: name,
      run: { repetitions in
        for _ in 0..<repetitions { digests = unsafe compute(messages) }
        withExtendedLifetime(buffers) {}
      },
      output: { Self.digest(of: digests.flatMap { $0 }) })
  }

  private func oneByOne(
    _ name: String, _ function: @escaping (Int) -> some MessageFunction
  ) -> Contender {
    let (buffers, messages) = unsafe (buffers, messages)
    let output = ByteBuffer(byteCount: 32 * buffers.count)
    return Contender(
      name: name,
      run: { repetitions in
        // Safety: there are 32 bytes of output for each message.
        for _ in 0..<repetitions {
          for index in buffers.indices {
            unsafe function(index).compute(messages[index], into: output.start + 32 * index)
          }
        }
        withExtendedLifetime(buffers) {}
      },
      output: { Self.digest(of: output.array) })
  }

  private static func digest(of outputs: [UInt8]) -> [UInt8] {
    Array(SHA256(implementation: .portable).finalize(appending: outputs))
  }
}

extension MessageBatch {
  /// Of all digests one after the other, computed by Python's hashlib.
  private static let digests = [
    Size(count: 5, byteCount: 64):
      "485303915eb1408e865dda29c24a57d10da777692fbf515236b6eded6b982fc4",
    Size(count: 16, byteCount: 64):
      "e0291c4b323e25ccebb85e618d48eac50f29540fa4a7a604d6399f9dff45ff21",
    Size(count: 100, byteCount: 64):
      "3f3956c3e7c137b77a182a58be5d2e3f8ba5e5e60c95ab03796243522c8a00e5",
    Size(count: 1000, byteCount: 64):
      "5455f2a453fe662c57293de8839657c071ac1ce424dacb9b4f9c6b0c5a9b41ff",
    Size(count: 5, byteCount: 700):
      "2a2e5642adc76bb92752ec87ab1df63cabfb161855aff4aeee487fbc9e8e8899",
    Size(count: 16, byteCount: 700):
      "ee21371a4369b967e4891cda3789dc169f49d51fe130177233e1fea639a85ccd",
    Size(count: 100, byteCount: 700):
      "d688f2257d416e4d0e9047adbebaf352d8d26772724c9d626edefe40d6f7630a",
    Size(count: 1000, byteCount: 700):
      "5416586b72a1dfa9672cab67282bf63d193176fa4ac8b202e0ffb35179108a02",
    Size(count: 5, byteCount: 16384):
      "7552276d4b1d00cde1058fb3bcd5b05d599ae02803e901386b95a7dfe04ca6f2",
    Size(count: 16, byteCount: 16384):
      "e68a38b13b7ef68f23757cd27e37dc61829dee159c30329d3dfb747c01d4fab6",
    Size(count: 100, byteCount: 16384):
      "a3dd6d1ef0cbc109d983baef0f9446513aec3c15ad8cfd9c4971ad190d340272",
    Size(count: 1000, byteCount: 16384):
      "0b958287d6a5aa717d922b0266750e280643f1e1f9a5d98c6dff3beba60ad0d3",
  ]

  /// Of all codes one after the other, computed by Python's hmac.
  static let codes = [
    Size(count: 5, byteCount: 64):
      "29126c1f05937f396cf3e52d3c7a22eb64a98adc361f2c4bd9f3270e381fceaf",
    Size(count: 16, byteCount: 64):
      "289a33acf38d2bdfe2e86625335c58e49616d8f50fb599587d0442a733224c58",
    Size(count: 100, byteCount: 64):
      "2c0a055220af8fc816ce1081195fc0f8bb415479d06fc57681e1f73717494d04",
    Size(count: 1000, byteCount: 64):
      "6dbc27b495ae749085d68dc57cca48ccf78a040f69f52520bb234f2edbcd4713",
    Size(count: 5, byteCount: 700):
      "27c8d813b066324718e4e5282cdb420afbe842b0fa1e3c1c626fe5551f0e2001",
    Size(count: 16, byteCount: 700):
      "e17e6d35a475165a1079c3f051a4c699696aef610940e4d4feddc0391e105487",
    Size(count: 100, byteCount: 700):
      "e418ffdbb174b96d06cac2e073f7d8512cc675ae0c681e7d84e057c5423d753a",
    Size(count: 1000, byteCount: 700):
      "9d1c8e1f2e59a92c6d78fc5f5f7f40a4f4b71c0bc885f2de03f01f0b6c39de4c",
    Size(count: 5, byteCount: 16384):
      "e9e5e7687a2f58524317a515bbf53058487bff4ec34b650a25903c582b2dfc66",
    Size(count: 16, byteCount: 16384):
      "6858e56b4d614f1e0776b3f5b5f758b86db7c45437895bbab948ceef63954eda",
    Size(count: 100, byteCount: 16384):
      "54e15ad946a633dbe333a89eaa84357666f5b932b7c5f355cc72283fa3a5aab5",
    Size(count: 1000, byteCount: 16384):
      "36ac384a39f6cba14f79a5755d1755e2aa252d8d12d2173d2f1ed2795fd696e6",
  ]
}
