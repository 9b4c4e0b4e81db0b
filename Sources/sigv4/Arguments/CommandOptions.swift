// SPDX-License-Identifier: Apache-2.0
// The list of all options, with their names, values and help texts. Parsing, help, completions and
// the manual page use it.

/// An option: its names, its value and its help text.
struct OptionSpecification: Sendable {
  let names: [String]

  /// The placeholder of the value in the help. Nil for a flag.
  let valueName: String?
  let text: String

  var takesValue: Bool { valueName != nil }

  /// The first long name, which the help shows.
  var longName: String { names.first { $0.hasPrefix("--") } ?? names[0] }

  /// Returns a flag from the list.
  static func flag(_ name: String) -> OptionSpecification {
    all.first { $0.names.contains(name) }
      ?? OptionSpecification(names: [name], valueName: nil, text: "")
  }

  /// Returns an option with a value from the list.
  static func value(_ name: String) -> OptionSpecification {
    all.first { $0.names.contains(name) }
      ?? OptionSpecification(names: [name], valueName: "VALUE", text: "")
  }

  /// Names, value and help text in columns: "-X, --request METHOD   method ...".
  fileprivate static let all = """
    -X, --request METHOD       method (default: GET, or POST with --data)
    -H, --header 'NAME: VALUE' header to sign and send (repeatable)
    --utf8-headers             allow UTF-8 in -H (for Ceph and MinIO, not S3)
    -d, --data TEXT            body (@FILE reads a file, @- standard input)
    --query NAME[=VALUE]       s3:// URL parameter, unencoded (repeatable)
    --unsigned-payload         don't sign the body
    --unsigned-header NAME     don't sign this header, or NAME* (repeatable)
    --profile NAME             profile for credentials and region
    --region REGION            region (default: from host, AWS_REGION or profile)
    --region-set REGIONS       SigV4a region set, such as * or eu-west-1,us-*
    --service NAME             signing name (default: from the host)
    --endpoint, --endpoint-url URL   server for s3:// URLs (default: AWS)
    --virtual-hosted           with --endpoint: put the bucket in the host
    --at TIME                  20130524T000000Z or a Unix time (default: now)
    --expires, --expires-in TIME   lifetime: 900, 15m, 7d (default: URLs 1h, else 15m)
    --keys FILE                keys below the URL, one per line (- for stdin)
    --curl                     print a curl command
    --json                     print one JSON object
    -q, --quiet                print only errors on standard error, no notes
    --response, --answer FILE  server's response (default: standard input)
    --presigned                the request used a presigned URL
    --clock-window SECONDS     allowed clock skew (default: 900 for S3, else 300)
    -o, --output FILE          file for the body (default: standard output)
    --headers FILE             file for the headers (default: standard output)
    --checksum NAME            trailer, such as crc64nvme, sha256 or xxhash3
    --chunk-size BYTES         8192 to 1048576 (default: 65536)
    --size BYTES               size of FILE if it's a pipe or -
    --field 'NAME=VALUE'       form field with exactly this value (repeatable)
    --starts-with 'NAME=PREFIX' field to fill in, with prefix (repeatable)
    --min-bytes N              minimum file size in bytes
    --max-bytes N              maximum file size in bytes
    --html                     print hidden HTML inputs
    --url URL                  sign: URL to sign
    --policy-resource URL      sign: URLs to allow, with * and ? (default: --url)
    --resource URL             sign-cookies: URLs to allow, with * and ?
    --key-pair-id ID           ID of the public key in CloudFront
    --private-key FILE         RSA or P-256 key in PEM, also as file://PATH
    --certificate FILE         its certificate, for IAM Roles Anywhere
    --intermediates FILE       certificates between this one and the trust anchor
    --trust-anchor-arn ARN     trust anchor of IAM Roles Anywhere
    --profile-arn ARN          profile of IAM Roles Anywhere
    --role-arn ARN             role to get credentials for
    --role-session-name NAME   session name in logs, if the profile accepts one
    --session-duration SECONDS 900 to 43200 (default: the profile's)
    --date-less-than TIME      expiration: 2030-01-31, a time, or Unix time
    --date-greater-than TIME   start (default: immediately)
    --ip-address RANGE         client address or range, as 192.0.2.0/24
    --hash-algorithm NAME      SHA256 or SHA1 (default: SHA256)
    --cover COMPONENTS         '@method @path content-digest' (verify: required)
    --key-id ID                sign: name of the key
    --label NAME               name of the signature (sign: default sig1)
    --tag TEXT                 name of the application that signs
    --nonce TEXT               sign: value that no other signature has
    --public-key FILE          verify: Ed25519, P-256 or RSA key in PEM
    --base FILE                verify: signer's signature base, to compare
    --format process|env       print the secret too, for a program or a shell
    --algorithm NAME           such as sha512 or xxhash3 (default: sha256)
    --key-file FILE            file that contains the key
    --key-variable NAME        environment variable that contains the key
    --key-encoding NAME        raw, hex or base64 (default: raw)
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
  /// Returns the options with these names from the list, in this order.
  static func named(_ names: String...) -> [OptionSpecification] {
    names.flatMap { name in OptionSpecification.all.filter { $0.names.contains(name) } }
  }

  /// Whether one of the options has this name.
  func names(_ name: String) -> Bool { contains { $0.names.contains(name) } }

  /// Replaces the help texts of some options.
  func meaning(_ texts: [String: String]) -> [OptionSpecification] {
    map { option in
      let text = option.names.lazy.compactMap { texts[$0] }.first
      return OptionSpecification(
        names: option.names, valueName: option.valueName, text: text ?? option.text)
    }
  }
}

extension Arguments {
  /// Prints a note on standard error, unless --quiet is set.
  func tell(_ note: String) {
    if has("-q") { return }
    System.report(Style.bold("sigv4:", on: .standardError) + " \(note)\n")
  }
}
