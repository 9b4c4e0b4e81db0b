// SPDX-License-Identifier: Apache-2.0
// Fixes on the command line for causes whose own fix names Swift declarations.

internal import SignatureDiagnosis

extension SigV4.Diagnosis.Cause {
  /// The fix in terms of command-line options.
  var commandFix: String { Self.commandFixes[code] ?? fix }

  private static var commandFixes: [SigV4.Diagnosis.Code: String] {
    [
      .algorithm:
        "Use --region-set for a server that expects SigV4a, such as a multi-region access point. "
        + "Use --region for one that expects SigV4.",
      .pathEncodedTwice:
        "Set the service with --service, because only S3 and compatible stores encode once. If the "
        + "server is one of them, a proxy may encode the URL again.",
      .pathEncodedOnce:
        "For a server that encodes once, sign an object as s3://bucket/key, or a URL with "
        + "--service s3. Pass the URL encoded as it's sent.",
      .pathPlus:
        "Send a space as %20 and a plus sign as %2B. Pass an object as s3://bucket/key, and send "
        + "the signed URL unchanged.",
      .pathNormalized:
        "Check for a client or a proxy that merges slashes or resolves '..'. curl keeps them with "
        + "--path-as-is. If the service itself changes the path, set it with --service.",
      .pathNotNormalized:
        "For S3 and compatible stores, which keep dot segments and double slashes, sign with "
        + "--service s3. Otherwise remove them from the URL.",
      .headerMissing:
        "Send all signed headers with the signed values. With a presigned URL, send all its "
        + "required headers. If a proxy removes one, configure the proxy to keep it, or remove it "
        + "from -H. host, content-type and x-amz-* must be signed.",
      .headerChanged:
        "Send the signed value. If a client or a proxy sets it, pass exactly that value to -H, or "
        + "remove it from -H. content-type and x-amz-* must be signed.",
      .payloadNotDeclared:
        "For S3 and compatible stores, sign with --service s3. Send the signed header unchanged.",
    ]
  }
}
