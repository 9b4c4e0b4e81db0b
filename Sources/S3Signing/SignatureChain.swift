// SPDX-License-Identifier: Apache-2.0
// The signatures of chunks and of trailers, each of which covers the one before.

package import RequestSigning
package import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Signatures of which each covers the one before; the first covers that of the request. Those
  /// who sign make each of them, and those who verify take what was sent, if it is right.
  ///
  /// Source: Amazon S3 API Reference, "Transferring Payload in Multiple Chunks", "Defining the
  /// chunk body", and the page about trailing headers after it.
  package struct SignatureChain: Sendable {
    /// What stands before the signature of a chunk, after its size.
    package static var label: String { ";chunk-signature=" }

    /// What begins each string to sign of a chunk, and of trailers: algorithm, time and scope, a
    /// line each.
    private let chunkLines: [UInt8]
    private let trailerLines: [UInt8]

    /// What was signed last; empty before the first signature. It holds no secret.
    package private(set) var stringToSign: [UInt8] = []

    /// The last signature in hexadecimal digits.
    package private(set) var signature: [UInt8]

    /// A chain of signatures of any algorithm.
    package init(
      _ algorithm: String, seed: Signature, scope: CredentialScope, at timestamp: Timestamp
    ) {
      let timeAndScope = "\(timestamp.text)\n\(scope.text)\n"
      chunkLines = Array("\(algorithm)-PAYLOAD\n\(timeAndScope)".utf8)
      trailerLines = Array("\(algorithm)-TRAILER\n\(timeAndScope)".utf8)
      signature = Array(seed.hexString.utf8)
    }

    /// Goes on by a chunk, whose digest it takes: `signature` gives the signature of a string to
    /// sign, or nil when there is no right one. Whether there was one. Nothing is allocated but for
    /// the first one.
    @discardableResult
    package mutating func append(
      chunk digest: SHA256.Digest, _ signature: (_ stringToSign: [UInt8]) -> Signature?
    ) -> Bool {
      startStringToSign(chunkLines)
      // The digest of the headers of a chunk, which has none.
      stringToSign += Self.digestOfNothing
      return append(digest, signature)
    }

    /// Goes on by the trailers, of whose lines it takes the digest.
    @discardableResult
    package mutating func append(
      trailers digest: SHA256.Digest, _ signature: (_ stringToSign: [UInt8]) -> Signature?
    ) -> Bool {
      startStringToSign(trailerLines)
      return append(digest, signature)
    }

    private mutating func startStringToSign(_ lines: [UInt8]) {
      stringToSign.removeAll(keepingCapacity: true)
      stringToSign += lines
      stringToSign += signature
      stringToSign.append(ASCIIByte.newline)
    }

    private mutating func append(
      _ digest: SHA256.Digest, _ signature: (_ stringToSign: [UInt8]) -> Signature?
    ) -> Bool {
      stringToSign.append(addingCapacity: 2 * SHA256.byteCount) {
        digest.append(hexadecimalTo: &$0)
      }
      guard let next = signature(stringToSign) else { return false }
      self.signature.removeAll(keepingCapacity: true)
      self.signature.append(addingCapacity: next.hexadecimalCount) {
        next.append(hexadecimalTo: &$0)
      }
      return true
    }

    private static let digestOfNothing = Array(
      (SHA256().finalize().hexString + "\n").utf8)
  }
}
