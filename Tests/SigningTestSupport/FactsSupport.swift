// SPDX-License-Identifier: Apache-2.0
// Shared by the table tests of facts: example credentials, and a canonical request from its parts.

package import RequestSigning
package import TestSupport
internal import Testing

/// Values that the documents of AWS use in their examples.
package enum Example {
  package static let accessKeyID = "AKIDEXAMPLE"
  package static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
  package static let token = "FwoG/ZXIv+YXdz//example+session/token=="

  /// SHA-256 of nothing (FIPS 180-4; printed by `sha256sum </dev/null`).
  package static let digestOfNothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  /// A moment of the examples: 2015-08-30T12:36:00Z.
  package static func moment() throws -> SigV4.Timestamp { try SigV4.Timestamp("20150830T123600Z") }

  package static func credentials(
    sessionToken: String? = nil, expiration: SigV4.Timestamp? = nil
  ) throws -> SigV4.Credentials {
    try SigV4.Credentials(
      accessKeyID: accessKeyID, secretAccessKey: secret, sessionToken: sessionToken,
      expiration: expiration)
  }

  package static func standardService() throws -> SigV4.Service { try .standard("service") }

  package static func signer(
    _ service: SigV4.Service, sessionToken: String? = nil
  ) throws -> SigV4.Signer {
    try SigV4.Signer(
      credentials: credentials(sessionToken: sessionToken), region: "us-east-1", service: service)
  }

  /// A request signed in its headers for a service, at the moment of the examples.
  package static func signed(
    _ request: SigV4.Request, _ service: SigV4.Service, sessionToken: String? = nil
  ) throws -> SigV4.SignedRequest {
    try signer(service, sessionToken: sessionToken).sign(request, at: moment())
  }

  /// A URL good for an hour from the moment of the examples.
  package static func presigned(
    _ request: SigV4.Request, _ service: SigV4.Service, sessionToken: String? = nil
  ) throws -> SigV4.PresignedURL {
    try signer(service, sessionToken: sessionToken).presignedURL(
      for: request, expiresIn: .seconds(3600), at: moment())
  }
}

/// The lines of a canonical request (SigV4, step 1).
package struct CanonicalParts {
  package let method: String
  package let path: String
  package let query: String
  package let headers: [String]
  package let signedHeaders: String
  package let payload: String

  package init(_ canonicalRequest: SigV4.CanonicalRequest) throws {
    let lines = canonicalRequest.bytes
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    try #require(lines.count >= 6, "\(canonicalRequest.text)")
    // The empty line ends the headers.
    try #require(lines[lines.count - 3].isEmpty, "\(canonicalRequest.text)")
    method = lines[0]
    path = lines[1]
    query = lines[2]
    headers = Array(lines[3..<lines.count - 3])
    signedHeaders = lines[lines.count - 2]
    payload = lines[lines.count - 1]
  }

  /// The header lines but those of some names.
  package func headers(without names: Set<String>) -> [String] {
    headers.filter { line in !names.contains { line.hasPrefix($0 + ":") } }
  }
}

/// The path and the query of a request target.
package func splitTarget(_ target: String) -> (path: String, query: String?) {
  let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    .map(String.init)
  return (parts[0], parts.count == 2 ? parts[1] : nil)
}

/// The pairs of a query on the wire, in order, as written.
package func pairs(_ query: String) -> [String] {
  query.split(separator: "&").map(String.init)
}

/// The code of the error that a call throws; a call that throws none, or another one, fails.
package func codeOfError<Result>(_ body: () throws -> Result) -> SigV4.SigningError.Code? {
  #expect(throws: SigV4.SigningError.self) { _ = try body() }?.code
}

/// The records of a table. An unreadable table fails when the tests are collected.
package func facts(_ name: String) throws -> [VectorRecord] {
  try VectorTable(named: "facts-" + name + ".txt").records
}
