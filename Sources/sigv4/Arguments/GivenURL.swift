// SPDX-License-Identifier: Apache-2.0
// The URL among the operands, with advice for what looks almost like one.

internal import RequestSigning

/// The URL that a command signs.
enum GivenURL {
  /// Returns the single operand, or throws `missing` if the list is empty.
  static func only(
    _ operands: [String], missing: String = "The URL to sign is missing."
  ) throws -> String {
    if let method = operands.first(where: OtherWords.isMethod) {
      throw CommandError(
        .usage, "\(method) isn't a URL.", fix: "Pass the method as -X \(method.uppercased()).")
    }
    guard let url = operands.first, operands.count == 1 else {
      throw CommandError(
        .usage, operands.isEmpty ? missing : "\(hidingSecrets(operands[1])) is a second URL.",
        fix: "Pass one URL.")
    }
    try check(url)
    return url
  }

  /// Throws for a string without a scheme that can be signed, and spells out what it may stand for.
  static func check(_ text: String) throws {
    let (scheme, rest) = text.split(atFirst: ":")
    let place = String((rest ?? "").drop { $0 == "/" })
    let hasAuthority = rest?.hasPrefix("//") == true && !place.isEmpty
    switch scheme.lowercased() {
    case "s3":
      let isPlain = text.utf8.starts(with: "s3://".utf8) && !text.utf8.starts(with: "s3:///".utf8)
      if isPlain && !place.isEmpty { return try checkResource(place) }
      throw wrong(text, place.isEmpty ? "s3://bucket/key" : "s3://" + place)
    case "https", "http", "wss", "ws":
      if hasAuthority { return }
      throw wrong(text, scheme.lowercased() + "://" + (place.isEmpty ? "host/path" : place))
    case "arn":
      try checkResource(text)
      throw wrong(text, "s3://" + text)
    case _ where hasAuthority:
      throw wrong(text, "s3://" + place, " with --endpoint URL for a bucket, or an https:// URL")
    // The library's error shows what is wrong with any other string.
    case _ where text.contains(where: \.isWhitespace): return
    default: throw wrong(text, withScheme(String(text.drop { $0 == "/" })))
    }
  }

  /// A query may contain a signature, and a user a password.
  private static func hidingSecrets(_ url: String) -> String {
    let (place, query) = url.split(atFirst: "?")
    if place.contains("@") { return "The second operand" }
    return query == nil ? url : place + "?..."
  }

  private static func wrong(
    _ text: String, _ meant: String, _ condition: String = ""
  ) -> CommandError {
    if text.contains("@") {
      return CommandError(
        .usage, "The URL isn't valid.", fix: "Use https://host/path, or s3://bucket/key.")
    }
    return CommandError(
      .usage,
      text.isEmpty ? "The URL is empty." : "\(hidingSecrets(text)) isn't a URL that can be signed.",
      fix: "Use \(hidingSecrets(meant))\(condition).")
  }

  /// The ARN of a bucket or object (S3, User Guide, "Amazon S3 resources") names no host.
  private static func checkResource(_ text: String) throws {
    let parts = text.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
    if parts.count < 6 || parts[0] != "arn" || parts[2] != "s3" || parts[3] != "" || parts[4] != ""
    {
      return
    }
    throw CommandError(
      .usage, "\(text) is the ARN of a bucket or an object, which has no region.",
      fix: "Use s3://\(parts[5]).")
  }

  /// A URL for a string without a scheme: of the host with which it begins, or of an object.
  private static func withScheme(_ text: String) -> String {
    if text.isEmpty || text.hasPrefix(".") { return "s3://bucket/key" }
    let authority = text.prefix { $0 != "/" && $0 != "?" }
    let host = authority.prefix { $0 != ":" }
    let isIPv6 = authority.hasPrefix("[")
    if isIPv6 || host == "localhost" || System.ipv4Address(host) != nil { return "http://" + text }
    let isHost = host.contains(".") || host.count < authority.count
    return (isHost ? "https://" : "s3://") + text
  }
}
