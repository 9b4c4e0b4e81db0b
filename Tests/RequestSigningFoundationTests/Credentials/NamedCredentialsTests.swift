// SPDX-License-Identifier: Apache-2.0
// Sources of credentials by name, and buckets by URL.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import RequestSigningFoundation
internal import S3Signing
internal import SignatureDiagnosis
internal import SigningTestSupport
internal import Testing

@Suite("Credentials by name")
struct NamedCredentialsTests {
  let bucket: SigV4.Bucket

  init() throws { bucket = try .aws("photos", region: "eu-west-1") }

  /// The responses of a program's own server.
  struct KeyServer: Sendable {
    struct Keys: Sendable {
      var id = "AKIDEXAMPLE"
      var secret = "secret"
      var token: String? = ""
      var end = Date(timeIntervalSinceNow: 3_600)
    }

    func keys() async throws -> Keys { Keys() }
  }

  /// Not run: it needs a trust anchor.
  func uploaded(_ film: URL, by device: Device) async throws {
    let session = try bucket.session(
      credentials: .rolesAnywhere(
        .files(certificate: "device.pem", privateKey: "device.key"),
        trustAnchorARN: device.trustAnchorARN, profileARN: device.profileARN,
        roleARN: device.roleARN))
    do {
      try await session.upload(film, to: bucket.object("film.mov"))
    } catch let error as CredentialError {
      print("No credentials: \(error.problem) \(error.fix)")
      throw error
    }
  }

  func certificate(in hsm: HSM) -> ClientCertificate {
    .files(certificate: "device.pem") { message in try await hsm.signature(for: message) }
  }

  struct Device {
    var trustAnchorARN = "arn:aws:rolesanywhere:eu-west-1:123456789012:trust-anchor/1"
    var profileARN = "arn:aws:rolesanywhere:eu-west-1:123456789012:profile/1"
    var roleARN = "arn:aws:iam::123456789012:role/uploader"
  }

  struct HSM: Sendable {
    func signature(for message: [UInt8]) async throws -> [UInt8] { [] }
  }

