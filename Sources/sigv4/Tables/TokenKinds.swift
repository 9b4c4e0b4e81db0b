// SPDX-License-Identifier: Apache-2.0
// The table of tokens.

internal import ConnectionTokens
internal import RequestSigning
internal import SecureHashing

extension TokenKind {
  static let all: [TokenKind] = [
    TokenKind(
      name: "rds", function: "ConnectionToken.rds", service: "rds-db", host: "a.example.com:5432",
      lifetime: .fixed(900), form: "URL without scheme", options: [.hostname, .port, .username]
    ) { inputs in
      try .token(
        .rds(
          host: inputs.required("--hostname"), port: inputs.port(),
          user: inputs.required("--username"), region: inputs.region,
          credentials: inputs.credentials, at: inputs.timestamp))
    },
    TokenKind(
      name: "dsql", function: "ConnectionToken.dsql", service: "dsql", host: "a.example.com",
      lifetime: .chosen(1...604_800, default: 900), form: "URL without scheme",
      options: [.hostname, .admin, .expires]
    ) { inputs in
      try .token(
        .dsql(
          host: inputs.required("--hostname"), role: inputs.has("--admin") ? .admin : .custom,
          region: inputs.region, credentials: inputs.credentials,
          expiresIn: inputs.lifetime(default: 900), at: inputs.timestamp))
    },
    TokenKind(
      name: "elasticache", function: "ConnectionToken.elastiCache", service: "elasticache",
      host: "films", lifetime: .fixed(900), form: "URL without scheme",
      options: [.cacheName, .username, .serverless]
    ) { inputs in
      try .token(
        .elastiCache(
          cache: inputs.required("--cache-name"),
          kind: inputs.has("--serverless") ? .serverless : .nodeBased,
          user: inputs.required("--username"), region: inputs.region,
          credentials: inputs.credentials, at: inputs.timestamp))
    },
    TokenKind(
      name: "memorydb", function: "ConnectionToken.memoryDB", service: "memorydb", host: "films",
      lifetime: .fixed(900), form: "URL without scheme", options: [.clusterName, .username]
    ) { inputs in
      try .token(
        .memoryDB(
          cluster: inputs.required("--cluster-name"), user: inputs.required("--username"),
          region: inputs.region, credentials: inputs.credentials, at: inputs.timestamp))
    },
    TokenKind(
      name: "eks", function: "ConnectionToken.eks", service: "sts",
      host: "sts.us-east-1.amazonaws.com", lifetime: .fixed(900),
      form: "k8s-aws-v1. and the URL in base64url", options: [.clusterName]
    ) { inputs in
      try .token(
        .eks(
          cluster: inputs.required("--cluster-name"), region: inputs.region,
          credentials: inputs.credentials, at: inputs.timestamp))
    },
    TokenKind(
      name: "msk", function: "ConnectionToken.msk", service: "kafka-cluster",
      host: "kafka.us-east-1.amazonaws.com", lifetime: .fixed(900), form: "URL in base64url",
      options: [.userAgent]
    ) { inputs in
      guard let userAgent = inputs.value("--user-agent") else {
        return try .token(
          .msk(
            region: inputs.region, credentials: inputs.credentials, at: inputs.timestamp))
      }
      return try .token(
        .msk(
          region: inputs.region, userAgent: userAgent, credentials: inputs.credentials,
          at: inputs.timestamp))
    },
    TokenKind(
      name: "bedrock", function: "ConnectionToken.bedrock", service: "bedrock",
      host: "bedrock.amazonaws.com", lifetime: .chosen(1...43_200, default: 43_200),
      form: "bedrock-api-key- and the URL in base64", options: [.expires]
    ) { inputs in
      try .token(
        .bedrock(
          region: inputs.region, credentials: inputs.credentials,
          expiresIn: inputs.lifetime(default: 43_200), at: inputs.timestamp))
    },
    TokenKind(
      name: "ses-smtp", function: "SMTPPassword.ses", service: "ses", host: nil,
      lifetime: .unlimited, form: "version and code in base64", options: [], unused: ["--at"]
    ) { inputs in
      try .password(.ses(region: inputs.region, credentials: inputs.credentials))
    },
    TokenKind(
      name: "keyspaces", function: "IdentityProof.keyspaces", service: "cassandra",
      host: "cassandra", lifetime: .fixed(900), form: "names and values with commas",
      options: [.challenge]
    ) { inputs in
      try .proof(
        .keyspaces(
          challenge: inputs.required("--challenge").utf8, region: inputs.region,
          credentials: inputs.credentials, at: inputs.timestamp))
    },
    TokenKind(
      name: "mongodb", function: "IdentityProof.mongoDB", service: "sts", host: "sts.amazonaws.com",
      lifetime: .fixed(900), form: "JSON", options: [.serverNonce, .stsHost], unused: ["--region"]
    ) { inputs in
      // The driver compares the first half with its nonce.
      let nonce = try inputs.base64("--server-nonce")
      return try .proof(
        .mongoDB(
          clientNonce: nonce.prefix(32), serverNonce: nonce,
          host: inputs.value("--sts-host") ?? "sts.amazonaws.com", credentials: inputs.credentials,
          at: inputs.timestamp))
    },
    TokenKind(
      name: "vault", function: "IdentityProof.vault", service: "sts", host: "sts.amazonaws.com",
      lifetime: .fixed(900), form: "JSON", options: [.role, .serverID, .stsHost]
    ) { inputs in
      // Without --region, the host determines the region, not the environment.
      try .proof(
        .vault(
          role: inputs.value("--role"), serverID: inputs.value("--server-id"),
          host: inputs.value("--sts-host") ?? "sts.amazonaws.com",
          region: inputs.value("--region"), credentials: inputs.credentials, at: inputs.timestamp))
    },
    TokenKind(
      name: "google", function: "IdentityProof.google", service: "sts",
      host: "sts.us-east-1.amazonaws.com", lifetime: .fixed(900), form: "percent-encoded JSON",
      options: [.audience]
    ) { inputs in
      try .proof(
        .google(
          audience: inputs.required("--audience"), region: inputs.region,
          credentials: inputs.credentials, at: inputs.timestamp))
    },
    TokenKind(
      name: "appsync", function: "IdentityProof.appSyncConnection", service: "appsync",
      host: "a.example.com", lifetime: .fixed(300), form: "header- and JSON in base64url",
      options: [.hostname, .api]
    ) { inputs in
      try .proof(
        .appSyncConnection(
          to: inputs.api(), host: inputs.required("--hostname"), region: inputs.region,
          credentials: inputs.credentials, at: inputs.timestamp))
    },
    TokenKind(
      name: "appsync-message", function: "IdentityProof.appSyncMessage", service: "appsync",
      host: "a.example.com", lifetime: .fixed(300), form: "JSON",
      options: [.hostname, .message, .api]
    ) { inputs in
      try .proof(
        .appSyncMessage(
          inputs.required("--message"), to: inputs.api(), host: inputs.required("--hostname"),
          region: inputs.region, credentials: inputs.credentials, at: inputs.timestamp))
    },
  ]
}

