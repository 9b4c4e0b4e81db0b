// SPDX-License-Identifier: Apache-2.0
// Amazon S3's rules for the headers of uploads: which of them contradict each other.

internal import RequestSigning
internal import S3Signing

extension SigV4.ReceivedRequest {
  /// Whether `Content-Encoding`, signed or not, contains `aws-chunked`.
  var hasChunkEncoding: Bool {
    let text = message.memory.bytes.span
    for index in message.shape.headers {
      let field = text.field(index)
      if !field.isHeader(.other) || !text.extracting(field.nameRange).spells("content-encoding") {
        continue
      }
      let value = text.extracting(field.valueRange).array
      let isChunked = value.split(separator: ASCIIByte.comma).contains {
        let name = $0.filter { !ASCIIByte.isWhitespace($0) }
        return ASCIIByte.equalIgnoringCase(name, "aws-chunked".utf8)
      }
      if isChunked { return true }
    }
    return false
  }

  /// Whether the request can be PutObject or UploadPart, the only operations whose body S3 accepts
  /// in unsigned chunks (github.com/versity/versitygw/issues/1601).
  ///
  /// CreateBucket isn't told from PutObject, because the bucket can be in the host.
  var isObjectUpload: Bool {
    if method != "PUT" { return false }
    return message[query].split(separator: ASCIIByte.ampersand).allSatisfy { parameter in
      let nameEnd = parameter.firstPosition(of: ASCIIByte.equals)
      let name = URIEncoding.decode(parameter[..<nameEnd])
      // A subresource of another store has no value either, such as "?acl".
      return nameEnd + 1 < parameter.endIndex
        && !Self.subresources.contains { name.elementsEqual($0.utf8) }
    }
  }

  /// The names of other operations than PutObject and UploadPart with the method PUT (Amazon S3 API
  /// Reference; botocore 1.43.11, data/s3/2006-03-01/service-2.json).
  private static let subresources = [
    "abac", "accelerate", "acl", "analytics", "cors", "encryption", "intelligent-tiering",
    "inventory", "legal-hold", "lifecycle", "logging", "metadataInventoryTable",
    "metadataJournalTable", "metrics", "notification", "object-lock", "ownershipControls", "policy",
    "publicAccessBlock", "renameObject", "replication", "requestPayment", "retention", "tagging",
    "versioning", "website",
  ]
}

extension RequestMessage {
  /// Rejects a request whose `x-amz-sdk-checksum-algorithm` isn't the algorithm of its checksum, as
  /// a header or a trailer.
  ///
  /// S3 does, too (github.com/versity/versitygw/issues/1659 and 1593).
  func checkNamedChecksum(
    _ location: SigV4.SignatureLocation
  ) throws(SigV4.VerificationError) {
    if !shape.has(.amz) { return }
    let header: StaticString = "x-amz-sdk-checksum-algorithm"
    let given = values(named: header)
    guard let name = given.first, !name.isEmpty else { return }
    let trailers = values(named: "x-amz-trailer").flatMap { $0.split(separator: ASCIIByte.comma) }
      .map { $0.filter { !ASCIIByte.isWhitespace($0) }.map(ASCIIByte.lowercased) }
    let algorithms = SigV4.Checksum.Algorithm.named.filter { algorithm in
      headers.contains { $0.name.elementsEqual(algorithm.headerName.utf8) }
        || trailers.contains { $0.elementsEqual(algorithm.headerName.utf8) }
    }
    // The checksum of a URL can be a parameter.
    if algorithms.isEmpty && location == .query { return }
    let isRight =
      given.count == 1
      && algorithms.contains { ASCIIByte.equalIgnoringCase($0.name.utf8, name) }
    if isRight { return }
    throw SigV4.VerificationError(
      .unsupportedChecksum,
      "The header \(header) is \(SigV4.shown(name)), but the request has "
        + (algorithms.isEmpty
          ? "no checksum." : "\(algorithms.map(\.headerName).joined(separator: " and "))."),
      fix: "Ask the client to send the checksum that it names.",
      statement: (
        .badRequest,
        algorithms.isEmpty
          ? "\(header) specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers "
            + "were found."
          : "Value for \(header) header is invalid."
      ))
  }

  /// The values of a header that starts with `x-amz-`, by its lowercase name.
  private func values(named name: StaticString) -> [ArraySlice<UInt8>] {
    let text = memory.bytes.span
    return shape.headers.compactMap { index in
      let field = text.field(index)
      let isSame = text.extracting(field.nameRange).spells(name)
      return isSame ? self[field.valueRange] : nil
    }
  }
}

extension SigV4.VerificationError {
  /// S3 stores the body of a signed request with this encoding undecoded, but a server that reads
  /// the header would decode it (github.com/versity/versitygw/pull/2400).
  static var unsignedChunkEncoding: Self {
    Self(
      .invalidPayloadDeclaration,
      "The body is unsigned, but its Content-Encoding is aws-chunked, so another server could "
        + "store different bytes.",
      fix: "Ask the client to declare its chunks in x-amz-content-sha256, such as "
        + "STREAMING-UNSIGNED-PAYLOAD-TRAILER.",
      statement: (
        .invalidArgument,
        "aws-chunked encoding is not supported when x-amz-content-sha256 UNSIGNED-PAYLOAD is "
          + "supplied"
      ))
  }

  static var unsignedChunksOfOtherOperation: Self {
    Self(
      .invalidPayloadDeclaration,
      "x-amz-content-sha256 announces unsigned chunks, but S3 accepts them only for PutObject and "
        + "UploadPart.",
      fix: "Ask the client to sign the body of this request.",
      statement: (.badRequest, "The value of x-amz-content-sha256 header is invalid."))
  }
}
