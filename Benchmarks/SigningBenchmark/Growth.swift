// SPDX-License-Identifier: Apache-2.0
// Growing requests, whose cost must grow like their bytes.

internal import BenchmarkSupport
internal import Foundation
internal import RequestSigning

enum Growth {
  /// A trial for each size, ordered by what grows.
  static func trials() throws(BenchmarkError) -> [Trial] {
    var trials: [Trial] = []
    for (count, signature) in headerSignatures {
      trials.append(
        try trial(
          "growth-headers", "1, 10, 100 and 1,000 headers of 8 KiB", headers: headers(count),
          signature))
    }
    for (count, signature) in parameterSignatures {
      trials.append(
        try trial(
          "growth-parameters", "1, 10, 100, 1,000 and 10,000 parameters", query: query(count),
          signature))
    }
    for (byteCount, signature) in pathSignatures {
      trials.append(
        try trial(
          "growth-path", "keys of 1 KiB, 16 KiB, 256 KiB and 1 MiB", path: path(byteCount),
          signature))
    }
    return trials
  }

  private static func trial(
    _ operation: String, _ remark: String, path: String = "/", query: String = "",
    headers: SigV4.Headers = [:], _ signature: String
  ) throws(BenchmarkError) -> Trial {
    let task = try MeasuredRequests.task(
      operation, path: path, query: query, headers: headers, signature: signature)
    return Trial(
      operation: operation, bytes: task.canonicalByteCount, messages: 1, baseline: HashBlocks.name,
      contenders: [
        SigningEntrant.header[0].contender(task),
        SigningEntrant.fromTextAsValue("swift-sigv4-new-request").contender(task),
        HashBlocks(messages: [task.blocks.keyKept]).contender(HashBlocks.name),
      ],
      expected: task.signature, figures: .operations, remark: remark)
  }

  /// Headers of 8 KiB each, in an order that needs sorting.
  private static func headers(_ count: Int) -> SigV4.Headers {
    let value = String(repeating: "0123456789abcdef", count: 512)
    return SigV4.Headers(
      (0..<count).map { (String(format: "x-amz-meta-%05d", $0 * 617 % count), value) })
  }

  /// Parameters, in an order that needs sorting.
  private static func query(_ count: Int) -> String {
    (0..<count).map { String(format: "p%05d=a%%2F%05d", $0 * 617 % count, $0) }
      .joined(separator: "&")
  }

  /// A key with this many bytes, of which three in eleven need encoding.
  private static func path(_ byteCount: Int) -> String {
    let key = String(repeating: "folder (1)/", count: byteCount / 11 + 1).prefix(byteCount)
    return "/"
      + key.replacing(" ", with: "%20").replacing("(", with: "%28").replacing(")", with: "%29")
  }

  // Computed by botocore 1.43.

  private static let headerSignatures = [
    (1, "24abdd18daad0e5dad4f077a4637665320b7f205a166a2f3946113a29e4a226e"),
    (10, "7f41590e37ab6fe9aa1349393f118672c8dd0ab29875dd325f01bf4f6e28fe73"),
    (100, "3e91addd3950c13bccaba396954e4ff409a6f8804208d3a202bb7c657915a2eb"),
    (1000, "e0cc9a6873ff6b13e03e0733817afdd3b88a61753de5e983a6732d9c6055f6ec"),
  ]

  private static let parameterSignatures = [
    (1, "598aa8db37faffc22d9aa7a7933ba7d81bf1cc3f7423c4293de5830e4f85f5a9"),
    (10, "28f5939a245edc25fd14cda170cbff7f0a9f76634b937a8ebf99feef30746037"),
    (100, "5817ee0c6beb54deec538dbf7c42445d511480e15afd33c03e2ccbad29c65c5f"),
    (1000, "eee36cec4f382e222839593279c667bf3791a77037da5c7b8a3081a78f3367c2"),
    (10000, "0051bc8badd1a0650c5302a6bd040f79d509ac7068b8220183f0a03621979d99"),
  ]

  private static let pathSignatures = [
    (1 << 10, "70f79e5053b8b1094f9d470fef09d050a9637f51fb863987cbb102a62b12e2bb"),
    (1 << 14, "f5d3b9539f4dd40164eb4d7511b55aa5c25c5ea6470714d98143b75b69537c5e"),
    (1 << 18, "5c733beee5de6759eb7ce39c361b8f5b2d9afc80686aefe96665f66230248b20"),
    (1 << 20, "1ff34acd3dd3cfdd7015fc36705c33f2544301bdb6989d6db276dfefe95f604f"),
  ]
}
