// SPDX-License-Identifier: Apache-2.0
// Round trips of the names in a signature: the verifier accepts the same ones as the signer.

internal import RequestSigning
internal import RequestVerification
internal import SecureHashing
internal import SigningTestSupport
internal import TestSupport
internal import Testing

@Suite("Verification: names of a signature, there and back")
struct SignatureNameTests {
  static let parameters = [
    "X-Amz-Algorithm", "X-Amz-Content-Sha256", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires",
    "X-Amz-Region-Set", "X-Amz-S3session-Token", "X-Amz-Security-Token", "X-Amz-Signature",
    "X-Amz-SignedHeaders", "X-Amz-Meta-A", "X-Amz-Content-Sha2567",
  ]
  static let headers = [
    "x-amz-content-sha256", "x-amz-date", "x-amz-region-set", "x-amz-s3session-token",
    "x-amz-security-token", "x-amz-algorithm", "x-amz-signature", "x-amz-expires", "Date",
    "x-amz-meta-a", "x-amz-trailer",
  ]
  static let services: [SigV4.Service] = [
    .s3, .s3Express, .s3ExpressControl, .iotDeviceGateway, .glacier, .vpcLattice,
  ]

  /// A request that has some of these names, most often with a value that fits.
  struct Case {
    let service: SigV4.Service
    let token: String?
    let isPresigned: Bool
    let request: SigV4.Request

    init(_ draw: inout Xorshift64) throws {
      func one<Element>(_ elements: [Element]) -> Element {
        elements[draw.size(upTo: UInt64(elements.count - 1))]
      }
      func spelled(_ name: String) -> String {
        [name, name, name, name.lowercased(), name.uppercased()][draw.size(upTo: 4)]
      }
      service = one(SignatureNameTests.services + [try Example.standardService()])
      token = one([nil, "t/+=", "t/+="])
      isPresigned = draw.size(upTo: 1) == 0
      let values = [
        "20150830T123600Z", Example.digestOfNothing, "UNSIGNED-PAYLOAD", "t/+=", "*", "", "a",
      ]
      let headers = (0..<draw.size(upTo: 2)).map { _ in
        (spelled(one(SignatureNameTests.headers)), one(values))
      }
      let query = (0..<draw.size(upTo: 1)).map { _ -> (String, String?) in
        (spelled(one(SignatureNameTests.parameters)), one(values))
      }
      request = try SigV4.Request(
        "GET", host: "example.com", query: SigV4.Query(query), headers: SigV4.Headers(headers),
        payload: one([.empty, .unsigned]))
    }

    /// The received request, if the signer signs it.
    func sent() throws(SigV4.SigningError) -> WireRequest {
      let signer = try SigV4.Signer(
        credentials: SigV4.Credentials(
          accessKeyID: Example.accessKeyID, secretAccessKey: Example.secret, sessionToken: token),
        region: "us-east-1", service: service)
      let now = try SigV4.Timestamp("20150830T123600Z")
      if !isPresigned { return WireRequest(try signer.sign(request, at: now), request.headers) }
      if service.name == "iotdevicegateway" {
        return WireRequest(try signer.presignedURL(for: request, expiresIn: nil, at: now))
      }
      return WireRequest(try signer.presignedURL(for: request, expiresIn: .seconds(60), at: now))
    }

    /// The token that the signer was given, or that a header has.
    var sentToken: String? {
      let name = service.sessionTokenRule.field.header.description
      return token ?? request.headers.values(named: name).first
    }
  }

  @Test("The verifier accepts requests that are signed with the default options")
  func thereAndBack() throws {
    var draw = Xorshift64(seed: 0x6E61_6D65_73)
    var (accepted, refused) = (0, 0)
    var failures: [String] = []
    for _ in 0..<sampleSize(4_000, of: 100_000) {
      let drawn = try Case(&draw)
      let sent: WireRequest
      do throws(SigV4.SigningError) {
        sent = try drawn.sent()
      } catch {
        refused += 1
        continue
      }
      do {
        var server = try ExampleServer(drawn.service, unsignedPayloads: .allowed)
        server.token = drawn.sentToken
        try server.verify(sent)
        accepted += 1
      } catch {
        let kind = drawn.isPresigned ? "URL" : "headers"
        failures.append("\(error): \(kind) \(sent.target) \(drawn.request.headers)")
      }
    }
    #expect(failures.count == 0, "\(failures.count), the first is \(failures.first ?? "none")")
    #expect(accepted > 1_000 && refused > 500, "\(accepted) accepted, \(refused) refused")
  }
}
