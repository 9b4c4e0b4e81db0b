// SPDX-License-Identifier: Apache-2.0
// sigv4 demo: AWS's documented example, step by step, and a presigned URL for R2. Needs no setup.

internal import S3Signing
internal import RequestSigning
internal import SecureHashing

/// `sigv4 demo`
enum DemoCommand {
  static func run(_ arguments: [String]) throws {
    if let extra = try Arguments(arguments, []).operands.first {
      throw CommandError(
        .usage, "demo takes no arguments (got \"\(extra)\").", fix: "Remove the argument.")
    }
    let signed = try signDocumentedExample()
    let presigned = try presignForR2()
    let matches = signed.signature.hexString == publishedSignature
    try System.write(
      steps(signed) + verdict(signed, matches) + r2(presigned), to: .standardOutput)
    if !matches {
      throw CommandError(
        .failure, "The signature differs from the published one.", fix: "Don't use this build.")
    }
  }

  /// The example "GET Object" of the Amazon S3 API Reference, "Authenticating Requests: Using the
  /// Authorization Header (AWS Signature Version 4)", with the keys that AWS publishes for it.
  static func signDocumentedExample() throws -> SigV4.SignedRequest {
    let signer = try SigV4.Signer(
      credentials: exampleCredentials(), region: "us-east-1", service: .s3)
    let request = try SigV4.Request(
      "GET", url: "https://examplebucket.s3.amazonaws.com/test.txt",
      headers: ["range": "bytes=0-9"])
    return try signer.sign(request, at: SigV4.Timestamp("20130524T000000Z"))
  }

  static var publishedSignature: String {
    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
  }

  static func exampleCredentials() throws -> SigV4.Credentials {
    try SigV4.Credentials(
      accessKeyID: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
  }

  static func presignForR2() throws -> SigV4.PresignedURL {
    let signer = try SigV4.Signer(
      credentials: exampleCredentials(), region: "auto", service: .s3)
    let request = try SigV4.Request(
      "GET", host: "example-account.r2.cloudflarestorage.com",
      path: .key("my-bucket/photos/été +1.jpg"))
    return try signer.presignedURL(
      for: request, expiresIn: .seconds(3600), at: SigV4.Timestamp("20130524T000000Z"))
  }

  static func steps(_ signed: SigV4.SignedRequest) -> String {
    Page.section("Request", "\(signed.method) \(signed.url)\nrange: bytes=0-9")
      + Page.section("Step 1: canonical request", signed.canonicalRequest.text)
      + Page.section("Step 2: its hash", signed.canonicalRequest.digest.hexString)
      + Page.section("Step 3: string to sign", signed.stringToSign.text)
      + Page.section(
        "Step 4: signing key", "derived for \(signed.credentialScope) (32 bytes, not shown)")
      + Page.section("Step 5: signature", signed.signature.hexString)
      + Page.section(
        "Step 6: headers to add",
        signed.addedHeaders.map { "\($0.name): \($0.value)" }.joined(separator: "\n"))
  }

  static func verdict(_ signed: SigV4.SignedRequest, _ matches: Bool) -> String {
    Page.section(
      "Check",
      """
      computed   \(signed.signature.hexString)
      published  \(publishedSignature)
      \(matches ? "They match." : "THEY DIFFER.") SHA-256: \(SHA256.Implementation.current.name).
      """)
  }

  static func r2(_ presigned: SigV4.PresignedURL) -> String {
    Page.section("A presigned URL for Cloudflare R2, valid for one hour", presigned.url)
  }
}
