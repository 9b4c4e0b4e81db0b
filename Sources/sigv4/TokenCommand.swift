// SPDX-License-Identifier: Apache-2.0
// sigv4 token: prints a token for a connection to a database, cache or cluster.

internal import DocumentSupport
internal import ConnectionTokens
internal import RequestSigning

/// `sigv4 token [options] rds|dsql|elasticache|memorydb|eks|msk`
enum TokenCommand {
  /// The kinds of tokens.
  enum Kind: String, CaseIterable {
    case rds
    case dsql
    case elasticache
    case memorydb
    case eks
    case msk

    var options: [OptionSpecification] {
      switch self {
      case .rds: .named("--hostname", "--port", "--username")
      case .dsql:
        .named("--hostname", "--admin", "--expires").meaning([
          "--expires": "dsql: lifetime, such as 1h (default: 15m)"
        ])
      case .elasticache: .named("--cache-name", "--username", "--serverless")
      case .memorydb: .named("--cluster-name", "--username")
      case .eks: .named("--cluster-name")
      case .msk: .named("--user-agent")
      }
    }
  }

  static var specifications: [OptionSpecification] {
    Kind.allCases.flatMap(\.options).reduce(into: [OptionSpecification]()) { options, option in
      if !options.contains(where: { $0.names == option.names }) { options.append(option) }
    } + commonSpecifications
  }

  private static var commonSpecifications: [OptionSpecification] {
    .named("--profile", "--region", "--at", "--json")
  }

  static func run(_ arguments: [String]) async throws {
    let kind: Kind = try Arguments(arguments, specifications).kind(of: "token", "token kind")
    let options = try Arguments(arguments, kind.options + commonSpecifications)
    let signed = try await Signing(options)
    try write(try token(kind, options, signed), options)
  }

  private static func write(_ token: SigV4.ConnectionToken, _ options: Arguments) throws {
    let object = JSONText.object([
      ("token", .string(token.text)), ("expires", .string(token.expiration.text)),
    ])
    try System.writeLine(options.has("--json") ? object.indented : token.text)
  }

  private static func token(
    _ kind: Kind, _ arguments: Arguments, _ signed: Signing
  ) throws -> SigV4.ConnectionToken {
    let (region, credentials) = (signed.region, signed.credentials)
    let timestamp = signed.timestamp
    switch kind {
    case .rds:
      return try .rds(
        host: required("--hostname", arguments), port: port(arguments),
        user: required("--username", arguments), region: region, credentials: credentials,
        at: timestamp)
    case .dsql:
      return try .dsql(
        host: required("--hostname", arguments), role: arguments.has("--admin") ? .admin : .custom,
        region: region, credentials: credentials,
        expiresIn: arguments.lifetime(default: "15m"), at: timestamp)
    case .elasticache:
      return try .elastiCache(
        cache: required("--cache-name", arguments),
        kind: arguments.has("--serverless") ? .serverless : .nodeBased,
        user: required("--username", arguments), region: region, credentials: credentials,
        at: timestamp)
    case .memorydb:
      return try .memoryDB(
        cluster: required("--cluster-name", arguments), user: required("--username", arguments),
        region: region, credentials: credentials, at: timestamp)
    case .eks:
      return try .eks(
        cluster: required("--cluster-name", arguments), region: region, credentials: credentials,
        at: timestamp)
    case .msk:
      guard let userAgent = arguments.value("--user-agent") else {
        return try .msk(region: region, credentials: credentials, at: timestamp)
      }
      return try .msk(
        region: region, userAgent: userAgent, credentials: credentials, at: timestamp)
    }
  }

  private static func port(_ arguments: Arguments) throws -> Int {
    let text = try required("--port", arguments)
    if let port = Int(text) { return port }
    throw CommandError(
      .usage, "--port must be a number, not \(text).", fix: "Use a port such as 5432.")
  }

  private static func required(_ name: String, _ arguments: Arguments) throws -> String {
    if let value = arguments.value(name) { return value }
    throw CommandError(.usage, "This token needs \(name).", fix: "Add \(name).")
  }

  /// The values that all tokens are signed with.
  private struct Signing {
    let region: String
    let credentials: SigV4.Credentials
    let timestamp: SigV4.Timestamp

    init(_ arguments: Arguments) async throws {
      let host = arguments.value("--hostname")?.lowercased() ?? ""
      region = try SigningOptions.region(
        arguments, ServiceGuess(host: host), of: host.isEmpty ? "this token" : host)
      credentials = try await CommandCredentials(arguments).credentials()
      timestamp = try SigningOptions.timestamp(arguments.value("--at"))
    }
  }
}
