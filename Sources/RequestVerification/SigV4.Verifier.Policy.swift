// SPDX-License-Identifier: Apache-2.0
// What a verifier accepts, as a value: the defaults are the careful ones.

internal import DocumentSupport
public import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import SigningSupport

extension SigV4.Verifier {
  /// What a verifier accepts.
  ///
  ///     var policy = SigV4.Verifier.Policy(services: [.s3], regions: ["us-east-1"])
  ///     policy.unsignedPayloads = .accepted      // behind TLS
  public struct Policy: Sendable {
    /// The services that may stand in the scope, with their rules.
    public var services: [SigV4.Service]

    /// The regions that may stand in the scope.
    public var regions: [String]

    /// By how many seconds a client's clock may differ from the server's, either way. Nil: 900 for S3
    /// and its family, 300 for all other services, as AWS has it.
    public var clockWindow: Int?

    /// The longest life of a presigned URL, or of a form, in seconds; never more than 604,800.
    public var longestLifetime = 604_800

    /// Whether the signature has to cover the body.
    public var unsignedPayloads = UnsignedPayloads.acceptedInURLs

    /// Headers that have to be in the request and signed, beside `host`. Those named `content-type` or
    /// `x-amz-*` have to be signed whenever they are there, listed or not.
    public var signedHeaders: [String] = []

    /// Whether temporary credentials may be used.
    public var sessionTokens = SessionTokens.accepted

    /// The greatest size of a chunk in bytes, never more than 268,435,455: a signed chunk is kept until
    /// its signature is checked.
    public var largestChunk = 16_777_216

    /// What a '+' in a path means to a service that decodes paths. It has to be what it means to
    /// whoever acts on the path.
    ///
    /// Amazon S3 takes a space. RFC 3986 and nearly all HTTP frameworks take a plus sign, so that is
    /// the default: otherwise a signature for `/a%20b` would also open `/a+b`.
    public var plusInPaths = SigV4.Query.PlusSign.literal

    /// What a '+' in a query means; a space, as to forms and to Amazon S3.
    public var plusInQueries = SigV4.Query.PlusSign.space

    /// A policy with the careful defaults.
    public init(services: [SigV4.Service], regions: [String]) {
      self.services = services
      self.regions = regions
    }

    /// Whether the signature has to cover the body.
    public enum UnsignedPayloads: Sendable {
      /// The signature always covers the body.
      case refused
      /// Presigned URLs of the S3 family leave the body open unless they say otherwise; requests that
      /// are signed in their headers do not.
      case acceptedInURLs
      /// Whoever can change the body on its way changes it unnoticed: only with TLS.
      case accepted
    }

    /// Whether temporary credentials may be used.
    public enum SessionTokens: Sendable {
      /// A request with a session token is refused.
      case refused
      /// The token has to be the one that belongs to the key.
      case accepted
    }
  }
}

extension SigV4.Verifier.Policy {
  /// The service of a credential that is for this server.
  func service(
    of credential: SigV4.ClaimedCredential
  ) throws(SigV4.VerificationError) -> SigV4.Service {
    let scope = credential.scope
    let service = services.first { $0.name.utf8.elementsEqual(scope.service.utf8) }
    let isRegionKnown = regions.contains { $0.utf8.elementsEqual(scope.region.utf8) }
    guard let service, isRegionKnown else {
      throw SigV4.VerificationError(
        .wrongScope,
        """
        the request is signed for \(UTF8Text.quoted(scope.text)), and the policy knows no such \
        service or region; put it there if such requests are meant for this server
        """)
    }
    return service
  }

  /// A session token, as a key so that nothing prints it. Secret.
  func accepted(token: [UInt8]) throws(SigV4.VerificationError) -> SymmetricKey {
    switch sessionTokens {
    case .accepted: return SymmetricKey(data: token)
    case .refused:
      throw SigV4.VerificationError(
        .sessionTokenRefused,
        """
        the request has a session token, and the policy accepts no temporary credentials; give the \
        client credentials of its own
        """)
    }
  }

  /// In seconds.
  func window(of service: SigV4.Service) -> Int64 {
    Int64(clockWindow ?? (service.isObjectStorage ? 900 : 300))
  }
}
