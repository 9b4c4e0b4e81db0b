// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the files of several modules import, without these modules themselves.
struct Imports {
  private static let one =
    #"(?:@\w+ )*(?:(?<access>public|package|internal) )?import (?<module>[\w.]+)"#
  private static let single = "(?m)^\(one)\n\n?"
  /// A condition around imports and nothing else. A module of ours in one is optional, as the kernels
  /// are, which need compiler flags of their own: it stays a module that is imported.
  private static let conditional =
    #"(?m)^#if .*\n(?: *(?:#.*|(?:[@\w]+ )*import [\w.]+)\n)+?#endif\n\n?"#

  let own: Set<String>
  private var found: Set<String> = []

  init(own: Set<String>) {
    self.own = own
  }

  /// Moves the imports of a file to these. What a module without a product imports is internal.
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

  /// Each import once, with the widest access that a file asks for; those with conditions last.
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
