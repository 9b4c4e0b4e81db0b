// SPDX-License-Identifier: Apache-2.0
// sigv4 cloudfront: prints a signed URL or signed cookies, with the options of aws cloudfront.

internal import CloudFrontSigning
internal import DocumentSupport
internal import RequestSigning

/// `sigv4 cloudfront [options] sign|sign-cookies`
enum CloudFrontCommand {
  enum Kind: String, CaseIterable {
    case sign
    case signCookies = "sign-cookies"

    var options: [OptionSpecification] {
      switch self {
      case .sign: .named("--url", "--policy-resource")
      case .signCookies: .named("--resource")
      }
    }
  }

  static var specifications: [OptionSpecification] {
    .named("--url", "--policy-resource", "--resource") + commonSpecifications
  }

  private static var commonSpecifications: [OptionSpecification] {
    .named(
      "--key-pair-id", "--private-key", "--date-less-than", "--date-greater-than", "--ip-address",
      "--hash-algorithm", "--json")
  }

  static func run(_ arguments: [String]) throws {
    let kind: Kind = try Arguments(arguments, specifications).kind(of: "cloudfront", "kind")
    let options = try Arguments(arguments, kind.options + commonSpecifications)
    switch kind {
    case .sign: try sign(options)
    case .signCookies: try signCookies(options)
    }
  }

  private static func sign(_ arguments: Arguments) throws {
    let url = try required("--url", arguments)
    let expiration = try required("--date-less-than", arguments)
    let policy = try policy(for: arguments.value("--policy-resource") ?? url, url, arguments)
    let signer = try signer(arguments)
    let signed =
      try policy.map { try signer.signedURL(url, policy: $0) }
      ?? signer.signedURL(url, expiresAt: CloudFrontTime.timestamp(expiration))
    try write(signed.url, [("url", signed.url)], arguments)
  }

  private static func signCookies(_ arguments: Arguments) throws {
    let resource = try required("--resource", arguments)
    let expiration = try required("--date-less-than", arguments)
    let policy = try policy(for: resource, resource, arguments)
    let signer = try signer(arguments)
    let cookies =
      try policy.map { try signer.signedCookies(policy: $0) }
      ?? signer.signedCookies(for: resource, expiresAt: CloudFrontTime.timestamp(expiration))
    try write(cookies.cookieValue, cookies.cookies, arguments)
  }

  /// The custom policy, which `aws cloudfront` needs for a start, an address, a '*' or a resource
  /// that isn't the URL. Nil for a canned policy.
  private static func policy(
    for resource: String, _ url: String, _ arguments: Arguments
  ) throws -> CloudFrontPolicy? {
    let start = arguments.value("--date-greater-than")
    let address = arguments.value("--ip-address")
    if start == nil && address == nil && resource == url && !resource.contains("*") { return nil }
    return try CloudFrontPolicy(
      resource: resource,
      expiresAt: CloudFrontTime.timestamp(required("--date-less-than", arguments)),
      startsAt: start.map(CloudFrontTime.timestamp), ipAddress: address)
  }

  private static func signer(_ arguments: Arguments) throws -> CloudFrontSigner {
    let algorithms: [String: CloudFrontSigner.HashAlgorithm] = ["SHA1": .sha1, "SHA256": .sha256]
    let name = arguments.value("--hash-algorithm") ?? "SHA256"
    guard let algorithm = algorithms[name] else {
      throw CommandError(
        .usage, "--hash-algorithm must be SHA1 or SHA256, not \(name).", fix: "Use SHA256.")
    }
    return try CloudFrontSigner(
      keyPairID: required("--key-pair-id", arguments), privateKeyPEM: privateKey(arguments),
      hashAlgorithm: algorithm)
  }

  private static func privateKey(_ arguments: Arguments) throws -> String {
    let path = try FileArgument.path(required("--private-key", arguments))
    return String(decoding: try System.contents(of: path, atMost: 65_536), as: UTF8.self)
  }

  private static func write(
    _ text: String, _ members: [(name: String, value: String)], _ arguments: Arguments
  ) throws {
    let object = JSONText.object(members.map { ($0.name, .string($0.value)) })
    try System.writeLine(arguments.has("--json") ? object.indented : text)
  }

  private static func required(_ name: String, _ arguments: Arguments) throws -> String {
    if let value = arguments.value(name) { return value }
    throw CommandError(.usage, "cloudfront needs \(name).", fix: "Add \(name).")
  }
}

/// Files in arguments, as in aws-cli.
enum FileArgument {
  /// Returns the path in `file://PATH` or `PATH`. Other users of the machine can see arguments, so
  /// they can't contain a key.
  static func path(_ value: String) throws -> String {
    if BytewiseSearch.range(of: "-----BEGIN", in: Array(value.utf8)[...]) != nil {
      throw CommandError(
        .usage, "The key is in the arguments, which other users of this machine can see.",
        fix: "Pass --private-key file://PATH, and replace this key.")
    }
    return value.hasPrefix("file://") ? String(value.dropFirst(7)) : value
  }
}

/// The times of `aws cloudfront`.
enum CloudFrontTime {
  /// Reads `2030-01-31`, `2030-01-31T12:00:00`, with `Z` or an offset such as `+02:00` after it,
  /// `20300131T120000Z`, or a Unix time. Without an offset, it's UTC.
  static func timestamp(_ text: String) throws -> SigV4.Timestamp {
    if let seconds = Int64(text) {
      // As many digits as 20300131: a Unix time of 1970.
      guard text.utf8.count != 8, let timestamp = try? SigV4.Timestamp(unixSeconds: seconds)
      else { throw invalid(text) }
      return timestamp
    }
    if let timestamp = try? SigV4.Timestamp(text) { return timestamp }
    let (dateAndTime, offset) = split(text)
    let time = dateAndTime.utf8.count == 10 ? "T00:00:00Z" : "Z"
    guard let local = SigV4.Timestamp(extended: dateAndTime + time), let offset,
      let timestamp = try? local.advanced(by: .seconds(-offset))
    else { throw invalid(text) }
    return timestamp
  }

  /// The date and time, and the offset in seconds, which is nil if it's malformed.
  private static func split(_ text: String) -> (String, offset: Int?) {
    if text.hasSuffix("Z") { return (String(text.dropLast()), 0) }
    let end = text.dropFirst(10).firstIndex { $0 == "+" || $0 == "-" } ?? text.endIndex
    let digits = text[end...].dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    if end == text.endIndex { return (text, 0) }
    guard digits.count == 2, digits.allSatisfy({ $0.count == 2 }), let hours = UInt8(digits[0]),
      let minutes = UInt8(digits[1]), hours < 24, minutes < 60
    else { return (text, nil) }
    let seconds = Int(hours) * 3_600 + Int(minutes) * 60
    return (String(text[..<end]), text[end] == "-" ? -seconds : seconds)
  }

  private static func invalid(_ text: String) -> CommandError {
    CommandError(
      .usage, "\(text) isn't a date or time in the years 1 to 9999.",
      fix: "Use 2030-01-31, 2030-01-31T12:00:00+02:00, or a Unix time in seconds.")
  }
}
