// SPDX-License-Identifier: Apache-2.0
// The corridor for a policy: room 2 is its base64 text, room 5 a list of form fields.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4.Signer {
  /// Signs a policy: a form with which anybody can upload what it allows.
  ///
  /// Throws `credentialsExpired`, `outlivesCredentials` when the form would live longer than the
  /// credentials, `timestampOutOfRange`, and `outsideScope` when a signing key is for another day.
  public func sign(
    _ policy: SigV4.PostPolicy, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PostForm {
    let prepared = try preparer.prepare(policy, at: timestamp)
    let key = try signingKey(at: timestamp)
    return prepared.signed(with: key.signature(in: prepared.buffer))
  }
}

extension SigV4.Preparer {
  /// A form ready to be signed.
  ///
  /// Throws `credentialsExpired`, `outlivesCredentials` or `timestampOutOfRange`.
  public func prepare(
    _ policy: SigV4.PostPolicy, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PreparedPostForm {
    try checkCredentials(at: timestamp)
    let expiration = try policy.expiration(at: timestamp, identity)
    let text = Base64.encode(document(of: policy, until: expiration, at: timestamp))
    var buffer = SigV4.SigningBuffer()
    // S3 API Reference, "Authenticating Requests in Browser-Based Uploads Using POST".
    buffer.layout.stringToSign = buffer.write { $0.append(text) }
    return SigV4.PreparedPostForm(
      bucket: policy.bucket, conditions: policy.conditions, expiration: expiration,
      timestamp: timestamp, preparer: self, buffer: buffer)
  }

  func document(
    of policy: SigV4.PostPolicy, until expiration: SigV4.Timestamp?, at timestamp: SigV4.Timestamp
  ) -> [UInt8] {
    switch policy.content {
    case .document(let bytes): return bytes
    case .conditions(let conditions, _):
      var document = SigV4.PolicyDocument(expiration: expiration ?? timestamp)
      document.append("bucket", policy.bucket.name)
      for condition in conditions { document.append(condition) }
      for field in policyFields(at: timestamp) {
        document.append(field.name, field.value)
      }
      document.finish()
      return document.bytes
    }
  }

  /// The fields that say who signs, in order; each has a condition of its own.
  func policyFields(at timestamp: SigV4.Timestamp) -> [SigV4.PostForm.Field] {
    let credential = identity.accessKeyID + "/" + scope(at: timestamp).text
    var fields = [
      SigV4.PostForm.Field(name: "x-amz-algorithm", value: algorithm.name),
      SigV4.PostForm.Field(name: "x-amz-credential", value: credential),
      SigV4.PostForm.Field(name: "x-amz-date", value: timestamp.text),
    ]
    if let token = identity.sessionToken {
      let name = SigV4.RequiredHeader.securityToken.name.description
      fields.append(SigV4.PostForm.Field(name: name, value: token))
    }
    return fields
  }
}
