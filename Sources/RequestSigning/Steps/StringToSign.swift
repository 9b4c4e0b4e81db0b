// SPDX-License-Identifier: Apache-2.0
// SigV4, steps 2 and 3: the hash of the canonical request, and the string to sign.

internal import SecureHashing

extension SigV4.SigningBuffer {
  /// Runs steps 2 and 3.
  mutating func writeStringToSign(_ texts: SignatureTexts, at time: SigV4.Timestamp) {
    var parts = parts
    var output = memory.bytes.mutableSpan
    let start = parts.end
    texts.append(texts.algorithmLine, to: &output, &parts.end)
    output.writeTimeLine(time, &parts.end)
    output.append(word: time.characters.day, &parts.end)
    texts.append(texts.scopeLine, to: &output, &parts.end)
    output.writeHash(&parts, stringToSignStart: start)
    self.parts = parts
  }
}

extension TextOutput {
  /// Runs steps 2 and 3 for a received request, which contains its algorithm and scope.
  mutating func writeStringToSign(
    _ algorithm: StaticString, scope: TextSpan, at time: SigV4.Timestamp,
    _ parts: inout SigV4.SigningBuffer.Parts
  ) {
    let start = parts.end
    append(algorithm, &parts.end)
    append(ASCIIByte.newline, &parts.end)
    writeTimeLine(time, &parts.end)
    append(scope, &parts.end)
    append(ASCIIByte.newline, &parts.end)
    writeHash(&parts, stringToSignStart: start)
  }

  /// Writes the second line: `20130524T000000Z`.
  fileprivate mutating func writeTimeLine(_ time: SigV4.Timestamp, _ end: inout Int) {
    writeTime(time, &end)
    append(ASCIIByte.newline, &end)
  }

  /// Writes the last line: the hash of the canonical request (step 2).
  fileprivate mutating func writeHash(
    _ parts: inout SigV4.SigningBuffer.Parts, stringToSignStart start: Int
  ) {
    append(digest(of: parts.canonicalRequest), &parts.end)
    parts.stringToSign = start..<parts.end
  }
}
