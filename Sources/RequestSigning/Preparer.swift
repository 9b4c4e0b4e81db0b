// SPDX-License-Identifier: Apache-2.0
// SigV4, steps 1 to 3: from a request to its string to sign, without the key.

internal import SecureHashing

extension SigV4 {
  /// A signer without its key, for the steps before and after the signature.
  package struct Preparer: Sendable {
    let storage: Storage

    package var identity: Identity { storage.identity }
    package var region: String { storage.region }
    package var service: Service { storage.service }

    /// The algorithm, which determines the scope and may add headers or parameters.
    package var algorithm: SignatureAlgorithm { storage.algorithm }

    package init(
      identity: Identity, region: String, service: Service
    ) throws(SigningError) {
      try self.init(
        identity: identity, region: region, service: service,
        algorithm: .hmacSHA256(service.names))
      try service.checkToken(of: identity)
    }

    /// Creates a preparer for an algorithm. Its region is nil if its scope has none.
    package init(
      identity: Identity, region: String?, service: Service, algorithm: SignatureAlgorithm
    ) throws(SigningError) {
      if let region { try CredentialScope.checkRegion(region) }
      try service.checkName()
      let names = service.names
      if names != .aws && !algorithm.name.hasSameBytes(as: names.algorithm.textInUTF8) {
        throw SigningError(
          .invalidService,
          """
          \(algorithm.name) doesn't sign for \(service.name), which uses \(names.algorithm).
          """,
          fix: "Use a signer for one region.")
      }
      storage = Storage(identity, region ?? "", service, algorithm)
    }

    package func scope(at timestamp: Timestamp) -> CredentialScope {
      CredentialScope(
        dayOf: timestamp, checkedRegion: algorithm.scopeHasRegion ? region : "",
        checkedService: service.name, service.names)
    }

    /// The state that doesn't depend on the request, shared by all copies of a preparer.
    final class Storage: Sendable {
      let identity: Identity
      let region: String
      let service: Service
      let algorithm: SignatureAlgorithm
      let texts: SignatureTexts

      init(
        _ identity: Identity, _ region: String, _ service: Service, _ algorithm: SignatureAlgorithm
      ) {
        self.identity = identity
        self.region = region
        self.service = service
        self.algorithm = algorithm
        texts = SignatureTexts(
          algorithm: algorithm.name, service.names, accessKeyID: identity.accessKeyID,
          region: algorithm.scopeHasRegion ? region : nil, service: service.name)
      }
    }
  }
}

extension SigV4.Preparer {
  /// The signature's location. A URL has a lifetime unless the service doesn't support one.
  typealias Placement = SignatureSteps.Placement

  /// Runs steps 1 to 3.
  func write(
    _ request: SigV4.Request, _ placement: Placement, at time: SigV4.Timestamp,
    into steps: inout SignatureSteps
  ) throws(SigV4.SigningError) {
    let declaration = request.payload.declared(placement, service.payloadRule)
    let isHeader = declaration.isHeader
    if declaration.isUnsigned {
      try write(request, placement, .unsigned, isDeclared: isHeader, at: time, into: &steps)
    } else {
      try write(request, placement, request.payload, isDeclared: isHeader, at: time, into: &steps)
    }
  }

  private func write(
    _ request: SigV4.Request, _ placement: Placement, _ payload: SigV4.Payload, isDeclared: Bool,
    at time: SigV4.Timestamp, into steps: inout SignatureSteps
  ) throws(SigV4.SigningError) {
    try check(request, placement, payload, at: time)
    try steps.write(
      request.message, placement, payload, isPayloadDeclared: isDeclared, storage, at: time)
  }

  /// Runs step 6.
  func finish(
    _ request: SigV4.Request, _ placement: Placement, _ signature: SigV4.Signature,
    at time: SigV4.Timestamp, in buffer: inout SigV4.SigningBuffer
  ) {
    buffer.steps.finish(
      request.message, placement, signatureByteCount: signature.hexadecimalCount, storage, at: time
    ) { text, end in signature.append(to: &text, &end) }
    buffer.placement = placement
    buffer.unsignedHeader = nil
    let rule = service.sessionTokenRule
    guard !rule.isSigned, !placement.isURL, let token = identity.sessionTokenBytes,
      let header = rule.field.knownHeader, !request.message.shape.has(header)
    else { return }
    buffer.unsignedHeader = (rule.field, token)
  }
}
