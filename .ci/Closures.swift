// SPDX-License-Identifier: Apache-2.0
// The public closures that tasks share, each written as a literal where a user writes it. `.ci/check-samples` compiles this file in Swift
// 6 mode, with and without isolation to the main actor by default. It never runs.

import Checksums
import CredentialProviders
import Foundation
import POSIXCredentialSources
import RequestSigningFoundation
import RequestVerification
import S3Signing
import SecureHashing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct HSM: Sendable {
  func signature(for message: [UInt8]) async throws -> [UInt8] { message }
}

struct KeyServer: Sendable {
  func keys() async throws -> SigV4.Credentials {
    try SigV4.Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "secret")
  }
  nonisolated static func now() -> SigV4.Timestamp { CredentialSources.posix.now() }
  func find(_ accessKeyID: String) async throws -> SigV4.Credentials? { try await keys() }
  func login() async throws -> String { "eyJ" }
  func identity() async throws -> (String, String) { ("us-east-1:1", "eyJ") }
  func response(to request: SigV4.HTTPRequest) async throws -> SigV4.HTTPResponse {
    SigV4.HTTPResponse(status: 200, body: [])
  }
}

// A view model, isolated to the main actor.
@MainActor final class Model {
  var fraction = 0.0
  var token = "eyJ"
  let session: SigningSession
  let photo: SigV4.Bucket.Object

  init(session: SigningSession, photo: SigV4.Bucket.Object) {
    self.session = session
    self.photo = photo
  }

  func transfers(_ file: URL, _ data: Data, _ stream: AsyncStream<Data>) async throws {
    try await session.upload(file, to: photo) { progress in
      self.fraction = progress.fractionCompleted
    }
    try await session.upload(data, to: photo, contentType: "image/jpeg") { progress in
      self.fraction = progress.fractionCompleted
    }
    try await session.upload(stream, to: photo) { progress in print(progress.fractionCompleted) }
    try await session.download(photo, to: file) { self.fraction = $0.fractionCompleted }
    _ = try await session.send(photo.request("PUT"), body: .file(file)) { progress in
      self.fraction = progress.fractionCompleted
    }
  }

  func user(_ bucket: SigV4.Bucket, _ pool: String) throws -> SigningSession {
    try bucket.session(
      credentials: .cognito(identityPoolID: pool, logins: { ["slack.com": await self.token] }))
  }
}

func sessions(
  _ bucket: SigV4.Bucket, _ hsm: HSM, _ server: KeyServer, _ pool: String, _ arns: [String]
) throws -> [SigningSession] {
  try [
    bucket.session(credentials: .refreshing { try await server.keys() }),
    bucket.session(
      credentials: .cognito(
        identityPoolID: pool, logins: { ["accounts.google.com": try await server.login()] })),
    bucket.session(
      credentials: .cognito(identityPoolID: pool, developer: { try await server.identity() })),
    bucket.session(
      credentials: .cognito(
        identityPoolID: pool,
        identities: CognitoIdentityStore(
          read: { pool in UserDefaults.standard.string(forKey: pool) },
          write: { identity, pool in UserDefaults.standard.set(identity, forKey: pool) }))),
    bucket.session(
      credentials: .cognito(
        identityPoolID: pool,
        identities: .init(
          read: { _ in try await server.login() }, write: { _, _ in _ = try await server.login() }))
    ),
    bucket.session(
      credentials: .rolesAnywhere(
        .files(certificate: "a.pem") { message in try await hsm.signature(for: message) },
        trustAnchorARN: arns[0], profileARN: arns[1], roleARN: arns[2])),
    bucket.session(
      credentials: .rolesAnywhere(
        .pem(certificate: "a") { message in try await hsm.signature(for: message) },
        trustAnchorARN: arns[0], profileARN: arns[1], roleARN: arns[2])),
    bucket.session(
      credentials: .assumeRole(arns[2], using: .refreshing { try await server.keys() })),
    bucket.session(
      credentials: .chain([.environment, .refreshing { try await server.keys() }])),
    bucket.session(
      credentials: .default(
        sources: .posix { request in try await server.response(to: request) })),
    bucket.session(
      credentials: .profile(
        "work", sources: .posix(http: { request in try await server.response(to: request) }))),
    bucket.session(credentials: .environment(sources: CredentialSources { KeyServer.now() })),
    bucket.session(credentials: .default) { request in try await server.response(to: request) },
    bucket.session(
      credentials: .profile("work"), http: { request in try await server.response(to: request) }),
    SigningSession(
      credentials: .refreshing { try await server.keys() }, region: "eu-west-1", service: "sqs",
      now: { Date() }),
    SigningSession(
      credentials: .default, region: "eu-west-1", service: "sqs",
      http: { request in try await server.response(to: request) }, now: { Date() }),
  ]
}

func providers(
  _ server: KeyServer, _ hsm: HSM, _ pool: String
) throws -> [SigV4.CredentialProvider] {
  let user = try SigV4.CredentialProvider.cognito(
    identityPoolID: pool, logins: { ["slack.com": try await server.login()] })
  let device = ClientCertificate.files(certificate: "a.pem") { try await hsm.signature(for: $0) }
  let provider: SigV4.CredentialProvider = .profile("work")
  return try [
    user, provider, .rolesAnywhere(device, trustAnchorARN: "", profileARN: "", roleARN: ""),
    SigV4.CredentialProvider.refreshing { try await server.keys() },
    SigV4.CredentialProvider(.refreshing { try await server.keys() }, now: { KeyServer.now() }),
    SigV4.CredentialProvider(.profile("work"), policy: .init(timeout: .seconds(600))) {
      KeyServer.now()
    },
    .refreshing(sources: .posix) { try await server.keys() },
  ]
}

func sources(_ server: KeyServer) -> CredentialSources {
  var sources = CredentialSources { KeyServer.now() }
  sources.now = { KeyServer.now() }
  sources.variable = { name in ProcessInfo.processInfo.environment[name] }
  sources.homeFolder = { NSHomeDirectory() }
  sources.file = { path in FileManager.default.contents(atPath: path).map { Array($0) } }
  sources.replaceFile = { path, bytes in try Data(bytes).write(to: URL(fileURLWithPath: path)) }
  sources.run = { command in command.flatMap { Array($0.utf8) } }
  sources.http = { request in try await server.response(to: request) }
  sources.mfaCode = { serialNumber in
    print("Code of \(serialNumber):", terminator: " ")
    return readLine() ?? ""
  }
  sources.wait = { duration in try await Task.sleep(for: duration) }
  sources.random = { .random(in: 0...1) }
  return sources
}

func verified(
  _ request: SigV4.ReceivedRequest, _ body: [UInt8], _ server: KeyServer
) async throws -> SigV4.VerifiedRequest {
  try await SigV4.Verifier(region: "eu-west-1", service: "orders").verify(
    request, body: body, at: KeyServer.now()
  ) { accessKeyID in try await server.find(accessKeyID) }
}

func bytes(_ data: Data) -> [Int] {
  let (digest, key) = (SHA256.hash(data: data), SymmetricKey(data: data))
  return unsafe [
    digest.withUnsafeBytes { $0.count }, key.withUnsafeBytes { $0.count },
    HMAC<SHA256>.authenticationCode(for: data, using: key).withUnsafeBytes { $0.count },
    SHA384.hash(data: data).withUnsafeBytes { $0.count },
    Insecure.MD5.hash(data: data).withUnsafeBytes { $0.count },
  ]
}
