// SPDX-License-Identifier: Apache-2.0
// The headers in canonical form: lowercase names in order, repeats joined, whitespace folded.

internal import SigningSupport

extension SigV4 {
  /// SigV4, step 1: CanonicalHeaders, of all headers of a request: a line `name:value` for each
  /// name. A request has its headers in this form from the beginning.
  package final class CanonicalHeaders: Sendable {
    package let bytes: [UInt8]

    /// Where the lines stand; after each there is a line end.
    package let lines: [FieldRange]

    /// Whether there is a header such as a signature makes itself: `authorization` or `x-...`.
    private let hasNamesOfSignatures: Bool

    /// Takes the headers of a request, Host among them.
    package init(_ fields: HeaderFields) {
      let (bytes, lines) = fields.joined()
      self.bytes = bytes
      self.lines = lines
      hasNamesOfSignatures = lines.contains { line in
        bytes[line.name].first == 0x78 || bytes[line.name].spells("authorization")
      }
    }

    /// Some lines of other headers, in their order.
    package init(_ lines: [FieldRange], of headers: CanonicalHeaders) {
      bytes = headers.bytes
      self.lines = lines
      hasNamesOfSignatures = headers.hasNamesOfSignatures
    }

    /// The line of `authorization` or of an `x-amz-` header, which is given in lowercase.
    func line(ofSignature name: StaticString) -> FieldRange? {
      hasNamesOfSignatures ? line(named: name) : nil
    }

    /// The line of a name, which is given in lowercase.
    package func line(named name: StaticString) -> FieldRange? {
      // Safety: the ranges of the lines are ranges of the bytes.
      return unsafe bytes.withUnsafeBytes { bytes in
        let name = unsafe name.bytesInUTF8
        var (low, high) = (0, lines.count)
        while low < high {
          let middle = (low &+ high) / 2
          let order = unsafe BytewiseOrder.compare(bytes.part(lines[middle].name), name)
          if order == 0 { return lines[middle] }
          if order < 0 { low = middle &+ 1 } else { high = middle }
        }
        return nil
      }
    }
  }
}

extension SigV4.CanonicalHeaders: ConcealsContents, CustomStringConvertible {
  /// The number of lines. A value may be secret.
  public var description: String { "CanonicalHeaders(\(lines.count))" }
}
