// SPDX-License-Identifier: Apache-2.0
// The baseline of all signatures: the bare compression of the same number of blocks, one after the
// other.

internal import BenchmarkSupport
internal import SecureHashing

/// Each block waits for the one before it, from message to message too, as every hash of a signature
/// waits for the one before it: otherwise the processor begins the next message early.
struct HashBlocks {
  static let name = "hash-blocks"
  static let nameWithDerivation = "hash-blocks-derived"

  /// Which blocks each message has.
  private let messages: [Range<Int>]
  private let blocks: ByteBuffer

  /// Messages with these numbers of blocks, all of which begin at the same place.
  init(messages: [Int]) {
    let byteCount = 64 * (messages.max() ?? 0)
    self.messages = messages.map { 0..<$0 }
    blocks = ByteBuffer((0..<byteCount).map { UInt8(truncatingIfNeeded: 31 &* $0 &+ $0 >> 8) })
  }

  /// The blocks of these messages, one after the other.
  init(padding messages: [[UInt8]]) {
    var bytes: [UInt8] = []
    var ranges: [Range<Int>] = []
    for message in messages {
      let start = bytes.count / 64
      // FIPS 180-4, 5.1.1: the bit, zeros, and the length in bits, which ends a block.
      bytes += message + [0x80]
      bytes += [UInt8](repeating: 0, count: (64 + 56 - bytes.count % 64) % 64)
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: (8 * message.count) >> (56 - 8 * $0)) }
      ranges.append(start..<bytes.count / 64)
    }
    self.messages = ranges
    blocks = ByteBuffer(bytes)
  }

  /// The blocks of all messages.
  var blockCount: Int { messages.map(\.count).reduce(0, +) }

  /// The compression that the library uses. The expected value is the digest of the messages'
  /// digests. If it wasn't computed elsewhere, the portable compression provides it.
  func contender(_ name: String, digestOfDigests: [UInt8]? = nil) -> Contender {
    let states = ByteBuffer(byteCount: 32 * messages.count)
    return Contender(
      name: name,
      expected: digestOfDigests ?? Array(SHA256.hash(data: digests(.portable))),
      run: { repetitions in
        for _ in 0..<repetitions { compress(.current, into: states) }
      },
      output: { Array(SHA256.hash(data: Self.bigEndian(states))) })
  }

  /// Refuses a compression that does not come to the digest of two blocks that NIST publishes.
  static func check() throws(BenchmarkError) {
    let message = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
    let digest = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    for implementation in SHA256.Implementation.available {
      let computed = Hexadecimal.encode(HashBlocks(padding: [message]).digests(implementation))
      if computed == digest { continue }
      throw .failure("the compression \(implementation.name) is wrong: nothing is timed")
    }
  }

  private func digests(_ implementation: SHA256.Implementation) -> [UInt8] {
    let states = ByteBuffer(byteCount: 32 * messages.count)
    compress(implementation, into: states)
    return Self.bigEndian(states)
  }

  private static func bigEndian(_ states: ByteBuffer) -> [UInt8] {
    let bytes = states.array
    return bytes.indices.map { bytes[$0 ^ (UInt32(1).littleEndian == 1 ? 3 : 0)] }
  }

  /// Writes the state after each message, 32 bytes each.
  @inline(__always)
  private func compress(_ implementation: SHA256.Implementation, into states: ByteBuffer) {
    // 0, but the processor must wait for the previous state to know.
    let none = UInt32(truncatingIfNeeded: messages.count >> 40)
    // Safety: there are 32 bytes for each message, and the blocks of every message are there.
    var start = unsafe states.start
    var before = unsafe start + 32 * (messages.count - 1)
    for message in messages {
      let state = unsafe start.assumingMemoryBound(to: UInt32.self)
      let wait = unsafe before.load(as: UInt32.self) & none
      unsafe (state[0], state[1], state[2], state[3]) = (
        0x6a09_e667 &+ wait, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a
      )
      unsafe (state[4], state[5], state[6], state[7]) = (
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
      )
      unsafe implementation.compress(
        state, blocks.start + 64 * message.lowerBound, message.count)
      unsafe before = start
      unsafe start += 32
    }
  }
}
