// SPDX-License-Identifier: Apache-2.0
// sigv4 token: a token that opens a connection to a database, a cache or a cluster.

internal import DocumentSupport
internal import ConnectionTokens
internal import RequestSigning

/// `sigv4 token rds|dsql|elasticache|memorydb|eks|msk [options]`
enum TokenCommand {
  /// What a token opens a connection to.
  private enum Kind: String, CaseIterable {
    case rds
    case dsql
    case elasticache
    case memorydb
    case eks
    case msk

    var options: [OptionSpecification] {
      switch self {
      case .rds: [.value("--hostname"), .value("--port"), .value("--username")]
      case .dsql: [.value("--hostname"), .flag("--admin"), .value("--expires", "--expires-in")]
      case .elasticache: [.value("--cache-name"), .value("--username"), .flag("--serverless")]
      case .memorydb: [.value("--cluster-name"), .value("--username")]
      case .eks: [.value("--cluster-name")]
      case .msk: [.value("--user-agent")]
      }
    }
  }

  static func run(_ arguments: some Sequence<String>) async throws(CommandError) {
    let arguments = Array(arguments)
    let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
    guard let name = arguments.first, let kind = Kind(rawValue: name) else {
      throw CommandError.usage(
        "token wants its kind first, one of \(kinds)\(arguments.first.map { ", not \($0)" } ?? "")")
    }
    let options = try Arguments(
      arguments.dropFirst(),
      kind.options + [
        .value("--region"), CommandCredentials.specification, .value("--at"), .flag("--json"),
      ])
    if let operand = options.operands.first {
      throw CommandError.usage("token \(name) takes options only, not \(operand)")
    }
    let signed = try await Signing(options)
    try write(try token(kind, options, signed), options)
  }

  private static func write(
    _ token: SigV4.ConnectionToken, _ options: Arguments
  ) throws(CommandError) {
    if options.has("--json") {
      let object = JSONText.object([
        ("token", .string(token.text)), ("expires", .string(token.expiration.text)),
      ])
      try System.write(object.indented + "\n", to: .standardOutput)
    } else {
      try System.write(token.text + "\n", to: .standardOutput)
    }
  }

  private static func token(
    _ kind: Kind, _ arguments: Arguments, _ signed: Signing
  ) throws(CommandError) -> SigV4.ConnectionToken {
    switch kind {
    case .rds: try rds(arguments, signed)
    case .dsql: try dsql(arguments, signed)
    case .elasticache: try elastiCache(arguments, signed)
    case .memorydb: try memoryDB(arguments, signed)
    case .eks: try eks(arguments, signed)
    case .msk: try msk(arguments, signed)
    }
  }

  private static func rds(
    _ arguments: Arguments, _ signed: Signing
  ) throws(CommandError) -> SigV4.ConnectionToken {
    let (host, user) = try (required("--hostname", arguments), required("--username", arguments))
    let text = try required("--port", arguments)
    guard let port = Int(text) else {
      throw CommandError.usage("--port takes a number such as 5432, not \(text)")
    }
    return try signing { () throws(SigV4.SigningError) in
      try .rds(
        host: host, port: port, user: user, region: signed.region,
        credentials: signed.credentials, at: signed.timestamp)
    }
  }

  private static func dsql(
    _ arguments: Arguments, _ signed: Signing
  ) throws(CommandError) -> SigV4.ConnectionToken {
    let host = try required("--hostname", arguments)
    let seconds = try PresignCommand.seconds(arguments.value("--expires") ?? "15m")
    return try signing { () throws(SigV4.SigningError) in
      try .dsql(
        host: host, role: arguments.has("--admin") ? .admin : .custom, region: signed.region,
        credentials: signed.credentials, validFor: seconds, at: signed.timestamp)
    }
  }

  private static func elastiCache(
    _ arguments: Arguments, _ signed: Signing
  ) throws(CommandError) -> SigV4.ConnectionToken {
    let (cache, user) = try (required("--cache-name", arguments), required("--username", arguments))
    return try signing { () throws(SigV4.SigningError) in
      try .elastiCache(
        cache: cache, kind: arguments.has("--serverless") ? .serverless : .nodeBased, user: user,
        region: signed.region, credentials: signed.credentials, at: signed.timestamp)
    }
  }

  private static func memoryDB(
    _ arguments: Arguments, _ signed: Signing
  ) throws(CommandError) -> SigV4.ConnectionToken {
    let cluster = try required("--cluster-name", arguments)
    let user = try required("--username", arguments)
    return try signing { () throws(SigV4.SigningError) in
      try .memoryDB(
        cluster: cluster, user: user, region: signed.region, credentials: signed.credentials,
        at: signed.timestamp)
    }
  }

  private static func eks(
    _ arguments: Arguments, _ signed: Signing
  ) throws(CommandError) -> SigV4.ConnectionToken {
    let cluster = try required("--cluster-name", arguments)
    return try signing { () throws(SigV4.SigningError) in
      try .eks(
        cluster: cluster, region: signed.region, credentials: signed.credentials,
        at: signed.timestamp)
    }
  }

  private static func msk(
    _ arguments: Arguments, _ signed: Signing
  ) throws(CommandError) -> SigV4.ConnectionToken {
    return try signing { () throws(SigV4.SigningError) in
      guard let userAgent = arguments.value("--user-agent") else {
        return try .msk(
          region: signed.region, credentials: signed.credentials, at: signed.timestamp)
      }
      return try .msk(
        region: signed.region, userAgent: userAgent, credentials: signed.credentials,
        at: signed.timestamp)
    }
  }

  private static func required(
    _ name: String, _ arguments: Arguments
  ) throws(CommandError) -> String {
    if let value = arguments.value(name) { return value }
    throw CommandError.usage("this token needs \(name)")
  }

  /// What every token is signed with.
  private struct Signing {
    let region: String
    let credentials: SigV4.Credentials
    let timestamp: SigV4.Timestamp

    init(_ arguments: Arguments) async throws(CommandError) {
      let host = arguments.value("--hostname")?.lowercased() ?? ""
      region = try SigningOptions.region(
        arguments, ServiceGuess(host: host), of: host.isEmpty ? "(there is none)" : host)
      credentials = try await CommandCredentials(arguments).credentials()
      timestamp = try SigningOptions.timestamp(arguments.value("--at"))
    }
  }
}
