// SPDX-License-Identifier: Apache-2.0
// Round trips: the verifier accepts the signer's generated requests.

internal import SigningTestSupport
internal import RequestVerification
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Verification: there and back")
struct ThereAndBackTests {
  @Test("Generated requests and URLs, as the signer makes them, are accepted")
  func generated() throws {
    var generator = try PlainRequestGenerator(seed: 0x7665_7269_6679_0001)
    var clock = Xorshift64(seed: 0x636C_6F63_6B)
    var counts = (accepted: 0, inWords: 0, skipped: 0)
    var failures: [String] = []
    let count = sampleSize(1_000, of: 20_000)
    while counts.accepted + counts.inWords < count {
      let plain = generator.next()
      let isPresigned = clock.size(upTo: 1) == 0
      let after = clock.size(upTo: 604_800)
      guard let sent = try WireCase(plain, isPresigned: isPresigned, after: after) else {
        counts.skipped += 1
        continue
      }
      do throws(SigV4.VerificationError) {
        try sent.verify(sent.request)
        counts.accepted += 1
        if sent.isPayloadInWords { failures.append("accepted: \(plain.request)") }
      } catch {
        counts.inWords += 1
        if !sent.isPayloadInWords || error.code != .invalidPayloadDeclaration {
          failures.append("\(error)\n\(plain.request)\n\(plain.caller)")
        }
      }
    }
    #expect(failures.count == 0, "\(failures.count), the first is \(failures.first ?? "none")")
    #expect(counts.inWords > count / 20 && counts.accepted > count * 3 / 4, "\(counts)")
    #expect(counts.skipped < count / 10, "\(counts)")
  }
}
