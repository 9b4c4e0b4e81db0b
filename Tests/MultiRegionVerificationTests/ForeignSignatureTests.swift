// SPDX-License-Identifier: Apache-2.0
// Signatures of awscrt and OpenSSL are verified, and the same is signed for them to verify.

internal import DigitalSignatures
internal import Foundation
internal import MultiRegionSigning
internal import MultiRegionVerification
internal import SecureHashing
internal import Testing

/// The environment names the folder with the output of `foreign-signatures.py`.
@Suite(
  "Foreign signatures",
  .enabled(
    if: ForeignRequest.folder != nil,
    "SIGV4_FOREIGN_SIGNATURES names no folder; .ci/gates foreign-signatures makes one"))
struct ForeignSignatureTests {
  @Test("Requests signed by awscrt are accepted, and the same ones are signed for others to verify")
  func requests() throws {
    var keys: [String: SigV4.MultiRegionPublicKey] = [:]
    let requests: [ForeignRequest] = try lines("requests.jsonl")
    var failures: [String] = []
    var ours: [ForeignRequest] = []
    for request in requests {
      let credentials = try SigV4.Credentials(
        accessKeyID: request.accessKeyID, secretAccessKey: request.secret,
        sessionToken: request.token)
      let key = keys[request.accessKeyID] ?? SigV4.MultiRegionPublicKey(credentials)
      // The first request of each caller goes without a table.
      keys[request.accessKeyID] = key.prepared()
      do {
        try request.verify(with: key)
      } catch {
        failures.append("\(error) \(request)")
      }
      ours.append(try request.signed(with: credentials))
    }
    #expect(requests.count == 10_000)
    #expect(failures.count == 0, "\(failures.first ?? "")")
    try write(ours, to: "our-requests.jsonl")
  }

  @Test("OpenSSL's signatures are valid, raw and in DER, and the same messages are signed")
  func signatures() throws {
    let signatures: [ForeignSignature] = try lines("signatures.jsonl")
    var (failures, ours) = (0, [ForeignSignature]())
    for foreign in signatures {
      let key = try P256.Signing.PrivateKey(rawRepresentation: Hexadecimal.decode(foreign.key))
      let message = try Hexadecimal.decode(foreign.message)
      let raw = try P256.Signing.ECDSASignature(
        rawRepresentation: Hexadecimal.decode(foreign.raw))
      let der = try P256.Signing.ECDSASignature(
        derRepresentation: Hexadecimal.decode(foreign.der))
      let isRight =
        raw == der && key.publicKey.isValidSignature(raw, for: message)
        && !key.publicKey.isValidSignature(raw, for: message + [0])
      if !isRight { failures += 1 }
      let signature = key.signature(for: message)
      ours.append(
        ForeignSignature(
          key: foreign.key, message: foreign.message,
          der: Hexadecimal.encode(signature.derRepresentation),
          raw: Hexadecimal.encode(signature.rawRepresentation)))
    }
    #expect(signatures.count == 10_000)
    #expect(failures == 0)
    try write(ours, to: "our-signatures.jsonl")
  }

  private func lines<Line: Decodable>(_ name: String) throws -> [Line] {
    let file = try #require(ForeignRequest.folder).appendingPathComponent(name)
    return try Data(contentsOf: file).split(separator: 0x0A).map {
      try JSONDecoder().decode(Line.self, from: $0)
    }
  }

  private func write(_ lines: [some Encodable], to name: String) throws {
    let file = try #require(ForeignRequest.folder).appendingPathComponent(name)
    try Data(lines.map { try JSONEncoder().encode($0) }.joined(separator: [0x0A])).write(to: file)
  }
}

/// A message under a key, and its signature in both forms.
struct ForeignSignature: Codable {
  let key: String
  let message: String
  let der: String
  let raw: String
}

/// A request, and how it is sent when it is signed.
struct ForeignRequest: Codable {
  static let folder = ProcessInfo.processInfo.environment["SIGV4_FOREIGN_SIGNATURES"]
    .map { URL(fileURLWithPath: $0) }

  let accessKeyID: String
  let secret: String
  let token: String?
  let service: String
  let regions: String
  let method: String
  let host: String
  let target: String
  let date: String
  let lifetime: Int?
  let headers: [[String]]
  let body: Data
  var signedTarget: String
  var signedHeaders: [[String]]

  private func signable() throws -> SigV4.Service {
    service == "s3" ? .s3 : try .standard(service)
  }

  /// The server is in us-east-1, and its clock the client's.
  func verify(with key: SigV4.MultiRegionPublicKey) throws {
    var policy = SigV4.Verifier(services: [try signable()], regions: ["us-east-1"])
    policy.algorithms = [.ecdsaP256SHA256]
    var request = SigV4.ReceivedRequest(method, target: signedTarget.utf8)
    for header in signedHeaders { request.append(header[0].utf8, header[1].utf8) }
    let unverified = try policy.check(request, at: SigV4.Timestamp(date))
    let digest = unverified.needsBodyDigest ? SHA256.hash(data: body) : nil
    _ = try unverified.verify(with: key, bodyDigest: digest).body(body)
  }

  /// The same request, signed here.
  func signed(with credentials: SigV4.Credentials) throws -> ForeignRequest {
    let signer = try SigV4.Signer(
      credentials: credentials, regionSet: SigV4.RegionSet(regions), service: signable())
    let fields = SigV4.Headers(headers.map { ($0[0], $0[1]) })
    let request = try SigV4.Request(
      method, url: "https://\(host)\(target)", headers: fields,
      payload: lifetime != nil && service == "s3" ? .unsigned : .bytes(Array(body)))
    var copy = self
    let sent: SigV4.Headers
    if let lifetime {
      let url = try signer.presignedURL(
        for: request, expiresIn: .seconds(lifetime), at: SigV4.Timestamp(date))
      copy.signedTarget = url.target
      sent = url.requiredHeaders
    } else {
      let signed = try signer.sign(request, at: SigV4.Timestamp(date))
      copy.signedTarget = signed.target
      sent = fields + signed.addedHeaders
    }
    copy.signedHeaders = [["host", host]] + sent.map { [$0.name, $0.value] }
    return copy
  }
}
