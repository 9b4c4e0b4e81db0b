// SPDX-License-Identifier: Apache-2.0
// The headers that are signed: lowercase names in order, repeats joined, whitespace folded.

nonisolated extension SigV4 {
  /// SigV4, step 1: CanonicalHeaders and SignedHeaders.
  struct CanonicalHeaders {
    /// A signed name, in lowercase, and its values as they go into the canonical request.
    struct Entry {
      let name: [UInt8]
      var value: [UInt8]
    }

    let entries: [Entry]

    /// Takes the host and every header that is not in the list of unsigned ones.
    init(host: String, headers: Headers, unsigned: UnsignedHeaders) {
      var fields = [Field(name: Array("host".utf8), position: -1, value: Array(host.utf8))]
      for (position, header) in headers.enumerated() {
        let name = header.name.utf8.map(ASCII.lowercased)
        if unsigned.contains(name) { continue }
        fields.append(
          Field(name: name, position: position, value: Self.folded(header.value.utf8)))
      }
      entries = Self.joined(fields.sorted())
    }

    /// SignedHeaders: the names, separated by ';'.
    var names: [UInt8] {
      Array(entries.map { $0.name }.joined(separator: [ASCII.semicolon]))
    }

    /// CanonicalHeaders: a line for every name.
    func write(to bytes: inout [UInt8]) {
      for entry in entries {
        bytes.append(contentsOf: entry.name)
        bytes.append(ASCII.colon)
        bytes.append(contentsOf: entry.value)
        bytes.append(ASCII.newline)
      }
    }

    /// One header field; fields are sorted by name, and those of one name stay in order.
    struct Field: Comparable {
      let name: [UInt8]
      let position: Int
      let value: [UInt8]

      static func < (left: Field, right: Field) -> Bool {
        left.name == right.name
          ? left.position < right.position : left.name.lexicographicallyPrecedes(right.name)
      }
    }

    /// The values of one name, separated by ','.
    static func joined(_ fields: [Field]) -> [Entry] {
      var entries: [Entry] = []
      for field in fields {
        if let last = entries.indices.last, entries[last].name == field.name {
          entries[last].value.append(ASCII.comma)
          entries[last].value.append(contentsOf: field.value)
        } else {
          entries.append(Entry(name: field.name, value: field.value))
        }
      }
      return entries
    }

    /// SigV4, step 1, Trimall: no whitespace at the ends, one space for each run inside.
    static func folded(_ value: some Collection<UInt8>) -> [UInt8] {
      let words = value.split(omittingEmptySubsequences: true, whereSeparator: ASCII.isWhitespace)
      return Array(words.joined(separator: [ASCII.space]))
    }
  }
}
