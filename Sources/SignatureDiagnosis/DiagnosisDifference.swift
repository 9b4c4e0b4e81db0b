// SPDX-License-Identifier: Apache-2.0
// The first line that differs, fit to be shown: without secrets, control characters or endless lines.

public import RequestSigning
internal import SigningSupport

extension SigV4.Diagnosis {
  /// Two lines of one step of the signature that differ.
  public struct Difference: Hashable, Sendable, CustomStringConvertible {
    /// The step: `canonical request` or `string to sign`.
    public let step: String

    /// The number of the line in our text, from 1 on; in the server's when only it has the line.
    public let line: Int

    /// Where the lines begin to differ, in bytes from 0 on.
    public let offset: Int

    /// Our line; nil when we have none. Secrets are replaced by their size, other bytes than visible
    /// ASCII by `\xNN`, and of more than 400 bytes those around the difference are shown.
    public let signed: String?

    /// The server's line, in the same form; nil when it has none.
    public let received: String?

    /// Place and both lines, on three lines.
    public var description: String {
      "\(step), line \(line)\n  signed    \(signed ?? "(none)")\n  received  \(received ?? "(none)")"
    }
  }
}

extension SigV4.Diagnosis {
  /// Hides what is secret in texts that are shown.
  struct Redaction {
    /// Our session token in the spellings that it may have.
    let tokens: [[UInt8]]

    init(_ identity: SigV4.Identity) {
      tokens =
        identity.sessionToken.map { token in
          let encoded = URIEncoding.encode(token.bytesInUTF8)
          return [token.bytesInUTF8, encoded, URIEncoding.encode(encoded)]
        } ?? []
    }
  }
}

extension SigV4.Diagnosis.Redaction {
  /// Two lines of a step, the first of which is on this line of it (from 0 on).
  func difference(
    _ step: String, line: Int, _ ours: ArraySlice<UInt8>?,
    _ theirs: ArraySlice<UInt8>?
  ) -> SigV4.Diagnosis.Difference {
    let (hiddenOurs, hiddenTheirs) = (ours.map(hidden), theirs.map(hidden))
    let place = Self.commonCount((hiddenOurs ?? [])[...], (hiddenTheirs ?? [])[...])
    let isPair = ours != nil && theirs != nil
    return SigV4.Diagnosis.Difference(
      step: step, line: line + 1, offset: Self.commonCount(ours ?? [], theirs ?? []),
      signed: hiddenOurs.map { Self.visible($0, around: isPair ? place : 0) },
      received: hiddenTheirs.map { Self.visible($0, around: isPair ? place : 0) })
  }

  /// A text of the server's, fit to be shown.
  func shown(_ text: ArraySlice<UInt8>) -> String { Self.visible(hidden(text), around: 0) }

  /// A name, fit to be shown: of a header, a parameter, a code.
  func name(_ name: some Collection<UInt8>) -> String {
    let name = hidden(Array(name.prefix(4096))[...])
    let text = Self.visible(Array(name.prefix(80)), around: 0)
    return name.count > 80 ? text + "..." : text
  }

  static func commonCount(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
    zip(left, right).prefix { $0 == $1 }.count
  }

  /// The line without what is secret in it: by its name, and wherever our token stands.
  private func hidden(_ line: ArraySlice<UInt8>) -> [UInt8] {
    CredentialNames.hiding(tokens, in: line)
  }

  /// At most 400 bytes as visible ASCII, beginning a little before a place.
  private static func visible(_ bytes: [UInt8], around place: Int) -> String {
    let start = bytes.count > 400 ? max(0, min(place - 80, bytes.count - 400)) : 0
    let part = bytes[start...].prefix(400)
    var text: [UInt8] = Array((start > 0 ? "..." : "").utf8)
    for byte in part {
      if byte >= 0x20 && byte < 0x7F {
        text.append(byte)
      } else {
        text.append(contentsOf: "\\x".utf8)
        text.append(ASCIIByte.uppercaseDigit(byte >> 4))
        text.append(ASCIIByte.uppercaseDigit(byte & 15))
      }
    }
    if part.endIndex < bytes.count { text.append(contentsOf: "...".utf8) }
    return String(decoding: text, as: UTF8.self)
  }
}
