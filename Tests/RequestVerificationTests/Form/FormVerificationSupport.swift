// SPDX-License-Identifier: Apache-2.0
// Sent forms: the signed form, as a server receives it.

internal import SigningTestSupport
internal import RequestVerification
internal import S3Signing
internal import RequestSigning
internal import TestSupport
internal import Testing

/// The fields of a form as a server receives them, each of which can be changed, and the file.
struct WireForm {
  var fields: [(name: [UInt8], value: [UInt8])]
  var request = WireRequest("POST", "/", [("Host", "photos.s3.amazonaws.com")])
  var bucket = "photos"
  var fileName = "a.jpg"

  init(_ form: SigV4.PostForm, bucket: String = "photos") {
    fields = form.fields.map { (Array($0.name.utf8), Array($0.value.utf8)) }
    self.bucket = bucket
  }

  init(_ fields: [(name: String, value: String)]) {
    self.fields = fields.map { (Array($0.name.utf8), Array($0.value.utf8)) }
  }

  var received: SigV4.ReceivedForm {
    var form = SigV4.ReceivedForm(request.received(), bucket: bucket)
    for field in fields { form.append(field.name, field.value) }
    form.fileName = fileName
    return form
  }

  /// The same form with other fields of a name: none, one or several.
  func replacing(_ name: String, with values: String...) -> WireForm {
    var copy = self
    copy.fields.removeAll { $0.name.elementsEqual(name.utf8) }
    copy.fields += values.map { (Array(name.utf8), Array($0.utf8)) }
    return copy
  }
}

/// A server of S3 in us-east-1 at the moment of the examples, which takes forms.
struct FormServer {
  var verifier = SigV4.Verifier(services: [.s3], regions: ["us-east-1"])
  var now: SigV4.Timestamp
  var credentials: SigV4.Credentials

  init() throws {
    now = try Example.moment()
    credentials = try Example.credentials()
  }

  func unverified(_ form: WireForm) throws(SigV4.VerificationError) -> SigV4.UnverifiedForm {
    try verifier.check(form.received, at: now)
  }

  func verify(_ form: WireForm) throws(SigV4.VerificationError) -> SigV4.VerifiedForm {
    let unverified = try unverified(form)
    guard unverified.accessKeyID == credentials.identity.accessKeyID else {
      throw unverified.unknownAccessKey
    }
    return try unverified.verify(with: credentials)
  }

  /// The verifier's result for a form, in one call.
  func check(_ form: WireForm, file: [UInt8] = []) throws(SigV4.VerificationError) {
    _ = try verify(form).file(file)
  }

  /// A form that this server is meant for.
  func form(
    _ conditions: [SigV4.PostPolicy.Condition] = [.key("uploads/${filename}")],
    expiresIn lifetime: Duration = .seconds(3_600)
  ) throws -> WireForm {
    let bucket = try SigV4.Bucket.aws("photos", region: "us-east-1")
    let policy = try SigV4.PostPolicy(bucket: bucket, expiresIn: lifetime, conditions: conditions)
    return WireForm(try bucket.signer(credentials: credentials).sign(policy, at: now))
  }

  /// A form with its own document, and the fields of its signature.
  func form(document: String, _ fields: [(String, String)]) throws -> WireForm {
    let bucket = try SigV4.Bucket.aws("photos", region: "us-east-1")
    let policy = try SigV4.PostPolicy(bucket: bucket, document: document.utf8)
    var form = WireForm(try bucket.signer(credentials: credentials).sign(policy, at: now))
    form.fields += fields.map { (Array($0.0.utf8), Array($0.1.utf8)) }
    return form
  }

  /// A policy document with these conditions, and those that every form needs.
  func document(_ conditions: String, until end: String = "2015-08-30T13:00:00.000Z") -> String {
    """
    {"expiration": "\(end)", "conditions": [\(conditions),
      {"bucket": "photos"}, {"x-amz-algorithm": "AWS4-HMAC-SHA256"},
      {"x-amz-credential": "AKIDEXAMPLE/20150830/us-east-1/s3/aws4_request"},
      {"x-amz-date": "20150830T123600Z"}]}
    """
  }
}
