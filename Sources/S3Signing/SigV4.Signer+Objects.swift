// SPDX-License-Identifier: Apache-2.0
// The URL that people ask for most: to an object, for an hour.

public import RequestSigning
internal import SigningSupport

extension SigV4.Signer {
  /// A presigned URL to an object, good for an hour unless told otherwise; a GET downloads it, a PUT
  /// uploads it.
  ///
  ///     try signer.presign(bucket.object("a.jpg"), at: now).url
  ///     try signer.presign(bucket.object("a.jpg"), method: "PUT", validFor: 900, at: now).url
  ///
  /// Whoever has the URL can use it until it expires: treat it as a secret. The body is not signed
  /// unless `payload` names it.
  ///
  /// Throws what presigning its request throws.
  public func presign(
    _ object: SigV4.Bucket.Object, method: String = "GET", query: SigV4.Query = .empty,
    headers: SigV4.Headers = [:], payload: SigV4.Payload = .empty,
    validFor seconds: Int = 3_600, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    let request = try object.request(method, query: query, headers: headers, payload: payload)
    return try presign(request, validFor: seconds, at: timestamp)
  }

  /// A presigner for the URLs of many objects of a bucket, good for an hour unless told otherwise.
  ///
  ///     var batch = try signer.batchPresigner(for: bucket, at: now)
  ///     try batch.append(keys, to: &urls)
  ///
  /// Throws what ``SigV4/BatchPresigner/init(_:validFor:at:by:)`` throws.
  public func batchPresigner(
    for bucket: SigV4.Bucket, method: String = "GET", query: SigV4.Query = .empty,
    headers: SigV4.Headers = [:], payload: SigV4.Payload = .empty,
    validFor seconds: Int = 3_600, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.BatchPresigner {
    let request = try SigV4.Request(
      method, scheme: bucket.endpoint.scheme, host: bucket.host,
      path: bucket.isInPath ? .key(bucket.name + "/") : .root, query: query, headers: headers,
      payload: payload)
    return try SigV4.BatchPresigner(request, validFor: seconds, at: timestamp, by: self)
  }
}
