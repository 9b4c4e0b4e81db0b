// SPDX-License-Identifier: Apache-2.0
// Room 2: the string to sign.

internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Room 2: the string to sign (SigV4, step 3).
  public struct StringToSign: Sendable {
    let buffer: SigningBuffer

    init(in buffer: SigningBuffer) {
      self.buffer = buffer
    }

    /// The string to sign. It holds no secret.
    public var bytes: [UInt8] { Array(buffer.memory[buffer.layout.stringToSign]) }

    /// The string to sign as text.
    public var text: String { buffer.text(buffer.layout.stringToSign) }
  }
}

extension SigV4.SigningBuffer {
  /// Room 2.
  package mutating func writeStringToSign(_ texts: SigV4.ScopeTexts, at timestamp: SigV4.Timestamp)
  {
    let digest = canonicalRequestDigest
    layout.stringToSign = write { writer in
      writer.append(texts.algorithmName)
      writer.append(ASCIIByte.newline)
      timestamp.write(to: &writer)
      writer.append(ASCIIByte.newline)
      texts.writeScope(at: timestamp, to: &writer)
      writer.append(ASCIIByte.newline)
      writer.appendHexadecimal(digest)
    }
  }
}

extension SigV4.StringToSign: CustomStringConvertible {
  /// The string to sign as text.
  public var description: String { text }
}
