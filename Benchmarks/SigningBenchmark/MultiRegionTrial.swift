// SPDX-License-Identifier: Apache-2.0
// The download signed with Signature Version 4a, compared with its bare P-256 signature.

internal import BenchmarkSupport
internal import DigitalSignatures
internal import MultiRegionSigning
internal import RequestSigning

enum MultiRegionTrial {
  /// The result must be a signature that the public key accepts, because others choose random
  /// nonces.
  static func trial(
    _ task: SigningTask, _ peers: [SigningPeer]
  ) throws(BenchmarkError) -> Trial {
    do {
      let credentials = try MeasuredRequests.credentials()
      let derivedKey = SigV4.MultiRegionKey(credentials)
      let signer = try SigV4.Signer(
        key: derivedKey, identity: credentials.identity, regionSet: .all, service: .s3)
      let signed = try signer.sign(task.request, at: task.timestamp)
      let key = derivedKey.privateKey
      let verdict = { (signature: [UInt8]) -> [UInt8] in
        let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
        let text = signed.stringToSign.bytes
        return signature.map { key.publicKey.isValidSignature($0, for: text) ? [1] : [0] } ?? []
      }
      let ours = SigningEntrant(SigningEntrant.ours) {
        try signer.sign($0.makeRequest(), at: $0.timestamp)
      } signature: {
        verdict($0.signature.bytes)
      }
      let derived = SigningEntrant(SigningEntrant.derived) {
        try SigV4.Signer(credentials: credentials, regionSet: .all, service: .s3)
          .sign($0.makeRequest(), at: $0.timestamp)
      } signature: {
        verdict($0.signature.bytes)
      }
      let bare = SigningEntrant(baseline) { _ in
        key.signature(for: signed.stringToSign.bytes)
      } signature: {
        verdict($0.derRepresentation)
      }
      return Trial(
        operation: "multi-region", bytes: signed.canonicalRequest.bytes.count, messages: 1,
        baseline: baseline,
        contenders: [ours.contender(task), derived.contender(task), bare.contender(task)]
          + peers.filter { ["awscrt", "soto"].contains($0.name) }.map {
            $0.contender(task, regionSet: "*", baseline: baseline, output: verdict)
          },
        expected: [1], figures: .operations,
        remark: "Signature Version 4a in headers, from text; \(baseline) is the bare signature")
    } catch {
      throw .failure("the download cannot be signed for many regions: \(error)")
    }
  }

  private static let baseline = "p256"
}
