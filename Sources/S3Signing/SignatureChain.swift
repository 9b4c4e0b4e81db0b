// SPDX-License-Identifier: Apache-2.0
// The signatures of chunks and of trailers, each of which covers the one before.

package import RequestSigning
package import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Signatures of which each covers the one before; the first covers that of the request.
  ///
  /// Source: Amazon S3 API Reference, "Transferring Payload in Multiple Chunks", "Defining the chunk
  /// body", and the page about trailing headers after it.
  package struct SignatureChain: Sendable {
    /// Secret.
    private let key: SigningKey

    /// The time and the scope, a line each.
    private let timeAndScope: [UInt8]

    /// What was signed last; empty before the first signature. It holds no secret.
    package private(set) var stringToSign: [UInt8] = []

    /// The last signature in 64 digits.
    package private(set) var signature: [UInt8]

    package init(seed: Signature, key: SigningKey, at timestamp: Timestamp) {
      self.key = key
      timeAndScope = Array("\(timestamp.text)\n\(key.scope.text)\n".utf8)
      signature = Array(seed.hexadecimal.utf8)
    }

    /// Signs a chunk by its digest. Nothing is allocated but for the first one.
    package mutating func sign(chunk digest: SHA256.Digest) {
      // The digest of the headers of a chunk, which has none.
      startStringToSign("AWS4-HMAC-SHA256-PAYLOAD\n")
      stringToSign += Self.digestOfNothing
      sign(digest)
    }

    /// Signs the trailers by the digest of their lines.
    package mutating func sign(trailers digest: SHA256.Digest) {
      startStringToSign("AWS4-HMAC-SHA256-TRAILER\n")
      sign(digest)
    }

    private mutating func startStringToSign(_ algorithm: String) {
      stringToSign.removeAll(keepingCapacity: true)
      stringToSign += algorithm.utf8
      stringToSign += timeAndScope
      stringToSign += signature
      stringToSign.append(ASCIIByte.newline)
    }

    private mutating func sign(_ digest: SHA256.Digest) {
      stringToSign.append(addingCapacity: 2 * SHA256.byteCount) {
        digest.append(hexadecimalTo: &$0)
      }
      let next = key.signature(of: stringToSign)
      signature.removeAll(keepingCapacity: true)
      signature.append(addingCapacity: next.hexadecimalCount) { next.append(hexadecimalTo: &$0) }
    }

    private static let digestOfNothing = Array(
      (SHA256().finalize().hexadecimal + "\n").utf8)
  }
}
