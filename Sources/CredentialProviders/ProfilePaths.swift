// SPDX-License-Identifier: Apache-2.0
// Where the files of profiles are, with what a path may leave to the environment.

/// The paths of the config file and the credentials file.
struct ProfilePaths {
  let config: String
  let credentials: String

  init(sources: CredentialSources) {
    let variable = sources.variable
    config = Self.expanded(variable("AWS_CONFIG_FILE") ?? "~/.aws/config", variable)
    credentials = Self.expanded(
      variable("AWS_SHARED_CREDENTIALS_FILE") ?? "~/.aws/credentials", variable)
  }

  /// A path in which `$NAME`, `${NAME}` and a `~/` at the beginning are replaced by what the variables
  /// and `HOME` say; what is not set, and `~user`, stay as they are.
  static func expanded(_ path: String, _ variable: (String) -> String?) -> String {
    let expanded = withVariables(path, variable)
    guard expanded.hasPrefix("~/"), let home = variable("HOME") else { return expanded }
    var folder = home[...]
    while folder.hasSuffix("/") { folder.removeLast() }
    return String(folder + expanded.dropFirst())
  }

  private static func withVariables(_ path: String, _ variable: (String) -> String?) -> String {
    var result = ""
    var rest = path[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[dollar...]
      let reference = reference(at: rest)
      result += reference.name.flatMap(variable) ?? String(rest[..<reference.end])
      rest = rest[reference.end...]
    }
    return result + rest
  }

  /// The variable that a text beginning with a dollar sign names, and where its reference ends.
  private static func reference(at text: Substring) -> (name: String?, end: String.Index) {
    let afterDollar = text.dropFirst()
    if afterDollar.first == "{" {
      guard let brace = afterDollar.firstIndex(of: "}") else {
        return (nil, afterDollar.startIndex)
      }
      return (String(afterDollar[..<brace].dropFirst()), text.index(after: brace))
    }
    let name = afterDollar.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
    return (name.isEmpty ? nil : String(name), name.endIndex)
  }
}
