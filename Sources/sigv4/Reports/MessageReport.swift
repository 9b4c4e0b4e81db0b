// SPDX-License-Identifier: Apache-2.0
// The output of sigv4 message verify: the verdict, the signature base, and where the signer's
// differs.

internal import DocumentSupport
internal import MessageSignatures
internal import SignatureDiagnosis

/// What's known about the signature of a message.
struct MessageReport {
  /// The reason that it isn't valid.
  let error: MessageSignatureError?
  private let verified: VerifiedMessage?
  /// The base of the message as received, or nil if it has no such signature.
  private let base: [UInt8]?
  private let signerBase: [UInt8]?

  init(
    _ given: GivenMessage, _ key: MessageSignature.VerificationKey, _ options: Arguments,
    _ now: MessageSignature.Time, signerBase: [UInt8]?
  ) throws {
    let verifier = MessageVerifier(
      requiring: try CoveredComponents.parse(options) ?? [], label: options.value("--label"),
      tag: options.value("--tag")
    ) { _ in key }
    self.signerBase = signerBase
    base = try? verifier.signatureBase(of: given.message)
    do throws(MessageSignatureError) {
      verified = try verifier.verify(given.message, body: given.body, at: now)
      error = nil
    } catch {
      verified = nil
      self.error = error
    }
  }

  /// The verdict and its details as text.
  var page: String {
    var page =
      error.map { Page.section("Not valid: \($0.code)", Page.sentence($0.problem)) }
      ?? Page.section("Valid", Page.rows(details.map { ($0.name, $0.value) }))
    if let base { page += Page.section("Signature base", Self.lines(of: base)) }
    if let difference {
      page += Page.section(
        "Line \(difference.line) differs",
        ["here    " + difference.here, "signer  " + difference.signer])
    } else if base != nil && signerBase != nil {
      page += Page.section("The signer's base is the same", [String]())
    }
    if let advice { page += Page.section("What to do", Page.wrapped(advice)) }
    return page
  }

  /// The same as a JSON object of strings.
  var json: JSONText {
    .texts(
      [
        ("verdict", error == nil ? "valid" : "not valid"), ("code", error?.code.name),
        ("message", error?.problem), ("advice", advice),
      ] + details.map { ($0.member, $0.value) } + [
        ("signatureBase", base.map { String(decoding: $0, as: UTF8.self) }),
        ("differingLine", difference.map { String($0.line) }), ("here", difference?.here),
        ("signer", difference?.signer),
      ])
  }

  private var details: [(name: String, member: String, value: String?)] {
    [
      ("signed by", "keyID", verified?.keyID), ("label", "label", verified?.label),
      ("tag", "tag", verified?.tag), ("nonce", "nonce", verified?.nonce),
      ("signed at", "created", verified.map { String($0.created.unixSeconds) }),
      ("valid until", "expires", verified?.expiration.map { String($0.unixSeconds) }),
      (
        "covers", "covers",
        verified?.covered.map(\.description).joined(separator: " ")
      ),
    ]
  }

  private var advice: String? {
    guard let error else { return nil }
    return switch error.code {
    case .wrongSignature where signerBase == nil:
      "Pass the signer's signature base with --base FILE, to see the first line that differs. If "
        + "the bases are equal, the keys don't belong together, or an RSA key needs --algorithm "
        + "rsa-v1_5-sha256."
    case .wrongSignature where signerBase == base:
      "The bases are equal, so the signature was created with a different key. An RSA key may need "
        + "--algorithm rsa-v1_5-sha256."
    case .tooOld, .createdInFuture, .expired:
      "Use --at TIME to verify it at a different time, which shows whether the rest is valid."
    default: error.fix
    }
  }

  /// The first line that differs, on both sides.
  private var difference: (line: Int, here: String, signer: String)? {
    guard let base, let signerBase else { return nil }
    let (here, signer) = (Self.lines(of: base), Self.lines(of: signerBase))
    for index in 0..<max(here.count, signer.count) {
      let left = index < here.count ? here[index] : "(none)"
      let right = index < signer.count ? signer[index] : "(none)"
      if left != right { return (index + 1, left, right) }
    }
    return nil
  }

  private static func lines(of base: [UInt8]) -> [String] {
    base.split(separator: 0x0A, omittingEmptySubsequences: false).map(SigV4.Diagnosis.visible)
  }
}
