// SPDX-License-Identifier: Apache-2.0
// The how-to page on uploads by form: what it shows compiles, and its HTML is what comes out.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import Testing

/// The lines of the page are here, and a test compares the two.
@Suite("How-to: POST policy")
struct PostPolicyHowToTests {
  let accessKeyID = Example.accessKeyID
  let secretAccessKey = Example.secret

  @Test("The page of a browser, with the file last")
  func html() throws {
    let now = try SigV4.Timestamp("20240102T030405Z")  // or a Date, see below
    let bucket = try SigV4.Bucket.aws("photos", region: "eu-west-1")
    let signer = try bucket.signer(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey)

    let policy = try SigV4.PostPolicy(
      bucket: bucket, expiresIn: .seconds(900),
      conditions: [
        .key("uploads/${filename}"), .contentLength(from: 1, through: 10_485_760),
        .contentType("image/png"), .metadata("album", "2024 \"best\""), .successStatus(201),
      ])
    let form = try signer.sign(policy, at: now)
    let html = """
      <form action="\(form.url)" method="post" enctype="multipart/form-data" accept-charset="utf-8">
      \(form.hiddenInputs)
      <input type="file" name="file" accept="image/png" required>
      <button>Upload</button>
      </form>
      """

    let page = try HowToPage("post-policy.md").block("html").joined(separator: "\n")
    expect("HTML", page, is: html)
  }

  @Test("Conditions, and your own document")
  func conditions() throws {
    let now = try SigV4.Timestamp("20240102T030405Z")
    let bucket = try SigV4.Bucket.aws("photos", region: "eu-west-1")
    let signer = try bucket.signer(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey)
    let document = "{}"
    let open = try SigV4.PostPolicy(
      bucket: bucket, conditions: [.key(startsWith: "u/42/"), .contentType(startsWith: "image/")])
    let upload = try signer.sign(open, at: now)
      .adding("key", "u/42/a.jpg")
      .adding("Content-Type", "image/jpeg")
    let mine = try SigV4.PostPolicy(bucket: bucket, document: document.utf8)
    let signed = try signer.sign(mine, at: now)

    #expect(upload.fieldsToFill == [])
    #expect(upload.fields.prefix(2).map(\.name) == ["key", "Content-Type"])
    #expect(signed.policy == "e30=")  // printf '{}' | base64
  }

  @Test("Every line of code on the page is in this file")
  func page() throws {
    try HowToPage("post-policy.md").expectCode(in: #filePath, count: 25)
  }
}
