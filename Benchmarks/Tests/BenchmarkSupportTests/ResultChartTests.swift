// SPDX-License-Identifier: Apache-2.0
// The chart is well-formed and complete, and its labels don't overlap.

internal import Foundation
internal import Testing

@testable internal import BenchmarkSupport

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

@Suite struct ResultChartTests {
  @Test("The chart is well-formed XML in the namespace of SVG")
  func wellFormed() {
    let elements = ElementCollector(ResultChart(.example).text)
    #expect(elements.isWellFormed)
    #expect(elements.names.first == "svg")
    #expect(elements.namespace == "http://www.w3.org/2000/svg")
  }

  @Test("A text that is broken on purpose isn't well-formed")
  func broken() {
    let text = ResultChart(.example).text.replacing("</text>", with: "</txt>", maxReplacements: 1)
    #expect(!ElementCollector(text).isWellFormed)
  }

  @Test("The chart has no script, and nothing that is loaded from elsewhere")
  func harmless() {
    let elements = ElementCollector(ResultChart(.example).text)
    #expect(Set(elements.names) == ["svg", "title", "style", "rect", "text", "line"])
    #expect(!elements.attributeNames.contains { $0.hasPrefix("on") || $0.contains("href") })
    #expect(!ResultChart(.example).text.contains("url("))
  }

  @Test("Every ratio except the baseline's is a bar with its number")
  func bars() {
    let elements = ElementCollector(ResultChart(.example).text)
    #expect(elements.texts.filter { $0 == "1.50" }.count == 4)
    #expect(elements.texts.filter { $0 == "0.25" }.count == 4)
    #expect(!elements.texts.contains("1.00"))
    // The card, two squares of the legend, and 8 bars.
    #expect(elements.names.filter { $0 == "rect" }.count == 11)
    #expect(elements.texts.contains("others <&> \"best\""))
    #expect(elements.texts.filter { $0 == "line at 1: reference" }.count == 2)
  }

  @Test("However many contenders there are, the legend stays inside, above the panels, in colours")
  func legend() throws {
    var report = BenchmarkReport.example
    report.results += (1...9).map { number in
      var result = report.results[0]
      result.contender = "a contender with a long name, number \(number)"
      return result
    }
    let text = ResultChart(report).text
    let squares = text.matches(
      of: /<rect class="c(\d+)" x="([\d.]+)" y="([\d.]+)" width="12" height="12"/)
    #expect(squares.count == 11 && Set(squares.map(\.output.1)).count == 11)
    let (columns, lines) = (
      squares.compactMap { Double($0.output.2) }, squares.compactMap { Double($0.output.3) }
    )
    #expect(columns.allSatisfy { $0 < 960 - 42 - 7 * 37 })
    #expect(lines == lines.sorted() && Set(lines).count > 2)
    let title = try #require(text.firstMatch(of: /class="panel" x="[\d.]+" y="([\d.]+)"/))
    #expect((lines.last ?? 0) + 12 < (Double(title.output.1) ?? 0) - 12)
    #expect(text.contains(".c10{fill:") && !text.contains(".c10{fill:#f05138}"))
  }

  /// In the font of 10 pixels, a digit is at most 5.6 pixels wide and 8 high.
  @Test("The numbers of narrow and of wide bars don't overlap")
  func numbers() {
    for count in [1, 3, 8] {
      var report = BenchmarkReport.example
      report.results = (1...5).flatMap { size in
        (1...count).map { number in
          var result = report.results[0]
          (result.contender, result.bytes, result.ratio) = ("c\(number)", size << 6, 0.2)
          return result
        }
      }
      let boxes = ResultChart(report).text.matches(
        of: /<text class="(value|upright)" x="([\d.]+)" y="([\d.]+)"[^>]*>([\d.]+)</
      ).map { match in
        let (x, y) = (Double(match.2) ?? 0, Double(match.3) ?? 0)
        let length = 5.6 * Double(match.4.count)
        return match.1 == "value"
          ? CGRect(x: x - length / 2, y: y - 8, width: length, height: 8)
          : CGRect(x: x - 7.5, y: y - length, width: 8, height: length)
      }
      #expect(boxes.count == 5 * count)
      for (index, box) in boxes.enumerated() {
        for other in boxes[(index + 1)...] {
          #expect(!box.insetBy(dx: 0.1, dy: 0.1).intersects(other), "\(count) contenders")
        }
      }
    }
  }

  @Test("A long footer continues on the next line, and all of it is inside the card")
  func footer() throws {
    var report = BenchmarkReport.example
    report.machine = "A processor"
    report.libraries = (1...9).map { "library \($0): version 1.2.3, with a long description" }
    let text = ResultChart(report).text
    let lines = text.matches(of: /<text class="small" x="24" y="([\d.]+)">([^<]*)</)
    #expect(lines.count == 4 && lines.allSatisfy { 5.6 * Double($0.2.count) <= 912 })
    let words = lines.map { String($0.2) }.joined(separator: " ")
    for library in report.libraries { #expect(words.contains(library)) }
    let height = try #require(text.firstMatch(of: /height="([\d.]+)" viewBox/))
    #expect(lines.allSatisfy { (Double($0.1) ?? 0) < (Double(height.1) ?? 0) - 8 })
    #expect(ResultChart(.example).text.matches(of: /<text class="small"/).count == 1)
  }

  @Test("The colors follow a dark page")
  func dark() {
    #expect(ResultChart(.example).text.contains("@media (prefers-color-scheme:dark)"))
  }
}

/// The elements of a document and the texts in them.
final class ElementCollector: NSObject, XMLParserDelegate {
  private(set) var isWellFormed = false
  private(set) var names: [String] = []
  private(set) var attributeNames: Set<String> = []
  private(set) var namespace: String?
  private(set) var texts: [String] = []

  init(_ document: String) {
    super.init()
    let parser = XMLParser(data: Data(document.utf8))
    parser.delegate = self
    isWellFormed = parser.parse()
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    names.append(name)
    attributeNames.formUnion(attributes.keys)
    if names.count == 1 { namespace = attributes["xmlns"] }
    texts.append("")
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    // Line ends stand between the elements only.
    texts[texts.count - 1] += string.filter { $0 != "\n" }
  }
}
