// SPDX-License-Identifier: Apache-2.0
// The table of hosts that take Signature Version 4a: botocore's, and that of the page.

internal import MultiRegionSigning
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// Source of the hosts: botocore's endpoint rules, by `multi-region-hosts.py`.
@Suite("Hosts that take Signature Version 4a")
struct MultiRegionHostTests {
  /// The labels before the domain of the partition aws.
  private func labels(_ host: String) -> [String]? {
    for domain in [".amazonaws.com", ".api.aws"] where host.hasSuffix(domain) {
      return host.dropLast(domain.count).split(separator: ".").map(String.init)
    }
    return nil
  }

  @Test("Every host of botocore's rules is in the table, with its service and its algorithms")
  func rules() throws {
    let rows = try VectorTable(named: "multi-region-hosts.txt").records
    var services: [String: Set<Bool>] = [:]
    for row in rows {
      let takesSigV4 = try row.text("schemes") != "sigv4a"
      services[try row.text("service"), default: []].insert(takesSigV4)
      for host in try row.texts("host") {
        guard let labels = labels(host) else { continue }
        let kind = SigV4.MultiRegionHost.requiring(labels: labels)
        #expect(try kind?.service == (takesSigV4 ? nil : row.text("service")), "\(host)")
      }
    }
    // By its model alone.
    services["sts"] = [true]
    let all = Dictionary(grouping: SigV4.MultiRegionHost.all, by: \.service)
    #expect(all.mapValues { Set($0.map(\.takesSigV4)) } == services)
  }

  @Test("Other hosts of the same services aren't mistaken for them")
  func others() {
    for host in [
      "events.us-east-1", "endpoint.events", "email.us-east-1", "endpoints.email", "s3.us-east-1",
      "accesspoint.s3-global", "a.s3-accesspoint.us-east-1", "cloudfront-kvs.global", "cloudfront",
      "vpce-1.events.us-east-1.vpce", "a.endpoint.events.us-east-1", "sts.us-east-1",
    ] {
      let labels = host.split(separator: ".").map(String.init)
      #expect(SigV4.MultiRegionHost.requiring(labels: labels) == nil, "\(host)")
    }
  }

  @Test("The page has the table")
  func page() throws {
    let lines = try HowToPage("multi-region-signing.md").lines
    let start = try #require(lines.firstIndex { $0.hasPrefix("| endpoint |") })
    let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
    let expected = SigV4.MultiRegionHost.all.map { kind in
      let host = kind.pattern.split(separator: ".").map { $0 == "*" ? "ID" : $0 }
        .joined(separator: ".")
      return "| \(kind.name) | `\(host)` | `\(kind.service)` | "
        + (kind.takesSigV4 ? "SigV4a, SigV4 |" : "SigV4a |")
    }
    #expect(Array(rows) == expected)
  }
}
