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
  /// Rounds to a number of significant decimal digits.
  func rounded(toDigits digits: Int) -> Double {
    if self == 0 || !isFinite { return self }
    let exponent = digits - 1 - Int(log10(magnitude).rounded(.down))
    let scale = pow(10, Double(abs(exponent)))
    return exponent < 0 ? (self / scale).rounded() * scale : (self * scale).rounded() / scale
  }

  /// The number with significant digits and commas for thousands: "1,840", "54.1", "0.071".
  func text(digits: Int) -> String {
    let rounded = rounded(toDigits: digits)
    let whole = rounded == 0 ? 0 : Int(log10(rounded.magnitude).rounded(.down))
    let text = rounded.text(decimals: max(0, digits - 1 - whole))
    guard whole > 2, digits - 1 <= whole else { return text }
    return text.reversed().enumerated().reduce("") { result, digit in
      String(digit.element) + (digit.offset > 0 && digit.offset % 3 == 0 ? "," : "") + result
    }
  }

  /// A time in nanoseconds with three digits and a unit: "54.1 ns", "571 us", "8.66 ms".
  var durationText: String {
    let rounded = rounded(toDigits: 3)
    if rounded >= 1e9 { return (self / 1e9).text(digits: 3) + " s" }
    if rounded >= 1e6 { return (self / 1e6).text(digits: 3) + " ms" }
    if rounded >= 1e3 { return (self / 1e3).text(digits: 3) + " us" }
    return text(digits: 3) + " ns"
  }

  /// A share as whole per cents: "8%", and "<1%" when it is less than one.
  var shareText: String { self < 0.01 ? "<1%" : (self * 100).text(decimals: 0) + "%" }

  /// The number with a fixed number of decimals.
  func text(decimals: Int) -> String { String(format: "%.\(decimals)f", self) }

  /// A change to this from another number, in per cent: "+12%".
  func change(from old: Double) -> String {
    String(format: "%+.0f%%", (self / old - 1) * 100)
  }
}

enum Bar {
  /// A bar in steps of an eighth of a character.
  static func text(_ fraction: Double, width: Int) -> String {
    let eighths = Int((fraction * Double(width * 8)).rounded())
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
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
