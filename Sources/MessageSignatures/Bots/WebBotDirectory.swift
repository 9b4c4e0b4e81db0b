// SPDX-License-Identifier: Apache-2.0
// The directory of an agent's keys, and its signed response.

public import DigitalSignatures
internal import SecureHashing

/// The public keys of an agent, which servers find at its origin (Web Bot Auth).
///
/// An agent serves ``signedResponse(to:by:at:lifetime:)``. A server reads it with
/// ``init(_:body:keys:at:)``.
///
/// Source: draft-meunier-webbotauth-httpsig-protocol, "Key distribution and discovery".
public struct WebBotDirectory: Sendable {
  /// The path of a directory, `/.well-known/http-message-signatures-directory`.
  public static var path: String { "/.well-known/http-message-signatures-directory" }

  /// The media type of a directory.
  public static var mediaType: String { "application/http-message-signatures-directory+json" }

  private static var tag: String { "http-message-signatures-directory" }

  /// The keys.
  public let keys: [Curve25519.Signing.PublicKey]

  /// Creates a directory from keys that you trust.
  public init(keys: [Curve25519.Signing.PublicKey]) { self.keys = keys }

  /// Reads a signed directory, and keeps only keys that signed it for this origin. So no one can
  /// publish the key of somebody else as their own. Each signature is verified separately: an
  /// expired one, or one with a different algorithm, doesn't invalidate the other keys. Signatures
  /// needn't cover the body, but if there's a `Content-Digest`, it must match.
  ///
  /// - Parameters:
  ///   - response: the response, with its request.
  ///   - body: the body's bytes as received.
  ///   - keys: the keys in the body.
  ///   - now: the current time.
  /// - Throws: `malformedField`, `severalSignatures` for more than 16, and `wrongContentDigest`. If
  ///   no key remains, the error of the first invalid signature, or `missingSignature`.
  public init(
    _ response: HTTPMessage, body: some Collection<UInt8>, keys: [Curve25519.Signing.PublicKey],
    at now: MessageSignature.Time
  ) throws(MessageSignatureError) {
    let candidates = Self(keys: keys)
    let fields = try LabeledFields(response)
    let signatures = try fields.candidates(tag: Self.tag)
    // Each one costs a verification.
    if signatures.count > 16 {
      throw MessageSignatureError(.severalSignatures, "The directory has over 16 signatures.")
    }
    // Even if no signature covers it, as in Cloudflare's form.
    try ContentDigest.check(response, body)
    // Until it expires: a directory may be a file that was signed once.
    let verifier = MessageVerifier(
      requiring: [.authority.ofRequest], maximumAge: .seconds(Int64.max)
    ) { keyID in candidates[keyID].map { .ed25519($0) } }
    var signers: Set<String> = []
    var firstError: MessageSignatureError?
    for (label, input) in signatures {
      do throws(MessageSignatureError) {
        let message = try verifier.verify(
          fields.signature(label, input), of: response, body: body, isBodyOptional: true, at: now)
        if message.expiration == nil { throw .invalidParameter("expires", "is missing") }
        signers.insert(message.keyID)
      } catch { firstError = firstError ?? error }
    }
    self.keys = keys.filter { signers.contains($0.jwkThumbprint) }
    if self.keys.isEmpty {
      throw firstError
        ?? MessageSignatureError(.missingSignature, "The directory isn't signed.")
    }
  }

  /// The key with an ID, its JWK thumbprint (RFC 7638).
  public subscript(keyID: String) -> Curve25519.Signing.PublicKey? {
    keys.first { $0.jwkThumbprint.utf8.elementsEqual(keyID.utf8) }
  }

  /// The directory as JSON: a JWK Set (RFC 7517, section 5; RFC 8037, section 2).
  public var json: String {
    // Neither value needs an escape.
    let keys = keys.map { key in
      let x = Base64.encode(key.rawRepresentation, as: .urlSafeUnpadded)
      return #"{"kty":"OKP","crv":"Ed25519","kid":"\#(key.jwkThumbprint)","x":"\#(x)","use":"sig"}"#
    }
    return #"{"keys":["# + keys.joined(separator: ",") + "]}"
  }

  /// Returns the response with a directory, signed once with each key, and its body.
  ///
  /// - Parameters:
  ///   - request: the request for the directory.
  ///   - keys: all keys of the agent: while you replace one, the old and the new one.
  ///   - now: the current time.
  ///   - lifetime: the time until the signatures expire. Shorter than you let others cache it.
  public static func signedResponse(
    to request: HTTPMessage, by keys: [Curve25519.Signing.PrivateKey],
    at now: MessageSignature.Time, lifetime: Duration = .seconds(300)
  ) throws(MessageSignatureError) -> (response: HTTPMessage, body: [UInt8]) {
    let body = Array(Self(keys: keys.map { $0.publicKey }).json.utf8)
    var response = try HTTPMessage(
      status: 200, fields: [(name: "Content-Type", value: mediaType)], to: request)
    for (index, key) in keys.enumerated() {
      let signer = MessageSigner(
        key: .ed25519(key), keyID: key.publicKey.jwkThumbprint,
        covering: [.authority.ofRequest, .contentDigest], label: "sig" + String(index + 1),
        tag: tag, lifetime: lifetime)
      response = try signer.sign(response, body: body, at: now)
    }
    return (response, body)
  }
}
