// SPDX-License-Identifier: Apache-2.0
// What to do at the command line about a cause whose advice names declarations of Swift.

internal import SignatureDiagnosis

extension SigV4.Diagnosis.Cause {
  /// What to do, in options of the command line.
  var commandAdvice: String { Self.commandAdvice[code] ?? advice }

  private static var commandAdvice: [SigV4.Diagnosis.Code: String] {
    [
      .algorithm:
        "Give --region-set where the server wants Signature Version 4a, such as a multi-region access "
        + "point, and --region where it wants Signature Version 4",
      .pathEncodedTwice:
        "Name the service with --service, since only S3 and compatible stores encode once; if the "
        + "server is one of them, look for a proxy that encodes the URL again",
      .pathEncodedOnce:
        "Sign an object as s3://bucket/key, or a URL with --service s3, for a server that encodes "
        + "once; give a URL encoded as it is sent",
      .pathPlus:
        "Send a space as %20 and a plus sign as %2B: give an object as s3://bucket/key, and send "
        + "exactly the URL that was signed",
      .pathNormalized:
        "Look for a client or a proxy that merges slashes or resolves '..'; curl leaves them as they "
        + "are with --path-as-is. When the service does so itself, name it with --service",
      .pathNotNormalized:
        "Sign with --service s3 for S3 and compatible stores, which keep them, or give the URL without "
        + "them",
      .headerMissing:
        "Send all headers that were signed, with the values that were signed, and with a presigned "
        + "URL all its required headers. When a proxy removes one, let the proxy keep it, or leave it "
        + "out of -H; host, content-type and x-amz-* have to be signed",
      .headerChanged:
        "Send the value that was signed. When a client or a proxy sets it, give exactly that value to "
        + "-H, or leave it out of -H; content-type and x-amz-* have to be signed",
      .payloadNotDeclared:
        "Sign with --service s3 for S3 and compatible stores, and send the header as it was signed",
    ]
  }
}
