// SPDX-License-Identifier: Apache-2.0
// The page docs/how-to/webhooks.md, as a program.

internal import Foundation
internal import MessageSignatures
internal import SigningTestSupport
internal import Testing

struct Webhooks {
  let stripe: Webhook
  let gitHub: Webhook

  init(stripeSecret: String, gitHubSecret: String) throws {
    stripe = try .stripe(secret: stripeSecret)  // whsec_...
    gitHub = try .gitHub(secret: gitHubSecret)
  }

  func stripeEvent(headers: [String: String], body: Data) throws -> Any {
    try stripe.verify(headers: headers, body: body, at: now)
    return try JSONSerialization.jsonObject(with: body)
  }

  func gitHubEvent(headers: [String: String], body: Data) throws -> Any {
    try gitHub.verify(headers: headers, body: body, at: now)
    return try JSONSerialization.jsonObject(with: body)
  }

  var now: MessageSignature.Time {
    MessageSignature.Time(unixSeconds: Int64(Date().timeIntervalSince1970))
  }

  func status(of webhook: Webhook, headers: [String: String], body: Data) -> Int {
    do {
      try webhook.verify(headers: headers, body: body, at: now)
      return 204
    } catch {
      print(error.message)
      return 401
    }
  }
}

func senderAndReceiver(
  oldSecret: String, newSecret: String, at now: MessageSignature.Time
) throws -> Webhook {
  let shopify = try Webhook.shopify(secret: newSecret, previousSecrets: [oldSecret])

  let sender = try Webhook.standard(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
  let body = Array(#"{"type":"order.paid"}"#.utf8)
  let headers = try sender.headers(id: "msg_1", body: body, at: now)
  try sender.verify(headers: headers, body: body, at: now)
  return shopify
}

@Suite("How to verify webhooks")
struct WebhooksHowToTests {
  @Test("The code on the page compiles and works")
  func page() throws {
    let page = try HowToPage("webhooks.md")
    try page.expectCode(in: #filePath, count: 40)
    let webhooks = try Webhooks(stripeSecret: "whsec_1", gitHubSecret: "secret")
    let body = Data("[]".utf8)
    let sent = try webhooks.gitHub.headers(body: body, at: webhooks.now)
    let headers = [String: String](uniqueKeysWithValues: sent.map { ($0, $1) })
    #expect(try webhooks.gitHubEvent(headers: headers, body: body) is [Any])
    #expect(webhooks.status(of: webhooks.gitHub, headers: headers, body: body) == 204)
    #expect(webhooks.status(of: webhooks.stripe, headers: headers, body: body) == 401)
    #expect(throws: MessageSignatureError.self) {
      try webhooks.stripeEvent(headers: headers, body: body)
    }
    let new = try senderAndReceiver(oldSecret: "1", newSecret: "2", at: webhooks.now)
    let old = try Webhook.shopify(secret: "1").headers(body: body, at: webhooks.now)
    try new.verify(headers: old, body: body, at: webhooks.now)
  }
}
