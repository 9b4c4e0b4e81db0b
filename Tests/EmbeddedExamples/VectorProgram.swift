// SPDX-License-Identifier: Apache-2.0
// The vectors that are compiled into the program: digests, codes, signatures, URLs and messages.

import RequestSigning
import SecureHashing

/// Runs all tables, prints a line for each, and returns how many vectors failed.
@c(run_vectors)
public func runVectors() -> Int {
  digests("cavp-sha256-short", VectorTables.digests)
    + codes("rfc4231", VectorTables.codes)
    + checksums("checksums", VectorTables.checksums)
    + signatures("published-vectors", VectorTables.published)
    + signatures("presigned-urls", VectorTables.presigned)
    + officialSuite("official-suite-v4", VectorTables.suite)
    + signatures("generated-requests", VectorTables.generated)
    + curveSignatures("ed25519-verdicts", VectorTables.curve)
    + moreVectors()
}

#if HAS_C_LIBRARY
  private func moreVectors() -> Int { messageSignatures("web-bot-auth", VectorTables.bots) }
#else
  private func moreVectors() -> Int { 0 }
#endif

/// NIST CAVP: messages of 0 to 64 bytes.
func digests(_ name: StaticString, _ table: StaticString) -> Int {
  var tally = Tally()
  Vector.forEach(in: table) { vector in
    guard let message = try? Hexadecimal.decode(vector.text("message")) else { return }
    tally.count(
      vector,
      vector.agrees("digest", SHA256.hash(data: message).hexString)
        && vector.begins("digest", SHA256.first(of: message), SHA256.firstWord(of: message)))
  }
  return tally.report(name)
}

/// RFC 4231; one code is shorter than the others.
func codes(_ name: StaticString, _ table: StaticString) -> Int {
  var tally = Tally()
  Vector.forEach(in: table) { vector in
    guard let key = try? Hexadecimal.decode(vector.text("key")) else { return }
    let message = vector.bytes("message") ?? []
    let code = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))
    let expected = vector.text("code").utf8
    tally.count(
      vector,
      expected.count > 0 && code.hexString.utf8.prefix(expected.count).elementsEqual(expected))
  }
  return tally.report(name)
}

/// Python: the checks, SHA-1 and MD5 of short texts; the table has other records too.
func checksums(_ name: StaticString, _ table: StaticString) -> Int {
  var tally = Tally()
  Vector.forEach(in: table) { vector in
    if vector.bytes("repeated") != nil { tally.count(vector, vector.checksumsAgree()) }
  }
  return tally.report(name)
}

/// Requests, and URLs where there is a lifetime: the whole header or URL where the table has it.
func signatures(_ name: StaticString, _ table: StaticString) -> Int {
  var tally = Tally()
  Vector.forEach(in: table) { vector in
    do throws(SigV4.SigningError) {
      let (signer, request) = (try vector.signer(), try vector.request())
      let time = try SigV4.Timestamp(vector.text("date"))
      if vector.bytes("lifetime") == nil && vector.bytes("presigned-url") == nil {
        let signed = try signer.sign(request, at: time)
        tally.count(
          vector,
          vector.agrees("signature", signed.signature.hexString)
            && vector.agrees("canonical-request", signed.canonicalRequest.text)
            && vector.agrees("authorization", signed.authorization))
      } else {
        let presigned = try vector.presigned(request, by: signer, at: time)
        tally.count(
          vector,
          vector.agrees("signature", presigned.signature.hexString)
            && vector.agrees("canonical-request", presigned.canonicalRequest.text)
            && vector.hasLength("presigned-url", presigned.url))
      }
    } catch {
      print(error.message)
      tally.count(vector, false)
    }
  }
  return tally.report(name)
}

/// AWS's test suite: each request is signed in its headers and in its query.
func officialSuite(_ name: StaticString, _ table: StaticString) -> Int {
  var tally = Tally()
  Vector.forEach(in: table) { vector in
    do throws(SigV4.SigningError) {
      let (signer, request) = (try vector.signer(), try vector.request())
      let time = try SigV4.Timestamp(vector.text("date"))
      let signed = try signer.sign(request, at: time)
      tally.count(
        vector,
        vector.agrees("header-canonical-request", signed.canonicalRequest.text)
          && vector.agrees("header-authorization", signed.authorization))
      let presigned = try signer.presignedURL(
        for: request, expiresIn: .seconds(vector.number("lifetime")), at: time)
      tally.count(
        vector,
        vector.agrees("query-canonical-request", presigned.canonicalRequest.text)
          && vector.agrees("query-signature", presigned.signature.hexString))
    } catch {
      print(error.message)
      tally.count(vector, false)
    }
  }
  return tally.report(name)
}
