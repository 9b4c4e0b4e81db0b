// SPDX-License-Identifier: Apache-2.0
// Uses the example app: prints where its presigned URL leads and how it was signed, and what the
// keychain keeps.

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

let keychain = KeychainSource(service: "com.example.app.storage")
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
