// SPDX-License-Identifier: Apache-2.0
// Forms: a form that the policy allows is accepted with the page's fields, and no other document
// is.

internal import DocumentSupport
internal import RequestSigning
internal import RequestVerification
internal import S3Signing

enum FormTargets {
  /// Conditions NAME=VALUE or NAME=^PREFIX, an empty line, the name of the file, the file.
  static func forms(_ input: FuzzInput) {
    var input = input
    let pairs = input.pairs(0x3D)
    let conditions = pairs.map { pair in
      pair.value.first == 0x5E
        ? SigV4.PostPolicy.Condition.field(
          pair.name.text, startsWith: Array(pair.value.dropFirst()).text)
        : .field(pair.name.text, pair.value.text)
    }
    let (line, file) = (input.line(), input.bytes)
    // The key ${filename} must not be empty, as for a folder, or longer than a key.
    let fileName = line.utf8.count < 1_024 ? line + "e" : "long"
    guard
      let form = try? temporarySigner.sign(
        SigV4.PostPolicy(bucket: bucket, conditions: conditions), at: Signing.now)
    else { return }
    expect(form.hiddenInputs.utf8.count { $0 == 0x3C } == form.fields.count, "a field is one input")
    var received = SigV4.ReceivedForm(post, bucket: bucket.name)
    received.fileName = fileName
    for field in form.fields { received.append(field.name.utf8, field.value.utf8) }
    for name in form.fieldsToFill {
      let prefix = pairs.first { same($0.name.text, name) }?.value.dropFirst() ?? []
      received.append(name.utf8, (Array(prefix).text + "filled in").utf8)
    }
    do throws(SigV4.VerificationError) {
      let unverified = try verifier.check(received, at: Signing.now)
      let read = try unverified.verify(with: Signing.temporary).file(file)
      expect(read == file, "the file comes back")
    } catch {
      expect(mayFail.contains(error.code), "what is signed is accepted: \(error)")
    }
  }

  /// How many minutes have passed, a key, and a policy document. Only living JSON is ever accepted.
  static func policies(_ input: FuzzInput) {
    var input = input
    let (minutes, key) = (Int64(input.number()), input.line())
    let now = required("it is later") { try Signing.now.advanced(bySeconds: 60 * minutes) }
    guard
      let form = try? signer.sign(
        SigV4.PostPolicy(bucket: bucket, document: input.rest), at: Signing.now)
    else { return }
    var received = SigV4.ReceivedForm(post, bucket: bucket.name)
    for field in form.fields { received.append(field.name.utf8, field.value.utf8) }
    received.append("key".utf8, key.utf8)
    guard let unverified = try? verifier.check(received, at: now),
      let verified = try? unverified.verify(with: Signing.credentials)
    else { return }
    let document = required("the document is JSON") { try JSONReader.value(of: input.rest) }
    let end = document["expiration"]?.text.flatMap { SigV4.Timestamp(extended: $0) }
    expect(end == unverified.expiration && unverified.expiration >= now, "the policy is alive")
    guard case .array(let conditions)? = document["conditions"] else {
      fatalError("does not hold: there are conditions")
    }
    expect(conditions.count >= 2, "bucket and key have conditions")
    expect(same(verified.key, key), "the key is the one that was sent")
  }

  private static let signer = Signing.signer(.s3)
  private static let temporarySigner = Signing.signer(.s3, Signing.temporary)
  private static let bucket = required("the bucket is one") {
    try SigV4.Bucket.aws("examplebucket", region: "us-east-1")
  }
  private static let post = SigV4.ReceivedRequest(
    "POST", target: "/", headers: ["Host": "examplebucket.s3.amazonaws.com"])
  private static let verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
  private static let mayFail: [SigV4.VerificationError.Code] = [.formTooLarge]
}
