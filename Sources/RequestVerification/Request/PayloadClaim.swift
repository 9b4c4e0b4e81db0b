// SPDX-License-Identifier: Apache-2.0
// A request's claim about its body, and whether the verifier accepts it.

internal import RequestSigning
internal import S3Signing
internal import SecureHashing

extension SigV4 {
  /// The part of the body that the signature covers.
  enum PayloadClaim: Equatable {
    /// Its hash, which no header contains.
    case undeclared
    /// Its hash, in digits that the request declares.
    case digest
    case unsigned
    indirect case chunks(ChunkAnnouncement)

    init(
      _ fields: SignatureFields, _ request: borrowing ReceivedRequest, isChunkEncoded: Bool,
      _ service: borrowing Service, _ verifier: borrowing Verifier
    ) throws(VerificationError) {
      try self.init(declaredIn: fields, request, service, verifier)
      if !service.isObjectStorage { return }
      if isChunkEncoded && self == .unsigned { throw .unsignedChunkEncoding }
      if case .chunks(let announcement) = self, announcement.kind == .unsignedWithTrailers,
        !request.isObjectUpload
      {
        throw .unsignedChunksOfOtherOperation
      }
    }

    private init(
      declaredIn fields: SignatureFields, _ request: borrowing ReceivedRequest,
      _ service: borrowing Service, _ verifier: borrowing Verifier
    ) throws(VerificationError) {
      let location = fields.source.location
      guard let range = fields.contentSHA256 else {
        self = try Self.undeclared(location, service, verifier)
        return
      }
      let value = request.message.memory.bytes.span.extracting(range)
      if value.spells(SigV4.Payload.unsignedText) {
        // Clients leave a body unsigned if TLS protects it. A URL doesn't show how it will be used.
        if location == .header && !Self.isTLS(request.scheme) {
          throw service.payloadRule == .unsigned ? .neverSigned(copy service) : .unsignedPayload
        }
        self = try Self.unsigned(location, service, verifier)
      } else if service.payloadRule == .unsigned {
        throw VerificationError(
          .invalidPayloadDeclaration,
          "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, since requests to \(service.name) never "
            + "sign the body.",
          fix: "Check what the client sends.")
      } else if value.count == 2 * SHA256.byteCount && value.isLowercaseHexadecimal {
        self = .digest
      } else if let kind = ChunkAnnouncement.Kind(value, fields.algorithm), location == .header,
        service.names == .aws
      {
        self = .chunks(try ChunkAnnouncement(kind, fields.algorithm, request, verifier))
      } else {
        throw VerificationError(
          .invalidPayloadDeclaration,
          "x-amz-content-sha256 is \(shown(value.array)), which is neither 64 lowercase "
            + "hexadecimal digits nor a supported keyword.",
          fix: "Check what the client sends.")
      }
    }

    /// The claim of a request without x-amz-content-sha256.
    private static func undeclared(
      _ location: SignatureLocation, _ service: borrowing Service,
      _ verifier: borrowing Verifier
    ) throws(VerificationError) -> PayloadClaim {
      if service.payloadRule == .hashed { return .undeclared }
      if service.payloadRule == .declared && location == .query { return .undeclared }
      if service.payloadRule == .declaredExceptInURLs && location == .query {
        return try unsigned(location, service, verifier)
      }
      throw VerificationError(
        .payloadNotDeclared,
        "Requests to \(service.name) require x-amz-content-sha256, but this one has none.",
        fix: "Check for a proxy that removes it, and for a client that never sends it to this "
          + "service.")
    }

    private static func unsigned(
      _ location: SignatureLocation, _ service: borrowing Service,
      _ verifier: borrowing Verifier
    ) throws(VerificationError) -> PayloadClaim {
      if verifier.unsignedPayloads == .rejected {
        throw service.payloadRule == .unsigned ? .neverSigned(copy service) : .unsignedPayload
      }
      let isAccepted =
        service.payloadRule == .unsigned || verifier.unsignedPayloads == .allowed
        || verifier.unsignedPayloads.allows(location)
          && service.payloadRule == .declaredExceptInURLs
      if isAccepted { return .unsigned }
      throw .unsignedPayload
    }

    /// Whether the connection uses TLS, or the server doesn't know.
    fileprivate static func isTLS(_ scheme: Scheme?) -> Bool {
      scheme == nil || scheme == .https || scheme == .wss
    }
  }

  /// The announced chunks of a request.
  struct ChunkAnnouncement: Equatable {
    /// The signed parts of the chunks. Each algorithm has three keywords for them.
    enum Kind: CaseIterable {
      case signed
      case signedWithTrailers
      case unsignedWithTrailers

      init?(_ word: TextSpan, _ algorithm: Verifier.Algorithm) {
        for kind in Self.allCases where kind.word(algorithm).hasSameBytes(as: word) {
          self = kind
          return
        }
        return nil
      }

      func word(_ algorithm: Verifier.Algorithm) -> String {
        switch self {
        case .signed: "STREAMING-\(algorithm.name)-PAYLOAD"
        case .signedWithTrailers: "STREAMING-\(algorithm.name)-PAYLOAD-TRAILER"
        case .unsignedWithTrailers: "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
        }
      }
    }

