// SPDX-License-Identifier: Apache-2.0
// The vectors of tokens, with inputs that are named like the options of the command.

internal import SigningTestSupport
internal import TestSupport
internal import Testing

@testable import sigv4

/// The records of all tables of tokens whose function the command has.
enum TokenVectors {
  static let tables = ["connection-tokens.txt", "identity-proofs.txt"]

  /// Functions that open WebSockets, and EKS's global endpoint, which the command doesn't have.
  static let libraryOnly: Set = ["iot", "transcribe", "kinesisVideo", "eks, global"]

  static func all() throws -> [VectorRecord] {
    try tables.flatMap { try VectorTable(named: $0).records }.filter {
      try !libraryOnly.contains($0.text("function"))
    }
  }
}

extension VectorRecord {
  func tokenKind() throws -> TokenKind {
    let name = try text("function").lowercased()
    return try #require(TokenKind.all.first { $0.name == name }, "no kind \(name)")
  }

  /// The options for the record's inputs: fields that are named like an option, or like a parameter
  /// of the library's function.
  func tokenArguments(of kind: TokenKind) throws -> [String] {
    let parameters = [
      "--hostname": "host", "--username": "user", "--cache-name": "cache",
      "--cluster-name": kind.name == "memorydb" ? "cache" : "cluster", "--expires": "lifetime",
    ]
    let flags = ["--admin": ("role", "admin"), "--serverless": ("kind", "serverless")]
    var arguments: [String] = []
    for (option, field) in [("--region", "region"), ("--at", "date")]
    where !kind.unused.contains(option) {
      arguments += [option, try text(field)]
    }
    for option in kind.options {
      if let (field, value) = flags[option.name] {
        if try optionalText(field) == value { arguments.append(option.name) }
      } else if let value = try optionalText(String(option.name.dropFirst(2)))
        ?? parameters[option.name].flatMap({ try optionalText($0) })
      {
        arguments += [option.name, value]
      }
    }
    return arguments
  }
}
