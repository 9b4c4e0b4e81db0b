// SPDX-License-Identifier: Apache-2.0
// A use of each option of each command: the arguments without it, and the option.

@testable import sigv4

/// Two calls of a command that differ only in one option.
struct OptionUse: Sendable, CustomStringConvertible {
  let command: String

  /// The arguments of both calls.
  let arguments: [String]

  /// The option, and its value if it has one.
  let option: [String]

  var description: String { "\(command) \((arguments + ["+"] + option).joined(separator: " "))" }

  private init(command: String, arguments: [String], option: [String]) {
    (self.command, self.arguments, self.option) = (command, arguments, option)
  }

  /// Parses "ARGUMENTS + OPTION". No argument contains a space.
  private init(_ command: String, _ line: String) {
    let words = line.split(separator: " " as Character).map(String.init)
    self.command = command
    arguments = Array(words.prefix { $0 != "+" })
    option = Array(words.drop { $0 != "+" }.dropFirst())
  }

  /// Arguments with which a command succeeds. Words in capitals are files and URLs of
  /// `CommandFixture`.
  static let operands: [String: [String]] = [
    "sign": ["s3://films/a"], "curl": ["s3://films/a"], "presign": ["s3://films/a"],
    "explain": ["s3://films/a"], "verify": ["SIGNED_URL"], "upload": ["FILE", "s3://films/a"],
    "post-policy": ["s3://films/a"], "token": ["msk"], "credentials": [], "hash": ["FILE"],
    "hmac": ["FILE"], "cloudfront": ["sign"], "message": ["sign"],
    "demo": [], "completions": ["bash"], "man": [],
  ]

  /// A use of each option of each kind of token: with it, and with the other required ones alone.
  private static let tokens = TokenKind.all.flatMap { kind in
    kind.options.map { option in
      let others = kind.options.filter { $0.isRequired && $0.name != option.name }
      return OptionUse(
        command: "token", arguments: [kind.name] + kind.region + others.flatMap(\.use),
        option: option.use)
    }
  }

  static let all: [OptionUse] =
    tokens + lines.flatMap { uses(of: $0.command, $0.text) }
    + uses(of: "cloudfront", cloudFront, prefix: cloudFrontArguments)
    + ["sign", "presign", "explain", "curl"].flatMap { uses(of: $0, requests) }
    + ["sign", "presign", "explain"].flatMap { uses(of: $0, headers) }
    + uses(of: "upload", requests + "\n" + headers, prefix: "FILE -o OUT ")

  private static func uses(
    of command: String, _ text: String, prefix: String = ""
  ) -> [OptionUse] {
    text.split(separator: "\n" as Character).map { OptionUse(command, prefix + $0) }
  }

  /// The options of `sigv4 credentials --certificate`. Each of the first five is required.
  static let certificateArguments = [
    "--certificate CERTIFICATE", "--private-key CERTIFICATE_KEY",
    "--trust-anchor-arn arn:aws:rolesanywhere:us-east-1:123456789012:trust-anchor/1",
    "--profile-arn arn:aws:rolesanywhere:us-east-1:123456789012:profile/1",
    "--role-arn arn:aws:iam::123456789012:role/a",
  ]

  private static let certificateOptions =
    (certificateArguments.indices.map { index in
      var others = certificateArguments
      let option = others.remove(at: index)
      return others.joined(separator: " ") + " + " + option
    }
    + [
      "--intermediates CHAIN", "--role-session-name me", "--session-duration 900",
      "--region us-west-2", "--endpoint https://vpce.example",
    ].map { certificateArguments.joined(separator: " ") + " + " + $0 }).joined(separator: "\n")

  /// The options that all commands with a request share.
  private static let requests = """
    s3://films/a + --query a=1
    s3://films/a --region us-east-1 + --region-set *
    https://b.example/k --region us-east-1 + --service s3
    s3://films/a + --region eu-west-1
    s3://films/a + --profile p
    s3://films/a + --endpoint http://store.example
    s3://films/a --endpoint http://store.example + --virtual-hosted
    s3://films/a + --at 20240102T030406Z
    s3://films/a + --quiet
    """

  /// Options that `sigv4 curl` passes to curl.
  private static let headers = """
    s3://films/a + -H x-amz-meta-a:b
    s3://films/a -H x-amz-meta-a:é + --utf8-headers
    s3://films/a -H x-request-id:b + --unsigned-header x-request-id
    """

  /// Arguments that both kinds of `sigv4 cloudfront` require.
  static let cloudFrontArguments =
    "--key-pair-id K --private-key PRIVATE_KEY --date-less-than 2030-01-31 "

  private static let cloudFront = """
    sign + --url https://a/b
    sign --url https://a/b + --policy-resource https://a/*
    sign-cookies + --resource https://a/b
    sign --url https://a/b + --date-greater-than 2029-01-31
    sign --url https://a/b + --ip-address 192.0.2.7
    sign --url https://a/b + --hash-algorithm SHA1
    sign --url https://a/b + --json
    """

