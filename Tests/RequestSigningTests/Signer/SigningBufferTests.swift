// SPDX-License-Identifier: Apache-2.0
// Signing in memory that is used again: the same texts, and nothing left of the request before.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

/// The expected texts are those of `sign` and `presign`, which the other suites compare with vectors.
@Suite("Signing buffer")
struct SigningBufferTests {
  @Test("Signing in a reused buffer creates the same strings as in new memory")
  func headers() throws {
    let signer = try Example.signer(.s3, sessionToken: Example.token)
    var buffer = SigV4.SigningBuffer()
    for count in [3, 200, 0, 40] {
      let request = try request(headerCount: count)
      let signature = try signer.sign(request, at: Example.moment(), into: &buffer)
      let signed = try signer.sign(request, at: Example.moment())
      #expect(signature == signed.signature)
      expect("canonical request", buffer.canonicalRequest.text, is: signed.canonicalRequest.text)
      expect("string to sign", buffer.stringToSign.text, is: signed.stringToSign.text)
      expect("Authorization", buffer.authorization, is: signed.authorization)
      #expect(lines(of: buffer.headers) == lines(of: signed.addedHeaders))
      #expect(buffer.url.isEmpty)
    }
  }

  @Test("Presigning in a reused buffer creates the same URL")
  func urls() throws {
    let signer = try Example.signer(.s3, sessionToken: Example.token)
    var buffer = SigV4.SigningBuffer()
    for count in [3, 200, 0, 40] {
      let request = try request(headerCount: count)
      try signer.presignedURL(
        for: request, expiresIn: .seconds(3_600), at: Example.moment(), into: &buffer)
      let presigned = try signer.presignedURL(
        for: request, expiresIn: .seconds(3_600), at: Example.moment())
      expect("URL", buffer.url, is: presigned.url)
      // Safety: the text is copied before the closure ends.
      let bytes = unsafe buffer.withURL { unsafe Array($0) }
      #expect(bytes == Array(presigned.url.utf8))
      #expect(buffer.headers.isEmpty && buffer.authorization.isEmpty)
    }
  }

  @Test("The Authorization header is last, and no header is repeated")
  func visit() throws {
    let signer = try Example.signer(.s3Express, sessionToken: Example.token)
    var buffer = SigV4.SigningBuffer()
    try signer.sign(request(headerCount: 1), at: Example.moment(), into: &buffer)
    var names: [String] = []
    // Safety: the texts are copied before the closure ends.
    unsafe buffer.forEachHeader { name, _ in
      unsafe names.append(String(decoding: name, as: UTF8.self))
    }
    #expect(
      names == ["x-amz-content-sha256", "x-amz-date", "x-amz-s3session-token", "Authorization"])
  }

  @Test("Nothing of an earlier signature is left when a request is rejected")
  func refusal() throws {
    let signer = try Example.signer(.s3)
    var buffer = SigV4.SigningBuffer()
    try signer.sign(request(headerCount: 1), at: Example.moment(), into: &buffer)
    let refused = try SigV4.Request(
      "GET", url: "https://example.com/", headers: ["authorization": "Basic YTpi"])
    #expect(throws: SigV4.SigningError.self) {
      try signer.sign(refused, at: Example.moment(), into: &buffer)
    }
    #expect(buffer.headers.isEmpty && buffer.authorization.isEmpty && buffer.url.isEmpty)
    #expect(buffer.canonicalRequest.bytes.isEmpty && buffer.stringToSign.bytes.isEmpty)
    #expect(buffer.canonicalRequest.signedHeaders.isEmpty)
    try signer.presignedURL(
      for: request(headerCount: 1), expiresIn: .seconds(60), at: Example.moment(), into: &buffer)
    #expect(throws: SigV4.SigningError.self) {
      try signer.presignedURL(
        for: request(headerCount: 1), expiresIn: .seconds(0), at: Example.moment(), into: &buffer)
    }
    #expect(buffer.url.isEmpty)
  }

  @Test("A copy from a buffer doesn't change with the next signature")
  func values() throws {
    let signer = try Example.signer(.s3)
    var buffer = SigV4.SigningBuffer()
    try signer.sign(request(headerCount: 1), at: Example.moment(), into: &buffer)
    let (first, text) = (buffer.canonicalRequest, buffer.canonicalRequest.text)
    try signer.sign(request(headerCount: 9), at: Example.moment(), into: &buffer)
    #expect(first.text == text && buffer.canonicalRequest.text != text)
  }

  @Test("An empty buffer has empty texts, and prints its size only")
  func empty() {
    let buffer = SigV4.SigningBuffer()
    #expect(buffer.authorization.isEmpty && buffer.url.isEmpty && buffer.headers.isEmpty)
    #expect(buffer.canonicalRequest.signedHeaders.isEmpty && buffer.stringToSign.text.isEmpty)
    #expect(buffer.description == "SigningBuffer(0 bytes)")
  }

  func request(headerCount: Int) throws -> SigV4.Request {
    let headers = SigV4.Headers((0..<headerCount).map { ("x-amz-meta-\($0)", "value \($0)") })
    return try SigV4.Request(
      "GET", url: "https://example.com/a%20b?list-type=2&prefix=\(headerCount)", headers: headers)
  }
}
