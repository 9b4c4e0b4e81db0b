// SPDX-License-Identifier: Apache-2.0
// A signer without its key, which runs the steps before the signature.

internal import SecureHashing

extension SigV4 {
  /// A signer without its key, for the steps before and after the signature.
  package struct Preparer: Sendable {
    let storage: Storage

    package var identity: Identity { storage.identity }
    package var region: String { storage.region }
    package var service: Service { storage.service }

    package var algorithm: SignatureAlgorithm { storage.algorithm }

    /// The region set of Signature Version 4a, which is signed as a header or a parameter.
    package var regionSet: String? { storage.regionSet }

    /// The strings that don't depend on the request.
    var texts: SignatureTexts { storage.texts }

    package init(
      identity: Identity, region: String, service: Service
    ) throws(SigningError) {
      try self.init(
        identity: identity, region: region, service: service,
        algorithm: .hmacSHA256(service.names))
      try service.checkToken(of: identity)
    }

    /// Creates a preparer for an algorithm whose scope has a region.
    package init(
      identity: Identity, region: String, service: Service, algorithm: SignatureAlgorithm
    ) throws(SigningError) {
      try CredentialScope.checkRegion(region)
      storage = try Storage(identity, region, service, algorithm)
    }

    /// Creates a preparer for Signature Version 4a, whose scope has no region.
    package init(
      identity: Identity, regionSet: String, service: Service
    ) throws(SigningError) {
      storage = try Storage(identity, "", service, .ecdsaP256SHA256, regionSet: regionSet)
    }

    /// Checks a request and runs steps 1 to 3, in the order of AWS's page "Create a signed AWS API
    /// request". The rest is in `Signer.sign`.
    func prepare(
      _ request: Request, _ placement: SignaturePlacement, at timestamp: Timestamp,
      into buffer: inout SigningBuffer
    ) throws(SigningError) {
      buffer.removeAll()
      let declaration = request.payload.declared(placement, service.payloadRule)
      try check(request, placement, declaration, at: timestamp)
      try buffer.writeAdditions(to: request, placement, declaration, self, at: timestamp)
      buffer.writeCanonicalRequest(request.message, service.pathRule)
      buffer.writeStringToSign(texts, at: timestamp)
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
      let regionSet: String?
      let texts: SignatureTexts

      init(
        _ identity: Identity, _ region: String, _ service: Service, _ algorithm: SignatureAlgorithm,
        regionSet: String? = nil
      ) throws(SigningError) {
        try service.checkName()
        if algorithm.names != service.names {
          throw SigningError(
            .invalidService,
            """
            \(algorithm.name) doesn't sign for \(service.name), which uses \
            \(service.names.algorithm).
            """,
            fix: "Use a signer for one region.")
        }
        self.identity = identity
        self.region = region
        self.service = service
        self.algorithm = algorithm
        self.regionSet = regionSet
        texts = SignatureTexts(
          algorithm: algorithm.name.textInUTF8, service.names, accessKeyID: identity.accessKeyID,
          region: algorithm.scopeHasRegion ? region : nil, service: service.name)
      }
    }
  }
}
