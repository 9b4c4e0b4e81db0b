// SPDX-License-Identifier: Apache-2.0
// The four operations, and the baseline of each.

internal import BenchmarkSupport

enum HashingOperation: String, CaseIterable {
  case digest = "sha256"
  case digestPair = "sha256-pair"
  case code = "hmac-sha256"
  case codePair = "hmac-sha256-pair"

  var isKeyed: Bool { self == .code || self == .codePair }

  var isPair: Bool { self == .digestPair || self == .codePair }

  /// The contest in this operation with these messages.
  func trial(_ messages: MessagePair, _ lineUp: LineUp) -> Trial {
    let names = lineUp.entrants.map(\.name)
    return Trial(
      operation: rawValue, bytes: messages.first.byteCount, messages: isPair ? 2 : 1,
      baseline: baselines.first(where: names.contains) ?? names[0],
      contenders: lineUp.entrants.map { isPair ? $0.pair(messages) : $0.single(messages) },
      oneStream: isPair ? lineUp.entrants[0].oneAfterTheOther(messages) : nil,
      expected: isPair ? messages.firstOutput + messages.secondOutput : messages.firstOutput)
  }

  /// Who the others are compared with: the first of these that is here.
  private var baselines: [String] {
    [isKeyed ? "openssl-hmac-ctx" : "openssl-low-level", "cryptokit", "swift-sigv4-portable"]
  }
}
