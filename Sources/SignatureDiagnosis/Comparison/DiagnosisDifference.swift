// SPDX-License-Identifier: Apache-2.0
// The first line that differs, safe to show: no secrets, control characters or very long lines.

public import RequestSigning

extension SigV4.Diagnosis {
  /// Two differing lines in one step of the signature.
  public struct Difference: Hashable, Sendable, CustomStringConvertible {
    /// The step: `canonical request` or `string to sign`.
    public let step: String

    /// The number of the signed line, from 1, or of the received line if there's no signed line.
    public let line: Int

    /// The offset of the first differing byte, from 0.
    public let offset: Int

    /// The signed line, or nil. It contains sizes instead of secrets, and `\xNN` instead of bytes
    /// other than visible ASCII. If it's longer than 400 bytes, only the part around the difference
    /// is shown.
    public let signed: String?

    /// The server's line in the same format, or nil.
    public let received: String?

    /// The place and both lines, on three lines.
    public var description: String {
      "\(step), line \(line)\n  signed    \(signed ?? "(none)")\n"
        + "  received  \(received ?? "(none)")"
    }
  }
}

extension SigV4.Diagnosis {
  /// Hides secrets in text to show.
  struct Redaction {
    /// The signer's session token, and an access key ID that may be a secret, in each of their
    /// possible encodings.
    let secrets: [[UInt8]]

    init(_ identity: SigV4.Identity) {
      let id = identity.accessKeyID
      let texts = [identity.sessionToken, AccessKeyID.shown(id) == id ? nil : id]
      secrets = texts.flatMap { text in
        guard let text else { return [[UInt8]]() }
        let encoded = URIEncoding.encode(text.bytesInUTF8)
        return [text.bytesInUTF8, encoded, URIEncoding.encode(encoded)]
      }
    }
  }
}

extension SigV4.Diagnosis.Redaction {
  /// The difference between two lines of a step. `line` is the first one's index, from 0.
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

  /// A message from the server, safe to show.
  func shown(_ message: ArraySlice<UInt8>) -> String {
    Self.visible(CredentialNames.hiding(secrets, inMessage: message), around: 0)
  }

  /// A header, parameter or code name, safe to show.
  func name(_ name: some Collection<UInt8>) -> String {
    let name = hidden(Array(name.prefix(4096))[...])
    let text = Self.visible(Array(name.prefix(80)), around: 0)
    return name.count > 80 ? text + "..." : text
  }

  static func commonCount(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
    zip(left, right).prefix { $0 == $1 }.count
  }

  /// The line without secrets: values of secret names, and the signer's token anywhere.
  private func hidden(_ line: ArraySlice<UInt8>) -> [UInt8] {
    CredentialNames.hiding(secrets, in: line)
  }

  /// At most 400 bytes as visible ASCII, starting just before `place`.
  private static func visible(_ bytes: [UInt8], around place: Int) -> String {
    let start = bytes.count > 400 ? max(0, min(place - 80, bytes.count - 400)) : 0
    let part = bytes[start...].prefix(400)
    let end = part.endIndex < bytes.count ? "..." : ""
    return (start > 0 ? "..." : "") + SigV4.Diagnosis.visible(part) + end
  }
}

extension SigV4.Diagnosis {
  /// Bytes as visible ASCII and spaces. Any other byte becomes an escape, such as `\x0A`.
  package static func visible(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      if byte >= 0x20 && byte < 0x7F {
        text.append(byte)
      } else {
        text.append(contentsOf: "\\x".utf8)
        text.append(ASCIIByte.uppercaseDigit(byte >> 4))
        text.append(ASCIIByte.uppercaseDigit(byte & 15))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
