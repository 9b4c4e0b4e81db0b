// SPDX-License-Identifier: Apache-2.0
// Tokens and proofs as a filter, for `.ci/check-tokens`: a line in, a line out.

import ConnectionTokens
import SecureHashing

/// KIND REGION DATE ACCESS_KEY_ID SECRET TOKEN, and the inputs of the kind: the string. All but the first word in
/// hexadecimal, `-` for what isn't there.
func answer(_ kind: String, _ words: [String?]) throws -> String {
  let text = { (index: Int) in index < words.count ? words[index] ?? "" : "" }
  let (region, now) = (text(0), try SigV4.Timestamp(text(1)))
  let credentials = try SigV4.Credentials(
    accessKeyID: text(2), secretAccessKey: text(3), sessionToken: words[4])
  let api = text(5) == "graphql" ? SigV4.IdentityProof.AppSyncAPI.graphQL : .events
  switch kind {
  case "bedrock":
    return try SigV4.ConnectionToken.bedrock(
      region: region, credentials: credentials, expiresIn: .seconds(Int(text(5)) ?? 0), at: now
    ).text
  case "ses-smtp":
    return try SigV4.SMTPPassword.ses(region: region, credentials: credentials).text
  case "keyspaces":
    return try SigV4.IdentityProof.keyspaces(
      challenge: text(5).utf8, region: region, credentials: credentials, at: now
    ).text
  case "mongodb":
    let nonce = try Base64.decode(text(5))
    return try SigV4.IdentityProof.mongoDB(
      clientNonce: nonce.prefix(32), serverNonce: nonce, host: text(6), credentials: credentials,
      at: now
    ).text
  case "vault":
    return try SigV4.IdentityProof.vault(
      role: words[5], serverID: words[6], host: text(7), credentials: credentials, at: now
    ).text
  case "google":
    return try SigV4.IdentityProof.google(
      audience: text(5), region: region, credentials: credentials, at: now
    ).text
  case "appsync":
    return try SigV4.IdentityProof.appSyncConnection(
      to: api, host: text(6), region: region, credentials: credentials, at: now
    ).text
  case "appsync-message":
    return try SigV4.IdentityProof.appSyncMessage(
      text(7), to: api, host: text(6), region: region, credentials: credentials, at: now
    ).text
  default: return "error unknownKind"
  }
}

while let line = readLine() {
  let words = line.split(separator: " ").map(String.init)
  let values = try words.dropFirst().map { word in
    word == "-"
      ? nil : String(decoding: try Hexadecimal.decode(String(word.dropFirst())), as: UTF8.self)
  }
  do {
    print(try answer(words[0], values))
  } catch let error as SigV4.SigningError {
    print("error " + error.code.name)
  }
}
