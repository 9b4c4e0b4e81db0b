// SPDX-License-Identifier: Apache-2.0
// sigv4 post-policy: prints the fields of a browser upload form.

internal import DocumentSupport
internal import S3Signing
internal import RequestSigning

/// `sigv4 post-policy [options] s3://bucket/key`
enum PostPolicyCommand {
  static var specifications: [OptionSpecification] {
    .named(
      "--field", "--starts-with", "--min-bytes", "--max-bytes", "--expires", "--profile",
      "--region", "--endpoint", "--virtual-hosted", "--at", "--html", "--json", "--quiet")
  }

  static func run(_ arguments: [String]) async throws {
    let arguments = try Arguments(arguments, specifications)
    if arguments.has("--html") && arguments.has("--json") {
      throw CommandError(
        .usage, "--html and --json can't be used together.", fix: "Remove one of them.")
    }
    let form = try await form(arguments)
    try System.writeLine(text(form, arguments))
    if !form.fieldsToFill.isEmpty {
      let names = form.fieldsToFill.joined(separator: ", ")
      arguments.tell("The page must fill in these fields: \(names).")
    }
  }

  private static func form(_ arguments: Arguments) async throws -> SigV4.PostForm {
    let problem = "post-policy needs one s3:// URL."
    let url = try GivenURL.only(arguments.operands, missing: problem)
    guard let location = try ObjectLocation(bucketOrObject: url, arguments) else {
      throw CommandError(
        .usage, problem,
        fix: "Use a URL such as 's3://bucket/uploads/${filename}'.")
    }
    let region = try SigningOptions.region(arguments, location.guess, of: url)
    let credentials = try await CommandCredentials(arguments).credentials()
    let timestamp = try SigningOptions.timestamp(arguments.value("--at"))
    let lifetime = try arguments.lifetime(default: "15m")
    let conditions = try conditions(arguments, key: location.key)
    let given = arguments.values("--field") + arguments.values("--starts-with")
    if location.key.isEmpty && !given.contains(where: { $0.lowercased().hasPrefix("key=") }) {
      throw CommandError(
        .usage, "\(url) has no key, but S3 requires one in a form.",
        fix: "Use s3://bucket/key, or add --starts-with key=PREFIX.")
    }
    let bucket = try location.bucket(in: region)
    let policy: SigV4.PostPolicy
    do throws(SigV4.SigningError) {
      policy = try SigV4.PostPolicy(bucket: bucket, expiresIn: lifetime, conditions: conditions)
    } catch {
      if error.code != .conflictingEndpoint { throw error }
      // The bucket supports no forms, whatever the options are.
      throw CommandError(.failure, "\(error.code.name): \(error.problem)", fix: error.fix)
    }
    return try bucket.signer(credentials: credentials).sign(policy, at: timestamp)
  }

  /// The conditions: the key, if any, --field, --starts-with and the size.
  private static func conditions(
    _ arguments: Arguments, key: String
  ) throws -> [SigV4.PostPolicy.Condition] {
    var conditions: [SigV4.PostPolicy.Condition] = key.isEmpty ? [] : [.key(key)]
    for text in arguments.values("--field") {
      let (name, value) = try pair(text, of: "--field")
      conditions.append(.field(name, value))
    }
    for text in arguments.values("--starts-with") {
      let (name, prefix) = try pair(text, of: "--starts-with")
      conditions.append(.field(name, startsWith: prefix))
    }
    let least = try arguments.number("--min-bytes")
    let most = try arguments.number("--max-bytes")
    if least != nil || most != nil {
      // The maximum size of an object uploaded to Amazon S3 in one request is 5 GiB.
      conditions.append(
        .contentLength(from: Int64(least ?? 0), through: most.map(Int64.init) ?? 5 << 30))
    }
    return conditions
  }

  private static func pair(
    _ text: String, of option: String
  ) throws -> (name: String, value: String) {
    guard case (let name, let value?) = text.split(atFirst: "=") else {
      throw CommandError(
        .usage, "\(option) must be 'NAME=VALUE', but \(text) has no '='.",
        fix: "Add '=' and the value.")
    }
    return (name, value)
  }

  private static func text(_ form: SigV4.PostForm, _ arguments: Arguments) -> String {
    if arguments.has("--html") { return form.hiddenInputs }
    if arguments.has("--json") {
      let fields = form.fields.map { JSONText.array([.string($0.name), .string($0.value)]) }
      return JSONText.object([
        ("url", .string(form.url)), ("fields", .array(fields)),
        ("fieldsToFill", .array(form.fieldsToFill.map { .string($0) })),
      ]).indented
    }
    return ([form.url] + form.fields.map { $0.name + ": " + $0.value }).joined(separator: "\n")
  }
}
