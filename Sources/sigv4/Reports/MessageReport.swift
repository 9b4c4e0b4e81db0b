// SPDX-License-Identifier: Apache-2.0
// The output of sigv4 message verify: the verdict, the signature base, and where the signer's
// differs.

internal import MessageSignatures
internal import SignatureDiagnosis

/// What's known about the signature of a message.
struct MessageReport {
  /// The reason that it isn't valid.
  let error: MessageSignatureError?
  private let verified: VerifiedMessage?
  /// The base of the message as received, or nil if it has no such signature.
  private let base: [UInt8]?

  init(
    _ message: HTTPMessage, _ body: [UInt8],
    _ key: MessageSignature.VerificationKey, _ options: Arguments, _ now: MessageSignature.Time
  ) throws {
    let verifier = MessageVerifier(
      requiring: try CoveredComponents.parse(options) ?? [], label: options.value("--label"),
      tag: options.value("--tag")
    ) { _ in key }
    base = try? verifier.signatureBase(of: message)
    do throws(MessageSignatureError) {
      verified = try verifier.verify(message, body: body, at: now)
      error = nil
    } catch {
      verified = nil
      self.error = error
    }
  }

  /// The verdict and its details as text.
  func page(signerBase: [UInt8]?) -> String {
    var page =
      error.map { Page.section("Not valid: \($0.code)", Page.sentence($0.problem)) }
      ?? Page.section("Valid", lines)
    if let base { page += Page.section("Signature base", Self.lines(of: base)) }
    if let base, let signerBase {
      page += Self.difference(Self.lines(of: base), Self.lines(of: signerBase))
    }
    if let error { page += Page.section("What to do", Page.wrapped(advice(error, signerBase))) }
    return page
  }

  private var lines: [String] {
    guard let verified else { return [] }
    let rows: [(name: String, value: String?)] = [
      ("signed by", verified.keyID), ("label", verified.label), ("tag", verified.tag),
      ("nonce", verified.nonce), ("signed at", String(verified.created.unixSeconds)),
      ("valid until", verified.expiration.map { String($0.unixSeconds) }),
      ("covers", verified.covered.map(\.description).joined(separator: " ")),
    ]
    return rows.compactMap { name, value in
      value.map {
        name + String(repeating: " ", count: 13 - name.count) + SigV4.Diagnosis.visible($0.utf8)
      }
    }
  }

  private func advice(_ error: MessageSignatureError, _ signerBase: [UInt8]?) -> String {
    switch error.code {
    case .wrongSignature where signerBase == nil:
      "Pass the signer's signature base with --base FILE, to see the first line that differs. If "
        + "the bases are equal, the keys don't belong together."
    case .wrongSignature where signerBase == base:
      "The bases are equal, so the signature was created with a different key."
    case .tooOld, .createdInFuture, .expired:
      "Use --at TIME to verify it at a different time, which shows whether the rest is valid."
    default: error.fix
    }
  }

  /// The first line that differs, on both sides.
  private static func difference(_ here: [String], _ signer: [String]) -> String {
    for index in 0..<max(here.count, signer.count) {
      let left = index < here.count ? here[index] : "(none)"
      let right = index < signer.count ? signer[index] : "(none)"
      if left != right {
        return Page.section(
          "Line \(index + 1) differs", ["here    " + left, "signer  " + right])
      }
    }
    return Page.section("The signer's base is the same", [String]())
  }

  private static func lines(of base: [UInt8]) -> [String] {
    base.split(separator: 0x0A, omittingEmptySubsequences: false).map(SigV4.Diagnosis.visible)
  }
}
