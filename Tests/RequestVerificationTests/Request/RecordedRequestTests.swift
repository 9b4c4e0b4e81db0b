// SPDX-License-Identifier: Apache-2.0
// Requests of real clients, as a server received them, and the policies that accept them. The
// how-to page has the same table.

internal import SigningTestSupport
internal import RequestSigning
internal import RequestVerification
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Recorded requests of real clients")
struct RecordedRequestTests {
  /// The policies, in the order of the columns on the page.
  static let policies: [SigV4.Verifier] = {
    let regions = ["us-east-1"]
    let strict = SigV4.Verifier(services: [.s3], regions: regions)
    let s3Compatible = SigV4.Verifier.s3Compatible(regions: regions)
    var open = s3Compatible
    open.unsignedContentTypes = .allowed
    return [strict, s3Compatible, open]
  }()

  @Test("The page shows which policy accepts each client's requests")
  func page() throws {
    let records = try VectorTable(named: "recorded-requests.txt").records
    let requests = try records.map { try RecordedRequest($0) }
    var clients: [String] = []
    for request in requests where !clients.contains(request.client) {
      clients.append(request.client)
    }
    let computed = clients.map { client in
      let own = requests.filter { $0.client == client }
      let cells = Self.policies.map { Self.cell(of: own, under: $0) }
      return "| \(client) | " + cells.joined(separator: " | ") + " |"
    }
    let lines = try HowToPage("verify-requests.md").lines
    let header = try #require(lines.firstIndex { $0.hasPrefix("| client |") })
    let rows = lines[(header + 2)...].prefix { $0.hasPrefix("|") }
    #expect(Array(rows) == computed)
    #expect(clients.count == 11 && requests.count > 100)
  }

  /// The rejected requests: the code, and the methods with at least one of them.
  static func cell(
    of requests: [RecordedRequest], under policy: SigV4.Verifier
  ) -> String {
    var parts: [(code: String, kinds: [String])] = []
    for request in requests {
      guard let code = request.refusal(under: policy) else { continue }
      let index = parts.firstIndex { $0.code == code } ?? parts.endIndex
      if index == parts.endIndex { parts.append((code, [])) }
      if !parts[index].kinds.contains(request.kind) { parts[index].kinds.append(request.kind) }
    }
    if parts.isEmpty { return "all" }
    return parts.map { "`\($0.code)`: " + merged($0.kinds).joined(separator: ", ") }
      .joined(separator: "; ")
  }

  /// Requests that are rejected with and without TLS are listed once.
  private static func merged(_ kinds: [String]) -> [String] {
    let (secure, open) = (" over TLS", " without TLS")
    return kinds.compactMap { kind in
      if kind.hasSuffix(secure) {
        let plain = kind.dropLast(secure.count)
        return kinds.contains(plain + open) ? String(plain) : kind
      }
      return kinds.contains(kind.dropLast(open.count) + secure) ? nil : kind
    }
  }
}

/// A request of the table, and a server's result.
struct RecordedRequest {
  let client: String

  /// The method, whether it is presigned, and how it came.
  let kind: String

  private let scheme: SigV4.Scheme
  private let time: SigV4.Timestamp
  private let request: WireRequest

  init(_ record: VectorRecord) throws {
    client = try record.text("client")
    scheme = try record.text("scheme") == "https" ? .https : .http
    time = try SigV4.Timestamp(record.text("time"))
    let target = try record.text("target")
    let headers = try record.headers().map { ($0.name, $0.value) }
    var request = WireRequest(try record.text("method"), target, headers)
    request.body = try record.optionalBytes("body") ?? []
    self.request = request
    kind =
      (target.contains("X-Amz-Signature=") ? "presigned " : "") + (try record.text("method"))
      + (scheme == .https ? " over TLS" : " without TLS")
  }

  /// The values that a server with this policy returns.
  func claim(under policy: SigV4.Verifier) throws -> SigV4.UnverifiedRequest {
    try policy.check(request.received(scheme), at: time)
  }

  /// Why a server with this policy rejects it, or nil if it doesn't.
  func refusal(under policy: SigV4.Verifier) -> String? {
    do {
      let unverified = try claim(under: policy)
      _ = try unverified.verify(with: Example.credentials()).body(request.body)
      return nil
    } catch {
      return (error as? SigV4.VerificationError)?.code.name ?? "\(error)"
    }
  }
}
