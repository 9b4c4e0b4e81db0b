// SPDX-License-Identifier: Apache-2.0
// Requests that are right by themselves, and wrong for this signer at this time.

internal import SigningTestSupport
internal import RequestSigning
internal import Testing

@Suite("Refusals: requests")
struct RequestRefusalTests {
  @Test("A request with an Authorization header is rejected, and the header isn't shown")
  func authorizationHeader() throws {
    for name in ["Authorization", "authorization", "AUTHORIZATION"] {
      for value in ["", "Bearer hush-hush", "AWS4-HMAC-SHA256 Credential=a, Signature=b"] {
        try expectRefusals(
          .alreadySigned, SigV4.Request("GET", host: "example.com", headers: [name: value]),
          showing: "Authorization", hiding: [value])
      }
    }
    let ours = try Example.signed(SigV4.Request("GET", host: "example.com"), .s3)
    try expectRefusals(
      .alreadySigned,
      SigV4.Request("GET", host: "example.com", headers: ours.addedHeaders),
      hiding: [ours.authorization]
    )
  }

  @Test("A request with a parameter of a presigned URL is rejected, in any case and any encoding")
  func reservedParameters() {
    [
      "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires",
      "X-Amz-SignedHeaders", "X-Amz-Signature", "X-Amz-Security-Token", "X-Amz-S3session-Token",
      "X-Amz-Region-Set",
    ].forEachCase { (name: String) in
      for spelling in [name, name.lowercased(), name.uppercased()] {
        for query: SigV4.Query in [
          [spelling: "hush-hush"], [spelling: nil], ["a": "1", spelling: ""],
          try .encoded("b&" + spelling.replacing("-", with: "%2d") + "=hush-hush"),
        ] {
          try expectRefusals(
            .alreadySigned, SigV4.Request("GET", host: "example.com", query: query),
            showing: spelling, hiding: ["hush-hush"])
        }
      }
    }
  }

  @Test(
    "The digest of the body as a parameter belongs to a URL that's presigned, spelled so, once")
  func digestParameter() throws {
    for query in [
      "X-Amz-Content-Sha256=UNSIGNED-PAYLOAD", "x-amz-content-sha256=\(Example.digestOfNothing)",
      "X-Amz-Content-SHA256", "X-Amz-Content%2dSha256=",
    ] {
      let request = try SigV4.Request("GET", url: "https://example.com/?" + query)
      for service in [SigV4.Service.s3, try Example.standardService()] {
        expectRefusal(.alreadySigned) { try Example.signed(request, service) }
      }
    }
    for query in [
      "x-amz-content-sha256=UNSIGNED-PAYLOAD", "X-AMZ-CONTENT-SHA256=UNSIGNED-PAYLOAD",
      "X-Amz-Content-Sha256=UNSIGNED-PAYLOAD&X-Amz-Content-Sha256=UNSIGNED-PAYLOAD",
    ] {
      let request = try SigV4.Request("GET", url: "https://example.com/?" + query)
      expectRefusal(.conflictingHeader) { try Example.presigned(request, .s3) }
    }
  }

  @Test("A session token in the header of another service is rejected, and a second one")
  func foreignTokens() throws {
    for (service, name) in [
      (SigV4.Service.s3, "X-Amz-S3session-Token"),
      (try Example.standardService(), "x-amz-s3session-token"),
      (.s3ExpressControl, "x-amz-s3session-token"), (.s3Express, "x-amz-security-token"),
      (.iotDeviceGateway, "x-amz-s3session-token"),
    ] {
      for token in [nil, Example.token] {
        let signer = try Example.signer(service, sessionToken: token)
        let request = try SigV4.Request(
          "GET", host: "example.com", headers: [name: "another-token"])
        let moment = try Example.moment()
        expectRefusal(.conflictingHeader, showing: name.lowercased(), hiding: ["another-token"]) {
          try signer.sign(request, at: moment)
        }
        expectRefusal(.conflictingHeader, showing: name.lowercased(), hiding: ["another-token"]) {
          if service.name == "iotdevicegateway" {
            return try signer.presignedURL(for: request, expiresIn: nil, at: moment)
          }
          return try signer.presignedURL(for: request, expiresIn: .seconds(60), at: moment)
        }
      }
    }
    // Given by hand, and once, as those do who have no credentials value for it.
    for (service, name) in [
      (SigV4.Service.s3, "x-amz-security-token"), (.s3Express, "x-amz-s3session-token"),
      (.iotDeviceGateway, "x-amz-security-token"),
    ] {
      let once = try SigV4.Request("GET", host: "example.com", headers: [name: "a-token"])
      _ = try Example.signed(once, service)
      for headers: SigV4.Headers in [
        [name: "a-token", name.uppercased(): "a-token"], [name: ""], [name: " "],
      ] {
        let wrong = try SigV4.Request("GET", host: "example.com", headers: headers)
        expectRefusal(.conflictingHeader, showing: name, hiding: ["a-token"]) {
          try Example.signed(wrong, service)
        }
      }
    }
  }

