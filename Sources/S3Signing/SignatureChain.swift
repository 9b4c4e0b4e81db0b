// SPDX-License-Identifier: Apache-2.0
// The signatures of chunks and of trailers, each of which covers the one before.

package import RequestSigning
package import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Signatures of which each covers the one before; the first covers that of the request.
  ///
  /// Source: Amazon S3 API Reference, "Transferring Payload in Multiple Chunks", "Defining the
  /// chunk body", and the page about trailing headers after it.
  package struct SignatureChain: Sendable {
    /// The name of the algorithm, as it begins the string to sign of the request.
    let algorithm: String

    /// Secret: it holds the key.
    private let sign: @Sendable (_ stringToSign: [UInt8]) -> Signature

    /// What begins each string to sign of a chunk, and of trailers: algorithm, time and scope, a
    /// line each.
    private let chunkLines: [UInt8]
    private let trailerLines: [UInt8]

    /// What was signed last; empty before the first signature. It holds no secret.
    package private(set) var stringToSign: [UInt8] = []

    /// The last signature in hexadecimal digits.
    package private(set) var signature: [UInt8]

    /// A chain of codes under a signing key.
    package init(seed: Signature, key: SigningKey, at timestamp: Timestamp) {
      self.init("AWS4-HMAC-SHA256", seed: seed, scope: key.scope, at: timestamp) {
        key.signature(of: $0)
      }
    }

    /// A chain of signatures of any algorithm.
    package init(
      _ algorithm: String, seed: Signature, scope: CredentialScope, at timestamp: Timestamp,
      _ sign: @escaping @Sendable (_ stringToSign: [UInt8]) -> Signature
    ) {
      self.algorithm = algorithm
      self.sign = sign
      let timeAndScope = "\(timestamp.text)\n\(scope.text)\n"
      chunkLines = Array("\(algorithm)-PAYLOAD\n\(timeAndScope)".utf8)
      trailerLines = Array("\(algorithm)-TRAILER\n\(timeAndScope)".utf8)
      signature = Array(seed.hexadecimal.utf8)
    }

    /// Signs a chunk by its digest. Nothing is allocated but for the first one.
    package mutating func sign(chunk digest: SHA256.Digest) {
      startStringToSign(chunkLines)
      // The digest of the headers of a chunk, which has none.
      stringToSign += Self.digestOfNothing
      sign(digest)
    }

    /// Signs the trailers by the digest of their lines.
    package mutating func sign(trailers digest: SHA256.Digest) {
      startStringToSign(trailerLines)
      sign(digest)
    }

    private mutating func startStringToSign(_ lines: [UInt8]) {
      stringToSign.removeAll(keepingCapacity: true)
      stringToSign += lines
      stringToSign += signature
      stringToSign.append(ASCIIByte.newline)
    }

    private mutating func sign(_ digest: SHA256.Digest) {
      stringToSign.append(addingCapacity: 2 * SHA256.byteCount) {
        digest.append(hexadecimalTo: &$0)
      }
      let next = sign(stringToSign)
      signature.removeAll(keepingCapacity: true)
      signature.append(addingCapacity: next.hexadecimalCount) { next.append(hexadecimalTo: &$0) }
    }

    private static let digestOfNothing = Array(
      (SHA256().finalize().hexadecimal + "\n").utf8)
  }
}