  @Test("A certificate's role is refreshed by name, and what isn't valid is refused")
  func rolesAnywhere() async throws {
    var device = Device()
    let provider = try SigV4.CredentialProvider.rolesAnywhere(
      certificate(in: HSM()), trustAnchorARN: device.trustAnchorARN,
      profileARN: device.profileARN, roleARN: device.roleARN, duration: .seconds(900))
    let missing = await #expect(throws: CredentialError.self) { try await provider.credentials() }
    #expect(missing?.code == .invalidFile)
    device.profileARN = device.trustAnchorARN
    let error = await #expect(throws: CredentialError.self) {
      try await uploaded(URL(fileURLWithPath: "/none"), by: device)
    }
    #expect(error?.code == .invalidConfiguration)
  }

  func fetched(from server: KeyServer) throws -> SigningSession {
    bucket.session(
      credentials: .refreshing {
        let keys = try await server.keys()
        return try SigV4.Credentials(
          accessKeyID: keys.id, secretAccessKey: keys.secret, sessionToken: keys.token,
          expiration: keys.end)
      })
  }

  @Test("The lines of the page are in this file")
  func lines() throws {
    try HowToPage("credentials.md", section: "Your own source of credentials").expectCode(
      in: #filePath, count: 9)
    try HowToPage("credentials.md", section: "A device with a certificate").expectCode(
      in: #filePath, count: 16)
  }

  @Test("A closure is called once, and an empty token is ignored")
  func closure() async throws {
    let session = try fetched(from: KeyServer())
    let object = try bucket.object("a")
    let link = try await session.presignedURL(for: object, expiresIn: .seconds(60))
    #expect(link.absoluteString.contains("X-Amz-Credential=AKIDEXAMPLE%2F"))
    #expect(!link.absoluteString.contains("X-Amz-Security-Token"))

    let count = Guarded(0)
    let provider = SigV4.CredentialProvider.refreshing {
      count.withLock { $0 += 1 }
      return try SigV4.Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "secret")
    }
    for _ in 0..<3 {
      #expect(try await provider.credentials().source == "a closure")
    }
    #expect(count.withLock { $0 } == 1)
  }

  @Test("What a closure throws is the cause of the error")
  func failures() async throws {
    let failed = SigV4.CredentialProvider.refreshing { throw CocoaError(.fileNoSuchFile) }
    let error = await #expect(throws: CredentialError.self) { try await failed.credentials() }
    #expect(error?.code == .accessDenied)
    #expect((error?.underlyingError as? CocoaError)?.code == .fileNoSuchFile)
    #expect(error?.message.contains("CocoaError") == true)
    let own = CredentialError(.signInRequired, "Not signed in.", fix: "Sign in.")
    let known = SigV4.CredentialProvider.refreshing { throw own }
    let same = await #expect(throws: CredentialError.self) { try await known.credentials() }
    #expect(same?.code == .signInRequired)
  }

  @Test("A closure's CancellationError isn't the caller's")
  func cancelledClosure() async throws {
    let closed = SigV4.CredentialProvider.refreshing { throw CancellationError() }
    let error = await #expect(throws: CredentialError.self) {
      try await bucket.session(credentials: closed).data(for: bucket.object("a"))
    }
    #expect(error?.code == .accessDenied)
    #expect(error?.underlyingError is CancellationError)
    // A provider of the caller's may use this code.
    let named = SigV4.CredentialProvider.refreshing {
      throw CredentialError(.cancelled, "Stopped.", fix: "Start.")
    }
    let passed = await #expect(throws: CredentialError.self) {
      try await bucket.session(credentials: named).data(for: bucket.object("a"))
    }
    #expect(passed?.code == .cancelled)
  }

  #if !os(iOS)
    @Test("A program by its command line")
    func process() async throws {
      let line =
        #"echo '{"Version": 1, "AccessKeyId": "AKIDEXAMPLE", "SecretAccessKey": "secret"}'"#
      let provider = try SigV4.CredentialProvider.process(line)
      #expect(try await provider.credentials().credentials.accessKeyID == "AKIDEXAMPLE")
    }
  #endif

  @Test("A name without credentials is reported")
  func nothing() async throws {
    let session = bucket.session(credentials: .profile("no such profile"))
    await #expect(throws: CredentialError.self) {
      try await session.presignedURL(for: bucket.object("a"))
    }
    for name in ["", "reader"] {
      let error = #expect(throws: CredentialError.self) {
        try bucket.session(credentials: .assumeRole(name, using: .default))
      }
      #expect(error?.code == .invalidConfiguration)
    }
    #expect(throws: CredentialError.self) {
      try bucket.session(credentials: .cognito(identityPoolID: "eu", identities: .memory()))
    }
    for session in try [
      bucket.session(credentials: .environment), bucket.session(credentials: .container),
      bucket.session(credentials: .instanceMetadata), bucket.session(credentials: .webIdentity),
      bucket.session(credentials: .cognito(identityPoolID: "eu-west-1:a", identities: .memory())),
      bucket.session(credentials: .assumeRole("arn:aws:iam::123456789012:role/a", using: .default)),
    ] {
      #expect(session.clockOffset.components.seconds == 0)
    }
  }

  @Test("A server's bucket is the same from a URL as from its string")
  func urls() throws {
    let url = try #require(URL(string: "http://127.0.0.1:9000"))
    #expect(
      try SigV4.Bucket.minIO("photos", endpoint: url)
        == .minIO("photos", endpoint: "http://127.0.0.1:9000"))
    let store = try #require(URL(string: "https://s3.example.com/path"))
    #expect(
      try SigV4.Bucket("photos", endpoint: store, region: "eu", addressing: .path)
        == SigV4.Bucket(
          "photos", at: .custom(url: "https://s3.example.com/path", region: "eu"),
          addressing: .path))
  }

  @Test("Credentials end at a date")
  func expiration() throws {
    let credentials = try SigV4.Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: "secret",
      expiration: Date(timeIntervalSince1970: 1_440_938_160.9))
    #expect(credentials.identity.expiration?.text == "20150830T123600Z")
  }
}
