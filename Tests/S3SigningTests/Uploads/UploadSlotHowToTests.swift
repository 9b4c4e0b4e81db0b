// SPDX-License-Identifier: Apache-2.0
// The how-to page on upload slots: its code compiles, and limits what the page says.

internal import SigningTestSupport
internal import RequestSigning
internal import S3Signing
internal import Testing

/// The lines of the page are here, and a test compares the two.
@Suite("How-to: upload slots")
struct UploadSlotHowToTests {
  let accessKeyID = Example.accessKeyID
  let secretAccessKey = Example.secret
  let file = Array("hello".utf8)

  @Test("A URL signs every limit")
  func url() throws {
    let now = try Example.moment()
    let bucket = try SigV4.Bucket.aws("photos", region: "eu-west-1")
    let signer = try bucket.signer(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey)
    let checksum = SigV4.Checksum(.sha256, of: file)

    let slot: SigV4.PresignedURL = try signer.presignedURL(
      for: bucket.object("u/42/a.jpg"), method: .put, contentType: "image/jpeg",
      contentLength: file.count,
      headers: [checksum.algorithm.headerName: checksum.text, "if-none-match": "*"],
      expiresIn: .seconds(900), at: now)

    #expect(
      slot.signedHeaders
        == "content-length;content-type;host;if-none-match;x-amz-checksum-sha256")
    #expect(slot.unsignedHeaders.isEmpty && slot.requiredHeaders.count == 4)
    // printf hello | openssl dgst -sha256 -binary | base64
    #expect(
      slot.requiredHeaders.values(named: "x-amz-checksum-sha256")
        == ["LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="])
  }

  @Test("A form has each limit in its policy")
  func form() throws {
    let now = try Example.moment()
    let bucket = try SigV4.Bucket.aws("photos", region: "eu-west-1")
    let signer = try bucket.signer(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey)
    let policy = try SigV4.PostPolicy(
      bucket: bucket, expiresIn: .seconds(900),
      conditions: [
        .key(startsWith: "u/42/"), .contentLength(from: 1, through: 10_485_760),
        .contentType(startsWith: "image/"),
      ])
    let form = try signer.sign(policy, at: now)

    #expect(form.fieldsToFill == ["key", "Content-Type"])
    #expect(throws: SigV4.SigningError.self) { try form.adding("key", "u/43/a.jpg") }
    _ = try form.adding("key", "u/42/a.jpg")
  }

  @Test("Every line of code on the page is in this file")
  func page() throws {
    try HowToPage("upload-slots.md").expectCode(in: #filePath, count: 18)
  }
}
