// SPDX-License-Identifier: Apache-2.0
// The trailers of a body, with their signature and checksum.

internal import RequestSigning
internal import S3Signing
internal import SecureHashing

extension SigV4 {
  /// The trailers of a body.
  struct ReceivedTrailers: Sendable {
    /// A lowercase name, and a value without leading and trailing whitespace.
    struct Trailer: Sendable {
      let name: [UInt8]
      let value: [UInt8]
    }

    private(set) var trailers: [Trailer] = []

    /// The value of x-amz-trailer-signature.
    private(set) var signature: Signature?

    private var byteCount = 0

    /// The maximum size of all lines, in bytes.
    static var byteLimit: Int { 16_384 }

    /// Adds a line, `name:value`.
    mutating func append(
      _ line: ArraySlice<UInt8>, _ announcement: ChunkAnnouncement
    ) throws(VerificationError) {
      byteCount += line.count + 2
      let rawName = line.prefix { $0 != ASCIIByte.colon }
      let name = rawName.map(ASCIIByte.lowercased)
      var value = line[rawName.endIndex...].dropFirst().drop(while: ASCIIByte.isWhitespace)
      while let last = value.last, ASCIIByte.isWhitespace(last) { value.removeLast() }
      let isField =
        rawName.endIndex < line.endIndex && !name.isEmpty
        && name.allSatisfy(ASCIIByte.isTokenCharacter)
        && !value.contains(where: ASCIIByte.isControl)
      if !isField || byteCount > Self.byteLimit || signature != nil
        || trailers.count > announcement.trailerNames.count
      {
        throw VerificationError(
          .trailerMismatch,
          "The line \(shown(rawName)) isn't a trailer, follows the trailers' signature, or is one "
            + "too many.",
          fix: "Check what the client sends after the last chunk.")
      }
      let isSigned = announcement.kind == .signedWithTrailers
      if isSigned && name.elementsEqual(ChunkTrailer.signatureName.utf8) {
        signature = announcement.algorithm.chunkSignature(value)
        if signature == nil {
          throw VerificationError(
            .chunkSignatureMismatch,
            "The trailers' signature (\(value.count) characters) must be "
              + "\(announcement.algorithm.chunkSignatureRule).",
            fix: "Treat it as an attack, or check what the client sends.")
        }
      } else {
        trailers.append(Trailer(name: name, value: Array(value)))
      }
    }

    /// Checks that the names are the announced ones, which are sorted and unique.
    mutating func check(_ announced: [[UInt8]]) throws(VerificationError) {
      trailers.sort { $0.name.lexicographicallyPrecedes($1.name) }
      if trailers.map(\.name) == announced { return }
      let other = trailers.first { !announced.contains($0.name) }
      throw VerificationError(
        .trailerMismatch,
        "The trailers don't match x-amz-trailer: \(announced.count) announced, \(trailers.count) "
          + "received" + (other.map { ", including " + UTF8Text.quoted($0.name) } ?? "") + ".",
        fix: "Check what the client sends, and don't use the trailers.")
    }

    /// The signed bytes: `name:value` and a newline for each trailer, in order.
    var canonicalBytes: [UInt8] {
      trailers.flatMap { $0.name + [ASCIIByte.colon] + $0.value + [ASCIIByte.newline] }
    }

    var headers: Headers {
      Headers(
        trailers.map {
          (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
        })
    }
  }
}

extension SigV4.Checksum.Computation {
  /// Throws if the checksum trailer doesn't match the body.
  func check(_ received: SigV4.ReceivedTrailers) throws(SigV4.VerificationError) {
    let name = algorithm.headerName
    let trailer = received.trailers.first { $0.name.elementsEqual(name.utf8) }
    if trailer?.value.elementsEqual(finalize().text.utf8) == true { return }
    throw SigV4.VerificationError(
      .checksumMismatch,
      "The body doesn't match the checksum in trailer \(name).",
      fix: "Discard the body, and ask the client to send it again.")
  }
}
