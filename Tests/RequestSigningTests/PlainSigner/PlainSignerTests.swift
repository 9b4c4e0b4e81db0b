// SPDX-License-Identifier: Apache-2.0
// The library and the plain form of the specification, over up to 100,000 generated requests.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

/// Source: AWS, "Create a signed AWS API request", as ``PlainSigner`` writes it down.
@Suite("Plain form: generated requests")
struct PlainSignerTests {
  @Test("Every step of generated requests and URLs matches the plain signer's")
  func agreement() {
    (1...UInt64(sampleSize(3, of: 100))).forEachCase { (seed: UInt64) in
      var generator = try PlainRequestGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15)
      for index in 0..<1_000 {
        let plain = generator.next()
        let difference = Result {
          try index % 2 == 0 ? plain.differenceOfSigned() : plain.differenceOfPresigned()
        }
        switch difference {
        case .success(nil): continue
        case .success(let text?): report("seed \(seed), request \(index): \(text)", plain)
        case .failure(let error): report("seed \(seed), request \(index): \(error)", plain)
        }
        return
      }
    }
  }

  func report(_ text: String, _ plain: PlainSigner) {
    Issue.record("\(text)\n--- for\n\(plain.request)\n\(plain.caller)")
  }
}
