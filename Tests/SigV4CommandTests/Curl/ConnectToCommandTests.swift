// SPDX-License-Identifier: Apache-2.0
// A request that is signed for one host and sent to another address: tunnels, port forwards, proxies.

internal import Foundation
internal import SigningTestSupport
internal import Testing

@Suite("sigv4 to another address than it signs for")
struct ConnectToCommandTests {
  /// curl(1), --connect-to: "HOST1:PORT1:HOST2:PORT2", brackets around an IPv6 address.
  @Test("curl connects to the URL's address, and the request is signed for the host of -H")
  func curl() throws {
    let domain = "vpc-x.eu-west-1.es.amazonaws.com"
    ([
      ("https://localhost:9200/a?b=1", domain, "https://\(domain)/a?b=1", "443:localhost:9200"),
      ("https://LOCALHOST", domain, "https://\(domain)/", "443:localhost:443"),
      ("https://[::1]:9200/", domain, "https://\(domain)/", "443:[::1]:9200"),
      ("http://127.0.0.1:8080/", domain, "http://\(domain)/", "80:127.0.0.1:8080"),
      ("https://10.0.0.5/", domain + ":443", "https://\(domain)/", "443:10.0.0.5:443"),
      ("https://10.0.0.5/", domain.uppercased(), "https://\(domain)/", "443:10.0.0.5:443"),
      (
        "http://localhost:1/", "s3.eu-west-1.amazonaws.com:80",
        "http://s3.eu-west-1.amazonaws.com/", "80:localhost:1"
      ),
    ] as [(String, String, String, String)]).forEachCase {
      (url: String, header: String, signed: String, connection: String) in
      let told = try SendCommandTests().tell(["-H", "Host: " + header, url])
      let host = try #require(URL(string: signed)?.host)
      #expect(told.configuration.contains("url = \"\(signed)\""), "\(told.result.errors)")
      #expect(told.configuration.contains("connect-to = \"\(host):\(connection)\""))
      #expect(told.headers("host").isEmpty)
      #expect(told.headers("authorization").first?.contains("/eu-west-1/") == true)
    }
  }

  @Test("A Host header that's the URL's own changes nothing")
  func same() throws {
    for host in ["b.s3.eu-west-1.amazonaws.com", "B.s3.eu-west-1.amazonaws.com:443"] {
      let told = try SendCommandTests().tell([
        "-H", "host: " + host, "https://b.s3.eu-west-1.amazonaws.com/k",
      ])
      #expect(told.configuration.first == "url = \"https://b.s3.eu-west-1.amazonaws.com/k\"")
      #expect(!told.configuration.contains { $0.hasPrefix("connect-to") })
    }
  }

  @Test("A printed curl command does the same, and headers alone name the way")
  func printed() throws {
    let arguments = ["-H", "Host: b.s3.eu-west-1.amazonaws.com", "https://localhost:9200/k"]
    for command in ["sign", "presign"] {
      let printed = try CommandProcess([command, "--curl"] + arguments)
      #expect(printed.output.contains("'b.s3.eu-west-1.amazonaws.com:443:localhost:9200'"))
      #expect(printed.output.contains("'https://b.s3.eu-west-1.amazonaws.com/k"))
      let refused = try CommandProcess([command] + arguments)
      #expect(refused.exitCode == 2 && refused.output.isEmpty)
      #expect(
        refused.errors.contains("--connect-to b.s3.eu-west-1.amazonaws.com:443:localhost:9200"),
        "\(refused.errors)")
    }
    let bucket = try CommandProcess([
      "sign", "--region", "eu-west-1", "-H", "Host: b.example", "s3://bucket/k",
    ])
    #expect(bucket.exitCode == 2 && bucket.errors.contains("--connect-to"), "\(bucket.errors)")
  }

  @Test("Host can be neither removed nor empty, since it's signed")
  func removed() throws {
    for header in ["Host:", "host: ", "Host;"] {
      let told = try SendCommandTests().tell(["-H", header, "https://b.s3.amazonaws.com/k"])
      #expect(told.result.exitCode == 2 && told.result.errors.contains("Host"), "\(header)")
    }
  }

  /// Ports: Amazon Transcribe, "Setting up a streaming transcription"; Neptune, "Database endpoint".
  @Test("A port that AWS doesn't serve is reported, with advice for tunnels")
  func ports() throws {
    for (url, isTold) in [
      ("https://vpc-x.eu-west-1.es.amazonaws.com:9200/", true),
      ("http://b.s3.eu-west-1.amazonaws.com:9000/k", true),
      ("https://b.s3.eu-west-1.amazonaws.com/k", false),
      ("http://b.s3.eu-west-1.amazonaws.com:80/k", false),
      ("https://transcribestreaming.eu-west-1.amazonaws.com:8443/", false),
      ("https://db.cluster-x.eu-west-1.neptune.amazonaws.com:8182/status", false),
      ("https://db.cluster-x.eu-west-1.neptune.amazonaws.com:9999/status", false),
    ] {
      let result = try CommandProcess(["sign", url])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.errors.contains("-H 'Host: ") == isTold, "\(url): \(result.errors)")
    }
    let other = try CommandProcess([
      "sign", "--service", "es", "--region", "eu-west-1", "https://localhost:9200/",
    ])
    #expect(!other.errors.contains("Host"))
  }
}
