// SPDX-License-Identifier: Apache-2.0
// The page docs/how-to/json-web-tokens.md. .ci/check-jwt compares it with PyJWT.

internal import DigitalSignatures
internal import Foundation
internal import SecureHashing
internal import SigningTestSupport
internal import Testing

func tokenForApple(
  _ claims: some Encodable, keyID: String, privateKeyPEM: String
) throws -> String {
  let key = try P256.Signing.PrivateKey(pemRepresentation: privateKeyPEM)
  let header = try JSONEncoder().encode(["alg": "ES256", "kid": keyID, "typ": "JWT"])
  let parts = try [header, JSONEncoder().encode(claims)].map {
    Base64.encode($0, as: .urlSafeUnpadded)
  }
  let message = parts.joined(separator: ".")
  let signature = key.signature(for: message.utf8)
  return message + "." + Base64.encode(signature.rawRepresentation, as: .urlSafeUnpadded)
}

struct AppStoreConnectClaims: Encodable {
  var iss: String
  var iat: Int
  var exp: Int
  var aud = "appstoreconnect-v1"

  init(iss: String, at now: Date = Date()) {
    self.iss = iss
    iat = Int(now.timeIntervalSince1970)
    exp = iat + 20 * 60
  }
}

struct ServiceAccount: Decodable {
  var client_email: String
  var private_key: String
  var private_key_id: String
  var token_uri: String
}

struct GoogleClaims: Encodable {
  var iss: String
  var scope: String
  var aud: String
  var iat: Int
  var exp: Int

  init(iss: String, scope: String, aud: String, at now: Date = Date()) {
    (self.iss, self.scope, self.aud) = (iss, scope, aud)
    iat = Int(now.timeIntervalSince1970)
    exp = iat + 60 * 60
  }
}

func tokenForGoogle(serviceAccount file: Data, scope: String) throws -> String {
  let account = try JSONDecoder().decode(ServiceAccount.self, from: file)
  let key = try RSA.Signing.PrivateKey(pemRepresentation: account.private_key)
  let claims = GoogleClaims(iss: account.client_email, scope: scope, aud: account.token_uri)
  let header = ["alg": "RS256", "kid": account.private_key_id, "typ": "JWT"]
  let parts = try [JSONEncoder().encode(header), JSONEncoder().encode(claims)].map {
    Base64.encode($0, as: .urlSafeUnpadded)
  }
  let message = parts.joined(separator: ".")
  let signature = try key.signature(for: message.utf8, padding: .insecurePKCS1v1_5)
  return message + "." + Base64.encode(signature.rawRepresentation, as: .urlSafeUnpadded)
}

func verifiedClaims(of token: String, publicKey: P256.Signing.PublicKey) throws -> Data? {
  let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  if parts.count != 3 { return nil }
  let header = try JSONDecoder().decode(
    [String: String].self, from: Data(Base64.decode(parts[0], as: .urlSafeUnpadded)))
  if header["alg"] != "ES256" { return nil }
  let signature = try P256.Signing.ECDSASignature(
    rawRepresentation: Base64.decode(parts[2], as: .urlSafeUnpadded))
  let message = parts[0] + "." + parts[1]
  if !publicKey.isValidSignature(signature, for: message.utf8) { return nil }
  return try Data(Base64.decode(parts[1], as: .urlSafeUnpadded))
}

func webKey(_ key: P256.Signing.PublicKey, keyID: String) throws -> Data {
  let (x, y) = (key.rawRepresentation.prefix(32), key.rawRepresentation.suffix(32))
  return try JSONEncoder().encode([
    "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": keyID,
    "x": Base64.encode(x, as: .urlSafeUnpadded), "y": Base64.encode(y, as: .urlSafeUnpadded),
  ])
}

@Suite("How to sign a JSON Web Token")
struct JSONWebTokensHowToTests {
  @Test("The code on the page compiles")
  func page() throws {
    try HowToPage("json-web-tokens.md").expectCode(in: #filePath, count: 60)
  }

  /// RFC 7515, appendix A.3: the key, the header, the claims and the signature of ES256.
  @Test("The token of RFC 7515, A.3, is accepted, and no changed one")
  func published() throws {
    let coordinates = [
      "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    ]
    let raw = try coordinates.flatMap { try Base64.decode($0, as: .urlSafeUnpadded) }
    let key = try P256.Signing.PublicKey(rawRepresentation: raw)
    let header = "eyJhbGciOiJFUzI1NiJ9"
    let claims =
      "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    let signature =
      "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    let found = try verifiedClaims(of: "\(header).\(claims).\(signature)", publicKey: key)
    let expected =
      "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}"
    #expect(found == Data(expected.utf8))

    #expect(try verifiedClaims(of: "\(header).\(header).\(signature)", publicKey: key) == nil)
    #expect(try verifiedClaims(of: "\(header).\(claims)", publicKey: key) == nil)
    // {"alg":"none"}
    let unsigned = "eyJhbGciOiJub25lIn0.\(claims).\(signature)"
    #expect(try verifiedClaims(of: unsigned, publicKey: key) == nil)
    #expect(throws: (any Error).self) {
      try verifiedClaims(of: "\(header).\(claims)=.\(signature)=", publicKey: key)
    }

    let published = try JSONDecoder().decode(
      [String: String].self, from: webKey(key, keyID: "1"))
    #expect(published["x"] == coordinates[0] && published["y"] == coordinates[1])
    #expect(published["kty"] == "EC" && published["crv"] == "P-256" && published["kid"] == "1")
  }

  @Test("A token for Apple has its header, its claims and a signature of its key")
  func apple() throws {
    let key = P256.Signing.PrivateKey()
    let token = try tokenForApple(
      AppStoreConnectClaims(iss: "issuer", at: Date(timeIntervalSince1970: 1_300_819_380.9)),
      keyID: "2X9R4HXF34", privateKeyPEM: key.pemRepresentation)
    let claims = try #require(try verifiedClaims(of: token, publicKey: key.publicKey))
    let decoded = try #require(try JSONSerialization.jsonObject(with: claims) as? [String: Any])
    #expect(
      decoded["iss"] as? String == "issuer" && decoded["aud"] as? String == "appstoreconnect-v1")
    #expect(decoded["iat"] as? Int == 1_300_819_380 && decoded["exp"] as? Int == 1_300_820_580)
    #expect(decoded.count == 4)
    let other = P256.Signing.PrivateKey().publicKey
    #expect(try verifiedClaims(of: token, publicKey: other) == nil)
  }
}
