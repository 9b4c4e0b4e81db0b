// SPDX-License-Identifier: Apache-2.0
// Presigned URLs of UploadPart and CopyObject, by their names.

internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import TestSupport
internal import Testing

@Suite("Presigned parts and copies")
struct PresignedPartTests {
  private let bucket: SigV4.Bucket
  private let signer: SigV4.Signer
  private let now: SigV4.Timestamp

  init() throws {
    bucket = try .aws("photos", region: "eu-west-1")
    signer = try bucket.signer(credentials: Example.credentials())
    now = try SigV4.Timestamp("20240102T030405Z")
  }

  /// The URLs of botocore's S3 client: `operation-links.py`.
  @Test("URLs are botocore's, with what the holder must send")
  func botocore() throws {
    try VectorTable(named: "operation-links.txt").records.forEachCase { vector in
      let object = try bucket.object(vector.text("key"))
      let length = try vector.optionalText("content-length")
      let link: SigV4.PresignedURL
      if let part = try vector.optionalText("part") {
        link = try signer.presignedURL(
          for: object, partNumber: try #require(Int(part)), uploadID: try vector.text("upload-id"),
          contentLength: length.flatMap { Int($0) }, expiresIn: .seconds(900), at: now)
        #expect(link.requiredHeaders["content-length"] == length)
      } else {
        link = try signer.presignedURL(
          for: object, copying: try bucket.object(vector.text("source")),
          versionID: try vector.optionalText("version"), expiresIn: .seconds(900), at: now)
        #expect(try link.requiredHeaders["x-amz-copy-source"] == vector.text("copy-source"))
      }
      #expect(try link.signature.hexString == vector.text("signature"), "\(vector)")
      #expect(try link.url.hasPrefix(vector.text("url") + "?"))
      #expect(
        try link.url.contains(
          "X-Amz-SignedHeaders="
            + vector.text("signed-headers").split(separator: ";").joined(separator: "%3B")))
    }
  }

  @Test("The caller's headers are signed, and must be sent")
  func headers() throws {
    let object = try bucket.object("k")
    let part = try signer.presignedURL(
      for: object, partNumber: 1, uploadID: "u", contentLength: 5,
      headers: ["x-amz-checksum-crc32": "DUoRhQ=="], at: now)
    #expect(
      Set(part.requiredHeaders.map(\.name)) == ["content-length", "x-amz-checksum-crc32"])
    let copy = try signer.presignedURL(
      for: object, copying: bucket.object("a"),
      headers: ["x-amz-metadata-directive": "REPLACE", "X-Amz-Copy-Source": "/photos/a"], at: now)
    #expect(copy.requiredHeaders["x-amz-metadata-directive"] == "REPLACE")
    #expect(copy.requiredHeaders["x-amz-copy-source"] == "/photos/a")
    #expect(copy.requiredHeaders.count == 2)
    expectRefusal(.conflictingHeader, showing: "/other/b") {
      try signer.presignedURL(
        for: object, copying: bucket.object("a"),
        headers: ["X-Amz-Copy-Source": "/other/b"], at: now)
    }
    expectRefusal(.conflictingHeader, showing: "6") {
      try signer.presignedURL(
        for: object, method: .put, contentLength: 5, headers: ["Content-Length": "6"], at: now)
    }
  }

  // Amazon S3, "Multipart upload limits": part numbers 1 to 10,000. Scaleway, "Managing multipart
  // uploads": 1 to 1000 parts.
  @Test("A part number that the store doesn't accept is rejected, and an empty upload ID")
  func rejected() throws {
    let scaleway = try SigV4.Bucket.scaleway("photos", region: "fr-par")
    let other = try SigV4.Bucket("photos", endpoint: "https://store.example", region: "r")
    for (bucket, number, text) in [
      (bucket, 0, "1 to 10000"), (bucket, -1, "-1"), (bucket, 10_001, "10001"),
      (scaleway, 1_001, "Scaleway accepts 1 to 1000"), (other, .max, "store.example"),
    ] {
      expectRefusal(.invalidPart, showing: text) {
        try signer.presignedURL(
          for: bucket.object("k"), partNumber: number, uploadID: "u", at: now)
      }
    }
    for number in [1, 1_000] {
      _ = try signer.presignedURL(
        for: scaleway.object("k"), partNumber: number, uploadID: "u", at: now)
    }
    expectRefusal(.invalidPart, showing: "upload ID is empty") {
      try signer.presignedURL(for: bucket.object("k"), partNumber: 1, uploadID: "", at: now)
    }
    expectRefusal(.invalidHeaderValue, showing: "-5") {
      try signer.presignedURL(
        for: bucket.object("k"), partNumber: 1, uploadID: "u", contentLength: -5, at: now)
    }
  }
}
