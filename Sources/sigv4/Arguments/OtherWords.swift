// SPDX-License-Identifier: Apache-2.0
// Commands and options of other tools, and what does the same here.

/// The words of other tools. Each row is the advice, followed by the words that lead to it.
enum OtherWords {
  /// The advice for a command of another tool, or nil if the word is unknown.
  static func command(_ name: String) -> String? {
    if isMethod(name) && name == name.uppercased() {
      return "Use 'sigv4 curl -X \(name) URL' to send a request, or 'sigv4 presign -X \(name) URL'."
    }
    return advice(commands, name)
  }

  /// The advice for the words after `aws`, `aws s3` or `aws s3api`.
  static func command(ofAWS words: ArraySlice<String>) -> String {
    let word = words.first { !["aws", "s3", "s3api"].contains($0) }
    let ours = word.flatMap { word in CommandDescription.all.first { $0.name == word }?.name }
    return word.flatMap { command($0) } ?? ours.map { "Use 'sigv4 \($0)'." }
      ?? "sigv4 signs single requests. Use 'sigv4 curl URL' to send one."
  }

  /// The advice for an option of another tool, or nil if it's unknown.
  static func option(_ name: String) -> String? {
    advice(options, name)
      ?? headers.first { $0.words.contains(name) }.map { "Use -H '\($0.header): VALUE'." }
      ?? parameters.first { $0.words.contains(name) }.map { "Use --query \($0.parameter)=VALUE." }
  }

  /// Whether a word is a method of HTTP, in any case.
  static func isMethod(_ word: String) -> Bool {
    ["GET", "PUT", "POST", "HEAD", "DELETE", "PATCH", "OPTIONS"].contains(word.uppercased())
  }

  private typealias Row = (advice: String, words: [String])

  private static func advice(_ rows: [Row], _ word: String) -> String? {
    rows.first { $0.words.contains(word) }?.advice
  }

  private static var commands: [Row] {
    [
      (
        "Use 'sigv4 curl s3://bucket' to list a bucket.",
        ["ls", "list", "dir", "list-objects", "list-objects-v2"]
      ),
      (
        "Use 'sigv4 curl -T FILE s3://bucket/key' to upload, or "
          + "'sigv4 curl -o FILE s3://bucket/key' to download.", ["cp", "copy"]
      ),
      ("Use 'sigv4 curl -T FILE s3://bucket/key'.", ["put", "put-object", "send"]),
      (
        "Use 'sigv4 curl -o FILE s3://bucket/key'.",
        ["get", "get-object", "download", "cat", "fetch", "wget"]
      ),
      (
        "Use 'sigv4 curl -X DELETE s3://bucket/key'.",
        ["rm", "del", "delete", "remove", "delete-object"]
      ),
      (
        "Stores can't move an object. Copy it with 'sigv4 curl -X PUT -H "
          + "\"x-amz-copy-source: /bucket/old\" s3://bucket/new', then delete the old one.",
        ["mv", "move", "rename", "copy-object"]
      ),
      (
        "sigv4 sends single requests. Use 'sigv4 curl -T FILE s3://bucket/key' for each file.",
        ["sync", "mirror"]
      ),
      (
        "Use 'sigv4 curl -X PUT s3://bucket'. Outside us-east-1, AWS requires the region in the "
          + "body.", ["mb", "create-bucket", "make-bucket"]
      ),
      (
        "Use 'sigv4 curl -X DELETE https://HOST/bucket' with the host of the store.",
        ["rb", "delete-bucket", "remove-bucket"]
      ),
      ("Use 'sigv4 curl -I s3://bucket/key'.", ["head", "stat", "head-object", "head-bucket"]),
      (
        "Use 'sigv4 presign s3://bucket/key'.",
        [
          "url", "link", "share", "signurl", "sign-url", "signed-url", "presigned",
          "presigned-url", "presign-url", "generate-presigned-url", "get-presigned-url",
        ]
      ),
      ("Use 'sigv4 post-policy s3://bucket/key'.", ["form", "presigned-post", "policy"]),
      ("Use 'sigv4 curl URL'.", ["request", "call", "api", "http", "https"]),
      ("Use 'sigv4 explain URL'.", ["debug", "diagnose", "why"]),
      ("Use 'sigv4 verify URL'.", ["check", "validate"]),
      (
        "Sign in with the AWS CLI. 'sigv4 credentials' shows the credentials that are used.",
        ["login", "signin", "sso", "configure", "whoami", "sts", "export-credentials", "env"]
      ),
      ("Use 'sigv4 hash FILE'.", ["sum", "sha256", "sha256sum", "checksum", "digest"]),
      ("Use 'sigv4 --version'.", ["version", "-v", "-version"]),
    ]
  }

  private static var options: [Row] {
    [
      (
        "Use -X METHOD.",
        ["--method", "--verb", "--http-method", "--client-method", "--request-method"]
      ),
      (
        "Use --expires TIME.",
        ["--ttl", "--expiry", "--expiration", "--lifetime", "--duration", "--valid-for"]
      ),
      ("Use s3://bucket/key.", ["--bucket", "--bucket-name", "--key", "--object", "--object-key"]),
      ("Use -d @FILE, or 'sigv4 curl -T FILE URL'.", ["--body", "--file", "--upload"]),
      (
        "Credentials come from the environment (AWS_ACCESS_KEY_ID, ...) or --profile NAME, because "
          + "all users of the machine can see arguments.",
        [
          "--access-key", "--access-key-id", "--aws-access-key-id", "--secret-key",
          "--secret-access-key", "--aws-secret-access-key", "--secret", "--session-token",
          "--security-token", "--token", "--user", "--aws-sigv4",
        ]
      ),
      (
        "An unsigned request needs no sigv4. Use curl.",
        ["--no-sign-request", "--anonymous", "--unsigned"]
      ),
    ]
  }

  /// Options of the AWS CLI's `put-object` that are headers.
  private static var headers: [(header: String, words: [String])] {
    [
      ("x-amz-acl", ["--acl"]), ("content-type", ["--content-type"]),
      ("cache-control", ["--cache-control"]), ("content-disposition", ["--content-disposition"]),
      ("content-encoding", ["--content-encoding"]), ("content-language", ["--content-language"]),
      ("x-amz-storage-class", ["--storage-class"]), ("x-amz-tagging", ["--tagging"]),
      ("x-amz-meta-NAME", ["--metadata"]), ("x-amz-copy-source", ["--copy-source"]),
      ("x-amz-server-side-encryption", ["--sse", "--server-side-encryption"]),
    ]
  }

  /// Options of the AWS CLI's `get-object` and `list-objects-v2` that are parameters.
  private static var parameters: [(parameter: String, words: [String])] {
    [
      ("versionId", ["--version-id"]), ("prefix", ["--prefix"]), ("delimiter", ["--delimiter"]),
      ("max-keys", ["--max-keys", "--max-items", "--page-size"]), ("uploadId", ["--upload-id"]),
      ("partNumber", ["--part-number"]), ("start-after", ["--start-after"]),
      ("continuation-token", ["--continuation-token", "--starting-token"]),
      ("response-content-type", ["--response-content-type"]),
      ("response-content-disposition", ["--response-content-disposition"]),
    ]
  }
}
