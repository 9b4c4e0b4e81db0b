// SPDX-License-Identifier: Apache-2.0
// A caller's closure that isn't `@Sendable`, so that it compiles inside of an implicit member.

/// A closure that was sent here, and is called by one task at a time until it suspends.
///
/// The compiler rejects a `@Sendable` closure literal in `session(credentials: .cognito(...))`,
/// where the type of the credentials is generic. It accepts one that's `sending`.
package actor SentClosure<Input: Sendable, Output: Sendable> {
  private let closure: (Input) async throws -> Output

  package init(_ closure: sending @escaping (Input) async throws -> Output) {
    self.closure = closure
  }

  package func callAsFunction(_ input: Input) async throws -> Output { try await closure(input) }
}
