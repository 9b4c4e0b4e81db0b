// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The merged imports of several modules, without the modules themselves.
struct Imports {
  private static let one =
    #"(?:@\w+ )*(?:(?<access>public|package|internal) )?import (?<module>[\w.]+)"#
  private static let single = "(?m)^\(one)\n\n?"
  /// An `#if` block that contains only imports. A module imported in one, such as the kernels, is
  /// optional and isn't merged into the file, so its import stays.
  private static let conditional =
    #"(?m)^#if .*\n(?: *(?:#.*|(?:[@\w]+ )*import [\w.]+)\n)+?#endif\n\n?"#

  let own: Set<String>
  private var found: Set<String> = []

  init(own: Set<String>) {
    self.own = own
  }

  /// Removes the imports from a file and adds them here, as internal if the module has no product.
  mutating func take(from source: inout Source, isProduct: Bool) throws {
    for pattern in [Self.conditional, Self.single] {
      for match in try source.matches(pattern).reversed() {
        let text = source.text(of: match.range)
        let isOwn =
          pattern == Self.single && own.contains(source.text(of: match.range(withName: "module")))
        if !isOwn {
          let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
          found.insert(
            isProduct
              ? trimmed : trimmed.replacingOccurrences(of: "public import", with: "internal import")
          )
        }
        source.replace(match.range, with: "")
      }
    }
  }

  /// Each import once, with the widest access level in use. Conditional imports come last.
  func text() throws -> String {
    var widest: [String: (rank: Int, text: String)] = [:]
    var order: [String] = []
    for text in found.sorted() {
      let source = Source(text)
      let access = try source.matches(Self.one)[0].range(withName: "access")
      let rank =
        ["public", "package", "internal"].firstIndex(
          of: access.location == NSNotFound ? "" : source.text(of: access)) ?? 3
      let key = text.replacingOccurrences(
        of: #"\b(public|package|internal) import"#, with: "import", options: .regularExpression)
      if widest[key] == nil { order.append(key) }
      if rank < widest[key]?.rank ?? .max { widest[key] = (rank, text) }
    }
    let texts = order.compactMap { widest[$0]?.text }
    let plain = texts.filter { !$0.hasPrefix("#") }.joined(separator: "\n")
    return ([plain].filter { !$0.isEmpty } + texts.filter { $0.hasPrefix("#") })
      .map { "\n\($0)\n" }.joined()
  }
}
