// SPDX-License-Identifier: Apache-2.0
// What docs/how-to/servers.md names of swift-aws-lambda-runtime 2, in its spelling, for the compiler. It
// receives no event.

package struct LambdaContext: Sendable {}

package final class LambdaRuntime: Sendable {
  package init<Event: Decodable, Output: Encodable>(
    body: @escaping @Sendable (Event, LambdaContext) async throws -> Output
  ) {}
  package func run() async throws {}
}
