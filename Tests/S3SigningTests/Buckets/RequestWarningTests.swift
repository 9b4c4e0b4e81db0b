// SPDX-License-Identifier: Apache-2.0
// What S3 ignores or misreads in a request: parameters that are headers, copy sources, checksums.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Object storage: requests that S3 misreads")
struct RequestWarningTests {
  let origin = "https://b.s3.eu-west-1.amazonaws.com"

  func warnings(
    _ method: String, _ target: String, _ headers: SigV4.Headers = [:],
    _ payload: SigV4.Payload = .empty
  ) throws -> [SigV4.Bucket.Warning] {
    try SigV4.Request(method, url: origin + target, headers: headers, payload: payload)
      .objectStorageWarnings
  }

  /// Source: botocore's model of S3, by `checksum-operations.py`.
  @Test("Only operations that need a checksum have a warning without one")
  func checksums() throws {
    let rows = try VectorTable(named: "checksum-operations.txt").records
    #expect(rows.count > 30)
    for row in rows {
      let query = try row.texts("parameter").joined(separator: "&")
      let isRequired = try row.text("checksum") == "required"
      let method = try row.text("method")
      let found = try warnings(method, "/k?" + query, [:], .text("<a/>"))
      #expect(found.map(\.name) == (isRequired ? ["missingChecksum"] : []), "\(row)")
      for (name, value) in [
        ("Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg=="), ("x-amz-checksum-crc32c", "AAAAAA=="),
        ("X-Amz-Trailer", "x-amz-checksum-sha256"),
      ] {
        #expect(
          try warnings(method, "/k?" + query, [name: value], .text("<a/>")).isEmpty, "\(row)")
      }
    }
    #expect(try warnings("POST", "/?delete", [:], .unsigned).count == 1)
    // No body: the ACL in a header, a list.
    #expect(try warnings("PUT", "/k?acl", ["x-amz-acl": "private"]).isEmpty)
    #expect(try warnings("PUT", "/k?acl", ["x-amz-acl": "private"], .text("")).isEmpty)
    #expect(try warnings("GET", "/?delete", [:], .text("a")).isEmpty)
  }

  @Test("Parameters that count as headers have a warning, in upper and lower case")
  func parameters() throws {
    for name in [
      "x-amz-checksum-crc32", "X-Amz-Checksum-SHA256", "x-amz-sdk-checksum-algorithm",
      "content-type", "Content-MD5", "content-length", "x-amz-acl", "x-amz-grant-read",
      "x-amz-meta-a", "x-amz-storage-class", "x-amz-server-side-encryption", "x-amz-tagging",
      "x-amz-copy-source", "x-amz-object-lock-mode",
    ] {
      let found = try warnings("PUT", "/k?\(name)=1")
      #expect(found.map(\.name) == ["ignoredParameter"], "\(name)")
      #expect(found.first?.message.contains("\"\(name)\"") == true)
      #expect(found.first?.description.hasPrefix("ignoredParameter: ") == true)
    }
    for target in [
      "/k", "/k?versionId=1", "/k?response-content-type=a", "/k?x-amz-request-payer=requester",
      "/k?partNumber=1&uploadId=x-amz-acl", "/k?prefix=content-type", "/?list-type=2", "/k?x-id=a",
    ] {
      #expect(try warnings("GET", target).isEmpty, "\(target)")
    }
  }

  @Test("A copy source that S3 decodes to another key has a warning")
  func copySources() throws {
    for (value, position) in [
      ("b/a+b", 3), ("b/a b", 3), ("b/100%", 5), ("b/%zz", 2), ("b/a%2", 3), ("/b/\t", 3),
    ] {
      let found = try warnings("PUT", "/k", ["X-Amz-Copy-Source": value])
      #expect(found.map(\.name) == ["copySource"], "\(value)")
      #expect(found.first?.message.contains("at offset \(position)") == true, "\(found)")
    }
    let accessPoint = "arn:aws:s3:eu-west-1:1:accesspoint/a/object/k"
    for value in ["b/a%2Bb", "/b/a%20b?versionId=1", accessPoint] {
      #expect(try warnings("PUT", "/k", ["x-amz-copy-source": value]).isEmpty)
    }
  }

  @Test("Warnings say what to do, and print their code")
  func texts() throws {
    let all =
      try warnings("PUT", "/k?x-amz-acl=a&acl", ["x-amz-copy-source": "b/a+b"], .text("a"))
      + warnings("PUT", "/k?content-type=a")
    #expect(Set(all.map(\.name)).count == 3)
    for warning in all {
      #expect(problems(ofWarning: warning.message).isEmpty, "\(warning)")
    }
  }
}
