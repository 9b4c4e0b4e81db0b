// SPDX-License-Identifier: Apache-2.0
// Names that contain credentials, found by a rule because applications invent them, and others.

internal import RequestSigning
internal import Testing

@Suite("Names of credentials")
struct CredentialNameTests {
  /// Each name in the case of its source, then in others.
  private static func expect(
    _ names: [String], carryCredentials expected: Bool,
    location: SourceLocation = #_sourceLocation
  ) {
    for name in names {
      for spelling in [name, name.lowercased(), name.uppercased()] {
        #expect(
          CredentialNames.carriesCredential(spelling.utf8) == expected, "\(spelling)",
          sourceLocation: location)
        let shown = SigV4.Header(spelling, "hush").description
        #expect(shown == spelling + ": " + (expected ? "(not shown)" : "hush"))
      }
    }
  }

  @Test("Headers of HTTP, and of standards that extend it")
  func standards() {
    Self.expect(
      [
        // RFC 9110, 11; RFC 6265; RFC 2965; RFC 9449; RFC 9421; RFC 8471; RFC 9729.
        "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "Cookie2", "DPoP",
        "Signature", "Sec-Token-Binding", "Concealed-Auth-Export-Token",
        // RFC 6455, 1.9: the subprotocol, in which browsers send tokens (Kubernetes' API server,
        // AWS AppSync Events).
        "Sec-WebSocket-Protocol",
      ], carryCredentials: true)
    Self.expect(
      [
        // RFC 9110; RFC 6455, 1.3; Fetch; draft-ietf-httpapi-idempotency-key-header; RFC 8555, 6.5.
        "WWW-Authenticate", "Proxy-Authenticate", "Authentication-Info", "Sec-WebSocket-Key",
        "Sec-WebSocket-Accept", "Sec-WebSocket-Version", "Sec-WebSocket-Extensions",
        "Idempotency-Key", "Replay-Nonce", "Host", "Content-Type",
        "Content-Length", "Range", "ETag", "Expect", "Keep-Alive", "Public-Key-Pins",
        "Access-Control-Request-Headers", "Origin", "Referer", "Session-Expires", "X-Request-Id",
      ], carryCredentials: false)
  }

  /// Names in the models of AWS's services (botocore 1.43.11), and of its load balancers, proxies and SDKs.
  @Test("Headers of AWS")
  func aws() {
    Self.expect(
      [
        "X-Amz-Security-Token", "X-Amz-S3session-Token", "x-amz-sso_bearer_token",
        "x-amz-server-side-encryption-customer-key",
        "x-amz-copy-source-server-side-encryption-customer-key", "x-amz-mfa", "x-amz-request-token",
        "X-Amz-Bearer", "x-amz-chime-bearer", "Authentication", "Grafana-Token", "x-api-key",
        "X-aws-ec2-metadata-token", "X-Amzn-Oidc-Data", "X-Amzn-Oidc-Accesstoken",
        "X-Amzn-Oidc-Identity", "X-Amzn-Remapped-Authorization", "X-Amzn-SageMaker-Session-Id",
        "Mcp-Session-Id", "X-Amzn-Bedrock-AgentCore-Runtime-Session-Id", "X-Amz-Signature",
        "x-amz-trailer-signature", "X-Amz-Client-Token",
      ], carryCredentials: true)
    Self.expect(
      [
        "x-amz-date", "x-amz-content-sha256", "x-amz-acl", "x-amz-region-set", "X-Amz-Target",
        "x-amz-checksum-crc32c", "x-amz-sdk-checksum-algorithm", "x-amz-copy-source",
        "x-amz-server-side-encryption", "x-amz-server-side-encryption-aws-kms-key-id",
        "x-amz-server-side-encryption-context",
        "x-amz-server-side-encryption-bucket-key-enabled",
        "x-amz-server-side-encryption-customer-algorithm",
        "x-amz-server-side-encryption-customer-key-MD5", "x-amz-create-session-mode",
        "X-aws-ec2-metadata-token-ttl-seconds", "x-amz-object-lock-mode", "x-amz-tagging",
        "x-amz-expected-bucket-owner", "x-amz-bypass-governance-retention", "X-Amzn-Trace-Id",
        "x-amz-website-redirect-location", "x-amz-lex-session-state", "x-k8s-aws-id",
        "x-amz-x509", "amz-sdk-invocation-id", "X-Amz-Credential", "X-Amz-SignedHeaders",
        "X-Amz-Algorithm", "x-amzn-app-auth-flow",
      ], carryCredentials: false)
  }

  /// Google Cloud Storage, XML API reference; Volcengine TOS; Alibaba Cloud OSS; Tencent COS; Huawei
  /// OBS; OpenStack Swift, "Authentication" and "Temporary URL middleware".
  @Test("Headers of other stores")
  func stores() {
    Self.expect(
      [
        "x-goog-encryption-key", "x-goog-copy-source-encryption-key",
        "x-goog-iam-authorization-token",
        "x-tos-security-token", "x-tos-server-side-encryption-customer-key", "x-oss-security-token",
        "x-cos-security-token", "x-obs-security-token", "X-Auth-Token", "X-Auth-Key",
        "X-Storage-Token",
        "X-Storage-Pass", "X-Service-Token", "X-Subject-Token", "X-Account-Meta-Temp-URL-Key",
        "X-Container-Meta-Temp-URL-Key-2", "temp_url_sig", "sig", "X-Goog-Signature", "q-signature",
      ], carryCredentials: true)
    Self.expect(
      [
        "x-goog-encryption-algorithm", "x-goog-encryption-key-sha256", "x-goog-project-id",
        "x-tos-acl", "X-Storage-User", "X-Storage-Url", "temp_url_expires", "X-Goog-Credential",
        "x-amz-meta-design", "x-amz-meta-bypass-all",
        "x-tos-server-side-encryption-customer-key-md5",
      ], carryCredentials: false)
  }

  /// Vault, Cloudflare, Google, Azure, GitLab, Shopify, Coinbase, Django, Angular, Laravel, oauth2-proxy,
  /// and names that no product has used before.
  @Test("Headers of other products, and of applications")
  func applications() {
    Self.expect(
      [
        "X-Vault-Token", "CF-Access-Client-Secret", "Cf-Access-Jwt-Assertion",
        "X-Goog-Iap-Jwt-Assertion", "X-Goog-Api-Key", "X-Functions-Key",
        "Ocp-Apim-Subscription-Key", "PRIVATE-TOKEN", "X-Shopify-Access-Token",
        "CB-ACCESS-PASSPHRASE", "X-CSRFToken", "X-CSRF-TOKEN", "X-XSRF-TOKEN", "apikey",
        "X-Auth-Request-Access-Token", "X-Forwarded-Access-Token", "X-Hub-Signature-256", "X-Jwt",
        "X-Session-Id", "X-SessionID", "X-Session", "X-Bearer", "X-Passphrase", "X-Passcode",
        "X-Auth", "X-Auth-Key", "X-Authentication", "X-Password", "X-Basic-Password2", "X-Pwd",
        "X-Client-Secret", "X-Secret-Id", "X-Credentials", "X-OTP", "X-Totp", "X-MFA-Code", "X-Pin",
        "X-Sid", "X-Saml-Response", "X-Amz-Meta-Secret", "x_api_key", "x.api.key", "X-AccessKey",
        "X-Token-1", "token",
      ], carryCredentials: true)
    Self.expect(
      [
        "x-amz-meta-token-count", "X-Token-Type", "X-Token-Expires", "X-RateLimit-Remaining-Tokens",
        "x-amzn-bedrock-input-token-count", "x-amz-meta-tokenizer", "x-amz-meta-keywords",
        "x-amz-meta-monkey", "x-amz-meta-author", "x-amz-meta-cookies-per-jar", "X-Secret-Version",
        "X-Password-Required", "x-amz-meta-pinned", "x-amz-meta-secretary", "X-Api-Key-Id",
        "X-Authenticated-User", "X-Auth-Request-Email", "x-amz-meta-sidebar", "X-Session-Mode",
        "X-Cookie-Expires", "x-amz-meta-partition-key", "x-amz-meta-design", "Idempotency-Key-2",
        "x-amz-meta-passenger", "", "-", "123",
      ], carryCredentials: false)
  }

  @Test("Members and parameters are found by the same rule")
  func members() {
    for name in [
      "SecretAccessKey", "Token", "SessionToken", "accessToken", "refreshToken", "id_token",
      "client_secret", "SecretKey", "access_token", "api_key", "X-Amz-Signature", "sig_token",
    ] {
      #expect(CredentialNames.carriesCredential(name.utf8), "\(name)")
    }
    for name in [
      "AccessKeyId", "Code", "Message", "Expiration", "token_type", "tokenType", "expiresIn",
      "continuation-token", "NextToken", "pageToken", "max-keys", "key-marker", "prefix",
      "uploadId", "X-Amz-Credential", "X-Amz-Expires", "RequestId", "AccountId",
    ] {
      #expect(!CredentialNames.carriesCredential(name.utf8), "\(name)")
    }
  }

  @Test("A canonical request's lines show public parts, and only the size of secret ones")
  func lines() {
    for (line, shown) in [
      ("dpop:eyJ.eyJ.sig", "dpop:(11 bytes, not shown)"), ("x-a:1", "x-a:1"), ("", ""),
      ("cookie:", "cookie:(0 bytes, not shown)"), ("GET", "GET"), ("/a/token:b", "/a/token:b"),
      ("a=1&access_token=abc&b=", "a=1&access_token=(3 bytes, not shown)&b="),
      (
        "X-Amz-Credential=A%2Fb&X-Amz-Security-Token=a%2Fb",
        "X-Amz-Credential=A%2Fb&X-Amz-Security-Token=(5 bytes, not shown)"
      ),
      ("access%5Ftoken=abc", "access%5Ftoken=(3 bytes, not shown)"),
      ("token&=&&a", "token&=&&a"), ("x-a:b&api_key=c", "x-a:b&api_key=(1 bytes, not shown)"),
      (
        "x-forwarded-uri:/a?access_token=abc",
        "x-forwarded-uri:/a?access_token=(3 bytes, not shown)"
      ),
      // The ID in a credential may be a secret: 40 characters, or a character that no ID has.
      (
        "X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20150830%2Fus-east-1%2Fs3%2Faws4_request&a=b",
        "X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20150830%2Fus-east-1%2Fs3%2Faws4_request&a=b"
      ),
      (
        "X-Amz-Credential=wJalr%2Fbc%2F20150830%2Fus-east-1%2Fs3%2Faws4_request&a=b",
        "X-Amz-Credential=(53 bytes, not shown)&a=b"
      ),
      // The user of a URL.
      ("referer:https://u:p@h/a", "referer:https://(3 bytes, not shown)@h/a"),
      ("referer:https://h/a?b=c@d", "referer:https://h/a?b=c@d"),
      (
        "a:wss://u@h http://v:w/x@i", "a:wss://(1 bytes, not shown)@h http://(5 bytes, not shown)@i"
      ),
      // A sentence is no header.
      ("Signature expired: 20240102T030405Z", "Signature expired: 20240102T030405Z"),
      ("host;x-amz-date;x-amz-security-token", "host;x-amz-date;x-amz-security-token"),
    ] {
      let hidden = CredentialNames.hiding(in: ArraySlice(line.utf8))
      #expect(String(decoding: hidden, as: UTF8.self) == shown)
    }
    // A secret that is known, and that looks like a parameter itself.
    let token = Array("FwoG/token==".utf8)
    for (line, shown) in [
      ("x-a:FwoG/token==;FwoG/token==", "x-a:(12 bytes, not shown);(12 bytes, not shown)"),
      ("token=FwoG/token==&a=1", "token=(12 bytes, not shown)&a=1"),
      ("x-amz-security-token:FwoG/token==", "x-amz-security-token:(12 bytes, not shown)"),
      ("FwoG/token==", "(12 bytes, not shown)"),
    ] {
      let hidden = CredentialNames.hiding([token], in: ArraySlice(line.utf8))
      #expect(String(decoding: hidden, as: UTF8.self) == shown)
    }
  }

  @Test("A server's message keeps its words, and shows only the size of credentials in it")
  func messages() {
    let hash = "(hashed with SHA-256 and encoded with Base64): '3Q2+7w=='."
    for (message, shown) in [
      ("", ""), ("Access Denied", "Access Denied"), ("a=b c: d", "a=b c: d"),
      (
        "Invalid key=value pair (missing equal-sign) in Authorization header \(hash)",
        "Invalid key=value pair (missing equal-sign) in Authorization header \(hash)"
      ),
      ("Invalid signature: wrong length", "Invalid signature: wrong length"),
      ("Signature expired: 20240102T030405Z", "Signature expired: 20240102T030405Z"),
      ("header: 'Bearer abc.def'.", "header: 'Bearer (7 bytes, not shown)'."),
      ("header: 'basic YTpi'.", "header: 'basic (4 bytes, not shown)'."),
      ("Bearer Token has expired", "Bearer Token has expired"),
      ("No Basic authentication here", "No Basic authentication here"),
      ("Authorization=eyJ0.e30 is bad", "Authorization=(8 bytes, not shown) is bad"),
      (
        "Credential=AK/d/r/s, SignedHeaders=a;b, Signature=ab12.",
        "Credential=AK/d/r/s, SignedHeaders=a;b, Signature=(5 bytes, not shown)"
      ),
      ("'Authorization: AWS4 a, b' no", "'Authorization: (9 bytes, not shown)' no"),
      ("cookie: a=1; b=2\nx", "cookie: (8 bytes, not shown)\nx"),
      ("x-api-key: A1 x", "x-api-key: (2 bytes, not shown) x"),
      (
        "{\"access_token\":\"a b\",\"n\":\"c\"}",
        "{\"access_token\":\"(3 bytes, not shown)\",\"n\":\"c\"}"
      ),
      ("?a=1&X-Amz-Signature=ab&b=2", "?a=1&X-Amz-Signature=(2 bytes, not shown)&b=2"),
      ("?access%5Ftoken=ab", "?access%5Ftoken=(2 bytes, not shown)"),
      ("token==", "token=="), ("=a:b=", "=a:b="), ("password=", "password="),
    ] {
      let hidden = CredentialNames.hiding(inMessage: ArraySlice(message.utf8))
      #expect(String(decoding: hidden, as: UTF8.self) == shown)
    }
    let hidden = CredentialNames.hiding(
      [Array("FwoG/token==".utf8)], inMessage: ArraySlice("token=FwoG/token== FwoG/token==".utf8))
    #expect(
      String(decoding: hidden, as: UTF8.self)
        == "token=(12 bytes, not shown) (12 bytes, not shown)")
  }
}
