// SPDX-License-Identifier: Apache-2.0
// X.509 certificates: what is read stays the same, in DER and in PEM, and private keys are read or refused.

internal import DigitalSignatures
internal import SecureHashing

enum CertificateTargets {
  /// The kind of input, and bytes: a certificate, a file with several, or a private key of a
  /// certificate.
  static func certificates(_ input: FuzzInput) {
    var input = input
    let kind = input.number() % 3
    let bytes = input.bytes
    switch kind {
    case 0:
      guard let certificate = try? X509Certificate(derRepresentation: bytes) else { return }
      expect(certificate.derRepresentation == bytes, "all bytes are kept")
      expect(bytes.count < 65_540, "its length is bounded")
      read(certificate)
      let block = pem(bytes)
      expect((try? X509Certificate.all(in: block)) == [certificate], "it comes back in PEM")
      expect((try? X509Certificate.all(in: block + block))?.count == 2, "twice")
    case 1:
      guard let certificates = try? X509Certificate.all(in: bytes) else { return }
      expect((1...16).contains(certificates.count), "their number is bounded")
      certificates.forEach(read)
    default:
      for (certificate, key) in known {
        guard let found = try? certificate.privateKey(in: bytes) else { continue }
        expect(found.publicKey == key, "only its own key is accepted")
      }
    }
  }

  private static func read(_ certificate: X509Certificate) {
    if let serial = try? certificate.serialNumber() {
      expect((1...49).contains(serial.utf8.count), "20 bytes are at most 49 digits")
      expect(serial.utf8.allSatisfy { (0x30...0x39).contains($0) }, "digits")
      expect(serial == "0" || !serial.hasPrefix("0"), "without a zero at the start")
    }
    guard let key = try? certificate.publicKey() else { return }
    expect(!key.isValidSignature([], for: []), "nothing is no signature")
    expect((try? certificate.privateKey(in: certificate.derRepresentation)) == nil, "no key")
  }

  private static func pem(_ bytes: [UInt8]) -> [UInt8] {
    let text = "-----BEGIN CERTIFICATE-----\n\(Base64.encode(bytes))\n-----END CERTIFICATE-----\n"
    return Array(text.utf8)
  }

  /// A certificate of the key of RFC 6979, A.2.5 (`certificates.py`, "version 1").
  private static let known: [(X509Certificate, X509PublicKey)] = {
    let hexadecimal =
      "3081d43081ba02014d300a06082a8648ce3d04030230153113301106035504030c0a4578616d706c"
      + "652043413020170d3234303130313030303030305a180f32303630303130313030303030305a3015"
      + "3113301106035504030c0a4578616d706c652043413059301306072a8648ce3d020106082a8648ce"
      + "3d0301070342000460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
      + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299300a06082a8648ce"
      + "3d0403020309003006020101020102"
    let certificate = required("the certificate is one") {
      try X509Certificate(derRepresentation: Hexadecimal.decode(hexadecimal))
    }
    return [(certificate, required("the key is one") { try certificate.publicKey() })]
  }()
}
