// SPDX-License-Identifier: Apache-2.0
// A drawing in SVG: a few shapes, each with a class that sets its colors.

struct SVGDrawing {
  private let width: Double
  private let height: Double
  private var elements: [String] = []

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  var document: String {
    let size = "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
    let box = "viewBox=\"0 0 \(Self.number(width)) \(Self.number(height))\""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" \(size) \(box) role="img">
      \(elements.joined(separator: "\n"))
      </svg>

      """
  }

  /// Describes the drawing for screen readers.
  mutating func title(_ text: String) {
    elements.append("<title>\(Self.escape(text))</title>")
  }

  mutating func style(_ rules: String) {
    elements.append("<style>\(Self.escape(rules))</style>")
  }

  mutating func text(_ text: String, _ name: String, x: Double, y: Double) {
    elements.append("<text\(Self.attributes(name, ("x", x), ("y", y)))>\(Self.escape(text))</text>")
  }

  /// Writes upward from a point.
  mutating func uprightText(_ text: String, _ name: String, x: Double, y: Double) {
    let place = Self.attributes(name, ("x", x), ("y", y))
    let turn = " transform=\"rotate(-90 \(Self.number(x)) \(Self.number(y)))\""
    elements.append("<text\(place)\(turn)>\(Self.escape(text))</text>")
  }

  mutating func rectangle(
    _ name: String, x: Double, y: Double, width: Double, height: Double, corner: Double
  ) {
    let attributes = Self.attributes(
      name, ("x", x), ("y", y), ("width", width), ("height", height), ("rx", corner))
    elements.append("<rect\(attributes)/>")
  }

  mutating func line(_ name: String, x: Double, y: Double, toX: Double, toY: Double) {
    elements.append(
      "<line\(Self.attributes(name, ("x1", x), ("y1", y), ("x2", toX), ("y2", toY)))/>")
  }

  private static func attributes(_ name: String, _ numbers: (String, Double)...) -> String {
    " class=\"\(name)\"" + numbers.map { " \($0)=\"\(number($1))\"" }.joined()
  }

  private static func number(_ value: Double) -> String {
    let text = value.text(decimals: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Extensible Markup Language 1.0, 2.4: these have to be escaped in content.
  private static func escape(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