  private static let lines: [(command: String, text: String)] = [
    (
      "sign",
      """
      s3://films/a + -X DELETE
      s3://films/a -X PUT + -d text
      s3://films/a + --unsigned-payload
      s3://films/a + --curl
      s3://films/a + --json
      """
    ),
    (
      "presign",
      """
      s3://films/a + -X DELETE
      https://a.execute-api.us-east-1.amazonaws.com/ -X PUT + -d text
      https://a.execute-api.us-east-1.amazonaws.com/ + --unsigned-payload
      s3://films/a + --curl
      s3://films/a + --json
      s3://films/a + --expires 15m
      s3://films/a + --keys KEYS
      """
    ),
    (
      "explain",
      """
      s3://films/a + -X DELETE
      s3://films/a + -d text
      s3://films/a + --unsigned-payload
      s3://films/a + --json
      s3://films/a + --presigned
      s3://films/a --presigned + --expires 15m
      s3://films/a + --answer OTHER_ANSWER
      """
    ),
    (
      "curl",
      """
      s3://films/a + --unsigned-payload
      s3://films/a -H x-amz-meta-a:é + --utf8-headers
      s3://films/a -H x-request-id:b + --unsigned-header x-*
      """
    ),
    (
      "verify",
      """
      SIGNED_URL + -X PUT
      SIGNED_URL_WITH_HEADER + -H x-amz-meta-a:b
      SIGNED_URL_OF_PROFILE + --profile p
      SIGNED_URL + --region eu-west-1
      SIGNED_URL + --service execute-api
      SIGNED_URL + --at 20240102T040000Z
      SIGNED_URL --at 20240102T030000Z + --clock-window 10
      SIGNED_URL + --json
      """
    ),
    (
      "upload",
      """
      FILE s3://films/a + -o OUT
      FILE s3://films/a + --headers OUT
      FILE s3://films/a -o OUT + --checksum crc32
      FILE s3://films/a -o OUT --checksum crc32 + --unsigned-payload
      FILE s3://films/a -o OUT + --chunk-size 8192
      - s3://films/a -o OUT + --size 0
      FILE s3://films/a -o OUT + --curl
      """
    ),
    (
      "post-policy",
      """
      s3://films/a + --field acl=private
      s3://films/a + --starts-with acl=
      s3://films/a + --min-bytes 1
      s3://films/a + --max-bytes 9
      s3://films/a + --expires 1h
      s3://films/a + --profile p
      s3://films/a + --region eu-west-1
      s3://films/a + --endpoint http://store.example
      s3://films/a --endpoint http://store.example + --virtual-hosted
      s3://films/a + --at 20240102T030406Z
      s3://films/a + --html
      s3://films/a + --json
      s3://films/a --starts-with acl= + --quiet
      """
    ),
    (
      "token",
      """
      msk --region us-east-1 + --profile p
      msk + --region us-east-1
      msk --region us-east-1 + --at 20240102T030406Z
      msk --region us-east-1 + --json
      """
    ),
    (
      "cloudfront",
      """
      sign --url https://a/b --private-key PRIVATE_KEY --date-less-than 9999999999 + --key-pair-id K
      sign --url https://a/b --key-pair-id K --date-less-than 9999999999 + --private-key PRIVATE_KEY
      sign --url https://a/b --key-pair-id K --private-key PRIVATE_KEY + --date-less-than 9999999999
      """
    ),
    (
      "message",
      """
      sign --key-variable KEY --key-id k + --url https://a.example/
      sign --url https://a.example/ --key-variable KEY --key-id k + -X PUT
      sign --url https://a.example/ --key-variable KEY --key-id k --cover a + -H a:b
      sign --url https://a.example/ --key-variable KEY --key-id k + -d text
      sign --url https://a.example/ --key-variable KEY --key-id k + --cover @method
      sign --url https://a.example/ --key-variable KEY --key-id k + --label a
      sign --url https://a.example/ --key-variable KEY --key-id k + --tag t
      sign --url https://a.example/ --key-variable KEY --key-id k + --nonce n
      sign --url https://a.example/ --key-variable KEY --key-id k + --expires 60
      sign --url https://a.example/ --key-variable KEY --key-id k + --at 20240102T030406Z
      sign --url https://a.example/ --key-variable KEY --key-id k + --key-encoding hex
      sign --url https://a.example/ --key-variable KEY + --key-id k
      sign --url https://a.example/ --key-id k + --key-variable KEY
      sign --url https://a.example/ --key-id k + --key-file FILE
      sign --url https://a.example/ --key-id k + --private-key PRIVATE_KEY
      sign --url https://a.example/ --key-id k --private-key PRIVATE_KEY + --algorithm rsa-v1_5-sha256
      sign --url https://a.example/ --key-variable KEY --key-id k + --response RESPONSE
      sign --url https://a.example/ --key-variable KEY --key-id k + --json
      verify --url https://a.example/ + --public-key PUBLIC_KEY
      verify --url https://a.example/ --key-variable KEY -H Signature-Input:a=("@method") -H Signature:a=:AAAA: + --base FILE
      """
    ),
    ("credentials", "+ --profile p\n+ --format env\n+ --json\n" + certificateOptions),
    ("hash", "FILE + --algorithm md5"),
    (
      "hmac",
      """
      FILE + --key-file FILE
      FILE + --key-variable KEY
      FILE --key-variable KEY + --key-encoding hex
      """
    ),
  ]
}

extension TokenOption {
  /// The option with its example, if it has a value.
  var use: [String] { valueName == nil ? [name] : [name, example] }
}

extension TokenKind {
  /// A region, if the kind uses one.
  var region: [String] { unused.contains("--region") ? [] : ["--region", "us-east-1"] }
}
