// SPDX-License-Identifier: Apache-2.0
// Expecting that a message is rejected, for one reason.

internal import MessageSignatures
internal import Testing

/// Expects an error with a code, whose message shows a text.
func expectRefusal(
  _ code: MessageSignatureError.Code, showing text: String = "", _ body: () throws -> some Any,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  do {
    _ = try body()
    Issue.record("accepted, expected \(code)", sourceLocation: sourceLocation)
  } catch let error as MessageSignatureError {
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    #expect(error.message.contains(text), sourceLocation: sourceLocation)
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}
