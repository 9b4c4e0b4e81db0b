// SPDX-License-Identifier: Apache-2.0
// signature-benchmark: ECDSA with P-256, Ed25519 and RSA of this package, compared with OpenSSL's assembly.

internal import BenchmarkSupport
internal import DigitalSignatures
internal import SecureHashing

@main
enum SignatureBenchmark {
  static func main() {
    BenchmarkProgram(
      name: "signature-benchmark",
      purpose: "ECDSA with P-256, Ed25519 and RSA, compared with OpenSSL if it's found",
      prepare: prepare
    ).main()
  }

  /// RFC 6979, A.2.5: the key, and the digest of the message "sample".
  private static func prepare(_: ProgramChoices) throws(BenchmarkError) -> BenchmarkSubject {
    let digest = SHA256.hash(data: "sample".utf8)
    do {
      let key = try P256.Signing.PrivateKey(
        rawRepresentation: Hexadecimal.decode(
          "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"))
      let openSSL = try OpenSSLLibrary.find().map {
        (library: $0, signer: try OpenSSLSignatures($0, key))
      }
      return BenchmarkSubject(
        libraries: openSSL.map { ["libcrypto: \($0.library.version)"] } ?? [],
        notes: openSSL == nil ? [OpenSSLLibrary.absence] : [],
        trials: [
          signing(digest, key, openSSL?.signer), verifying(digest, key, openSSL?.signer),
          preparing(digest, key),
        ]
          + (try openSSL.map {
            try EdwardsTrials.trials($0.library) + RSATrials.trials($0.library, digest)
          } ?? []))
    } catch {
      throw .failure("the signatures cannot be measured: \(error)")
    }
  }

  /// A signature in DER. One with a random nonce is right when it verifies.
  private static func signing(
    _ digest: SHA256.Digest, _ key: P256.Signing.PrivateKey, _ openSSL: OpenSSLSignatures?
  ) -> Trial {
    let memory = SignatureMemory()
    let isRight: (_ signature: [UInt8]) -> [UInt8] = { bytes in
      let signature = try? P256.Signing.ECDSASignature(derRepresentation: bytes)
      let isValid = signature.map { key.publicKey.isValidSignature($0, for: digest) }
      return [isValid == true ? 1 : 0]
    }
    var contenders = [
      Contender(
        name: "swift-sigv4",
        run: { repetitions in
          for _ in 0..<repetitions {
            memory.bytes.removeAll(keepingCapacity: true)
            key.signature(for: digest).appendDERRepresentation(to: &memory.bytes)
          }
        }, output: { isRight(memory.bytes) })
    ]
    if let openSSL {
      contenders.append(
        Contender(
          name: "openssl", run: { for _ in 0..<$0 { openSSL.sign(digest) } },
          output: { isRight(openSSL.signature) }))
    }
    return Trial(
      operation: "sign", bytes: 32, messages: 1,
      baseline: openSSL == nil ? "swift-sigv4" : "openssl", contenders: contenders, expected: [1],
      figures: .operations, remark: "of a digest, in DER; ours with the nonce of RFC 6979")
  }

  private static func verifying(
    _ digest: SHA256.Digest, _ key: P256.Signing.PrivateKey, _ openSSL: OpenSSLSignatures?
  ) -> Trial {
    let signature = key.signature(for: digest)
    let der = signature.derRepresentation
    let (publicKey, prepared) = (
      key.publicKey, P256.Signing.PreparedPublicKey(key.publicKey)
    )
    let result = SignatureMemory()
    func contender(_ name: String, _ verify: @escaping () -> Bool) -> Contender {
      Contender(
        name: name, run: { for _ in 0..<$0 { result.bytes[0] = verify() ? 1 : 0 } },
        output: { result.bytes })
    }
    result.bytes = [0]
    var contenders = [
      contender("swift-sigv4") { publicKey.isValidSignature(signature, for: digest) },
      contender("swift-sigv4-prepared") { prepared.isValidSignature(signature, for: digest) },
    ]
    if let openSSL {
      contenders.append(contender("openssl") { openSSL.verify(der, digest) })
    }
    return Trial(
      operation: "verify", bytes: 32, messages: 1,
      baseline: openSSL == nil ? "swift-sigv4" : "openssl", contenders: contenders, expected: [1],
      figures: .operations, remark: "of a digest; prepared: with a table that was made once")
  }

  private static func preparing(
    _ digest: SHA256.Digest, _ key: P256.Signing.PrivateKey
  ) -> Trial {
    let signature = key.signature(for: digest)
    let publicKey = key.publicKey
    let result = PreparedKeyMemory(publicKey)
    let verification = Contender(
      name: "verify",
      run: {
        for _ in 0..<$0 { result.isValid = publicKey.isValidSignature(signature, for: digest) }
      },
      output: { result.isValid ? [1] : [0] })
    let preparation = Contender(
      name: "swift-sigv4",
      run: { for _ in 0..<$0 { result.key = P256.Signing.PreparedPublicKey(publicKey) } },
      output: { result.key.isValidSignature(signature, for: digest) ? [1] : [0] })
    return Trial(
      operation: "prepare", bytes: 32, messages: 1, baseline: "verify",
      contenders: [preparation, verification], expected: [1], figures: .operations,
      remark: "the table of a public key, beside one verification without it")
  }
}

/// A key that is prepared again and again.
final class PreparedKeyMemory {
  var key: P256.Signing.PreparedPublicKey
  var isValid = false

  init(_ publicKey: P256.Signing.PublicKey) { key = P256.Signing.PreparedPublicKey(publicKey) }
}

/// Bytes that are used again.
final class SignatureMemory {
  var bytes: [UInt8] = []
}
