// SPDX-License-Identifier: Apache-2.0
// S3's lists: any document is read, and keys of any bytes that S3 encodes come back.

internal import DocumentSupport
internal import Foundation
@testable internal import RequestSigningFoundation
internal import RequestSigning

enum ListTargets {
  static func lists(_ input: FuzzInput) {
    // As S3 answers with encoding-type=url (API Reference, "ListObjectsV2").
    let keys = input.rest.split(separator: 0x0A).map(\.text)
    let contents = keys.map { key in
      "<Contents><Key>\(String(decoding: URIEncoding.encode(Array(key.utf8)), as: UTF8.self))"
        + "</Key><Size>1</Size></Contents>"
    }
    let document =
      "<ListBucketResult><IsTruncated>false</IsTruncated><EncodingType>url</EncodingType>"
      + contents.joined() + "</ListBucketResult>"
    let listed = required("a list is read") {
      try XMLFieldReader(document.utf8, root: ["ListBucketResult"]).fields
    }
    let bucket = required("a bucket") { try SigV4.Bucket.aws("photos", region: "eu-west-1") }
    let found = BucketPage(listed).entries.compactMap { ListedObject($0, in: bucket)?.key }
    expect(found.count == keys.count, "as many keys come back")
    expect(zip(found, keys).allSatisfy { same($0, $1) }, "they are the same")
    guard let fields = try? XMLFieldReader(ofAnyRoot: input.rest).fields else { return }
    let page = BucketPage(fields)
    for name in ["NextContinuationToken", "NextKeyMarker"] {
      expect(page.text(of: name)?.isEmpty != true, "a marker is not empty")
    }
    for entry in page.entries {
      _ = (
        (try? ListedObject(entry, in: bucket)?.object), ObjectVersion(entry),
        UnfinishedUpload(entry, in: bucket)
      )
    }
  }
}
