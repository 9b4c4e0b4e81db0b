// SPDX-License-Identifier: Apache-2.0
// What a signer needs for all steps but the signature itself.

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
