// SPDX-License-Identifier: Apache-2.0
// The check before the start: every contender computes the published examples, or nothing is timed.

internal import BenchmarkSupport

enum KnownAnswers {
  /// Rejects a kernel or a contender with a wrong result.
  static func check(
    _ openSSL: OpenSSLLibrary?, _ peers: [HashingPeer]
  ) throws(BenchmarkError) {
    for lineUp in [LineUp.kernels, .digests(openSSL, peers)] {
      try check([.digest, .digestPair], digests, lineUp)
    }
    try check([.code, .codePair], codesOfShortKey, .codes(key: shortKey, openSSL, peers))
    try check([.code, .codePair], codesOfLongKey, .codes(key: longKey, openSSL, peers))
  }

  private static func check(
    _ operations: [HashingOperation], _ answers: [MessagePair], _ lineUp: LineUp
  ) throws(BenchmarkError) {
    for operation in operations {
      for answer in answers { try operation.trial(answer, lineUp).check() }
    }
  }

  /// Both orders of the examples of one and two blocks that NIST publishes with FIPS 180-4.
  private static var digests: [MessagePair] {
    let (oneBlock, twoBlocks) = (
      (
        message: "abc", digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      ),
      (
        message: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        digest: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      )
    )
    return [
      MessagePair(
        oneBlock.message.utf8, twoBlocks.message.utf8,
        outputs: (oneBlock.digest, twoBlocks.digest)),
      MessagePair(
        twoBlocks.message.utf8, oneBlock.message.utf8,
        outputs: (twoBlocks.digest, oneBlock.digest)),
    ]
  }

  private static var shortKey: [UInt8] { Array("Jefe".utf8) }

  /// RFC 4231, 4.3: test case 2.
  private static var codesOfShortKey: [MessagePair] {
    let message = "what do ya want for nothing?".utf8
    let code = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    return [MessagePair(message, message, outputs: (code, code))]
  }

  private static var longKey: [UInt8] { Array(repeating: 0xAA, count: 131) }

  /// RFC 4231, 4.7 and 4.8: test cases 6 and 7.
  private static var codesOfLongKey: [MessagePair] {
    [
      MessagePair(
        "Test Using Larger Than Block-Size Key - Hash Key First".utf8,
        ("This is a test using a larger than block-size key and a larger than block-size data. "
          + "The key needs to be hashed before being used by the HMAC algorithm.").utf8,
        outputs: (
          "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
          "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ))
    ]
  }
}
