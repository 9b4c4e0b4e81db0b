// SPDX-License-Identifier: Apache-2.0
// From a received request to what it claims: all that can be refused without a key is refused here.

internal import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// What a request claims. A class, since a claim is copied often, and one reference is all that a copy
  /// takes.
  final class ClaimParts: Sendable {
    let algorithm: Verifier.Algorithm
    let mechanism: Mechanism
    let timestamp: Timestamp
    let expiration: Timestamp?
    let signer: ClaimedSigner

    /// Nil where the scope has a region.
    let regionSet: String?
    let service: Service
    let payload: PayloadClaim
    let method: String
    let path: Path
    let query: Query
    let signedHeaders: CanonicalHeaders

    init(
      _ request: borrowing ReceivedRequest, _ policy: borrowing Verifier.Policy, at now: Timestamp
    ) throws(VerificationError) {
      try request.checkRequestLine()
      var headers = try ReceivedHeaders(request)
      let query = Query.received(
        request.target, in: request.queryRange, plus: policy.plusInQueries)
      let fields = try SignatureFields(headers, query, policy)
      algorithm = fields.algorithm
      let credential = try ClaimedCredential(
        fields.credential, hasRegion: algorithm.scopeHasRegion, malformed: fields.malformed)
      let regions = try fields.regions()
      regionSet = regions.map { String(decoding: $0.text, as: UTF8.self) }
      // Handing on a property of a class copies it.
      let service = try policy.service(of: credential, in: regions, malformed: fields.malformed)
      let token = try fields.token(service.sessionTokenRule, policy)
      let life = try ClaimedLife(fields, credential, service, policy, at: now)
      // From here on headers that are not signed are as good as not there.
      try Self.keepSigned(&headers, fields, service, policy)
      signedHeaders = headers.canonical
      payload = try PayloadClaim(fields, headers, request.scheme, service, policy)
      signer = ClaimedSigner(
        credential: credential, token: token, signature: fields.signature, claimTime: now)
      (mechanism, timestamp, expiration) = (fields.mechanism, life.timestamp, life.expiration)
      method = request.method
      path = try Self.path(of: request, service, policy)
      self.query = fields.signedPart(of: query, service.sessionTokenRule)
      self.service = service
    }

    private static func keepSigned(
      _ headers: inout ReceivedHeaders, _ fields: borrowing SignatureFields,
      _ service: borrowing Service, _ policy: borrowing Verifier.Policy
    ) throws(VerificationError) {
      let contentTypes = policy.unsignedContentTypes
      let leavesContentType =
        contentTypes == .accepted || contentTypes == .acceptedInURLs && fields.mechanism == .query
      try headers.keepSigned(
        fields.signedHeaders, service.sessionTokenRule, leavesContentType: leavesContentType)
      let signed = headers.canonical
      if signed.line(named: "host") == nil { throw .unsignedHeader("host".utf8) }
      if fields.isDatedByDateHeader && signed.line(named: "date") == nil {
        throw .unsignedHeader("date".utf8)
      }
      for name in policy.signedHeaders {
        let isSigned = signed.lines.contains { line in
          ASCIIByte.equalIgnoringCase(signed.bytes[line.name], name.utf8)
        }
        if !isSigned { throw .unsignedHeader(name.utf8) }
      }
    }

    /// The raw path. Services that encode once decode what they receive, and there a '+' is what the
    /// policy says.
    private static func path(
      of request: ReceivedRequest, _ service: Service, _ policy: Verifier.Policy
    ) throws(VerificationError) -> Path {
      let isDecoded = !service.pathRule.encodesTwice && policy.plusInPaths == .space
      let path =
        isDecoded
        ? Path.received(request.path.map { $0 == ASCIIByte.plus ? ASCIIByte.space : $0 })
        : Path.received(request.target, in: request.pathRange)
      if service.pathRule.isNormalized && policy.dotSegments == .refused && path.hasDotSegments {
        throw .dotSegment(service)
      }
      return path
    }
  }
}

extension SigV4.ClaimParts: Equatable {
  static func == (left: SigV4.ClaimParts, right: SigV4.ClaimParts) -> Bool {
    left.algorithm == right.algorithm && left.signer == right.signer
      && left.service == right.service && left.payload == right.payload
      && left.mechanism == right.mechanism && left.timestamp == right.timestamp
      && left.expiration == right.expiration && left.method == right.method
      && left.path == right.path && left.query.wire == right.query.wire
      && left.signedHeaders.lines.map { left.signedHeaders.bytes[$0.whole] }
        == right.signedHeaders.lines.map { right.signedHeaders.bytes[$0.whole] }
  }
}
