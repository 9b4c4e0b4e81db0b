// SPDX-License-Identifier: Apache-2.0
// A request to be signed, by whom and when, and the signature that somebody else has computed.

internal import BenchmarkSupport
internal import RequestSigning

struct SigningTask {
  let name: String
  let request: SigV4.Request
  /// The same request, made from the text of its URL and its headers.
  let makeRequest: () throws(SigV4.SigningError) -> SigV4.Request
  let timestamp: SigV4.Timestamp
  /// In seconds, or nil for a header signature.
  let lifetime: Duration?
  /// Derives the signing key in every call.
  let derivingSigner: SigV4.Signer
  /// Has the signing key.
  let signer: SigV4.Signer
  let signature: [UInt8]
  let canonicalByteCount: Int
  let blocks: BlockCounts

  /// Performs steps 1 to 3 once, to count blocks and to reuse the results.
  init(
    _ name: String, signer: SigV4.Signer, at timestamp: SigV4.Timestamp,
    expiresIn lifetime: Duration?,
    signature: [UInt8],
    request makeRequest: @escaping () throws(SigV4.SigningError) -> SigV4.Request
  ) throws(SigV4.SigningError) {
    self.name = name
    self.makeRequest = makeRequest
    request = try makeRequest()
    self.timestamp = timestamp
    self.lifetime = lifetime
    self.signature = signature
    derivingSigner = signer
    let identity = signer.identity
    self.signer = try SigV4.Signer(
      signingKey: signer.signingKey(at: timestamp), sessionToken: identity.sessionToken,
      expiration: identity.expiration, service: signer.service)
    if let lifetime {
      let signed: SigV4.PresignedURL = try signer.presignedURL(
        for: request, expiresIn: lifetime, at: timestamp)
      canonicalByteCount = signed.canonicalRequest.bytes.count
      blocks = BlockCounts(signed.canonicalRequest, signed.stringToSign, signed.credentialScope)
    } else {
      let signed = try signer.sign(request, at: timestamp)
      canonicalByteCount = signed.canonicalRequest.bytes.count
      blocks = BlockCounts(signed.canonicalRequest, signed.stringToSign, signed.credentialScope)
    }
  }

  /// Refuses a request that is not signed as somebody else has signed it.
  func check() throws(BenchmarkError) {
    if (try? signature(by: signer)) == signature { return }
    throw .failure("\(name) is signed wrongly: nothing that is wrong is timed")
  }

  func signature(by signer: SigV4.Signer) throws(SigV4.SigningError) -> [UInt8] {
    if let lifetime {
      return try signer.presignedURL(for: request, expiresIn: lifetime, at: timestamp).signature
        .bytes
    }
    return try signer.sign(request, at: timestamp).signature.bytes
  }
}

/// The number of 64-byte blocks that every contender must compress for a signature.
struct BlockCounts {
  /// With the signing key kept, and its mid-states.
  let keyKept: Int
  /// The derivation of the signing key with cached mid-states of the secret.
  let derivation: Int

  var keyDerived: Int { keyKept + derivation }

  init(
    _ canonicalRequest: SigV4.CanonicalRequest, _ stringToSign: SigV4.StringToSign,
    _ scope: SigV4.CredentialScope
  ) {
    keyKept =
      Self.ofMessage(canonicalRequest.bytes.count) + Self.ofCode(stringToSign.bytes.count)
    // SigV4, step 4: four codes, each except the first with a new key. The last one becomes a key.
    derivation =
      Self.ofCode(scope.day.utf8.count) + Self.ofKey + Self.ofCode(scope.region.utf8.count)
      + Self.ofKey + Self.ofCode(scope.service.utf8.count)
      + Self.ofKey + Self.ofCode("aws4_request".utf8.count) + Self.ofKey
  }

  /// FIPS 180-4, 5.1.1: at least one bit and the length in 8 bytes follow the message.
  private static func ofMessage(_ byteCount: Int) -> Int { (byteCount + 8) / 64 + 1 }

  /// RFC 2104, 2 and 4: the message after the block of the key, whose mid-state is kept, and the
  /// 32 bytes of the inner digest after another one.
  private static func ofCode(_ byteCount: Int) -> Int { ofMessage(64 + byteCount) - 1 + 1 }

  /// The two mid-states of a key.
  private static let ofKey = 2
}
