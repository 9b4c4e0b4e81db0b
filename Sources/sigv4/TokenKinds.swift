// SPDX-License-Identifier: Apache-2.0
// The table of tokens.

internal import ConnectionTokens
internal import RequestSigning

extension TokenKind {
  static let all: [TokenKind] = [
    TokenKind(
      name: "rds", function: "ConnectionToken.rds", service: "rds-db", host: "db.example.com:5432",
      lifetime: .fixed(900), form: "URL without scheme", options: [.hostname, .port, .username]
    ) { inputs in
      try .token(
        .rds(
          host: inputs.required("--hostname"), port: inputs.port(),
          user: inputs.required("--username"), region: inputs.region,
          credentials: inputs.credentials, at: inputs.timestamp))
    },
    TokenKind(
      name: "dsql", function: "ConnectionToken.dsql", service: "dsql", host: "db.example.com",
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
  ]
}

extension TokenOption {
  static let hostname = required("--hostname", "HOST", "database endpoint", "db.example.com")
  static let port = required("--port", "PORT", "database port", "5432")
  static let username = required("--username", "USER", "user name", "app")
  static let admin = flag("--admin", "token for the admin role")
  static let expires = optional("--expires", "TIME", "lifetime, such as 1h (default: 15m)")
  static let cacheName = required("--cache-name", "NAME", "cache name", "films")
  static let serverless = flag("--serverless", "the cache is serverless")
  static let clusterName = required("--cluster-name", "NAME", "cluster name", "films")
  static let userAgent = optional("--user-agent", "NAME", "user agent in the token")
}
