// SPDX-License-Identifier: Apache-2.0
// The instructions for hashing that this processor has and lacks, and the consequences.

internal import SecureHashing

enum ProcessorReport {
  static var lines: [String] {
    let names = SHA256.Implementation.available.map(\.name)
    let kernels = [
      "swift-sigv4 can run: \(names.joined(separator: ", "))",
      "SHA-512 runs \(SHA512Implementation.current.name).",
    ]
    if names.allSatisfy({ $0 == "portable" || $0 == "vectors" }) {
      return ["No instructions for hashing in this processor or in this build."] + kernels
    }
    let features = Self.features.filter { names.contains($0.kernel) }
    let missing = Self.features.filter { !names.contains($0.kernel) }
    let has = "This processor has \(list(features.map(\.feature)))"
    let lacks =
      missing.isEmpty ? "." : "; it, or this build, lacks \(list(missing.map(\.feature)))."
    return [has + lacks, consequence(isFast: hasInstructions(names))] + kernels
  }

  /// The factor in Benchmarks/Results: 3.6 to 4.3 on an Intel Xeon, 4.0 to 5.5 on Zen 5.
  private static func consequence(isFast: Bool) -> String {
    let lanes = SHA256.Implementation.current.laneCount
    let batches =
      lanes > 2 ? "long messages of a batch go \(lanes) side by side." : "batches go in pairs."
    return isFast
      ? "SHA-256 is computed by SHA instructions; \(batches)"
      : "One message takes about four times as long as with SHA instructions; \(batches)"
  }

  private static func hasInstructions(_ names: [String]) -> Bool {
    names.contains("x86-sha") || names.contains("arm-sha2")
  }

  private static func list(_ features: [String]) -> String {
    features.count < 2
      ? features.joined()
      : features.dropLast().joined(separator: ", ") + " and " + features[features.count - 1]
  }

  private static var features: [(feature: String, kernel: String)] {
    #if arch(x86_64)
      [
        ("SHA instructions", "x86-sha"), ("AVX2", "x86-avx2"), ("AVX-512VL", "x86-avx512vl"),
      ]
    #else
      [("SHA2 instructions", "arm-sha2")]
    #endif
  }
}
