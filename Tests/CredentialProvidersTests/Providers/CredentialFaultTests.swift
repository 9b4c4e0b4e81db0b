// SPDX-License-Identifier: Apache-2.0
// The results of faulty services: botocore's, or the table's, with a reason
// (Tests/Vectors/credential-faults.txt).

internal import CredentialProviders
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Faulty services, compared with botocore")
struct CredentialFaultTests {
  @Test("Every fault has botocore's result, or the table's, with a reason")
  func table() async throws {
    let records = try VectorTable(named: "credential-faults.txt").records
    func named(_ kind: String) throws -> [String: VectorRecord] {
      let found = try records.filter { try $0.text("kind") == kind }
      return Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0) })
    }
    let (setups, faults) = try (named("setup"), named("fault"))
    let cases = try records.filter { try $0.text("kind") == "case" }
    #expect(cases.count == 196)
    for record in cases {
      let names = try Self.lines(record.text("case"))
      let services = FaultyServices(
        try #require(setups[names[0]]), step: names[1], try #require(faults[names[2]]))
      let found = try await services.outcome()
      let expected = try record.optionalText("ours") ?? record.text("botocore")
      #expect(found == expected, "\(record)")
      // Remove a difference that no longer exists.
      #expect(try record.optionalText("ours") != record.text("botocore"), "\(record)")
      #expect(try (record.optionalText("ours") == nil) == (record.optionalText("reason") == nil))
    }
  }

  static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }
}

/// The services of a setup, one step of which has a fault.
private struct FaultyServices {
  private let setup: VectorRecord
  private let step: String
  private let fault: VectorRecord
  private let asked = Guarded(0)

  init(_ setup: VectorRecord, step: String, _ fault: VectorRecord) {
    self.setup = setup
    self.step = step
    self.fault = fault
  }

  /// The result of a search for credentials, and how often the step was tried.
  func outcome() async throws -> String {
    let services = try RecordedServices(variables: variables(), files: files())
    var sources = services.sources
    sources.http = { (request) async throws(CredentialError) in try self.answer(to: request) }
    let provider = DefaultCredentialProvider(
      profile: try setup.optionalText("profile"), sources: sources)
    var outcome = "credentials"
    do throws(CredentialError) {
      let provided = try await provider.credentials()
      #expect(provided.credentials.identity.accessKeyID == "ASIA")
    } catch {
      outcome = error.code == .notConfigured ? "nothing" : "refused"
    }
    return outcome + "\n\(asked.withLock(\.self))"
  }

  private func variables() throws -> [String: String] {
    let pairs = try setup.texts("variable").map { CredentialFaultTests.lines($0) }
      .map { ($0[0], $0[1].replacing("HOME", with: "/h")) }
    return Dictionary(uniqueKeysWithValues: pairs + [("HOME", "/h")])
  }

  private func files() throws -> [String: String] {
    let files = try setup.texts("file").map { ProfileFixture.firstLine(of: $0) }
    return Dictionary(uniqueKeysWithValues: files.map { ("/h/" + $0.line, $0.rest) })
  }

  private func answer(
    to request: SigV4.HTTPRequest
  ) throws(CredentialError) -> SigV4.HTTPResponse {
    do {
      let steps = try setup.texts("step").map { CredentialFaultTests.lines($0) }
      let index = steps.firstIndex { parts in
        parts[1].hasSuffix("$")
          ? request.url.hasSuffix(parts[1].dropLast()) : request.url.contains(parts[1])
      }
      let found = try #require(index, "\(request)")
      let good = Array(try setup.texts("answer")[found].utf8)
      if steps[found][0] != step { return SigV4.HTTPResponse(status: 200, body: good) }
      let count = asked.withLock { count in
        count += 1
        return count
      }
      let times = try fault.text("times")
      if times == "1" && count > 1 { return SigV4.HTTPResponse(status: 200, body: good) }
      return try faultyAnswer(try setup.texts("ended")[found])
    } catch {
      throw error as? CredentialError
        ?? CredentialError(.invalidConfiguration, "\(error)", fix: "Check the fault.")
    }
  }

  private func faultyAnswer(_ ended: String) throws -> SigV4.HTTPResponse {
    let status = try #require(Int(fault.text("status")))
    if status == 0 { throw CredentialError(.timedOut, "No response.", fix: "Call it again.") }
    if status < 0 { throw CredentialError(.unreachable, "No connection.", fix: "Call it again.") }
    var headers: SigV4.Headers = [:]
    for header in try fault.texts("header").map({ CredentialFaultTests.lines($0) }) {
      headers.append(header[0], header[1])
    }
    let body = try fault.optionalText("body") ?? ended
    return SigV4.HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
  }
}
