// SPDX-License-Identifier: Apache-2.0
// The how-to page on object storage: its code compiles, and does what the page says.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import TestSupport
internal import Testing

/// The lines of the page are here, and a test compares the two.
@Suite("How-to: object storage")
struct ObjectStorageHowToTests {
  let accessKeyID = Example.accessKeyID
  let secretAccessKey = Example.secret
  let account = "0123456789abcdef0123456789abcdef"

  @Test("Sign and presign")
  func signAndPresign() throws {
    let now = try SigV4.Timestamp("20240102T030405Z")  // or a Date, see above
    let bucket = try SigV4.Bucket.r2("photos", account: "0123456789abcdef0123456789abcdef")
    let signer = try bucket.signer(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey)

    let download = try signer.sign(bucket.object("été +1.jpg").getRequest(), at: now)
    let url = try signer.presignedURL(for: bucket.object("été +1.jpg"), at: now).url  // a GET

    #expect(download.url == "https://\(account).r2.cloudflarestorage.com/photos/" + encoded)
    #expect(url.hasPrefix(download.url + "?X-Amz-"))
    #expect(url.contains("&X-Amz-Expires=3600&"))

    let upload = try signer.sign(bucket.object("a.txt").putRequest(.text("hello")), at: now)
    let slot: SigV4.PresignedURL = try signer.presignedURL(
      for: bucket.object("a.jpg"), method: .put, contentType: "image/jpeg",
      expiresIn: .seconds(900), at: now)  // the uploading side sends slot.requiredHeaders
    let head = try signer.sign(bucket.object("a.txt").headRequest(), at: now)
    let delete = try signer.sign(bucket.object("a.txt").deleteRequest(), at: now)
    let list = try signer.sign(bucket.listRequest(prefix: "2024/", delimiter: "/"), at: now)
    let tagging = try bucket.object("a.txt").request("GET", query: ["tagging": nil])
    let tags = try signer.sign(tagging, at: now)

    #expect(slot.requiredHeaders.map { $0.name } == ["content-type"])
    let signed = [upload, head, delete, list, tags]
    #expect(signed.map { $0.method } == ["PUT", "HEAD", "DELETE", "GET", "GET"])
    #expect(
      signed.map { $0.target } == [
        "/photos/a.txt", "/photos/a.txt", "/photos/a.txt",
        "/photos?list-type=2&prefix=2024%2F&delimiter=%2F", "/photos/a.txt?tagging",
      ])

    let uploadID = "VXBsb2FkIElE"
    let part = try signer.presignedURL(
      for: bucket.object("film.mov"), partNumber: 3, uploadID: uploadID, contentLength: 8_388_608,
      at: now)  // a PUT of exactly this part
    let copy = try signer.presignedURL(
      for: bucket.object("b.jpg"), copying: bucket.object("a.jpg"), at: now)

