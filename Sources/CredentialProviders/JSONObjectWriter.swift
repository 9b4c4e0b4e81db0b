// SPDX-License-Identifier: Apache-2.0
// A small writer of JSON, for requests to services and for the cache of sign-ins.

internal import DocumentSupport
internal import RequestSigning

/// Writes an object of JSON (RFC 8259), without spaces, its members in their order.
enum JSONObjectWriter {
  /// A value that requests have.
  enum Value {
    case text(String)
    case texts([(name: String, value: String)])
  }

  static func bytes(_ members: [(name: String, value: Value)]) -> [UInt8] {
    Array(object(members.map { ($0.name, value($0.value)) }).utf8)
  }

  private static func value(_ value: Value) -> String {
    switch value {
    case .text(let text): quoted(text)
    case .texts(let members): object(members.map { ($0.name, quoted($0.value)) })
    }
  }

  private static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { quoted($0) + ":" + $1 }.joined(separator: ",") + "}"
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: JSONString.bytes(of: text.utf8), as: UTF8.self)
  }
}
