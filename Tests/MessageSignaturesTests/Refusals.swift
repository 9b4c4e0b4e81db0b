// SPDX-License-Identifier: Apache-2.0
// Expecting that a message is rejected, for one reason.

internal import MessageSignatures
internal import Testing

/// Expects an error with a code, whose message shows these parts.
func expectRefusal(
  _ code: MessageSignatureError.Code, showing parts: String...,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any
) {
  do {
    _ = try body()
    Issue.record("accepted, expected \(code)", sourceLocation: sourceLocation)
  } catch let error as MessageSignatureError {
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    for part in parts {
      #expect(error.message.contains(part), "\(error)", sourceLocation: sourceLocation)
    }
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}
