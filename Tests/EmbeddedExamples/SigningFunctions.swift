// SPDX-License-Identifier: Apache-2.0
// Signing in the headers, for callers in C and JavaScript.

import RequestSigning

/// Writes the headers to add to a request, one line `name:value` each, to `output`.
///
/// `input` has a line each for access key ID, secret access key, session token or nothing, region,
/// signing name of the service, time (20130524T000000Z), method and URL, then one line `name:value`
/// for each header. The result is the size of the output in bytes. If the request can't be signed,
/// the output contains a message, and the result is its size as a negative number.
@c(sign_request)
public func signRequest(
  _ input: UnsafePointer<UInt8>, _ byteCount: Int,
  _ output: UnsafeMutablePointer<UInt8>, _ capacity: Int
) -> Int {
  var lines = InputLines(input, byteCount)
  var output = OutputText(output, capacity)
  do throws(SigV4.SigningError) {
    let signer = try signer(&lines)
    let time = try SigV4.Timestamp(lines.next())
    let request = try request(&lines)
    var buffer = SigV4.SigningBuffer()
    try signer.sign(request, at: time, into: &buffer)
    buffer.forEachHeader { name, value in
      output.append(name)
      output.append(UInt8(ascii: ":"))
      output.append(value)
      output.append(UInt8(ascii: "\n"))
    }
    return output.byteCount
  } catch {
    error.withMessage { output.append($0) }
    return -output.byteCount
  }
}

/// Access key ID, secret access key, session token, region and service.
func signer(_ lines: inout InputLines) throws(SigV4.SigningError) -> SigV4.Signer {
  let credentials = try SigV4.Credentials(
    accessKeyID: lines.next(), secretAccessKey: lines.next(), sessionToken: lines.nextUnlessEmpty())
  let (region, service) = (lines.next(), lines.next())
  return try SigV4.Signer(
    credentials: credentials, region: region,
    service: .named(service))
}

/// Method, URL and headers.
func request(_ lines: inout InputLines) throws(SigV4.SigningError) -> SigV4.Request {
  let (method, url) = (lines.next(), lines.next())
  var headers = SigV4.Headers()
  while !lines.isAtEnd {
    let (name, value) = lines.nextPair()
    headers.append(name, value)
  }
  return try SigV4.Request(method, url: url, headers: headers)
}
