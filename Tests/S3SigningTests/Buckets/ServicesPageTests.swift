// SPDX-License-Identifier: Apache-2.0
// The reference of services and stores: its tables have every preset, with the rules of the sources.

internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@Suite("Reference: services and stores")
struct ServicesPageTests {
  static let account = "0123456789abcdef0123456789abcdef"

  @Test("Each row of services has the name and the rules of its preset")
  func services() throws {
    let presets: [(String, SigV4.Service)] = [
      (".s3", .s3), (".s3Express", .s3Express), (".iotDeviceGateway", .iotDeviceGateway),
      (".s3Outposts", .s3Outposts), (".s3ObjectLambda", .s3ObjectLambda),
      (".s3ExpressControl", .s3ExpressControl), (".glacier", .glacier),
      (".vpcLattice", .vpcLattice), (".openSearchServerless", .openSearchServerless),
      (".executeAPI", .executeAPI), (".transcribeStreaming", .transcribeStreaming),
      (".pollyStreaming", .pollyStreaming), (".googleCloudStorage", .googleCloudStorage),
      (".tos", .tos),
      (".standard(\"dynamodb\")", try .standard("dynamodb")),
    ]
    let expected = presets.map { text, service in
      [
        text, service.name, "\(service.pathRule)", "\(service.payloadRule)",
        "\(service.sessionTokenRule)", "\(service.lifetimeRule)",
      ]
    }
    #expect(try rows(below: "preset") == expected)
    let declared = try names(
      #/public static (?:var|func) (\w+)(?:: Self \{|\(_ name)/#,
      in: "RequestSigning/Services/Service.swift"
    )
    #expect(declared.subtracting(["named"]) == Set(presets.map { Self.name($0.0) }))
  }

