// SPDX-License-Identifier: Apache-2.0
// A server whose verifier reads requests of 1 MiB, and a client that signs whatever it is told to.

import MultiRegionSigning
import MultiRegionVerification
import RequestVerification
import SecureHashing

let mebibyte = 1 << 20
let noCode = String(repeating: "0", count: 64)
let noSignature = "3006020101020101"

/// A request as it comes from a connection: bytes in one piece of memory.
struct ReceivedBytes {
  private var bytes: [UInt8]
  private let target: Range<Int>
  private var headers: [(name: Range<Int>, value: Range<Int>)] = []

  init(_ received: Received) {
    bytes = Array(received.target.utf8)
    target = bytes.indices
    for header in received.headers {
      let start = bytes.count
      bytes += header.name.utf8
      let nameEnd = bytes.count
      bytes += header.value.utf8
      headers.append((start..<nameEnd, nameEnd..<bytes.count))
    }
  }

  /// What the server makes of it.
  var request: SigV4.ReceivedRequest {
    bytes.withUnsafeBufferPointer { bytes in
      func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[range])
      }
      var request = SigV4.ReceivedRequest("PUT", target: part(target), scheme: .https)
      for header in headers { request.append(part(header.name), part(header.value)) }
      return request
    }
  }
}

/// A request in texts, to be changed.
struct Received {
  var target = "/a"
  var headers: [(name: String, value: String)] = [("host", "bucket.example.com")]
  var body: [UInt8] = []

  mutating func append(_ name: String, _ value: String) { headers.append((name, value)) }

  /// As many bytes of a body as make 1 MiB with the head.
  mutating func fill() {
    let head = headers.reduce(target.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    body = [UInt8](repeating: 0, count: max(0, mebibyte - head - 1_024))
  }

  func replacing(_ old: String, with new: String) -> Received {
    var copy = self
    copy.target = target.replacing(old, with: new)
    copy.headers = headers.map { ($0.name, $0.value.replacing(old, with: new)) }
    return copy
  }
}

/// Who verifies, with the keys of who signs.
struct Server: Sendable {
  let now: SigV4.Timestamp
  let credentials: SigV4.Credentials
  private let multiRegionKey: SigV4.MultiRegionKey
  private let publicKey: SigV4.MultiRegionPublicKey

  init() throws {
    now = try SigV4.Timestamp("20150830T123600Z")
    credentials = try SigV4.Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
    multiRegionKey = SigV4.MultiRegionKey(credentials)
    publicKey = SigV4.MultiRegionPublicKey(credentials).prepared()
  }

  /// A verifier that accepts much, with longer lists than anybody has.
  func verifier(_ service: SigV4.Service) -> SigV4.Verifier {
    var verifier = SigV4.Verifier(
      services: [service], regions: (0..<100).map { "region-\($0)" } + ["us-east-1"])
    verifier.algorithms = [.hmacSHA256, .ecdsaP256SHA256]
    verifier.unsignedPayloads = .allowed
    verifier.unsignedContentTypes = .allowed
    verifier.dotSegments = .allowed
    return verifier
  }

  /// From the bytes to the verdict; a refusal is answered, too.
  func verdict(of bytes: ReceivedBytes, _ body: [UInt8], _ verifier: SigV4.Verifier) -> String {
    do throws(SigV4.VerificationError) {
      let unverified = try verifier.check(bytes.request, at: now)
      return "accepted, \(try verified(unverified).body(body).count) bytes"
    } catch {
      return refused(error)
    }
  }

  func refused(_ error: SigV4.VerificationError) -> String {
    "\(error.code), \(error.xmlResponse(requestID: "1").body.utf8.count) bytes"
  }

  private func verified(
    _ unverified: SigV4.UnverifiedRequest
  ) throws(SigV4.VerificationError) -> SigV4.VerifiedRequest {
    unverified.algorithm == .ecdsaP256SHA256
      ? try unverified.verify(with: publicKey) : try unverified.verify(with: credentials)
  }

  /// A request with the right signature in place of the one that is none. The verifier says what it
  /// signs, so this works for requests that no signer makes.
  func signed(
    _ received: Received, _ none: String, _ verifier: SigV4.Verifier
  ) -> Received {
    do throws(SigV4.VerificationError) {
      let request = ReceivedBytes(received).request
      let unverified = try verifier.check(request, at: now)
      do throws(SigV4.VerificationError) {
        _ = try verified(unverified)
      } catch {
        guard let canonicalRequest = error.canonicalRequest else { return received }
        let text =
          "\(unverified.algorithm.name)\n\(now.text)\n\(unverified.scope.text)\n"
          + SHA256.hash(data: canonicalRequest.bytes).hexString
        return received.replacing(none, with: signature(of: text, for: unverified))
      }
    } catch {}
    return received
  }

  private func signature(of text: String, for unverified: SigV4.UnverifiedRequest) -> String {
    if unverified.algorithm == .ecdsaP256SHA256 {
      return Hexadecimal.encode(
        multiRegionKey.privateKey.signature(for: Array(text.utf8)).derRepresentation)
    }
    let key = SigV4.SigningKey(credentials, scope: unverified.scope).key
    return Hexadecimal.encode(Array(HMAC<SHA256>.authenticationCode(for: text.utf8, using: key)))
  }
}
