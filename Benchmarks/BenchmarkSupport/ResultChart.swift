// SPDX-License-Identifier: Apache-2.0
// Draws the ratios: a panel for each operation, a group of bars for each size.

struct ResultChart {
  let report: BenchmarkReport

  static let width = 960.0
  private static let margin = 24.0
  private static let panelHeight = 240.0

  init(_ report: BenchmarkReport) {
    self.report = report
  }

  /// The drawing as SVG. It has a background of its own, so that it can be read on any page.
  var text: String {
    let rows = (report.operations.count + 1) / 2
    let footerTop = panelTop + Double(rows) * Self.panelHeight + 26
    let height = footerTop + Double(footer.count - 1) * 14 + 18
    var drawing = SVGDrawing(width: Self.width, height: height)
    drawing.title("\(report.benchmark): speed relative to each panel's baseline")
    drawing.style(Self.style + colours)
    drawing.rectangle("card", x: 0.5, y: 0.5, width: Self.width - 1, height: height - 1, corner: 8)
    drawing.text(
      "Speed relative to the baseline", "title", x: Self.margin, y: 36)
    drawLegend(&drawing)
    drawPanels(&drawing)
    for (index, line) in footer.enumerated() {
      drawing.text(line, "small", x: Self.margin, y: footerTop + Double(index) * 14)
    }
    return drawing.document
  }

  /// The machine, the libraries and the date, in lines that fit.
  private var footer: [String] {
    let parts = [report.machine] + report.libraries + [String(report.date.prefix(10))]
    let maximumCount = Int((Self.width - 2 * Self.margin) / ChartPanel.characterWidth)
    return parts.joined(separator: " · ").split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + word.count < maximumCount {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
  }

  /// Everybody who has bars: a baseline is a line at 1.
  private var contenders: [String] {
    let baselines = report.results.map(\.baseline)
    return report.contenders.filter { !baselines.contains($0) }
  }

  private func drawLegend(_ drawing: inout SVGDrawing) {
    for (index, entry) in legend.enumerated() {
      drawing.rectangle("c\(index)", x: entry.x, y: entry.y, width: 12, height: 12, corner: 2)
      drawing.text(entry.contender, "label", x: entry.x + 18, y: entry.y + 10)
    }
  }

  /// Where each contender's name stands, in as many lines as they take.
  private var legend: [(contender: String, x: Double, y: Double)] {
    var (x, y) = (Self.margin, 56.0)
    return contenders.map { contender in
      let width = 42 + 7 * Double(contender.count)
      if x > Self.margin && x + width > Self.width { (x, y) = (Self.margin, y + 20) }
      defer { x += width }
      return (contender, x, y)
    }
  }

  private var panelTop: Double { (legend.last?.y ?? 56) + 36 }

  private func drawPanels(_ drawing: inout SVGDrawing) {
    let panelWidth = (Self.width - 3 * Self.margin) / 2
    for (index, operation) in report.operations.enumerated() {
      let panel = ChartPanel(
        operation: operation, results: report.results.filter { $0.operation == operation },
        contenders: contenders,
        x: Self.margin + Double(index % 2) * (panelWidth + Self.margin),
        y: panelTop + Double(index / 2) * Self.panelHeight,
        width: panelWidth, height: Self.panelHeight - 32)
      panel.draw(&drawing)
    }
  }

  /// Further contenders than there are colours begin again.
  private var colours: String {
    let palette = [
      "#f05138", "#f2a65a", "#4c8bd0", "#3aa0a0", "#8a78c8", "#7c9a4f", "#b5533c", "#d8c24a",
      "#2f5f98", "#7fc4c4", "#c48ab8", "#8d99a6",
    ]
    return contenders.indices.map { ".c\($0){fill:\(palette[$0 % palette.count])}" }.joined()
  }

  private static let style = """
    text{font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2328}\
    .title{font-size:18px;font-weight:600}.panel{font-size:14px;font-weight:600}\
    .label{font-size:12px}.small,.value,.upright{font-size:10px}\
    .value{text-anchor:middle}.value,.upright{paint-order:stroke;stroke:#ffffff;stroke-width:3px}\
    .small,.side{fill:#59636e}.side{font-size:12px;text-anchor:end}\
    .size{font-size:12px;text-anchor:middle}\
    .card{fill:#ffffff;stroke:#d1d9e0}.axis{stroke:#d1d9e0}\
    .one{stroke:#1f2328;stroke-dasharray:4 3}\
    @media (prefers-color-scheme:dark){text{fill:#f0f6fc}.small,.side{fill:#9198a1}\
    .value,.upright{stroke:#151b23}.card{fill:#151b23;stroke:#3d444d}.axis{stroke:#3d444d}.one{stroke:#f0f6fc}}
    """
}