  @Test("Each row of stores has the host and the region of its endpoint")
  func stores() throws {
    let endpoints: [(String, SigV4.S3Endpoint)] = try [
      (".aws(region: \"eu-west-1\")", .aws(region: "eu-west-1")),
      (
        ".aws(region: \"eu-west-1\", variant: .dualStack)",
        .aws(region: "eu-west-1", variant: .dualStack)
      ),
      (".aws(region: \"us-east-1\", variant: .fips)", .aws(region: "us-east-1", variant: .fips)),
      (
        ".aws(region: \"us-east-1\", variant: .fipsDualStack)",
        .aws(region: "us-east-1", variant: .fipsDualStack)
      ),
      (
        ".aws(region: \"eu-west-1\", variant: .accelerate)",
        .aws(region: "eu-west-1", variant: .accelerate)
      ),
      (
        ".aws(region: \"eu-west-1\", variant: .accelerateDualStack)",
        .aws(region: "eu-west-1", variant: .accelerateDualStack)
      ),
      (".aws(region: \"cn-north-1\")", .aws(region: "cn-north-1")),
      (".s3ExpressControl(region: \"us-east-1\")", .s3ExpressControl(region: "us-east-1")),
      (".r2(account: \"\(Self.account)\")", .r2(account: Self.account)),
      (
        ".r2(account: \"\(Self.account)\", jurisdiction: .eu)",
        .r2(account: Self.account, jurisdiction: .eu)
      ),
      (
        ".r2(account: \"\(Self.account)\", jurisdiction: .fedramp)",
        .r2(account: Self.account, jurisdiction: .fedramp)
      ),
      (".minIO(url: \"http://localhost:9000\")", .minIO(url: "http://localhost:9000")),
      (
        ".custom(url: \"https://storage.example.com:8443\", region: \"here\")",
        .custom(url: "https://storage.example.com:8443", region: "here")
      ),
      (
        ".custom(url: \"https://ref.storage.supabase.co/storage/v1/s3\", region: \"eu-central-1\")",
        .custom(url: "https://ref.storage.supabase.co/storage/v1/s3", region: "eu-central-1")
      ),
      (".backblazeB2(region: \"us-west-004\")", .backblazeB2(region: "us-west-004")),
      (".wasabi(region: \"eu-central-1\")", .wasabi(region: "eu-central-1")),
      (".digitalOceanSpaces(region: \"nyc3\")", .digitalOceanSpaces(region: "nyc3")),
      (".scaleway(region: \"fr-par\")", .scaleway(region: "fr-par")),
      (".googleCloudStorage", .googleCloudStorage),
      (
        ".oracle(namespace: \"mine\", region: \"eu-frankfurt-1\")",
        .oracle(namespace: "mine", region: "eu-frankfurt-1")
      ),
      (".alibabaOSS(region: \"cn-hangzhou\")", .alibabaOSS(region: "cn-hangzhou")),
      (".tencentCOS(region: \"ap-guangzhou\")", .tencentCOS(region: "ap-guangzhou")),
      (".huaweiOBS(region: \"cn-north-4\")", .huaweiOBS(region: "cn-north-4")),
      (".tigris", .tigris),
      (".hetzner(region: \"fsn1\")", .hetzner(region: "fsn1")),
      (".ovhCloud(region: \"gra\")", .ovhCloud(region: "gra")),
      (".ovhCloud(region: \"us-east-va\")", .ovhCloud(region: "us-east-va")),
      (".linode(region: \"us-east-1\")", .linode(region: "us-east-1")),
      (".storj", .storj),
      (".idriveE2(region: \"us-west-1\")", .idriveE2(region: "us-west-1")),
      (".vultr(region: \"ewr1\")", .vultr(region: "ewr1")),
      (".ibmCloud(region: \"us-south\")", .ibmCloud(region: "us-south")),
      (".yandex", .yandex),
    ]
    let shown = try rows(below: "endpoint")
    #expect(shown.map { Array($0.prefix(3)) } == endpoints.map { [$0.0, $0.1.host, $0.1.region] })
    for (row, endpoint) in zip(shown, endpoints) {
      try expectAddressing(row[3], at: endpoint.1)
    }
    // Each store of the table is on the page, unless it's another host of one.
    for store in SigV4.NamedStore.all where !store.isAlias {
      #expect(
        shown.contains { SigV4.NamedStore.at($0[1])?.store.pattern == store.pattern },
        "\(store.name)")
    }
    let declared = try names(
      #/public static (?:var (\w+): Self|func (\w+)\()/#, in: "S3Signing/Buckets/S3Endpoint.swift",
      "S3Signing/Buckets/NamedStores.swift")
    #expect(declared == Set(endpoints.map { Self.name($0.0) }))
  }

  /// The string in the last column: where the bucket name is.
  private func expectAddressing(_ text: String, at endpoint: SigV4.S3Endpoint) throws {
    // The control plane of S3 Express knows directory buckets only.
    let isControl = endpoint.host.hasPrefix("s3express-control")
    let name = isControl ? "photos--use1-az4--x-s3" : "photos"
    let bucket = try SigV4.Bucket(name, at: endpoint)
    let isInPath = bucket.host == endpoint.host
    #expect(isInPath == text.hasPrefix("path"), "\(endpoint)")
    let isOther = try? SigV4.Bucket(
      name, at: endpoint, addressing: isInPath ? .virtualHosted : .path)
    let isFixed = text.hasSuffix("only") || isControl
    #expect((isOther == nil) == isFixed, "\(endpoint)")
  }

  /// The cells of the rows of a table, by its first heading, without the quotation of code.
  private func rows(below heading: String) throws -> [[String]] {
    let lines = try HowToPage("../reference/services.md").lines
    let start = try #require(lines.firstIndex { $0.hasPrefix("| \(heading) |") })
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      line.dropFirst().dropLast().split(separator: "|").map {
        $0.trimmingCharacters(in: .whitespaces).replacing("`", with: "")
      }
    }
  }

  /// The names that an expression finds in sources.
  private func names(_ declaration: some RegexComponent, in paths: String...) throws -> Set<String>
  {
    let sources = Repository.root.appendingPathComponent("Sources")
    var found: Set<String> = []
    for path in paths {
      let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
      for match in text.matches(of: declaration) {
        let words = text[match.range].split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        found.insert(String(try #require(words.dropFirst(3).first)))
      }
    }
    return found
  }

  /// The name in an expression: ".aws(region: ..." is one of "aws".
  private static func name(_ expression: String) -> String {
    String(expression.dropFirst().prefix { $0 != "(" })
  }
}
