// SPDX-License-Identifier: Apache-2.0
// The signatures of chunks and trailers, each of which covers the previous one.

package import RequestSigning
package import SecureHashing

extension SigV4 {
  /// A chain of signatures: each covers the previous one, and the first covers the request's.
  ///
  /// A signer creates each signature. A verifier accepts the received one if it's valid.
  ///
  /// Source: Amazon S3 API Reference, "Transferring Payload in Multiple Chunks", "Defining the
  /// chunk body", and the following page about trailing headers.
  package struct SignatureChain: Sendable {
    /// The label between the size of a chunk and its signature.
    package static var label: String { ";chunk-signature=" }

    /// The first lines of each string to sign, for chunks and for trailers: algorithm, time and
    /// scope.
    private let chunkLines: [UInt8]
    private let trailerLines: [UInt8]

    /// The last string to sign, or empty before the first signature. It contains no secret.
    package private(set) var stringToSign: [UInt8] = []

    /// The last signature in hexadecimal digits.
    package private(set) var signature: [UInt8]

    /// Creates a chain of signatures with any algorithm. The first covers the digits of the
    /// request's signature.
    package init(
      _ algorithm: String, seed: [UInt8], scope: CredentialScope, at timestamp: Timestamp
    ) {
      let timeAndScope = "\(timestamp.text)\n\(scope.text)\n"
      chunkLines = Array("\(algorithm)-PAYLOAD\n\(timeAndScope)".utf8)
      trailerLines = Array("\(algorithm)-TRAILER\n\(timeAndScope)".utf8)
      signature = seed
    }

    /// Appends a chunk, from its digest. Returns false if there is no valid signature.
    ///
    /// `signature` returns the signature of a string to sign, or nil if there is no valid one. Only
    /// the first call allocates memory.
    @discardableResult
    package mutating func append(
      chunk digest: SHA256.Digest, _ signature: (_ stringToSign: [UInt8]) -> Signature?
    ) -> Bool {
      startStringToSign(chunkLines)
      // The digest of the chunk's headers, which are empty.
      stringToSign += Self.digestOfNothing
      return append(digest, signature)
    }

    /// Appends the trailers, from the digest of their lines.
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
      digest.appendDigits(to: &stringToSign)
      guard let next = signature(stringToSign) else { return false }
      self.signature.removeAll(keepingCapacity: true)
      next.appendDigits(to: &self.signature)
      return true
    }

    private static let digestOfNothing = Array(
      (SHA256().finalize().hexString + "\n").utf8)
  }
}
