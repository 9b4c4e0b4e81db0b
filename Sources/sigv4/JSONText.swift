// SPDX-License-Identifier: Apache-2.0
// JSON text, written (RFC 8259).

internal import DocumentSupport
internal import RequestSigning

/// A JSON value to be written.
indirect enum JSONText {
  case string(String)
  case array([JSONText])
  case object([(name: String, value: JSONText)])

  /// The value as text, objects one member a line.
  var text: String { text(indentation: "") }

  private func text(indentation: String) -> String {
    let inner = indentation + "  "
    switch self {
    case .string(let value):
      return Self.quoted(value)
    case .array(let values):
      let items = values.map { inner + $0.text(indentation: inner) }
      return items.isEmpty ? "[]" : "[\n" + items.joined(separator: ",\n") + "\n\(indentation)]"
    case .object(let members):
      let items = members.map {
        inner + Self.quoted($0.name) + ": " + $0.value.text(indentation: inner)
      }
      return "{\n" + items.joined(separator: ",\n") + "\n\(indentation)}"
    }
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: JSONString.bytes(of: text.utf8), as: UTF8.self)
  }
}

extension JSONText {
  /// Headers as pairs, since a name may be repeated.
  static func headers(_ headers: SigV4.Headers) -> JSONText {
    .array(headers.map { .array([.string($0.name), .string($0.value)]) })
  }
}