  @Test("A presigned URL isn't signed again")
  func presignedURL() throws {
    let request = try SigV4.Request("GET", host: "example.com")
    let presigned = try Example.presigned(request, .s3, sessionToken: Example.token)
    try expectRefusals(
      .alreadySigned, SigV4.Request("GET", url: presigned.url),
      hiding: [presigned.signature.hexString])
  }

  @Test("Parameters that only look like reserved ones are signed as any other")
  func harmlessParameters() throws {
    for name in [
      "X-Amz-", "X-Amz-Dates", "XX-Amz-Date", "x-amz-meta-a", "Authorization", "Signature",
    ] {
      let request = try SigV4.Request("GET", host: "example.com", query: [name: "1"])
      #expect(try Example.signed(request, .s3).target == "/?\(name)=1")
    }
  }

  @Test("A signature header that's repeated or has another value is rejected")
  func conflictingHeaders() throws {
    let date = "20150830T123600Z"
    let empty = Example.digestOfNothing
    let conflicts: [SigV4.Headers] = [
      ["x-amz-date": "20150830T123601Z"], ["X-Amz-Date": ""], ["x-amz-date": "now"],
      ["x-amz-date": "Sun, 30 Aug 2015 12:36:00 GMT"], ["x-amz-date": date, "X-Amz-Date": date],
      ["x-amz-content-sha256": "UNSIGNED-PAYLOAD"], ["X-Amz-Content-SHA256": ""],
      ["x-amz-content-sha256": empty.uppercased()],
      ["x-amz-content-sha256": empty, "X-Amz-Content-Sha256": empty],
      ["x-amz-security-token": "another-token"], ["X-Amz-Security-Token": ""],
      ["x-amz-security-token": Example.token, "X-Amz-Security-Token": Example.token],
      ["x-amz-security-token": Example.token.lowercased()],
    ]
    for headers in conflicts {
      let request = try SigV4.Request("GET", host: "example.com", headers: headers)
      for service in [SigV4.Service.s3, try Example.standardService()] {
        let signer = try Example.signer(service, sessionToken: Example.token)
        let moment = try Example.moment()
        expectRefusal(
          .conflictingHeader, showing: headers[0].name.lowercased(),
          hiding: ["another-token", Example.token.lowercased()]
        ) { try signer.sign(request, at: moment) }
      }
    }
  }

  @Test("A token of S3 Express that's another one is rejected, in its own header")
  func conflictingSessionToken() throws {
    let signer = try Example.signer(.s3Express, sessionToken: Example.token)
    let request = try SigV4.Request(
      "GET", host: "example.com", headers: ["x-amz-s3session-token": "another-token"])
    let moment = try Example.moment()
    expectRefusal(
      .conflictingHeader, showing: "x-amz-s3session-token", hiding: ["another-token"]
    ) { try signer.sign(request, at: moment) }
  }

  @Test("A digest that belongs to another body is rejected in presigned URLs as well")
  func conflictingDigestOfURL() throws {
    let request = try SigV4.Request(
      "PUT", host: "example.com", headers: ["x-amz-content-sha256": Example.digestOfNothing],
      payload: .text("hello"))
    try expectRefusals(.conflictingHeader, request, showing: "x-amz-content-sha256")
  }

  @Test("A date or token that differs from the URL's is rejected")
  func conflictingHeadersOfURL() {
    [
      ("x-amz-date", "20150830T123601Z"), ("X-Amz-Security-Token", "another-token"),
    ].forEachCase { (name: String, value: String) in
      let request = try SigV4.Request("GET", host: "example.com", headers: [name: value])
      let signer = try Example.signer(.s3, sessionToken: Example.token)
      let moment = try Example.moment()
      expectRefusal(.conflictingHeader, showing: name.lowercased(), hiding: ["another-token"]) {
        try signer.presignedURL(for: request, expiresIn: .seconds(60), at: moment)
      }
    }
  }

  @Test("Nothing is signed with credentials from the second on in which they expire")
  func expiredCredentials() {
    [
      0, -1, -86_400, -1_000_000_000,
    ].forEachCase { (secondsLeft: Int64) in
      let moment = try Example.moment()
      let expiration = try moment.advanced(bySeconds: secondsLeft)
      let signer = try SigV4.Signer(
        credentials: Example.credentials(sessionToken: Example.token, expiration: expiration),
        region: "us-east-1", service: .s3)
      try expectRefusals(
        .credentialsExpired, SigV4.Request("GET", host: "example.com"), by: signer,
        showing: expiration.text)
    }
  }

