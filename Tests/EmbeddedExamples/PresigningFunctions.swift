// SPDX-License-Identifier: Apache-2.0
// Signing in the query, for callers in C and JavaScript.

import RequestSigning

/// Writes the URL, which is valid for a number of seconds, to `output`. Input and result are the
/// same as in `sign_request`.
@c(presign_url)
public func presignURL(
  _ input: UnsafePointer<UInt8>, _ byteCount: Int, _ seconds: Int,
  _ output: UnsafeMutablePointer<UInt8>, _ capacity: Int
) -> Int {
  var lines = InputLines(input, byteCount)
  var output = OutputText(output, capacity)
  do throws(SigV4.SigningError) {
    let signer = try signer(&lines)
    let time = try SigV4.Timestamp(lines.next())
    let request = try request(&lines)
    var buffer = SigV4.SigningBuffer()
    try signer.presignedURL(for: request, expiresIn: .seconds(seconds), at: time, into: &buffer)
    buffer.withURL { output.append($0) }
    return output.byteCount
  } catch {
    error.withMessage { output.append($0) }
    return -output.byteCount
  }
}
