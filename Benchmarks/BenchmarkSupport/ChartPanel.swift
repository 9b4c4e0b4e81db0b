// SPDX-License-Identifier: Apache-2.0
// One panel of the chart: the ratios of one operation, size by size.

struct ChartPanel {
  let operation: String
  let results: [BenchmarkResult]
  let contenders: [String]
  let x: Double
  let y: Double
  let width: Double
  let height: Double

  func draw(_ drawing: inout SVGDrawing) {
    drawing.text(operation, "panel", x: x, y: y + 12)
    drawing.text("line at 1: \(baselines)", "side", x: x + width, y: y + 12)
    for bar in bars {
      drawing.rectangle(
        bar.name, x: bar.middle - bar.width / 2 + 1, y: top(of: bar.ratio), width: bar.width - 2,
        height: bottom - top(of: bar.ratio), corner: 1)
    }
    drawing.line("axis", x: x, y: bottom, toX: x + width, toY: bottom)
    drawing.line("one", x: x, y: top(of: 1), toX: x + width, toY: top(of: 1))
    for bar in bars { drawLabel(of: bar, &drawing) }
    for group in groups {
      drawing.text(ByteCount.text(group.bytes), "size", x: group.middle, y: bottom + 16)
    }
  }

  /// Writes the number of a bar upward if it's wider than the bar.
  private func drawLabel(of bar: Bar, _ drawing: inout SVGDrawing) {
    let label = bar.ratio.text(decimals: 2)
    if Double(label.count) * Self.characterWidth <= bar.width {
      drawing.text(label, "value", x: bar.middle, y: top(of: bar.ratio) - 4)
    } else {
      drawing.uprightText(label, "upright", x: bar.middle + 3.5, y: top(of: bar.ratio) - 4)
    }
  }

  /// An upper bound of the width of digits and of the average letter, in text of 10 pixels.
  static let characterWidth = 5.6

  private struct Bar {
    let name: String
    let ratio: Double
    let middle: Double
    let width: Double
  }

  /// A group for each size.
  private var groups: [(bytes: Int, middle: Double)] {
    let sizes = results.map(\.bytes).uniqued()
    return sizes.enumerated().map { index, size in
      (size, x + (Double(index) + 0.5) * width / Double(sizes.count))
    }
  }

  private var bars: [Bar] {
    groups.flatMap { group in
      let results = results.filter {
        $0.bytes == group.bytes && contenders.contains($0.contender)
      }
      let space = width / Double(groups.count) - 10
      let barWidth = min(24, space / Double(max(results.count, 1)))
      return results.enumerated().map { position, result in
        Bar(
          name: "c\(contenders.firstIndex(of: result.contender) ?? 0)", ratio: result.ratio,
          middle: group.middle + (Double(position) + 0.5 - Double(results.count) / 2) * barWidth,
          width: barWidth)
      }
    }
  }

  private var baselines: String { results.map(\.baseline).uniqued().joined(separator: ", ") }

  private var bottom: Double { y + height - 24 }

  /// The highest bar, including its number, ends below the panel's title.
  private func top(of ratio: Double) -> Double {
    let highest = max(results.map(\.ratio).max() ?? 1, 1)
    return bottom - ratio / highest * (height - 68)
  }
}
