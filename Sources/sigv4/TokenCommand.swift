// SPDX-License-Identifier: Apache-2.0
// sigv4 token: a token that opens a connection to a database, a cache or a cluster.

internal import RequestSigning

/// `sigv4 token rds|dsql|elasticache|memorydb|eks|msk [options]`
nonisolated enum TokenCommand {
  static func run(_ arguments: some Sequence<String>) throws(CommandError) {
    let arguments = try Arguments(
      arguments,
      [
        .value("--hostname"), .value("--port"), .value("--username"), .value("--region"),
        .value("--expires", "--expires-in"), .flag("--admin"), .value("--cache-name"),
        .flag("--serverless"), .value("--cluster-name"), .value("--at"), .flag("--json"),
      ])
    let token = try token(arguments)
    if arguments.has("--json") {
      let object = JSONText.object([
        ("token", .string(token.text)), ("expires", .string(token.expiration.text)),
      ])
      try System.write(object.text + "\n", to: .standardOutput)
    } else {
      try System.write(token.text + "\n", to: .standardOutput)
    }
  }

  private static func token(_ arguments: Arguments) throws(CommandError) -> SigV4.ConnectionToken {
    guard let kind = arguments.operands.first, arguments.operands.count == 1 else {
      throw CommandError.usage(
        "token wants one kind: rds, dsql, elasticache, memorydb, eks or msk")
    }
    switch kind {
    case "rds": return try rds(arguments)
    case "dsql": return try dsql(arguments)
    case "elasticache": return try elastiCache(arguments)
    case "memorydb": return try memoryDB(arguments)
    case "eks": return try eks(arguments)
    case "msk": return try msk(arguments)
    default:
      throw CommandError.usage(
        "there is no token for \(kind); the kinds are rds, dsql, elasticache, memorydb, eks, msk")
    }
  }

  private static func rds(_ arguments: Arguments) throws(CommandError) -> SigV4.ConnectionToken {
    let signed = try Signing(arguments)
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

  private static func dsql(_ arguments: Arguments) throws(CommandError) -> SigV4.ConnectionToken {
    let signed = try Signing(arguments)
    let host = try required("--hostname", arguments)
    let seconds = try PresignCommand.seconds(arguments.value("--expires") ?? "15m")
    return try signing { () throws(SigV4.SigningError) in
      try .dsql(
        host: host, role: arguments.has("--admin") ? .admin : .custom, region: signed.region,
        credentials: signed.credentials, validFor: seconds, at: signed.timestamp)
    }
  }

  private static func elastiCache(
    _ arguments: Arguments
  ) throws(CommandError) -> SigV4.ConnectionToken {
    let signed = try Signing(arguments)
    let (cache, user) = try (required("--cache-name", arguments), required("--username", arguments))
    return try signing { () throws(SigV4.SigningError) in
      try .elastiCache(
        cache: cache, kind: arguments.has("--serverless") ? .serverless : .nodeBased, user: user,
        region: signed.region, credentials: signed.credentials, at: signed.timestamp)
    }
  }

  private static func memoryDB(
    _ arguments: Arguments
  ) throws(CommandError) -> SigV4.ConnectionToken {
    let signed = try Signing(arguments)
    let cluster = try required("--cluster-name", arguments)
    let user = try required("--username", arguments)
    return try signing { () throws(SigV4.SigningError) in
      try .memoryDB(
        cluster: cluster, user: user, region: signed.region, credentials: signed.credentials,
        at: signed.timestamp)
    }
  }

  private static func eks(_ arguments: Arguments) throws(CommandError) -> SigV4.ConnectionToken {
    let signed = try Signing(arguments)
    let cluster = try required("--cluster-name", arguments)
    return try signing { () throws(SigV4.SigningError) in
      try .eks(
        cluster: cluster, region: signed.region, credentials: signed.credentials,
        at: signed.timestamp)
    }
  }

  private static func msk(_ arguments: Arguments) throws(CommandError) -> SigV4.ConnectionToken {
    let signed = try Signing(arguments)
    return try signing { () throws(SigV4.SigningError) in
      try .msk(region: signed.region, credentials: signed.credentials, at: signed.timestamp)
    }
  }

  private static func required(
    _ name: String, _ arguments: Arguments
  ) throws(CommandError) -> String {
    if let value = arguments.value(name) { return value }
    throw CommandError.usage("token \(arguments.operands[0]) needs \(name)")
  }

  /// What every token is signed with.
  private struct Signing {
    let region: String
    let credentials: SigV4.Credentials
    let timestamp: SigV4.Timestamp

    init(_ arguments: Arguments) throws(CommandError) {
      let host = arguments.value("--hostname") ?? ""
      region = try SigningOptions.region(
        arguments, ServiceGuess(host: host), of: host.isEmpty ? "of the token" : host)
      credentials = try SigningOptions.environmentCredentials()
      timestamp = try SigningOptions.timestamp(arguments.value("--at"))
    }
  }
}
