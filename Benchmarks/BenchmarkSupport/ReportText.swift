// SPDX-License-Identifier: Apache-2.0
// How numbers look in the tables and the chart: rounded, aligned, with their units.

internal import Foundation

/// Sizes of messages, as people name them.
enum ByteCount {
  /// "64 B", "16 KiB", "1 MiB".
  static func text(_ bytes: Int) -> String {
    if bytes >= 1 << 20 && bytes % (1 << 20) == 0 { return "\(bytes >> 20) MiB" }
    if bytes >= 1 << 10 && bytes % (1 << 10) == 0 { return "\(bytes >> 10) KiB" }
    return "\(bytes) B"
  }
}

extension Double {
  /// The nearest number of so many significant decimal digits.
  func rounded(toDigits digits: Int) -> Double {
    if self == 0 || !isFinite { return self }
    let exponent = digits - 1 - Int(log10(magnitude).rounded(.down))
    let scale = pow(10, Double(abs(exponent)))
    return exponent < 0 ? (self / scale).rounded() * scale : (self * scale).rounded() / scale
  }

  /// The number with a fixed number of decimals.
  func text(decimals: Int) -> String { String(format: "%.\(decimals)f", self) }

  /// A change to this from another number, in per cent: "+3.1%".
  func change(from old: Double) -> String {
    String(format: "%+.1f%%", (self / old - 1) * 100)
  }
}

extension String {
  /// Filled with spaces on the right.
  func left(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  /// Filled with spaces on the left.
  func right(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension Array where Element: Hashable {
  /// Each element once, where it comes first.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
