// SPDX-License-Identifier: Apache-2.0
// The rules for every error: its code, and a message that helps and reveals no secret.

package import RequestSigning
package import RequestVerification
package import Testing

/// Expects a SigningError with this code and a readable message.
///
/// The message must contain `shown`, quoted, and none of `hidden`.
package func expectRefusal<Result>(
  _ code: SigV4.SigningError.Code, showing shown: String? = nil, hiding hidden: [String] = [],
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) {
  let error = #expect(throws: SigV4.SigningError.self, sourceLocation: sourceLocation) {
    _ = try body()
  }
  guard let error else { return }
  #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
  #expect(error.description == error.code.name + ": " + error.message)
  let bytes = unsafe error.withMessage { unsafe Array($0) }
  #expect(bytes == Array(error.message.utf8))
  var dumped = ""
  dump(error, to: &dumped)
  #expect(dumped.contains("problem: " + String(reflecting: error.problem)), "\(dumped)")
  #expect(dumped.contains("fix: " + String(reflecting: error.fix)), "\(dumped)")
  #expect(error.message == error.problem + " " + error.fix)
  let problems = problems(
    of: error.problem, error.fix, showing: shown,
    hiding: hidden + [Example.secret, Example.token, "Signature="])
  #expect(problems.isEmpty, "\(problems) \(error.message)", sourceLocation: sourceLocation)
}

/// Expects a VerificationError with this code, whose message is fit for a log and has no secrets.
package func expectRefused<Result>(
  _ code: SigV4.VerificationError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Result
) {
  let error = #expect(throws: SigV4.VerificationError.self, sourceLocation: sourceLocation) {
    _ = try body()
  }
  guard let error else { return }
  #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
  #expect(error.description == error.code.name + ": " + error.message)
  #expect(error.message == error.problem + " " + error.fix)
  let problems = problems(
    of: error.problem, error.fix, showing: nil,
    hiding: [Example.secret, Example.token, "Signature="])
  #expect(problems.isEmpty, "\(problems) \(error.message)", sourceLocation: sourceLocation)
}

/// The problems of an error's strings.
package func problems(
  of problem: String, _ fix: String, showing shown: String?, hiding hidden: [String]
) -> [String] {
  let message = problem + " " + fix
  var problems: [String] = []
  if message.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
    problems.append("contains a control character or a newline")
  }
  if let shown, !message.contains(escaped(shown)) {
    problems.append("doesn't show \(escaped(shown))")
  }
  for secret in hidden where !secret.isEmpty && message.contains(secret) {
    problems.append("contains a secret")
  }
  for (name, text) in [("problem", problem), ("fix", fix)] where !isSentences(text) {
    problems.append("the \(name) isn't a sentence")
  }
  // "Use" counts at the start of a sentence. PUT and GET are methods, and don't.
  let words = fix.split { !$0.isLetter }.map { $0.prefix(1).lowercased() + $0.dropFirst() }
  if !words.contains(where: { imperatives.contains($0) }) {
    problems.append("the fix doesn't say what to do")
  }
  return problems
}

/// The problems of a warning's message, whose last sentence must be advice.
package func problems(ofWarning message: String) -> [String] {
  let end = message.ranges(of: ". ").last?.lowerBound ?? message.startIndex
  return problems(
    of: message[..<end] + ".", String(message[end...].dropFirst(2)), showing: nil, hiding: [])
}

/// Whether a text ends like a sentence. Two sentences aren't joined by a semicolon.
private func isSentences(_ text: String) -> Bool {
  text.utf8.count >= 8 && text.last == "." && !text.contains("; ")
}

/// A value as a message may show it: one line of ASCII, the rest as \xNN, 80 bytes at most.
package func escaped(_ text: String) -> String {
  text.utf8.prefix(80).map { byte in
    let isPlain = byte >= 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x5C
    if isPlain { return String(decoding: [byte], as: UTF8.self) }
    let digits = String(byte, radix: 16, uppercase: true)
    return "\\x" + (byte < 16 ? "0" : "") + digits
  }.joined()
}

/// Words of advice.
private let imperatives: Set<String> = [
  "use", "write", "leave", "correct", "derive", "get", "put", "take", "remove", "encode", "sign",
  "ask", "presign", "check", "treat", "send", "add", "call", "pass",
]
