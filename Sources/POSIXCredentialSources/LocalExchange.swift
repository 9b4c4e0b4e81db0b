// SPDX-License-Identifier: Apache-2.0
// HTTP/1.1 to this machine and its link, for the services of containers and EC2: without TLS or
// proxies.

package import CredentialProviders
package import RequestSigning

/// Sends small requests to services on this machine and its link, each on a new connection.
package enum LocalExchange {
  /// Sends a request. Returns the response, whatever its status. Redirects aren't followed.
  ///
  /// - Throws: `invalidConfiguration` if the URL isn't local or a header contains a newline,
  ///   `unreachable`, `timedOut`, `cancelled`, and `invalidResponse` if the response isn't valid
  ///   HTTP or is larger than the request's `maximumByteCount`.
  package static func response(
    to request: SigV4.HTTPRequest
  ) async throws(CredentialError) -> SigV4.HTTPResponse {
    let target = try NearTarget(request)
    try request.check()
    let end = ContinuousClock.now + request.timeout.bounded
    return try await OwnThread.run { (isCancelled) throws(CredentialError) in
      let deadline = Deadline(end: end, isCancelled: isCancelled)
      do throws(Socket.Failure) {
        return try response(to: request, at: target, deadline)
      } catch {
        throw Self.error(error, request)
      }
    }
  }

  private static func response(
    to request: SigV4.HTTPRequest, at target: NearTarget, _ deadline: Deadline
  ) throws(Socket.Failure) -> SigV4.HTTPResponse {
    let socket = try connected(to: target, deadline)
    try socket.write(bytes(of: request, to: target), deadline)
    var reader = ResponseReader(to: request.method, upTo: request.maximumByteCount)
    while reader.response == nil {
      let portion = try socket.read(deadline)
      if portion.isEmpty { break }
      do throws(CredentialError) {
        try reader.read(portion)
      } catch {
        throw .invalidResponse(error)
      }
    }
    guard let response = reader.responseAtEnd else { throw .ended }
    return response
  }

  /// Connects to the first address that accepts a connection.
  private static func connected(
    to target: NearTarget, _ deadline: Deadline
  ) throws(Socket.Failure) -> Socket {
    for address in target.addresses.dropLast() {
      if let socket = try? Socket(to: address, port: target.port, deadline) { return socket }
    }
    guard let last = target.addresses.last else { throw .ended }
    return try Socket(to: last, port: target.port, deadline)
  }

  /// The bytes of a request (RFC 9112, 3).
  static func bytes(of request: SigV4.HTTPRequest, to target: NearTarget) -> [UInt8] {
    var lines = [
      "\(request.method) \(target.path) HTTP/1.1", "Host: \(target.authority)",
      "User-Agent: \(SigV4.HTTPRequest.userAgent)", "Connection: close",
    ]
    // RFC 9110, 8.6: required even for an empty body if the method defines a meaning for it.
    if !request.body.isEmpty || request.method != "GET" {
      lines.append("Content-Length: \(request.body.count)")
    }
    lines += request.headers.map { "\($0.name): \($0.value)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + request.body
  }

  private static func error(
    _ failure: Socket.Failure, _ request: SigV4.HTTPRequest
  ) -> CredentialError {
    switch failure {
    case .cancelled:
      CredentialError(
        .cancelled, "\(request) was cancelled.", fix: "Call again from a different task.")
    case .timedOut:
      CredentialError(
        .timedOut, "\(request) got no response within \(request.timeout).",
        fix: "Check the network and the address, then call again.")
    case .ended:
      CredentialError(
        .unreachable,
        "\(request) failed: the connection closed before the response was complete.",
        fix: "Check the service at this address.")
    case .system(let number):
      CredentialError(
        .unreachable,
        "\(request) failed before a response arrived (\(SystemFacts.reason(number))).",
        fix: "Check the address and the network.")
    case .invalidResponse(let error):
      CredentialError(error.code, "\(request) failed. \(error.problem)", fix: error.fix)
    }
  }
}
