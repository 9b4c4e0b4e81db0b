// SPDX-License-Identifier: Apache-2.0
// The key cache: it returns the keys that would be derived, and discards old ones.

internal import SigningTestSupport
internal import RequestSigning
internal import SecureHashing
internal import Testing

@Suite("Signing key cache")
struct SigningKeyCacheTests {
  /// AWS, "Create a signed AWS API request", and `hmac` of Python: 20150830/us-east-1/iam.
  static let publishedKey = "c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9"
  static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

  @Test("The key is the published one, when it's derived and when it's found again")
  func publishedKey() throws {
    let cache = SigV4.SigningKeyCache()
    for _ in 0..<2 {
      let key = try cache.signingKey(for: credentials(), scope: scope("20150830", "iam"))
      #expect(key.key == SymmetricKey(data: try Hexadecimal.decode(Self.publishedKey)))
      #expect(cache.count == 1)
    }
  }

  @Test("A rotated secret under the same access key ID never signs with the old key")
  func rotatedSecret() throws {
    let cache = SigV4.SigningKeyCache()
    let request = try SigV4.Request("GET", url: "https://example.com/")
    let time = try SigV4.Timestamp("20150830T123600Z")
    var signatures: [SigV4.Signature] = []
    for secret in [Self.secret, "another secret", Self.secret] {
      let signer = try SigV4.Signer(
        credentials: credentials(secret), region: "us-east-1", service: .standard("iam"),
        keys: cache)
      signatures.append(try signer.sign(request, at: time).signature)
    }
    #expect(signatures[0] != signatures[1])
    #expect(signatures[0] == signatures[2])
    #expect(cache.count == 2)
  }

  @Test("Each access key ID, day, region and service has its own key")
  func parts() throws {
    let cache = SigV4.SigningKeyCache()
    let first = try cache.signingKey(for: credentials(), scope: scope("20150830", "iam"))
    let others = try [
      cache.signingKey(for: credentials(id: "AKIDOTHER"), scope: scope("20150830", "iam")),
      cache.signingKey(for: credentials(), scope: scope("20150830", "s3")),
      cache.signingKey(for: credentials(), scope: scope("20150830", "iam", region: "auto")),
    ]
    #expect(cache.count == 4)
    #expect(others.map(\.accessKeyID) == ["AKIDOTHER", "AKIDEXAMPLE", "AKIDEXAMPLE"])
    #expect(others[1].scope.service == "s3" && others[2].scope.region == "auto")
    #expect(!others.dropFirst().contains { $0.key == first.key })
  }

  @Test("Keys of earlier days leave as soon as one of a later day comes")
  func laterDay() throws {
    let cache = SigV4.SigningKeyCache()
    for service in ["iam", "s3", "sqs"] {
      _ = try cache.signingKey(for: credentials(), scope: scope("20151231", service))
    }
    #expect(cache.count == 3)
    _ = try cache.signingKey(for: credentials(), scope: scope("20160101", "iam"))
    #expect(cache.count == 1)
  }

  @Test("It has no more keys than its capacity, and removes the oldest one")
  func capacity() {
    [1, 2, 5].forEachCase { (capacity: Int) in
      let cache = SigV4.SigningKeyCache(capacity: capacity)
      for number in 0..<10 {
        _ = try cache.signingKey(for: credentials(), scope: scope("20150830", "s\(number)"))
        #expect(cache.count == min(number + 1, capacity))
      }
    }
  }

  @Test("A capacity of 0 or less caches nothing, and signs the same")
  func noCapacity() {
    [0, -1, Int.min].forEachCase { (capacity: Int) in
      let cache = SigV4.SigningKeyCache(capacity: capacity)
      let key = try cache.signingKey(for: credentials(), scope: scope("20150830", "iam"))
      #expect(key.key == SymmetricKey(data: try Hexadecimal.decode(Self.publishedKey)))
      #expect(cache.count == 0 && cache.capacity == 0)
    }
  }

  @Test("Many tasks may share one")
  func concurrency() async throws {
    let cache = SigV4.SigningKeyCache(capacity: 3)
    let services = (0..<6).map { "service\($0)" }
    let credentials = try credentials()
    let expected = try services.map {
      SigV4.SigningKey(credentials, scope: try scope("20150830", $0)).key
    }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<300 {
            let index = (round * 7 + task) % services.count
            let scope = try scope("20150830", services[index])
            let key = cache.signingKey(for: credentials, scope: scope)
            if key.key != expected[index] { return false }
          }
          return true
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect(cache.count == 3)
  }

  func credentials(
    _ secret: String = Self.secret, id: String = "AKIDEXAMPLE"
  ) throws -> SigV4.Credentials {
    try SigV4.Credentials(accessKeyID: id, secretAccessKey: secret)
  }

  func scope(
    _ day: String, _ service: String, region: String = "us-east-1"
  ) throws -> SigV4.CredentialScope {
    try SigV4.CredentialScope("\(day)/\(region)/\(service)/aws4_request")
  }
}