  @Test("Credentials sign up to the last second before they expire")
  func lastSecond() throws {
    let moment = try Example.moment()
    let signer = try SigV4.Signer(
      credentials: Example.credentials(expiration: moment.advanced(bySeconds: 1)),
      region: "us-east-1", service: .s3)
    let request = try SigV4.Request("GET", host: "example.com")
    #expect(throws: Never.self) { try signer.sign(request, at: moment) }
    #expect(throws: Never.self) {
      try signer.presignedURL(for: request, expiresIn: .seconds(1), at: moment)
    }
  }

  @Test("A URL that would outlive its credentials is rejected, with the maximum lifetime")
  func outlivingCredentials() throws {
    let moment = try Example.moment()
    let signer = try SigV4.Signer(
      credentials: Example.credentials(expiration: moment.advanced(bySeconds: 900)),
      region: "us-east-1", service: .s3)
    let request = try SigV4.Request("GET", host: "example.com")
    for seconds in [901, 3600, 604_800] {
      expectRefusal(.lifetimeExceedsCredentials, showing: "at most 900 seconds") {
        try signer.presignedURL(for: request, expiresIn: .seconds(seconds), at: moment)
      }
    }
  }

  @Test("A URL that would end after the year 9999 is rejected")
  func lifeBeyondTime() throws {
    let signer = try Example.signer(.s3)
    let request = try SigV4.Request("GET", host: "example.com")
    let last = try SigV4.Timestamp("99991231T235959Z")
    expectRefusal(.timestampOutOfRange) {
      try signer.presignedURL(for: request, expiresIn: .seconds(1), at: last)
    }
  }

  @Test("A service whose URLs have no lifetime rejects one, and the others require one")
  func lifetimeRules() throws {
    let request = try SigV4.Request("GET", host: "example.com")
    let moment = try Example.moment()
    let iot = try Example.signer(.iotDeviceGateway)
    for seconds in [1, 3600, 0, .max] {
      expectRefusal(.lifetimeNotSupported, showing: "iotdevicegateway") {
        try iot.presignedURL(for: request, expiresIn: .seconds(seconds), at: moment)
      }
    }
    for service in [SigV4.Service.s3, .s3Express, try Example.standardService()] {
      let signer = try Example.signer(service)
      expectRefusal(.lifetimeRequired, showing: service.name) {
        try signer.presignedURL(for: request, expiresIn: nil, at: moment)
      }
    }
  }

  @Test("An object key is rejected by a service without objects")
  func objectKeyNotSupported() throws {
    let request = try SigV4.Request("GET", host: "example.com", path: .key("a\r\nb"))
    let signer = try Example.signer(.standard("dynamodb"))
    try expectRefusals(
      .objectKeyNotSupported, request, by: signer, showing: "An object key requires")
  }

  @Test("A signing key is rejected for another service, and for another day")
  func scopeMismatch() throws {
    let moment = try Example.moment()
    let key = try Example.signer(.s3).signingKey(at: moment)
    for service in [SigV4.Service.s3Express, .iotDeviceGateway, try .standard("s3x")] {
      expectRefusal(.scopeMismatch, showing: service.name) {
        try SigV4.Signer(signingKey: key, service: service)
      }
    }
    let signer = try SigV4.Signer(signingKey: key, service: .s3)
    let nextDay = try moment.advanced(bySeconds: 86_400)
    let request = try SigV4.Request("GET", host: "example.com")
    expectRefusal(.scopeMismatch, showing: "20150831") { try signer.sign(request, at: nextDay) }
  }

  @Test("An invalid token with a signing key is rejected, and not shown")
  func tokenOfSigningKey() throws {
    let key = try Example.signer(.s3).signingKey(at: Example.moment())
    expectRefusal(.invalidSessionToken, hiding: ["hush-hush"]) {
      try SigV4.Signer(signingKey: key, sessionToken: "hush-hush\n", service: .s3)
    }
  }

  /// Expects that neither headers nor a URL are signed, in one go and in two phases.
  func expectRefusals(
    _ code: SigV4.SigningError.Code, _ request: SigV4.Request, by signer: SigV4.Signer? = nil,
    showing shown: String? = nil, hiding hidden: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let signer = try signer ?? Example.signer(.s3, sessionToken: Example.token)
    let moment = try Example.moment()
    let calls: [() throws -> Void] = [
      { _ = try signer.sign(request, at: moment) },
      { _ = try signer.prepare(request, at: moment) },
      { _ = try signer.prepare(request, at: moment) },
      { _ = try signer.presignedURL(for: request, expiresIn: .seconds(60), at: moment) },
      { _ = try signer.prepare(request, expiresIn: .seconds(60), at: moment) },
    ]
    for call in calls {
      expectRefusal(
        code, showing: shown, hiding: hidden, sourceLocation: sourceLocation, call)
    }
  }
}
