// SPDX-License-Identifier: Apache-2.0
// The measure of all signatures: the bare compression of as many blocks, one message at a time.

internal import BenchmarkSupport
internal import SecureHashing

struct HashBlocks {
  static let name = "hash-blocks"
  static let nameWithDerivation = "hash-blocks-derived"

  private let messages: [Int]
  private let blocks: ByteBuffer

  /// Messages of so many blocks each.
  init(messages: [Int]) {
    let byteCount = 64 * (messages.max() ?? 0)
    self.messages = messages
    blocks = ByteBuffer((0..<byteCount).map { UInt8(truncatingIfNeeded: 31 &* $0 &+ $0 >> 8) })
  }

  /// One message of whole blocks.
  private init(blocks: [UInt8]) {
    messages = [blocks.count / 64]
    self.blocks = ByteBuffer(blocks)
  }

  /// The compression that the library uses; what it has to come to is told by the portable one.
  func contender(_ name: String) -> Contender {
    let states = ByteBuffer(byteCount: 32 * messages.count)
    return Contender(
      name: name, expected: digests(.portable),
      run: { repetitions in
        for _ in 0..<repetitions { compress(.current, into: states) }
      },
      output: { states.array })
  }

  /// Refuses a compression that does not come to the digest of two blocks that NIST publishes.
  static func check() throws(BenchmarkError) {
    let message = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
    let digest = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    // FIPS 180-4, 5.1.1: 56 bytes, the bit, zeros, and the length of 448 bits.
    let padded = message + [0x80] + [UInt8](repeating: 0, count: 69) + [0x01, 0xC0]
    for implementation in SHA256.Implementation.available {
      let computed = Hexadecimal.encode(
        HashBlocks(blocks: padded).bigEndian(implementation))
      if computed == digest { continue }
      throw .failure("the compression \(implementation.name) is wrong: nothing is timed")
    }
  }

  private func digests(_ implementation: SHA256.Implementation) -> [UInt8] {
    let states = ByteBuffer(byteCount: 32 * messages.count)
    compress(implementation, into: states)
    return states.array
  }

  private func bigEndian(_ implementation: SHA256.Implementation) -> [UInt8] {
    let bytes = digests(implementation)
    return bytes.indices.map { bytes[$0 ^ (UInt32(1).littleEndian == 1 ? 3 : 0)] }
  }

  /// Writes the state after each message, 32 bytes each.
  @inline(__always)
  private func compress(_ implementation: SHA256.Implementation, into states: ByteBuffer) {
    // Safety: there are 32 bytes for each message, and no message has more blocks than there are.
    var start = unsafe states.start
    for blockCount in messages {
      let state = unsafe start.assumingMemoryBound(to: UInt32.self)
      unsafe (state[0], state[1], state[2], state[3]) = (
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a
      )
      unsafe (state[4], state[5], state[6], state[7]) = (
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
      )
      unsafe implementation.compress(state, blocks.start, blockCount)
      unsafe start += 32
    }
  }
}