    #expect(part.requiredHeaders.map { $0.name } == ["content-length"])
    #expect(copy.requiredHeaders["x-amz-copy-source"] == "/photos/a.jpg")
  }

  @Test("File names")
  func fileNames() throws {
    let now = try SigV4.Timestamp("20240102T030405Z")
    let bucket = try SigV4.Bucket.r2("photos", account: account)
    let signer = try bucket.signer(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey)
    let name = try SigV4.ContentDisposition.attachment(fileName: "Übersicht 2026.pdf")
    let named = try signer.sign(
      bucket.object("7f3a").putRequest(.text("hello"), headers: name.headers), at: now)
    let saved = try signer.presignedURL(for: bucket.object("7f3a"), query: name.query, at: now)
    let shown = try signer.presignedURL(
      for: bucket.object("7f3a"), query: SigV4.ContentDisposition.inline.query, at: now)
    print(name)  // attachment; filename="_bersicht 2026.pdf"; filename*=UTF-8''%C3%9Cbersicht...
    #expect(name.text.hasPrefix("attachment; filename=\"_bersicht 2026.pdf\"; filename*=UTF-8''%"))
    #expect(named.headers["content-disposition"] == name.text)
    #expect(saved.target.contains("?response-content-disposition=attachment%3B%20filename%3D"))
    #expect(shown.target.contains("?response-content-disposition=inline&X-Amz-"))
  }

  @Test("Google and TOS headers")
  func googleAndTOSHeaders() throws {
    let now = try SigV4.Timestamp("20240102T030405Z")
    let credentials = try SigV4.Credentials(
      accessKeyID: accessKeyID, secretAccessKey: secretAccessKey)
    let google = try SigV4.Bucket(
      "photos",
      at: .custom(
        url: "https://storage.googleapis.com", region: "auto", service: .googleCloudStorage))
    let onlyNew = try google.object("a.txt").putRequest(
      .text("hello"), headers: ["x-goog-if-generation-match": "0"])
    let created = try google.signer(credentials: credentials).sign(onlyNew, at: now)
    let scope = "AKIDEXAMPLE/20240102/auto/storage/goog4_request"
    #expect(created.authorization.hasPrefix("GOOG4-HMAC-SHA256 Credential=\(scope), "))
    #expect(created.signedHeaders.hasSuffix(";x-goog-date;x-goog-if-generation-match"))

    let tos = try SigV4.Bucket(
      "photos",
      at: .custom(url: "https://tos-cn-beijing.volces.com", region: "cn-beijing", service: .tos),
      addressing: .virtualHosted)
    let link = try tos.signer(credentials: credentials).presignedURL(for: tos.object("a"), at: now)
      .url
    #expect(link.hasPrefix("https://photos.tos-cn-beijing.volces.com/a?X-Tos-Algorithm=TOS4-"))
  }

  @Test("Choose the bucket")
  func chooseTheBucket() throws {
    let aws = try SigV4.Bucket.aws("photos", region: "eu-west-1")
    let china = try SigV4.Bucket.aws("photos", region: "cn-north-1", variant: .dualStack)
    let fips = try SigV4.Bucket.aws("photos", region: "us-gov-west-1", variant: .fips)
    let fast = try SigV4.Bucket.aws("photos", region: "eu-west-1", variant: .accelerate)
    let european = try SigV4.Bucket.r2("photos", account: account, jurisdiction: .eu)
    let minIO = try SigV4.Bucket.minIO("photos", endpoint: "http://127.0.0.1:9000")
    let other = try SigV4.Bucket(
      "photos", at: .custom(url: "https://storage.example.com:8443", region: "auto"),
      addressing: .virtualHosted)
    let supabase = try SigV4.Bucket(
      "photos",
      at: .custom(url: "https://ref.storage.supabase.co/storage/v1/s3", region: "eu-central-1"))

    #expect(
      [aws, china, fips, fast, european, minIO, other, supabase].map { $0.description } == [
        "Bucket(https://photos.s3.eu-west-1.amazonaws.com, eu-west-1)",
        "Bucket(https://photos.s3.dualstack.cn-north-1.amazonaws.com.cn, cn-north-1)",
        "Bucket(https://photos.s3-fips.us-gov-west-1.amazonaws.com, us-gov-west-1)",
        "Bucket(https://photos.s3-accelerate.amazonaws.com, eu-west-1)",
        "Bucket(https://\(account).eu.r2.cloudflarestorage.com/photos, auto)",
        "Bucket(http://127.0.0.1:9000/photos, us-east-1)",
        "Bucket(https://photos.storage.example.com:8443, auto)",
        "Bucket(https://ref.storage.supabase.co/storage/v1/s3/photos, eu-central-1)",
      ])
  }

  @Test("The README's section on buckets")
  func readme() throws {
    let now = try SigV4.Timestamp("20240102T030405Z")
    let photos = try SigV4.Bucket.r2("photos", account: "0123456789abcdef0123456789abcdef")
    let credentials = try Example.credentials()
    let r2 = try photos.signer(credentials: credentials)
    let download = try r2.sign(photos.object("été +1.jpg").getRequest(), at: now)
    let link = try r2.presignedURL(for: photos.object("été +1.jpg"), at: now).url

    #expect(link.hasPrefix(download.url + "?X-Amz-"))
    #expect(link.contains("&X-Amz-Expires=3600&"))
  }

  @Test("Keys")
  func keys() throws {
    let bucket = try SigV4.Bucket.r2("photos", account: account)
    var count = 0
    for warning in try bucket.object("photos/../a.jpg").warnings {
      print(warning)  // dotSegments: URL types and proxies resolve '.' and '..' segments ...
      #expect(warning == .dotSegments)
      count += 1
    }
    #expect(count == 1)
  }

  @Test("Requests that S3 misreads")
  func misread() throws {
    let bucket = try SigV4.Bucket.aws("photos", region: "eu-west-1")
    var count = 0
    for warning in try bucket.object("a.jpg").putRequest(.empty, query: ["x-amz-acl": "private"])
      .objectStorageWarnings
    {
      print(warning)  // ignoredParameter: Bucket policies and some stores ignore ...
      #expect(warning.description.hasPrefix("ignoredParameter: Bucket policies and some stores"))
      count += 1
    }
    #expect(count == 1)
  }

  @Test("S3 Express One Zone")
  func s3Express() throws {
    let now = try SigV4.Timestamp("20240102T030405Z")
    let credentials = try Example.credentials()
    let answer = (
      accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: "token",
      expiration: "2024-01-02T03:09:05Z"
    )
    let express = try SigV4.Bucket.directory("photos--use1-az4--x-s3", region: "us-east-1")
    let opener = try express.signer(credentials: credentials)
    let opening = try opener.sign(express.createSessionRequest(), at: now)
    // Send it. The response has AccessKeyId, SecretAccessKey, SessionToken and Expiration.
    let session = try SigV4.Credentials(
      accessKeyID: answer.accessKeyID, secretAccessKey: answer.secretAccessKey,
      sessionToken: answer.sessionToken, expiration: answer.expiration)
    let download = try express.signer(session: session)
      .sign(express.object("a.jpg").getRequest(), at: now)
    let control = try SigV4.S3Endpoint.s3ExpressControl(region: "us-east-1")
    let buckets = try control.signer(credentials: credentials).sign(control.request("GET"), at: now)

    let host = "https://photos--use1-az4--x-s3.s3express-use1-az4.us-east-1.amazonaws.com"
    #expect(opening.url == host + "/?session")
    #expect(download.url == host + "/a.jpg")
    #expect(download.addedHeaders.values(named: "x-amz-s3session-token") == ["token"])
    #expect(buckets.url == "https://s3express-control.us-east-1.amazonaws.com/")
  }

  @Test("Every line of code on the page is in this file")
  func page() throws {
    try HowToPage("object-storage.md").expectCode(in: #filePath, count: 30)
  }

  let encoded = "%C3%A9t%C3%A9%20%2B1.jpg"
}
