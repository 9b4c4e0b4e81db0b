// SPDX-License-Identifier: Apache-2.0
// Uses the example app: prints where its presigned URL leads and how it was signed, what a listing says,
// and what the keychain keeps.

import Foundation
import RequestSigningFoundation

let store = try R2(
  account: "0123456789abcdef0123456789abcdef", accessKeyID: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", bucket: "photos")
let link = try store.presignedURL(for: "été +1.jpg")
let object = String(link.absoluteString.prefix { $0 != "?" })
print(object)
guard let url = URL(string: object) else { throw URLError(.badURL) }
let signed = try store.sign(URLRequest(url: url))
print(signed.value(forHTTPHeaderField: "Authorization")?.contains("/auto/s3/aws4_request") == true)

// The answer with a continuation token of the S3 API Reference, "ListObjectsV2", with a second key and a
// common prefix.
let answer = """
  <?xml version="1.0" encoding="UTF-8"?>
  <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
    <Name>bucket</Name><Prefix></Prefix>
    <NextContinuationToken>1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J/wm36Hy4vbOwM=</NextContinuationToken>
    <KeyCount>3</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>true</IsTruncated>
    <Contents><Key>happyface.jpg</Key><Size>11</Size></Contents>
    <Contents><Key>a &amp; b/\u{e9}t\u{e9}.jpg</Key><Size>11</Size></Contents>
    <CommonPrefixes><Prefix>photos/</Prefix></CommonPrefixes>
  </ListBucketResult>
  """
let page = try ListingPage(Data(answer.utf8))
print(page.keys, page.folders, page.nextToken ?? "the last page")

let keychain = KeychainProvider(service: "com.example.app.storage")
try keychain.store(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "to be replaced")
try keychain.store(
  accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
print(try await keychain.credentials().credentials.identity.accessKeyID)
try keychain.remove()
do {
  print(try await keychain.credentials())
} catch {
  print(error.code)
}
