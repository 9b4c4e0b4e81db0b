// SPDX-License-Identifier: Apache-2.0
// Tokens and proofs for `.ci/check-tokens`.

import ConnectionTokens
import SecureHashing

/// KIND REGION DATE ACCESS_KEY_ID SECRET TOKEN, and the inputs of the kind: the string.
func answer(_ words: Words) throws -> String {
  let text = words.text
  let (region, now) = (text(1), try SigV4.Timestamp(text(2)))
  let credentials = try SigV4.Credentials(
    accessKeyID: text(3), secretAccessKey: text(4), sessionToken: words[5])
  let api = text(6) == "graphql" ? SigV4.IdentityProof.AppSyncAPI.graphQL : .events
  switch text(0) {
  case "bedrock":
    return try SigV4.ConnectionToken.bedrock(
      region: region, credentials: credentials, expiresIn: .seconds(Int(text(6)) ?? 0), at: now
    ).text
  case "ses-smtp":
    return try SigV4.SMTPPassword.ses(region: region, credentials: credentials).text
  case "keyspaces":
    return try SigV4.IdentityProof.keyspaces(
      challenge: text(6).utf8, region: region, credentials: credentials, at: now
    ).text
  case "mongodb":
    let nonce = try Base64.decode(text(6))
    return try SigV4.IdentityProof.mongoDB(
      clientNonce: nonce.prefix(32), serverNonce: nonce, host: text(7), credentials: credentials,
      at: now
    ).text
  case "vault":
    return try SigV4.IdentityProof.vault(
      role: words[6], serverID: words[7], host: text(8), credentials: credentials, at: now
    ).text
  case "google":
    return try SigV4.IdentityProof.google(
      audience: text(6), region: region, credentials: credentials, at: now
    ).text
  case "appsync":
    return try SigV4.IdentityProof.appSyncConnection(
      to: api, host: text(7), region: region, credentials: credentials, at: now
    ).text
  case "appsync-message":
    return try SigV4.IdentityProof.appSyncMessage(
      text(8), to: api, host: text(7), region: region, credentials: credentials, at: now
    ).text
  default: return "error unknownKind"
  }
}

try await Words.answerAll(answer)
