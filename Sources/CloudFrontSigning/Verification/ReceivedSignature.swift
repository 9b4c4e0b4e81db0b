// SPDX-License-Identifier: Apache-2.0
// Reads a signature and the statement that it signs.

internal import RequestSigning

extension CloudFrontVerifier {
  /// A signature and its statement, before they're verified.
  struct ReceivedSignature {
    let keyPairID: String
    let signature: [UInt8]
    let hashAlgorithm: CloudFrontSigner.HashAlgorithm

    /// The signed bytes.
    let statement: [UInt8]

    init(_ fields: ReceivedFields, of url: [UInt8]) throws(CloudFrontVerificationError) {
      if fields.isEmpty { throw .init(.missingSignature) }
      if fields.isRepeated { throw .init(.repeatedParameter) }
      guard let keyPairID = fields[.keyPairID], let signature = fields[.signature]
      else { throw .init(.incompleteSignature) }
      hashAlgorithm = try Self.hashAlgorithm(fields[.hashAlgorithm])
      guard let bytes = CloudFrontBase64.decode(signature) else { throw .init(.malformedSignature) }
      self.keyPairID = keyPairID.textInUTF8
      self.signature = bytes
      statement = try Self.statement(fields, of: url)
    }

    /// "If you don't include this parameter, CloudFront defaults to SHA1."
    private static func hashAlgorithm(
      _ name: ArraySlice<UInt8>?
    ) throws(CloudFrontVerificationError) -> CloudFrontSigner.HashAlgorithm {
      guard let name, !name.spells("SHA1") else { return .sha1 }
      if name.spells("SHA256") { return .sha256 }
      throw .init(.unsupportedHashAlgorithm)
    }

    /// The custom policy, or the canned policy of the requested URL.
    private static func statement(
      _ fields: ReceivedFields, of url: [UInt8]
    ) throws(CloudFrontVerificationError) -> [UInt8] {
      switch (fields[.policy], fields[.expires]) {
      case (nil, nil): throw .init(.incompleteSignature)
      case (.some, .some): throw .init(.conflictingPolicies)
      case (let policy?, nil):
        guard let bytes = CloudFrontBase64.decode(policy) else { throw .init(.malformedPolicy) }
        return bytes
      case (nil, let expires?):
        let expiration = try ReceivedPolicy.timestamp(expires.textInUTF8)
        return CloudFrontPolicy.json(url.textInUTF8, expiration, nil, nil).bytesInUTF8
      }
    }
  }
}
