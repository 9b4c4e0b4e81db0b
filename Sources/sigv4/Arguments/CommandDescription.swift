// SPDX-License-Identifier: Apache-2.0
// The commands: their names, operands, options, summaries and examples.

internal import RequestSigning

/// A command. Its help, completions and manual page are generated from this description.
struct CommandDescription: Sendable {
  let name: String
  let operands: String

  /// The values of the operand KIND.
  var kinds: [String] = []
  let summary: String
  let options: [OptionSpecification]

  /// The options that only some kinds have.
  var kindOptions: [(kind: String, options: [OptionSpecification])] = []
  let examples: [String]
  let run: @Sendable ([String]) async throws -> Void

  static let all: [CommandDescription] = [
    CommandDescription(
      name: "sign", operands: "URL",
      summary: "Print signed headers for 'curl -H @- URL'",
      options: SigningOptions.specifications,
      examples: [
        "sigv4 sign $url | curl -H @- $url", "sigv4 sign --curl -X DELETE s3://bucket/key",
      ], run: SignCommand.run),
    CommandDescription(
      name: "curl", operands: "[CURL'S OPTIONS] URL",
      summary: "Sign a request and send it with curl",
      options: SendCommand.specifications,
      examples: [
        "sigv4 curl -T film.mov s3://bucket/",
        "sigv4 curl --json '{}' https://abc123.lambda-url.eu-west-1.on.aws/",
      ], run: SendCommand.run),
    CommandDescription(
      name: "presign", operands: "URL", summary: "Print a presigned URL",
      options: PresignCommand.specifications,
      examples: [
        "sigv4 presign --expires 15m s3://bucket/photos/été.jpg",
        "sigv4 presign --keys keys.txt s3://bucket/photos/",
      ], run: PresignCommand.run),
    CommandDescription(
      name: "explain", operands: "URL", summary: "Explain why a server rejected a request",
      options: ExplainCommand.specifications,
      examples: [
        "curl -s $presigned | sigv4 explain $presigned",
        "sigv4 explain --response response.xml s3://bucket/key",
      ], run: ExplainCommand.run),
    CommandDescription(
      name: "verify", operands: "[URL]",
      summary: "Verify a signed request or presigned URL",
      options: VerifyCommand.specifications,
      examples: ["sigv4 verify < request.http", "sigv4 verify --profile work $url"],
      run: VerifyCommand.run),
    CommandDescription(
      name: "upload", operands: "FILE URL",
      summary: "Sign a file in chunks, without sending it",
      options: UploadCommand.specifications,
      examples: [
        "sigv4 upload -o body film.mov s3://bucket/film.mov | curl -T body -H @- $url",
        "eval \"$(sigv4 upload --curl -o body film.mov s3://bucket/film.mov)\"",
      ], run: UploadCommand.run),
    CommandDescription(
      name: "post-policy", operands: "s3://BUCKET[/KEY]",
      summary: "Print the fields of a browser upload form",
      options: PostPolicyCommand.specifications,
      examples: [
        "sigv4 post-policy --max-bytes 1000000 's3://bucket/uploads/${filename}'",
        "sigv4 post-policy --html --starts-with key=uploads/ s3://bucket",
      ], run: PostPolicyCommand.run),
    CommandDescription(
      name: "token", operands: "KIND", kinds: TokenKind.names,
      summary: "Print a token or proof, such as a database password",
      options: TokenCommand.specifications,
      kindOptions: TokenKind.all.map { ($0.name, $0.options.map(\.specification)) },
      examples: [
        "sigv4 token eks --cluster-name films --region eu-west-1",
        "sigv4 token rds --hostname $host --port 5432 --username app",
      ], run: TokenCommand.run),
    CommandDescription(
      name: "cloudfront", operands: "sign|sign-cookies",
      summary: "Print a signed URL or cookies for CloudFront",
      options: CloudFrontCommand.specifications,
      kindOptions: CloudFrontCommand.Kind.allCases.map { ($0.rawValue, $0.options) },
      examples: [
        "sigv4 cloudfront sign --url $url --date-less-than 2030-01-31 \\\n"
          + "    --key-pair-id $id --private-key file://key.pem",
        "sigv4 cloudfront sign-cookies --resource 'https://cdn.example.com/*' \\\n"
          + "    --date-less-than 2030-01-31 --key-pair-id $id --private-key file://key.pem",
      ], run: { try CloudFrontCommand.run($0) }),
    CommandDescription(
      name: "message", operands: "sign|verify",
      summary: "Sign or verify HTTP messages (RFC 9421), without AWS",
      options: MessageCommand.specifications,
      kindOptions: MessageCommand.Kind.allCases.map { ($0.rawValue, $0.options) },
      examples: [
        "sigv4 message sign --url $url --private-key key.pem --key-id k \\\n"
          + "    | curl -H @- $url",
        "sigv4 message verify --public-key public.pem < request.http",
      ], run: { try MessageCommand.run($0) }),
    CommandDescription(
      name: "credentials", operands: "",
      summary: "Show the credentials, their source and expiration",
      options: CredentialsCommand.specifications,
      examples: [
        "sigv4 credentials --profile work", "eval \"$(sigv4 credentials --format env)\"",
      ], run: CredentialsCommand.run),
    CommandDescription(
      name: "hash", operands: "[FILE...]",
      summary: "Print SHA-256 or other hashes, as sha256sum does",
      options: HashCommand.specifications,
      examples: [
        "sigv4 hash * > SUMS; sha256sum -c SUMS", "sigv4 hash --algorithm xxhash3 < film.mov",
      ],
      run: { try HashCommand.run($0) }),
    CommandDescription(
      name: "hmac", operands: "[FILE...]", summary: "Print HMAC-SHA-256 in the same format",
      options: HMACCommand.specifications,
      examples: [
        "sigv4 hmac --key-file key message.txt",
        "sigv4 hmac --key-variable KEY --key-encoding hex < message.txt",
      ], run: { try HMACCommand.run($0) }),
    CommandDescription(
      name: "demo", operands: "", summary: "Show AWS's documented example, step by step",
      options: [],
      examples: ["sigv4 demo", "NO_COLOR=1 sigv4 demo"], run: { try DemoCommand.run($0) }),
    CommandDescription(
      name: "completions", operands: Completions.shells.map(\.name).joined(separator: "|"),
      summary: "Print a completion script for your shell",
      options: [],
      examples: [
        "source <(sigv4 completions bash)",
        "sigv4 completions fish > ~/.config/fish/completions/sigv4.fish",
      ], run: { try Completions.run($0) }),
    CommandDescription(
      name: "man", operands: "", summary: "Print the manual page", options: [],
      examples: [
        "sigv4 man | man -l -", "sigv4 man > /usr/local/share/man/man1/sigv4.1",
      ], run: { try ManualPage.run($0) }),
  ]

