// SPDX-License-Identifier: Apache-2.0
// Room 4: the signature, which is public.

public import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Room 4: a signature. It is public: it travels with the request.
  public struct Signature: Hashable, Sendable, CustomStringConvertible {
    package let digest: SHA256.Digest

    /// The signature: 32 bytes for HMAC-SHA-256.
    public var bytes: [UInt8] { Array(digest) }

    /// An authentication code as signature.
    public init(_ code: HMAC<SHA256>.MAC) {
      digest = code.digest
    }

    package init(digest: SHA256.Digest) {
      self.digest = digest
    }

    /// A signature in hexadecimal, made elsewhere: 64 digits for HMAC-SHA-256.
    ///
    /// Throws `invalidSignature` unless there are 64 hexadecimal digits.
    public init(hexadecimal: String) throws(SigningError) {
      let decoded = try? Hexadecimal.decode(hexadecimal)
      guard let decoded, let digest = SHA256.Digest(bytes: decoded) else {
        throw SigningError(
          .invalidSignature,
          """
          \(quoted: hexadecimal) is no signature: look for digits that were lost on the way from \
          whoever signs; for AWS4-HMAC-SHA256 there are 64 hexadecimal ones
          """)
      }
      self.digest = digest
    }

    /// The signature in lowercase hexadecimal digits, as it is sent.
    public var hexadecimal: String { digest.hexadecimal }

    /// The signature in lowercase hexadecimal digits.
    public var description: String { hexadecimal }
  }
}
