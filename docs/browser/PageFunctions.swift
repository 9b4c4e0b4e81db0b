// SPDX-License-Identifier: Apache-2.0
// The functions of the page in docs/browser: the steps of a signature, the cause of a refusal, the
// service of a host.

internal import SecureHashing
internal import SignatureDiagnosis

/// The steps of the form's signature, in headers or in the URL.
@c(page_sign)
public func pageSign(
  _ input: UnsafePointer<UInt8>, _ byteCount: Int
) -> UnsafeMutableRawPointer {
  withForm(input, byteCount) { form, output throws(SigV4.SigningError) in
    let identity = try form.identity()
    let credentials = try form.credentials(of: identity)
    let (signer, request) = try (form.signer(for: identity), form.request())
    let time = try form.timestamp()
    if form.lifetime.isEmpty {
      let pending = try signer.prepare(request, at: time)
      output.addSteps(pending, credentials)
      if let signed = pending.signed(with: credentials) { output.add(signed) }
    } else {
      let pending = try signer.prepare(request, expiresIn: form.duration(), at: time)
      output.addSteps(pending, credentials)
      if let url = pending.signed(with: credentials) { output.add(url) }
    }
  }
}

/// Why a server refused what the form describes.
@c(page_explain)
public func pageExplain(
  _ input: UnsafePointer<UInt8>, _ byteCount: Int
) -> UnsafeMutableRawPointer {
  withForm(input, byteCount) { form, output throws(SigV4.SigningError) in
    let answer = SigV4.ServiceError(form.answer)
    if form.isSent {
      let credentials =
        form.accessKeyID.isEmpty ? nil : try form.credentials(of: form.identity())
      let url = try SigV4.SentRequest(
        form.method, url: form.url, headers: form.headers, payload: form.payload,
        madeWith: credentials)
      output.add(answer.diagnosis(for: url))
      return
    }
    // The request that was refused has its own time.
    let time = if let time = answer.requestTime { time } else { try form.timestamp() }
    output.add("time", time.text)
    output.add(try explanation(answer, form, at: time))
  }
}

private func explanation(
  _ answer: SigV4.ServiceError, _ form: PageForm, at time: SigV4.Timestamp
) throws(SigV4.SigningError) -> SigV4.Diagnosis {
  let identity = try form.identity(of: answer)
  let credentials = try form.credentials(of: identity)
  let (signer, request) = try (form.signer(for: identity), form.request())
  // Without a secret, the signature that arrived is taken for the one of the form.
  let given = try SigV4.Signature(
    hexString: answer.signature ?? SHA256.hash(data: [UInt8]()).hexString)
  if !form.lifetime.isEmpty {
    let pending = try signer.prepare(request, expiresIn: form.duration(), at: time)
    return answer.diagnosis(
      for: pending.signed(with: credentials) ?? pending.signed(with: given))
  }
  let pending = try signer.prepare(request, at: time)
  let signed = pending.signed(with: credentials) ?? pending.signed(with: given)
  return answer.signature == nil && answer.requestTime != nil
    ? answer.diagnosis(datedByItself: signed) : answer.diagnosis(for: signed)
}

/// Service and region, as far as the host of a URL tells them.
@c(page_guess)
public func pageGuess(
  _ input: UnsafePointer<UInt8>, _ byteCount: Int
) -> UnsafeMutableRawPointer {
  var fields = PageFields(input, byteCount)
  var output = PageOutput()
  if let request = try? SigV4.Request("GET", url: fields.next()) {
    let guess = ServiceGuess(host: String(request.host.prefix { $0 != ":" }))
    output.add("service", guess.service ?? "")
    output.add("region", guess.region ?? guess.defaultRegion ?? "")
  }
  return output.memory()
}

private func withForm(
  _ input: UnsafePointer<UInt8>, _ byteCount: Int,
  _ body: (PageForm, inout PageOutput) throws(SigV4.SigningError) -> Void
) -> UnsafeMutableRawPointer {
  var fields = PageFields(input, byteCount)
  var output = PageOutput()
  do throws(SigV4.SigningError) {
    try body(PageForm(&fields), &output)
  } catch {
    output.add("code", error.code.name)
    output.add("error", error.message)
  }
  return output.memory()
}

extension PageOutput {
  /// Steps 1 to 3, which need no signature.
  fileprivate mutating func addSteps<Signed>(
    _ pending: SigV4.PendingSignature<Signed>, _ credentials: SigV4.Credentials?
  ) {
    if let request = pending.canonicalRequest {
      add("canonicalRequest", request.text)
      add("hash", request.digest.hexString)
    }
    add("stringToSign", pending.stringToSign.text)
    let scope = pending.credentialScope
    for part in scope.parts { add("scope", part) }
    guard let credentials else { return }
    var key = credentials.derivationSecret
    for part in scope.parts {
      let code = HMAC<SHA256>.authenticationCode(for: part.utf8, using: key)
      // Four of 32 bytes: enough to compare with, and the rest stays secret.
      add("key", Hexadecimal.encode(Array(code).prefix(4)))
      key = SymmetricKey(data: code)
    }
  }

  fileprivate mutating func add(_ signed: SigV4.SignedRequest) {
    add("signature", signed.signature.hexString)
    add(signed.addedHeaders, named: "header")
    add(signed.unsignedHeaders, named: "unsigned")
  }

  fileprivate mutating func add(_ url: SigV4.PresignedURL) {
    add("signature", url.signature.hexString)
    add("presigned", url.url)
    if let expiration = url.expiration { add("expiration", expiration.text) }
    add(url.requiredHeaders, named: "header")
    add(url.unsignedHeaders, named: "unsigned")
  }

  fileprivate mutating func add(_ headers: SigV4.Headers, named name: String) {
    for header in headers { add(name, header.name + ": " + header.value) }
  }

  fileprivate mutating func add(_ diagnosis: SigV4.Diagnosis) {
    add("cause", diagnosis.cause.code.name)
    add("problem", diagnosis.cause.problem)
    add("fix", diagnosis.cause.commandFix)
    if let offset = diagnosis.clockOffset { add("clockOffset", "\(offset.components.seconds) s") }
    guard let difference = diagnosis.difference else { return }
    add("step", difference.step.description)
    add("line", String(difference.line))
    add("offset", String(difference.offset))
    if let signed = difference.signed { add("signed", signed) }
    if let received = difference.received { add("received", received) }
  }
}
