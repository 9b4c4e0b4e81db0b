// SPDX-License-Identifier: Apache-2.0
// The tutorial: the link that the page shows.

internal import Foundation
internal import RequestSigning
internal import RequestSigningFoundation
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@Suite("Tutorial: first upload")
struct FirstUploadTutorialTests {
  /// botocore 1.44.5 makes the same link (`S3SigV4QueryAuth` at that time).
  @Test("The link on the page is valid for its time")
  func link() throws {
    let bucket = try SigV4.Bucket.minIO("photos", endpoint: "http://127.0.0.1:9000")
    let signer = try bucket.signer(
      accessKeyID: "project:user", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    let link = try signer.presignedURL(
      for: bucket.object("été +1.png"), expiresIn: .seconds(600),
      at: SigV4.Timestamp("20261123T024409Z"))
    let shown = try HowToPage("../tutorial/first-upload.md", section: "3. Upload")
    #expect(shown.block("console").filter { $0.hasPrefix("http:") } == [link.absoluteString])
  }
}
