// SPDX-License-Identifier: Apache-2.0
// File names of downloads: their header, their parameter of a link, and names that are rejected.

internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import TestSupport
internal import Testing

@Suite("Content-Disposition")
struct ContentDispositionTests {
  /// Values of urllib, which werkzeug and Django read back: `content-dispositions.py`.
  @Test("A file name is sent as it is, or in UTF-8 with a substitute")
  func values() throws {
    try VectorTable(named: "content-dispositions.txt").records.forEachCase { vector in
      let name = try vector.text("file-name")
      let disposition: SigV4.ContentDisposition =
        try vector.text("type") == "inline"
        ? .inline(fileName: name) : .attachment(fileName: name)
      #expect(try disposition.text == vector.text("value"), "\(vector)")
      #expect("\(disposition)" == disposition.text)
    }
  }

  /// RFC 8187, section 3.2.3 has `UTF-8''%c2%a3%20and%20%e2%82%ac%20rates`, and RFC 6266, section 5
  /// `utf-8''%e2%82%ac%20rates`. The case doesn't matter.
  @Test("The examples of RFC 8187 and RFC 6266")
  func examples() throws {
    for (name, value) in [
      ("£ and € rates", "utf-8''%c2%a3%20and%20%e2%82%ac%20rates"),
      ("€ rates", "utf-8''%e2%82%ac%20rates"),
    ] {
      let text = try SigV4.ContentDisposition.attachment(fileName: name).text
      #expect(text.lowercased().hasSuffix("; filename*=" + value))
    }
  }

  // RFC 6266, sections 4.2 and 4.1.
  @Test("Without a file name, the value is the type")
  func types() {
    #expect(SigV4.ContentDisposition.inline.text == "inline")
    #expect(SigV4.ContentDisposition.attachment.text == "attachment")
  }

  // RFC 6266, section 4.3: path separators and control characters.
  @Test(
    "A name that browsers change is rejected",
    arguments: [
      "", ".", "..", "a/b", "/", "a\\b", "a\nb", "a\r\nSet-Cookie: x", "\0", "a\u{7F}", "a\u{85}b",
      "\t",
    ])
  func rejected(name: String) {
    expectRefusal(.invalidFileName) { try SigV4.ContentDisposition.attachment(fileName: name) }
    expectRefusal(.invalidFileName) { try SigV4.ContentDisposition.inline(fileName: name) }
  }

  @Test("It's the header of an upload, and the parameter of a link")
  func uses() throws {
    let object = try SigV4.Bucket.aws("photos", region: "eu-west-1").object("7f3a")
    let name = try SigV4.ContentDisposition.attachment(fileName: "Übersicht 1.pdf")
    let upload = try object.putRequest(.unsigned, headers: name.headers)
    #expect(
      upload.headers.map { "\($0.name): \($0.value)" } == [
        "content-disposition: attachment; filename=\"_bersicht 1.pdf\"; "
          + "filename*=UTF-8''%C3%9Cbersicht%201.pdf"
      ])
    #expect(upload.objectStorageWarnings.isEmpty)
    let signer = try object.bucket.signer(credentials: Example.credentials())
    let link = try signer.presignedURL(for: object, query: name.query, at: Example.moment())
    // urllib.parse.quote of the value, safe="".
    #expect(
      link.url.contains(
        "?response-content-disposition=attachment%3B%20filename%3D%22_bersicht%201.pdf%22%3B%20"
          + "filename%2A%3DUTF-8%27%27%25C3%259Cbersicht%25201.pdf&X-Amz-"))
    #expect(try object.getRequest(query: name.query).objectStorageWarnings.isEmpty)
  }
}
