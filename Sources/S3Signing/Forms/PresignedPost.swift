// SPDX-License-Identifier: Apache-2.0
// A form for the upload of one object, in one call.

public import RequestSigning

extension SigV4.Signer {
  /// Creates a form with which a browser uploads one object. It expires after an hour by default.
  ///
  ///     let form = try signer.presignedPost(
  ///       for: bucket.object("u/42/a.jpg"), contentLength: 1...10_485_760,
  ///       contentType: "image/jpeg", at: now)
  ///
  /// For other conditions, such as a prefix of keys, sign a ``SigV4/PostPolicy``. In the key,
  /// `${filename}` stands for the file name.
  ///
  /// - Parameters:
  ///   - object: the destination.
  ///   - contentLength: the sizes to allow, in bytes, or nil for any.
  ///   - contentType: the `Content-Type` that the form sends, or nil for none.
  ///   - lifetime: how long the form is valid, 1 second to 7 days.
  ///   - timestamp: the time of the signature.
  ///
  /// - Throws: The errors of ``SigV4/PostPolicy/init(bucket:expiresIn:conditions:)`` and of
  ///   `sign(_:at:)` with a policy, and `invalidPostPolicy` if the key isn't valid UTF-8.
  public func presignedPost(
    for object: SigV4.Bucket.Object, contentLength: ClosedRange<Int64>? = nil,
    contentType: String? = nil, expiresIn lifetime: Duration = .seconds(3_600),
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PostForm {
    if !object.key.utf8.elementsEqual(object.keyBytes) {
      throw SigV4.SigningError(
        .invalidPostPolicy,
        "The key isn't valid UTF-8, so a policy, which is JSON, can't contain it.",
        fix: "Use a presigned PUT.")
    }
    var conditions: [SigV4.PostPolicy.Condition] = [.key(object.key)]
    if let contentLength {
      conditions.append(
        .contentLength(from: contentLength.lowerBound, through: contentLength.upperBound))
    }
    if let contentType { conditions.append(.contentType(contentType)) }
    let policy = try SigV4.PostPolicy(
      bucket: object.bucket, expiresIn: lifetime, conditions: conditions)
    return try sign(policy, at: timestamp)
  }
}
