// SPDX-License-Identifier: Apache-2.0
// Responses of the services that return credentials: any status, headers and bytes become
// credentials or an error, and no error shows a secret of the request.

internal import CredentialProviders
internal import Dispatch
internal import RequestSigning

enum CredentialTargets {
  private static let token = "authorization+token/of+the+task"

  /// A choice of the provider, a status, headers, an empty line, the body: the same response to
  /// each request.
  static func credentials(_ input: FuzzInput) {
    var input = input
    let (choice, status) = (input.number(), 100 + 2 * input.number())
    let headers = SigV4.Headers(input.pairs().map { ($0.name.text, $0.value.text) })
    let body = input.bytes
    var sources = CredentialSources(now: { Signing.now })
    sources.http = { _ in SigV4.HTTPResponse(status: status, headers: headers, body: body) }
    sources.file = { _ in Array(token.utf8) }
    sources.variable = { variables[$0] }
    let provider = provider(choice, sources)
    switch wait({ await result(of: provider) }) {
    case .success(let resolved):
      expect(!resolved.credentials.accessKeyID.isEmpty, "credentials have a key")
    case .failure(let error):
      expect(error.message.utf8.count > 10, "an error says what is wrong")
      // A service that repeats the token may be quoted.
      let shows = BytewiseSearch.range(of: token, in: Array(error.message.utf8)[...]) != nil
      let isRepeated = BytewiseSearch.range(of: token, in: body[...]) != nil
      expect(!shows || isRepeated, "it shows no token")
    }
  }

  private static let variables = [
    "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1/role",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN": token,
  ]

  private static func provider(
    _ choice: Int, _ sources: CredentialSources
  ) -> any CredentialResolver {
    required("the provider is one") { () throws(CredentialError) -> any CredentialResolver in
      switch choice % 5 {
      case 0: ContainerProvider(sources: sources)
      case 1: InstanceMetadataProvider(sources: sources)
      case 2:
        try WebIdentityProvider(
          roleARN: "arn:aws:iam::123456789012:role/name", tokenFile: "token",
          endpoint: .regional("us-east-1"), sources: sources)
      case 3:
        try AssumeRoleProvider(
          roleARN: "arn:aws:iam::123456789012:role/name", endpoint: .regional("us-east-1"),
          source: Signing.credentials, sources: sources)
      default:
        try CognitoProvider(
          pool: CognitoIdentityPool("us-east-1:12345678-1234-1234-1234-123456789012"),
          identities: .memory(), sources: sources)
      }
    }
  }

  private static func result(
    of provider: any CredentialResolver
  ) async -> Result<ResolvedCredentials, CredentialError> {
    do { return .success(try await provider.credentials()) } catch { return .failure(error) }
  }

  /// The result of a task. libFuzzer calls its target on a thread, which may wait.
  private static func wait<Value: Sendable>(
    _ body: @escaping @Sendable () async -> Value
  ) -> Value {
    let (done, value) = (DispatchSemaphore(value: 0), Guarded<Value?>(nil))
    Task {
      let result = await body()
      value.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    guard let value = value.withLock({ $0 }) else { fatalError("the task has no result") }
    return value
  }
}
