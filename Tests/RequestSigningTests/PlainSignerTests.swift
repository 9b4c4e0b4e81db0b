// SPDX-License-Identifier: Apache-2.0
// The library and the plain form of the specification, over 100,000 generated requests.

@testable internal import SigningTestSupport
internal import RequestSigning
internal import Testing

/// Source: AWS, "Create a signed AWS API request", as ``PlainSigner`` writes it down.
@Suite("Plain form: generated requests")
struct PlainSignerTests {
  @Test(
    "Every room of 100,000 generated requests and URLs is that of the plain form",
    arguments: UInt64(1)...100)
  func agreement(seed: UInt64) throws {
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

  func report(_ text: String, _ plain: PlainSigner) {
    Issue.record("\(text)\n--- for\n\(plain.request)\n\(plain.caller)")
  }
}
