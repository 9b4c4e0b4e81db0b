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
    drawGroups(&drawing)
    drawing.line("axis", x: x, y: bottom, toX: x + width, toY: bottom)
    drawing.line("one", x: x, y: top(of: 1), toX: x + width, toY: top(of: 1))
  }

  private func drawGroups(_ drawing: inout SVGDrawing) {
    let sizes = results.map(\.bytes).uniqued()
    let groupWidth = width / Double(max(sizes.count, 1))
    for (index, size) in sizes.enumerated() {
      let middle = x + (Double(index) + 0.5) * groupWidth
      let bars = results.filter { $0.bytes == size && contenders.contains($0.contender) }
      let barWidth = min(24, (groupWidth - 10) / Double(max(bars.count, 1)))
      for (position, result) in bars.enumerated() {
        let left = middle + (Double(position) - Double(bars.count) / 2) * barWidth
        drawBar(&drawing, result, left, barWidth)
      }
      drawing.text(ByteCount.text(size), "size", x: middle, y: bottom + 16)
    }
  }

  private func drawBar(
    _ drawing: inout SVGDrawing, _ result: BenchmarkResult, _ left: Double, _ barWidth: Double
  ) {
    let index = contenders.firstIndex(of: result.contender) ?? 0
    let top = top(of: result.ratio)
    drawing.rectangle(
      "c\(index)", x: left + 1, y: top, width: barWidth - 2, height: bottom - top, corner: 1)
    drawing.text(
      result.ratio.text(decimals: 2), "value", x: left + barWidth / 2, y: top - 4)
  }

  private var baselines: String { results.map(\.baseline).uniqued().joined(separator: ", ") }

  private var bottom: Double { y + height - 24 }

  /// The highest bar, its number included, ends below the panel's title.
  private func top(of ratio: Double) -> Double {
    let highest = max(results.map(\.ratio).max() ?? 1, 1)
    return bottom - ratio / highest * (height - 64)
  }
}