extension TokenOption {
  static let hostname = required("--hostname", "HOST", "endpoint", "a.example.com")
  static let port = required("--port", "PORT", "database port", "5432")
  static let username = required("--username", "USER", "user name", "app")
  static let admin = flag("--admin", "token for the admin role")
  static let expires = optional(
    "--expires", "TIME", "lifetime (default: 15m, 12h)", "1h")
  static let cacheName = required("--cache-name", "NAME", "cache name", "films")
  static let serverless = flag("--serverless", "the cache is serverless")
  static let clusterName = required("--cluster-name", "NAME", "cluster name", "films")
  static let userAgent = optional("--user-agent", "NAME", "user agent in the token", "films/1.0")
  static let challenge = required(
    "--challenge", "TEXT", "the server's, with nonce=...", "nonce=0123456789abcdef0123456789abcdef")
  static let serverNonce = required(
    "--server-nonce", "BASE64", "the server's, 64 bytes", String(repeating: "A", count: 86) + "==")
  static let stsHost = optional(
    "--sts-host", "HOST", "(default: sts.amazonaws.com)", "sts.eu-west-1.amazonaws.com")
  static let role = optional("--role", "NAME", "role in Vault", "app")
  static let serverID = optional(
    "--server-id", "ID", "server ID that Vault requires", "vault.example.com")
  static let audience = required(
    "--audience", "NAME", "name of the provider",
    "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q")
  static let api = optional("--api", "NAME", "events, graphql", "graphql")
  static let message = required(
    "--message", "JSON", "body to sign", #"{"channel":"/default/a"}"#)
}

extension TokenInputs {
  /// The value of `--api`.
  fileprivate func api() throws -> SigV4.IdentityProof.AppSyncAPI {
    switch value("--api") ?? "events" {
    case "events": return .events
    case "graphql": return .graphQL
    case let name:
      throw CommandError(
        .usage, "--api must be events or graphql, not \(name).", fix: "Use one of them.")
    }
  }

  /// The decoded value of an option.
  fileprivate func base64(_ name: String) throws -> [UInt8] {
    let text = try required(name)
    if let bytes = try? Base64.decode(text) { return bytes }
    throw CommandError(
      .usage, "\(name) isn't base64.", fix: "Use the standard alphabet, with padding.")
  }
}
