// SPDX-License-Identifier: Apache-2.0
// The seam: how a string to sign becomes a signature, here or elsewhere.

internal import SigningSupport

extension SigV4 {
  /// How a string to sign becomes a signature.
  public struct SignatureAlgorithm: Sendable, CustomStringConvertible {
    /// The first line of the string to sign.
    public let name: String

    /// HMAC with SHA-256: a signature of 32 bytes.
    public static var hmacSHA256: SignatureAlgorithm {
      SignatureAlgorithm(name: "AWS4-HMAC-SHA256")
    }

    /// The name.
    public var description: String { name }
  }
}
