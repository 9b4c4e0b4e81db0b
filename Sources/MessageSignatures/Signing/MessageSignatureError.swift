// SPDX-License-Identifier: Apache-2.0
// Why a message wasn't signed, or wasn't accepted.

/// The reason a message wasn't signed, or a received one wasn't accepted.
///
/// Its texts contain no secrets. They may quote names from the message, in ASCII, so they're safe
/// for a log. They're for developers: tell a client only that its signature isn't accepted.
public struct MessageSignatureError: Swift.Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, for programs.
  public let code: Code

  /// What's wrong.
  public let problem: String

  /// How to fix it.
  public var fix: String { code.fix }

  /// The problem and its fix.
  public var message: String { problem + " " + fix }

  /// The code and the message.
  public var description: String { code.name + ": " + message }

  init(_ code: Code, _ problem: String) { (self.code, self.problem) = (code, problem) }

  /// Compares all fields. (In Embedded Swift, `==` on strings links the Unicode tables.)
  public static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.problem.utf8.elementsEqual(right.problem.utf8)
  }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// The reason, for programs. New codes may be added. Include a default in a switch.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, as spelled here.
    public let name: String
    let fix: String

    init(_ name: String, _ fix: String) { (self.name, self.fix) = (name, fix) }

    /// The name of the code.
    public var description: String { name }

    /// Returns whether two codes have the same name.
    public static func == (left: Self, right: Self) -> Bool {
      left.name.utf8.elementsEqual(right.name.utf8)
    }

    /// Hashes the length of the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name.utf8.count) }
  }
}

extension MessageSignatureError {
  static func invalidRequest(_ problem: String) -> Self { Self(.invalidRequest, problem) }

  static func malformedField(_ name: String, _ error: StructuredField.ParsingError) -> Self {
    Self(
      .malformedField, "The field \(name) is invalid at offset \(error.offset): \(error.problem).")
  }

  static func malformedField(_ name: String, _ problem: String) -> Self {
    Self(.malformedField, "The field \(name) \(problem).")
  }

  static func invalidComponent(_ component: [UInt8], _ problem: String) -> Self {
    Self(.invalidComponent, "The component \(component.quoted) \(problem).")
  }

  static func unavailableComponent(_ component: [UInt8], _ problem: String) -> Self {
    Self(.unavailableComponent, "The component \(component.quoted) \(problem).")
  }

  static func invalidParameter(_ name: String, _ problem: String) -> Self {
    Self(.invalidParameter, "The parameter \(name) \(problem).")
  }
}

extension [UInt8] {
  /// The first bytes as a string, with a question mark for whatever isn't ASCII.
  fileprivate var quoted: String {
    prefix(100).map { FieldByte.isPrintable($0) ? $0 : UInt8(ascii: "?") }.asString
  }
}
