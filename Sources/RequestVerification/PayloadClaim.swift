// SPDX-License-Identifier: Apache-2.0
// What a request claims of its body, and whether the policy takes it.

internal import DocumentSupport
internal import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// What the signature covers of the body.
  enum PayloadClaim {
    /// Its digest, which no header names.
    case undeclared
    case digest(SHA256.Digest)
    case unsigned
    case chunks(ChunkAnnouncement)

    init(
      _ headers: ReceivedHeaders, _ scheme: Scheme?, _ mechanism: Mechanism, _ service: Service,
      _ policy: Verifier.Policy
    ) throws(VerificationError) {
      guard let value = try headers.value(of: "x-amz-content-sha256") else {
        self = try Self.silent(mechanism, service, policy)
        return
      }
      if let digest = SHA256.Digest(lowercaseDigits: value) {
        self = .digest(digest)
      } else if value.elementsEqual(Payload.unsignedText.description.utf8) {
        self = try Self.unsigned(mechanism, service, policy)
      } else if let kind = ChunkAnnouncement.Kind.named(value), mechanism == .header {
        self = .chunks(try ChunkAnnouncement(kind, headers, scheme, policy))
      } else {
        throw VerificationError(
          .invalidPayloadDeclaration,
          """
          x-amz-content-sha256 is \(shown(value)), which is neither a digest in 64 lowercase \
          hexadecimal digits nor a word that is verified here; look at what the client sends
          """)
      }
      if case .unsigned = service.payloadRule, !isUnsigned { throw Self.unexpected(service) }
    }

    /// A request without x-amz-content-sha256.
    private static func silent(
      _ mechanism: Mechanism, _ service: Service, _ policy: Verifier.Policy
    ) throws(VerificationError) -> PayloadClaim {
      switch (service.payloadRule, mechanism) {
      case (.hashed, _), (.declared, .query): return .undeclared
      case (.declaredExceptInURLs, .query): return try unsigned(mechanism, service, policy)
      case (.declared, .header), (.declaredExceptInURLs, .header), (.unsigned, _):
        throw VerificationError(
          .payloadNotDeclared,
          """
          the request has no x-amz-content-sha256, and for \(service.name) it says in every \
          request what was signed of the body; look for a proxy that removes it
          """)
      }
    }

    private static func unsigned(
      _ mechanism: Mechanism, _ service: Service, _ policy: Verifier.Policy
    ) throws(VerificationError) -> PayloadClaim {
      if case .unsigned = service.payloadRule { return .unsigned }
      switch (policy.unsignedPayloads, mechanism) {
      case (.accepted, _), (.acceptedInURLs, .query): return .unsigned
      case (.refused, _), (.acceptedInURLs, .header): throw .unsignedPayload
      }
    }

    private var isUnsigned: Bool {
      switch self {
      case .unsigned: true
      case .undeclared, .digest, .chunks: false
      }
    }

    private static func unexpected(_ service: Service) -> VerificationError {
      VerificationError(
        .invalidPayloadDeclaration,
        """
        x-amz-content-sha256 says something else than UNSIGNED-PAYLOAD, and requests to \
        \(service.name) never sign their payload; look at what the client sends
        """)
    }
  }

  /// What a request announces of its chunks.
  struct ChunkAnnouncement {
    /// The three words that stand for chunks.
    enum Kind {
      case signed
      case signedWithTrailers
      case unsignedWithTrailers

      static func named(_ word: ArraySlice<UInt8>) -> Kind? {
        let all: [Kind] = [.signed, .signedWithTrailers, .unsignedWithTrailers]
        return all.first { word.elementsEqual($0.declaration.utf8) }
      }

      var declaration: String {
        switch self {
        case .signed: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
        case .signedWithTrailers: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
        case .unsignedWithTrailers: "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
        }
      }

      var isSigned: Bool {
        switch self {
        case .signed, .signedWithTrailers: true
        case .unsignedWithTrailers: false
        }
      }
    }

    let kind: Kind
    let decodedByteCount: Int

    /// In lowercase and in order.
    let trailerNames: [[UInt8]]
    let largestChunk: Int

    init(
      _ kind: Kind, _ headers: ReceivedHeaders, _ scheme: Scheme?, _ policy: Verifier.Policy
    ) throws(VerificationError) {
      self.kind = kind
      largestChunk = Swift.max(policy.largestChunk, 0)
      if !kind.isSigned { try Self.checkUnsigned(scheme, policy) }
      let length = try headers.value(of: "x-amz-decoded-content-length")
      guard let length, let count = Self.number(length) else {
        throw VerificationError(
          .invalidPayloadDeclaration,
          """
          the request announces chunks, and x-amz-decoded-content-length is no number of bytes; \
          look for a proxy that removes it
          """)
      }
      decodedByteCount = count
      trailerNames = try Self.names(in: headers)
      switch kind {
      case .signed where !trailerNames.isEmpty, .signedWithTrailers where trailerNames.isEmpty:
        throw VerificationError(
          .trailerMismatch,
          """
          x-amz-trailer announces \(trailerNames.count) trailers, which contradicts \
          \(kind.declaration); look at what the client sends
          """)
      default: break
      }
    }

    private static func checkUnsigned(
      _ scheme: Scheme?, _ policy: Verifier.Policy
    ) throws(VerificationError) {
      switch (policy.unsignedPayloads, scheme) {
      case (.accepted, nil), (.accepted, .https?), (.accepted, .wss?): return
      case (.refused, _), (.acceptedInURLs, _), (.accepted, .http?), (.accepted, .ws?):
        throw .unsignedPayload
      }
    }

    /// A number of at most 18 decimal digits, which is less than can be counted.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
      if digits.isEmpty || digits.count > 18 || !digits.allSatisfy(ASCIIByte.isDigit) { return nil }
      let number = digits.reduce(Int64(0)) { $0 &* 10 &+ Int64($1 &- 0x30) }
      return Int(exactly: number)
    }

    /// The names in x-amz-trailer, separated by commas.
    private static func names(in headers: ReceivedHeaders) throws(VerificationError) -> [[UInt8]] {
      guard let value = try headers.value(of: "x-amz-trailer") else { return [] }
      var names: [[UInt8]] = []
      for part in value.split(separator: ASCIIByte.comma, omittingEmptySubsequences: false) {
        names.append(part.filter { $0 != ASCIIByte.space }.map(ASCIIByte.lowercased))
      }
      names.sort { $0.lexicographicallyPrecedes($1) }
      let isRepeated = Swift.zip(names, names.dropFirst()).contains { $0 == $1 }
      if isRepeated
        || names.contains(where: { !$0.allSatisfy(ASCIIByte.isTokenCharacter) || $0.isEmpty })
        || names.contains(where: { $0.elementsEqual(ChunkTrailer.signatureName.utf8) })
      {
        throw VerificationError(
          .trailerMismatch,
          """
          x-amz-trailer \(UTF8Text.quoted(value)) is no list of names, or names one twice; look at what the \
          client sends
          """)
      }
      return names
    }
  }
}
