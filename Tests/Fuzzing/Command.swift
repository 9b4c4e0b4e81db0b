// SPDX-License-Identifier: Apache-2.0
// The command line's inputs: arguments, and requests as files. Every problem is reported in words.

internal import RequestSigning
internal import RequestVerification
@testable internal import sigv4

enum CommandTargets {
  private static let curl = CurlOptions(
    help: " -s, --silent  Silent\n -o, --output <file>  Write\n     --compressed  Request\n"
      + " -X, --request <method>  Method\n -H, --header <header>  Header\n -T, --upload-file <file>  x"
  )

  /// Arguments, one per line, for a command whose number comes first.
  static func arguments(_ input: FuzzInput) {
    var input = input
    let command = CommandDescription.all[input.number() % CommandDescription.all.count]
    let words = input.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let operands = required("after -- there are operands") {
      try Arguments(["--"] + words, command.options)
    }
    expect(operands.operands.map { Array($0.utf8) } == words.map { Array($0.utf8) }, "all of them")
    told {
      let arguments = try Arguments(words, command.options)
      expect(arguments.operands.count <= words.count, "no operand is made up")
      for option in command.options { _ = arguments.values(option.names[0]) }
      _ = try arguments.lifetime(default: "15m")
    }
    told { _ = try CurlArguments(words, curl, command.options) }
    if let host = words.last { _ = ServiceGuess(host: host) }
  }

  /// A seed of portions, and a request in the form of HTTP/1.1.
  static func messages(_ input: FuzzInput) {
    var input = input
    let seed = input.number()
    let (whole, inPortions) = (read(input.bytes.portions(0)), read(input.bytes.portions(seed)))
    expect(whole == inPortions, "portions do not show")
  }

  /// Target, headers and body, or the problem.
  private static func read(_ portions: [ArraySlice<UInt8>]) -> [String] {
    var rest = portions.filter { !$0.isEmpty }[...]
    var result: [String] = []
    told(&result) { result in
      var message = try HTTPMessage { rest.popFirst() ?? [] }
      result = [message.target] + message.headers.map { $0.name + ":" + $0.value }
      var body: [UInt8] = []
      while let portion = try message.nextPortion() { body += portion }
      result.append(body.text)
    }
    return result
  }

  private static func told(_ body: () throws -> Void) {
    var result: [String] = []
    told(&result) { _ in try body() }
  }

  /// An error is one that a person can act on.
  private static func told(_ result: inout [String], _ body: (inout [String]) throws -> Void) {
    do { try body(&result) } catch {
      let message = CommandError(error).message
      expect(message.utf8.count > 10, "an error says what is wrong: \(message)")
      result.append(message)
    }
  }
}
