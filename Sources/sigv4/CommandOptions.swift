// SPDX-License-Identifier: Apache-2.0
// Every option once: its names, its value, and what it means. Parsing, help, completions and manual
// page read this list.

/// An option: its names, the value that belongs to it, and what it means.
struct OptionSpecification: Sendable {
  let names: [String]

  /// What the value is called in the help; nil when there is none.
  let valueName: String?
  let text: String

  var takesValue: Bool { valueName != nil }

  /// The name that the help shows: the long one.
  var longName: String { names.first { $0.hasPrefix("--") } ?? names[0] }

  /// An option without a value, as the list has it.
  static func flag(_ name: String) -> OptionSpecification {
    all.first { $0.names.contains(name) }
      ?? OptionSpecification(names: [name], valueName: nil, text: "")
  }

  /// An option with a value, as the list has it.
  static func value(_ name: String) -> OptionSpecification {
    all.first { $0.names.contains(name) }
      ?? OptionSpecification(names: [name], valueName: "VALUE", text: "")
  }

  /// Names, value and meaning in columns: "-X, --request METHOD   the method; ...".
  fileprivate static let all = """
    -X, --request METHOD       the method; default GET, or POST with --data
    -H, --header 'NAME: VALUE' a header to sign and send; repeatable
    --utf8-headers             allow UTF-8 in -H, for Ceph and MinIO, not for S3
    -d, --data TEXT            the body; @FILE reads a file, @- standard input
    --query NAME[=VALUE]       a parameter for s3://..., unencoded; repeatable
    --unsigned-payload         do not sign the body
    --profile NAME             the profile for credentials and region
    --region REGION            default: from the host, AWS_REGION, the profile
    --region-set REGIONS       sign with SigV4a for these: *, or eu-west-1,us-*
    --service NAME             the signing name; default: from the host
    --endpoint, --endpoint-url URL   the server for s3://...; default: AWS
    --virtual-hosted           with --endpoint: put the bucket in the host
    --at TIME                  sign for 20130524T000000Z or a Unix time, not now
    --expires, --expires-in TIME   900, 15m, 7d; default: URLs 1h, others 15m
    --keys FILE                keys below the URL, one a line; - standard input
    --curl                     print a curl command
    --json                     print one JSON object
    -q, --quiet                print no notes on standard error, only errors
    --answer FILE              the server's answer; default: standard input
    --presigned                the request was made with a presigned URL
    --clock-window SECONDS     how far clocks may differ; default S3 900, else 300
    -o, --output FILE          where the body goes; default: standard output
    --headers FILE             where the headers go; default: standard output
    --checksum NAME            trailer: crc32, crc32c, crc64nvme, sha1, sha256
    --chunk-size BYTES         8192 to 1048576; default 65536
    --size BYTES               the size of FILE when it is a pipe, or -
    --field 'NAME=VALUE'       a field of the form with exactly this value
    --starts-with 'NAME=PREFIX' the page fills NAME in; it begins with PREFIX
    --min-bytes N              the least size of the file
    --max-bytes N              the largest size of the file
    --html                     print hidden inputs of HTML
    --hostname HOST            rds, dsql: the endpoint of the database
    --port PORT                rds: the port of the database
    --username USER            rds, elasticache, memorydb: the name of the user
    --admin                    dsql: a token for the role admin
    --cache-name NAME          elasticache: the name of the cache
    --serverless               elasticache: the cache is serverless
    --cluster-name NAME        eks, memorydb: the name of the cluster
    --user-agent NAME          msk: the user agent in the token
    --format process|env       print the keys too, for a program or a shell
    --algorithm NAME           such as sha512, crc64nvme, xxhash3; default sha256
    --key-file FILE            the key: the bytes of a file
    --key-variable NAME        the key: the text of an environment variable
    --key-encoding NAME        how the key is written: raw, hex or base64
    """.split(separator: "\n").map { OptionSpecification(line: $0) }

  private init(line: Substring) {
    var names: [String] = []
    var rest = line.drop { $0 == " " }
    while rest.hasPrefix("-") {
      let name = rest.prefix { $0 != " " }
      names.append(String(name.hasSuffix(",") ? name.dropLast() : name))
      rest = rest.dropFirst(name.count + 1)
      if !name.hasSuffix(",") { break }
    }
    self.names = names
    let value = rest.hasPrefix("'") ? Self.quoted(rest) : rest.prefix { $0 != " " }
    valueName = value.isEmpty ? nil : String(value)
    text = String(rest.dropFirst(value.count).drop { $0 == " " })
  }

  private static func quoted(_ text: Substring) -> Substring {
    let end = text.dropFirst().firstIndex(of: "'") ?? text.startIndex
    return text[...end]
  }

  init(names: [String], valueName: String?, text: String) {
    (self.names, self.valueName, self.text) = (names, valueName, text)
  }
}

extension [OptionSpecification] {
  /// The options of the list with these names, in this order.
  static func named(_ names: String...) -> [OptionSpecification] {
    names.flatMap { name in OptionSpecification.all.filter { $0.names.contains(name) } }
  }

  /// The same options, some of which mean something else to a command.
  func meaning(_ texts: [String: String]) -> [OptionSpecification] {
    map { option in
      let text = option.names.lazy.compactMap { texts[$0] }.first
      return OptionSpecification(
        names: option.names, valueName: option.valueName, text: text ?? option.text)
    }
  }
}

extension Arguments {
  /// Tells on standard error what a person should know, unless --quiet was given.
  func tell(_ note: String) throws {
    if has("-q") { return }
    try System.write(
      Style.bold("sigv4:", on: .standardError) + " \(note)\n", to: .standardError)
  }
}
