// SPDX-License-Identifier: Apache-2.0
// The command line's inputs: arguments, and requests as files. Every problem is reported in words.

internal import RequestSigning
internal import RequestVerification
@testable internal import sigv4

enum CommandTargets {
  private static let curl = CurlOptions(
    help: " -s, --silent  Silent\n -o, --output <file>  Write\n     --compressed  Request\n"
      + " -X, --request <method>  Method\n -H, --header <header>  Header\n -T, --upload-file <file>  x\n"
      + "     --data-raw <data>  Data\n -G, --get  Query"
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

  /// The data of `sigv4 curl`, one per line: the body or the query that curl documents (`--data-raw`
  /// and `--get`: joined by '&').
  static func curl(_ input: FuzzInput) {
    let values = input.text.split(separator: "\n").map(String.init)
    let data = values.flatMap { ["--data-raw", $0] } + ["https://example.com/a?b=c"]
    let whole = Array(values.joined(separator: "&").utf8)
    let body = required("data is a body") { try CurlArguments(data, curl, []).body() }
    switch body {
    case .bytes(let bytes): expect(bytes == whole, "the body is the data")
    case nil: expect(values.isEmpty, "data is a body")
    default: expect(false, "it is no file")
    }
    told {
      let arguments = try CurlArguments(["--get"] + data, curl, [])
      let url = try arguments.url()
      expect(arguments.method == "GET", "a query is no body")
      let query = values.isEmpty ? [] : Array("&".utf8) + whole
      expect(Array(url.utf8) == Array("https://example.com/a?b=c".utf8) + query, "and is sent")
      let request = try SigV4.Request(arguments.method, url: url)
      _ = try Signing.signer(.s3).sign(request, at: Signing.now)
    }
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
      var message = try ReceivedMessage { rest.popFirst() ?? [] }
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
      let message = CommandError(error).message(of: nil)
      expect(message.utf8.count > 10, "an error says what is wrong: \(message)")
      result.append(message)
    }
  }
}