    let kind: Kind

    /// The algorithm of the request, and of its chunks if they're signed.
    let algorithm: Verifier.Algorithm
    let decodedByteCount: Int

    /// Lowercase and sorted.
    let trailerNames: [[UInt8]]

    /// The algorithm of the checksum trailer, if there is one.
    let checksum: Checksum.Algorithm?
    let largestChunk: Int

    init(
      _ kind: Kind, _ algorithm: Verifier.Algorithm, _ request: borrowing ReceivedRequest,
      _ verifier: borrowing Verifier
    ) throws(VerificationError) {
      self.kind = kind
      self.algorithm = algorithm
      largestChunk = max(0, verifier.maximumChunkByteCount)
      if kind == .unsignedWithTrailers {
        if verifier.unsignedPayloads != .allowed || !PayloadClaim.isTLS(request.scheme) {
          throw .unsignedPayload
        }
      }
      let length = try request.value(of: .amzDecodedContentLength) ?? 0..<0
      let digits = request.message.memory.bytes.span.extracting(length)
      guard let count = number(digits).flatMap({ Int(exactly: $0) }) else {
        throw VerificationError(
          .invalidPayloadDeclaration,
          "The request announces chunks, but x-amz-decoded-content-length isn't a number of bytes.",
          fix: "Check for a proxy that removes it.")
      }
      decodedByteCount = count
      trailerNames = try Self.names(in: request)
      checksum = try Self.checksum(among: trailerNames, kind)
      let isContradicted =
        kind == .signed && !trailerNames.isEmpty
        || kind == .signedWithTrailers && trailerNames.isEmpty
      if isContradicted {
        throw VerificationError(
          .trailerMismatch,
          "x-amz-trailer announces \(trailerNames.count) trailers, which contradicts \(word).",
          fix: "Check what the client sends.")
      }
    }

    /// The keyword that's signed instead of the body hash.
    var word: String { kind.word(algorithm) }

    /// Parses the comma-separated names in x-amz-trailer.
    private static func names(
      in request: borrowing ReceivedRequest
    ) throws(VerificationError) -> [[UInt8]] {
      guard let range = try request.value(of: .amzTrailer) else { return [] }
      let value = request.message[range]
      let count = 1 + value.count { $0 == ASCIIByte.comma }
      if count > maximumTrailerCount {
        throw VerificationError(
          .trailerMismatch,
          "x-amz-trailer announces \(count) trailers, more than \(maximumTrailerCount).",
          fix: "Check what the client sends, or treat the request as an attack.")
      }
      let parts = value.split(separator: ASCIIByte.comma, omittingEmptySubsequences: false)
      let names = parts.map { part in
        part.filter { $0 != ASCIIByte.space }.map(ASCIIByte.lowercased)
      }.sorted { $0.lexicographicallyPrecedes($1) }
      let isValid =
        names.allSatisfy { name in
          !name.isEmpty && name.allSatisfy(ASCIIByte.isTokenCharacter)
            && !name.elementsEqual(ChunkTrailer.signatureName.utf8)
        } && zip(names, names.dropFirst()).allSatisfy { $0 != $1 }
      if !isValid {
        throw VerificationError(
          .trailerMismatch,
          "x-amz-trailer \(UTF8Text.quoted(value)) isn't a list of names, or repeats one.",
          fix: "Check what the client sends.")
      }
      return names
    }

    private static var maximumTrailerCount: Int { 16 }

    /// Returns the only checksum among the trailers. Rejects other trailers of unsigned chunks,
    /// since they wouldn't be compared with the body.
    private static func checksum(
      among names: [[UInt8]], _ kind: Kind
    ) throws(VerificationError) -> Checksum.Algorithm? {
      var found: Checksum.Algorithm?
      for name in names {
        let algorithm = try Checksum.Algorithm(received: name, isAlone: found == nil)
        if algorithm == nil && kind == .unsignedWithTrailers {
          throw .unsupportedChecksum(name, "can't be verified in unsigned chunks")
        }
        found = found ?? algorithm
      }
      return found
    }
  }
}

extension SigV4.Checksum.Algorithm {
  /// Creates the algorithm of a checksum header, trailer or field by its lowercase name. Nil if it
  /// isn't a checksum.
  ///
  /// - Throws: `unsupportedChecksum` for an unknown checksum, or if there are several.
  init?(received name: [UInt8], isAlone: Bool) throws(SigV4.VerificationError) {
    let isMD5 = name.elementsEqual(Self.contentMD5.headerName.utf8)
    if !isMD5 && !name.starts(with: "x-amz-checksum-".utf8) { return nil }
    guard let algorithm = Self.all.first(where: { name.elementsEqual($0.headerName.utf8) }) else {
      throw .unsupportedChecksum(name, "isn't a supported checksum")
    }
    // Amazon S3: "Expecting a single x-amz-checksum- header. Multiple checksum Types are not
    // allowed."
    if !isAlone { throw .unsupportedChecksum(name, "is a second checksum") }
    self = algorithm
  }
}
