// SPDX-License-Identifier: Apache-2.0
// SigV4, steps 1 to 3: from a request to its string to sign. Nothing here needs the key.

internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// A signer without its key: what it needs for the steps before the signature, and after it.
  package struct Preparer: Sendable {
    let storage: Storage

    package var identity: Identity { storage.identity }
    package var region: String { storage.region }
    package var service: Service { storage.service }

    /// The algorithm, which decides on the scope and may add headers or parameters.
    package var algorithm: SignatureAlgorithm { storage.algorithm }

    package init(
      identity: Identity, region: String, service: Service
    ) throws(SigningError) {
      try CredentialScope.checkRegion(region)
      try service.checkName()
      storage = Storage(identity, region, service, .hmacSHA256)
    }

    /// A preparer for an algorithm whose scope has no region.
    package init(
      identity: Identity, service: Service, algorithm: SignatureAlgorithm
    ) throws(SigningError) {
      try service.checkName()
      storage = Storage(identity, "", service, algorithm)
    }

    package func scope(at timestamp: Timestamp) -> CredentialScope {
      CredentialScope(
        dayOf: timestamp, checkedRegion: algorithm.scopeHasRegion ? region : "",
        checkedService: service.name)
    }

    /// What does not depend on the request, which all copies of a preparer share.
    final class Storage: Sendable {
      let identity: Identity
      let region: String
      let service: Service
      let algorithm: SignatureAlgorithm
      let texts: SignatureTexts
      let rules: SignatureRules

      init(
        _ identity: Identity, _ region: String, _ service: Service, _ algorithm: SignatureAlgorithm
      ) {
        self.identity = identity
        self.region = region
        self.service = service
        self.algorithm = algorithm
        texts = SignatureTexts(
          algorithm: algorithm.name, accessKeyID: identity.accessKeyID,
          region: algorithm.scopeHasRegion ? region : nil, service: service.name)
        rules = SignatureRules(
          encodesPathTwice: service.pathRule.encodesTwice,
          normalizesPath: service.pathRule.isNormalized,
          unsignedNames: service.unsignedHeaders.list, token: identity.sessionTokenBytes,
          tokenField: service.sessionTokenRule.field,
          isTokenSigned: service.sessionTokenRule.isSigned, additions: algorithm.additions)
      }
    }
  }
}

extension SigV4.Preparer {
  /// Where a signature stands. A URL has a lifetime unless the service says that it has none.
  typealias Placement = SignatureSteps.Placement

  /// Steps 1 to 3.
  func write(
    _ request: SigV4.Request, _ placement: Placement, at time: SigV4.Timestamp,
    into steps: inout SignatureSteps
  ) throws(SigV4.SigningError) {
    let payload = request.payload.declared(placement, storage.service.payloadRule)
    try check(request, placement, payload.payload, at: time)
    do throws(ConflictingHeader) {
      try steps.write(
        request.message, placement, payload.payload.kind, isPayloadDeclared: payload.isHeader,
        storage.texts, storage.rules, at: time.characters)
    } catch {
      throw conflict(error.field, payload.payload, time)
    }
  }

  /// Step 6.
  func finish(
    _ request: SigV4.Request, _ placement: Placement, _ signature: SigV4.Signature,
    at time: SigV4.Timestamp, in buffer: inout SigV4.SigningBuffer
  ) {
    buffer.steps.finish(
      request.message, placement, signatureByteCount: signature.hexadecimalCount, storage.texts,
      storage.rules, at: time.characters
    ) { text, end in signature.append(to: &text, &end) }
    buffer.placement = placement
    buffer.unsignedHeader = nil
    let rule = service.sessionTokenRule
    guard !rule.isSigned, !placement.isURL, let token = identity.sessionTokenBytes,
      let header = rule.field.knownHeader, !request.message.shape.has(header)
    else { return }
    buffer.unsignedHeader = (rule.field, token)
  }

  private func conflict(
    _ field: SignatureField, _ payload: SigV4.Payload, _ time: SigV4.Timestamp
  ) -> SigV4.SigningError {
    let shown: UTF8Text =
      switch field {
      case .contentSHA256: "\(quoted: payload.bytes[...])"
      case .date: "\(quoted: time.textBytes)"
      case .regionSet: "\(quoted: algorithm.additions.first?.value ?? "")"
      default: "from the credentials"
      }
    return SigV4.SigningError(
      .conflictingHeader,
      """
      The header \(field.header) conflicts with the signed value \(shown), or appears more than \
      once.
      """,
      fix: """
        Remove it, because signing adds it. To keep it, pass the timestamp, payload or credentials \
        that it belongs to.
        """)
  }
}