  /// Returns the command with this name. `rest` are the arguments that follow it.
  static func named(_ name: String, followedBy rest: [String] = []) throws -> CommandDescription {
    if let command = all.first(where: { $0.name == name }) { return command }
    if BytewiseSearch.range(of: "://", in: name.bytesInUTF8[...]) != nil {
      throw CommandError(
        .usage, "A command must precede the URL.",
        fix: "Use 'sigv4 curl URL' to send a request, or 'sigv4 presign URL' for a presigned URL.")
    }
    let option = name.split(atFirst: "=").name
    if name.hasPrefix("-"), all.contains(where: { $0.options.names(option) }) {
      throw CommandError(
        .usage, "The option \(option) precedes the command.", fix: "Pass it after the command.")
    }
    let words = all.map(\.name) + ["help", "--help", "--version"]
    let isAWS = ["aws", "s3", "s3api"].contains(name)
    throw CommandError(
      .usage, "Unknown command \(name).",
      fix: isAWS
        ? OtherWords.command(ofAWS: rest[...])
        : OtherWords.command(name) ?? Suggestion.text(for: name, among: words))
  }

  /// The synopsis.
  var usage: String {
    ["sigv4", name, options.isEmpty ? "" : "[options]", operands]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// Suggests corrections for mistyped words.
enum Suggestion {
  /// "Did you mean WORD?" for the nearest word, or "Check the spelling." if none is near.
  static func text(for word: String, among words: [String]) -> String {
    let limit = max(1, word.count / 3)
    // The difference in length is a lower bound of the distance.
    let near = words.filter { abs($0.count - word.count) <= limit || $0.hasPrefix(word) }
      // What begins with the word is nearer than any other.
      .map { (distance: $0.hasPrefix(word) ? 0 : distance(word, $0), word: $0) }
      .filter { $0.distance <= limit }
      .min { ($0.distance, $0.word.count) < ($1.distance, $1.word.count) }
    return near.map { "Did you mean \($0.word)?" } ?? "Check the spelling."
  }

  /// The commands that have the option, with their kinds if only some have it. If there are none,
  /// what does the same as an option of another tool, or else the same as `text(for:among:)` for a
  /// long option and "Check the spelling." for a short one.
  static func text(forOption name: String, among options: [OptionSpecification]) -> String {
    let commands = CommandDescription.all.filter { $0.options.names(name) }
    if !commands.isEmpty {
      let names = commands.flatMap { command in
        let kinds = command.kindOptions.filter { $0.options.names(name) }
        return kinds.isEmpty ? [command.name] : kinds.map { command.name + " " + $0.kind }
      }
      return "Use it with " + names.joined(separator: ", ") + "."
    }
    let isOfRequest = options.names("--query")
    if isOfRequest, let advice = OtherWords.option(name) { return advice }
    let words = (options.flatMap(\.names) + ["--help"]).filter { $0.hasPrefix("--") }
    let text = text(for: name, among: name.hasPrefix("--") ? words : [])
    return text + (isOfRequest ? " Only 'sigv4 curl' accepts curl's options." : "")
  }

  /// The number of insertions, deletions, changes and swaps of adjacent letters between two words.
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var rows = [Array(0...right.count)]
    for row in 1...max(left.count, 1) where !left.isEmpty {
      rows.append([row])
      for column in 1...max(right.count, 1) where !right.isEmpty {
        let change = left[row - 1] == right[column - 1] ? 0 : 1
        var least = min(
          rows[row - 1][column] + 1, rows[row][column - 1] + 1, rows[row - 1][column - 1] + change)
        if row > 1, column > 1, left[row - 1] == right[column - 2],
          left[row - 2] == right[column - 1]
        {
          least = min(least, rows[row - 2][column - 2] + 1)
        }
        rows[row].append(least)
      }
    }
    return rows.last?.last ?? 0
  }
}
