// SPDX-License-Identifier: Apache-2.0
// The parts of a signature in a received request, from the Authorization header or the query.

internal import RequestSigning

extension SigV4 {
  /// The location of a request's signature: its `Authorization` header, or the query of its URL.
  package enum SignatureLocation {
    case header
    case query
  }

  /// The parts of a request's signature, as ranges of its text.
  struct SignatureFields {
    let source: Claim.Source
    let algorithm: Verifier.Algorithm
    let isDatedByDateHeader: Bool

    /// The digits of the signature.
    let signature: Range<Int>

    /// `AKIDEXAMPLE/20130524/us-east-1/s3/aws4_request`
    let credential: Range<Int>

    /// `host;x-amz-date`
    let signedHeaders: Range<Int>

    /// The value of X-Amz-Date or Date.
    let date: Range<Int>

    /// The value of X-Amz-Expires.
    let lifetime: Range<Int>?

    /// The value of the x-amz-content-sha256 header or parameter.
    let contentSHA256: Range<Int>?

    private let regionSet: Range<Int>?
    private let securityTokens: Tokens
    private let s3SessionTokens: Tokens

    /// The ranges of a session token in the query and in the headers.
    private typealias Tokens = (parameter: Range<Int>?, header: Range<Int>?)

    /// Whether the request has a session token of S3 Express.
    var hasS3SessionToken: Bool {
      s3SessionTokens.parameter != nil || s3SessionTokens.header != nil
    }

    /// Finds and parses the signature in the headers or the query.
    init(
      _ request: inout ReceivedRequest, _ verifier: borrowing Verifier
    ) throws(VerificationError) {
      let authorization = try request.value(of: .authorization)
      let parameters = try SignatureParameters(request.message, verifier.services)
      switch (authorization, parameters.isEmpty) {
      case (nil, true):
        throw VerificationError(
          .notSigned,
          "The request isn't signed: it has neither an Authorization header nor the parameters of "
            + "a presigned URL.",
          fix: "Check for a proxy that removes them, or treat the client as unknown.")
      case (let authorization?, true): try self.init(authorization, request, verifier)
      case (nil, false): try self.init(parameters, &request, verifier)
      case (.some, false):
        throw VerificationError(
          .multipleSignatures,
          "The request has two signatures: an Authorization header and the parameters of a "
            + "presigned URL.",
          fix: "Treat it as an attack. Another server could act on the unverified signature.")
      }
    }

    @inline(__always)
    private init(
      _ authorization: Range<Int>, _ request: borrowing ReceivedRequest,
      _ verifier: borrowing Verifier
    ) throws(VerificationError) {
      source = .header
      let text = request.message.memory.bytes.span
      let fields = try AuthorizationFields(text, authorization, verifier)
      algorithm = fields.algorithm
      (credential, signedHeaders) = (fields.credential, fields.signedHeaders)
      signature = fields.signature
      try algorithm.checkSignature(text.extracting(signature), source)
      let names = algorithm.names
      let ownDate = try request.value(of: .date, names)
      let otherDate = ownDate == nil ? try request.value(of: .date) : nil
      guard let date = ownDate ?? otherDate else {
        throw VerificationError(
          .malformedAuthorization,
          "The request has neither an \(names.headerPrefix)date nor a Date header, so the day of "
            + "its signing key is unknown.",
          fix: "Check for a proxy that removes them.")
      }
      self.date = date
      isDatedByDateHeader = ownDate == nil
      lifetime = nil
      regionSet = algorithm.scopeHasRegion ? nil : try request.value(of: .amzRegionSet)
      contentSHA256 = try request.value(of: .contentSHA256, names)
      securityTokens = (nil, try request.value(of: .securityToken, names))
      s3SessionTokens = (nil, try request.value(of: .s3SessionToken, names))
    }

    @inline(__always)
    private init(
      _ parameters: borrowing SignatureParameters, _ request: inout ReceivedRequest,
      _ verifier: borrowing Verifier
    ) throws(VerificationError) {
      source = .query
      let name = try parameters.required(.algorithm, &request)
      algorithm = try Verifier.Algorithm(
        named: request.message.memory.bytes.span.extracting(name), verifier.algorithms,
        of: verifier.services)
      let names = parameters.names
      // The names of another service's parameters.
      if algorithm.names != names {
        throw VerificationError(
          .malformedQueryAuthorization,
          "The parameters \(names.parameterPrefix)* don't belong to \(algorithm.name).",
          fix: "Check for a client that mixes the names of two services.")
      }
      isDatedByDateHeader = false
      let declared = try request.value(of: .contentSHA256, names)
      credential = try parameters.required(.credential, &request)
      signedHeaders = try parameters.required(.signedHeaders, &request)
      date = try parameters.required(.date, &request)
      lifetime = parameters.value(.expires, &request)
      regionSet = parameters.value(.regionSet, &request)
      contentSHA256 = parameters.value(.contentSHA256, &request) ?? declared
      securityTokens = (
        parameters.value(.securityToken, &request), try request.value(of: .securityToken, names)
      )
      s3SessionTokens = (
        parameters.value(.s3SessionToken, &request), try request.value(of: .s3SessionToken, names)
      )
      signature = try parameters.required(.signature, &request)
      try algorithm.checkSignature(
        request.message.memory.bytes.span.extracting(signature), source)
      try checkHeaders(request)
    }

    /// Rejects headers that contradict the query.
    private func checkHeaders(_ request: borrowing ReceivedRequest) throws(VerificationError) {
      let text = request.message.memory.bytes.span
      func differs(_ header: Range<Int>, _ parameter: Range<Int>?) -> Bool {
        guard let parameter else { return true }
        return !text.extracting(header).hasSameBytes(as: text.extracting(parameter))
      }
      let names = algorithm.names
      if let header = try request.value(of: .contentSHA256, names), differs(header, contentSHA256) {
        throw VerificationError(
          .invalidPayloadDeclaration,
          "The header \(names.headerPrefix)content-sha256 contradicts the parameter "
            + "\(names.parameterPrefix)Content-Sha256, so another server could act on the unsigned "
            + "one.",
          fix: "Check for a client that sends both.")
      }
      if let other = try request.value(of: .date, names), differs(other, date) {
        throw VerificationError(
          .malformedQueryAuthorization,
          "The header \(names.headerPrefix)date \(shown(request.message[other])) contradicts the "
            + "parameter \(names.parameterPrefix)Date \(shown(request.message[date])).",
          fix: "Check for a client that sets the header on presigned URLs.")
      }
      if !algorithm.scopeHasRegion, let other = try request.value(of: .amzRegionSet),
        differs(other, regionSet)
      {
        throw VerificationError(
          .malformedQueryAuthorization,
          "The header x-amz-region-set \(shown(request.message[other])) contradicts the parameter "
            + "X-Amz-Region-Set.",
          fix: "Check for a client that sets the header on presigned URLs.")
      }
    }

    /// Returns the range of the region set, or nil if the scope has a region.
    func regions(in text: TextSpan) throws(VerificationError) -> Range<Int>? {
      if algorithm.scopeHasRegion { return nil }
      let field = SignatureField.regionSet
      let name = source == .header ? field.header : field.parameter
      if let range = regionSet, !range.isEmpty {
        let (limit, byteLimit) = (
          SignatureAlgorithm.maximumRegionCount, SignatureAlgorithm.maximumRegionSetByteCount
        )
        if range.count <= byteLimit,
          range.count(where: { text.byte(at: $0) == ASCIIByte.comma }) < limit
        {
          return range
        }
        throw VerificationError(
          source.malformed,
          "\(name) is larger than \(byteLimit) bytes or has more than \(limit) regions.",
          fix: "Check what the client sends, or treat the request as an attack.")
      }
      throw VerificationError(
        source.malformed,
        "\(name) is missing or empty, but \(algorithm.name) requires a region set.",
        fix: "Check for a proxy that removes it.")
    }

    /// Returns the range of the session token. Rejects several different tokens, and one in the
    /// wrong place. Secret.
    func token(
      in text: TextSpan, _ rule: Service.SessionTokenRule, _ verifier: borrowing Verifier
    ) throws(VerificationError) -> Range<Int>? {
      let isS3SessionToken = rule == .signedAsS3SessionToken
      let tokens = isS3SessionToken ? s3SessionTokens : securityTokens
      let others = isS3SessionToken ? securityTokens : s3SessionTokens
      var isContradicted = others.parameter != nil || others.header != nil
      if let parameter = tokens.parameter, let header = tokens.header {
        isContradicted =
          isContradicted || !text.extracting(parameter).isSameSecret(as: text.extracting(header))
      }
      if isContradicted {
        throw VerificationError(
          .sessionTokenNotAllowed,
          "The request has two different session tokens, or one named for a different service.",
          fix: "Check for a client that mixes credentials.")
      }
      guard let token = tokens.parameter ?? tokens.header else { return nil }
      try verifier.checkTokens(source.location)
      return token
    }

    /// Removes the signature from the query, and a session token that was added after signing.
    func removeUnsignedParameters(
      of message: inout RequestMessage, _ rule: Service.SessionTokenRule
    ) {
      if source == .header { return }
      let names = algorithm.names
      var shape = message.shape
      var text = message.memory.bytes.mutableSpan
      shape.removeParameters(from: &text) { name in
        names.isParameter(name, .signature) || !rule.isSigned && names.isParameter(name, rule.field)
      }
      message.shape = shape
    }
  }

  /// The parts of an Authorization header, in any order:
  /// `AWS4-HMAC-SHA256 Credential=..., SignedHeaders=..., Signature=...`.
  private struct AuthorizationFields {
    let algorithm: Verifier.Algorithm
    private(set) var credential = 0..<0
    private(set) var signedHeaders = 0..<0
    private(set) var signature = 0..<0

    init(
      _ text: TextSpan, _ range: Range<Int>, _ verifier: borrowing Verifier
    ) throws(VerificationError) {
      let text = text.extracting(0..<range.upperBound)
      let algorithmEnd = text.position(of: ASCIIByte.space, from: range.lowerBound)
      if algorithmEnd == range.upperBound { throw Self.incomplete }  // perhaps a key
      algorithm = try Verifier.Algorithm(
        named: text.extracting(range.lowerBound..<algorithmEnd), verifier.algorithms,
        of: verifier.services)
      var start = algorithmEnd
      while start < range.upperBound {
        let end = text.position(of: ASCIIByte.comma, from: start)
        if start < end { try read(text, start..<end) }
        start = end + 1
      }
      if credential.isEmpty || signedHeaders.isEmpty || signature.isEmpty { throw Self.incomplete }
    }

    private static var incomplete: VerificationError {
      VerificationError(
        .malformedAuthorization,
        "The Authorization header lacks Credential, SignedHeaders or Signature.",
        fix: "Check for a client or a proxy that truncates it.")
    }

    /// Reads a part, `Name=value`, with optional spaces around it.
    private mutating func read(
      _ text: TextSpan, _ part: Range<Int>
    ) throws(VerificationError) {
      var (start, end) = (part.lowerBound, part.upperBound)
      while start < end && text[start] == ASCIIByte.space { start += 1 }
      let nameEnd = min(text.position(of: ASCIIByte.equals, from: start), end)
      while end > nameEnd + 1 && text[end - 1] == ASCIIByte.space { end -= 1 }
      let name = text.extracting(start..<nameEnd)
      let value = min(nameEnd + 1, end)..<end
      if name.spells("Credential") && credential.isEmpty && !value.isEmpty {
        credential = value
      } else if name.spells("SignedHeaders") && signedHeaders.isEmpty && !value.isEmpty {
        signedHeaders = value
      } else if name.spells("Signature") && signature.isEmpty && !value.isEmpty {
        signature = value
      } else {
        // Without a value, or with Base64's padding, it may be a key.
        let isKey = value.isEmpty || text[value.lowerBound] == ASCIIByte.equals
        throw VerificationError(
          .malformedAuthorization,
          "The Authorization header has an unknown, empty or repeated part"
            + (isKey ? "." : ", \(shown(name.array))."),
          fix: "Ask the client to send Credential, SignedHeaders and Signature once each.")
      }
    }
  }

  /// The signature parameters in a query. Rejects repeated ones, and ones in a different case.
  struct SignatureParameters {
    /// The index of each field's parameter in the message. 0 means none, since headers come first.
    private var indices = SIMD16<Int32>()

    /// Their names, AWS's if there is no parameter.
    private(set) var names = SignatureNames.aws

    /// Finds the parameters under AWS's names, or those of a service.
    init(
      _ message: borrowing RequestMessage, _ services: [Service]
    ) throws(VerificationError) {
      try self.init(message, .aws)
      for index in services.indices {
        let other = services[index].names
        if other == .aws || other == names { continue }
        let parameters = try SignatureParameters(message, other)
        if parameters.isEmpty { continue }
        if !isEmpty {
          throw VerificationError(
            .multipleSignatures,
            "The request has the parameters of two presigned URLs, \(names.parameterPrefix)* and "
              + "\(parameters.names.parameterPrefix)*.",
            fix: "Treat it as an attack. Another server could act on the unverified signature.")
        }
        self = parameters
      }
    }

    private init(
      _ message: borrowing RequestMessage, _ names: SignatureNames
    ) throws(VerificationError) {
      self.names = names
      let text = message.memory.bytes.span
      for index in message.shape.parameters {
        let name = text.field(index).nameRange
        guard let field = names.field(parameter: text.extracting(name)) else { continue }
        let number = Int(field.rawValue)
        if indices[number] != 0 || !names.isParameter(text.extracting(name), field) {
          throw VerificationError(
            .repeatedField,
            "Parameter \(names.parameter(field).string) appears twice or in a different case, "
              + "so another server could act on the unverified value.",
            fix: "Check for a client that adds it to a presigned URL.")
        }
        indices[number] = Int32(index)
      }
    }

    /// Whether the query has no parameter of a signature.
    var isEmpty: Bool { indices == SIMD16<Int32>() }

    /// Decodes the value of a parameter, and returns its range, or nil if the parameter is missing.
    func value(_ field: SignatureField, _ request: inout ReceivedRequest) -> Range<Int>? {
      let index = Int(indices[Int(field.rawValue)])
      if index == 0 { return nil }
      return request.decode(request.message.memory.bytes.span.field(index).valueRange)
    }

    func required(
      _ field: SignatureField, _ request: inout ReceivedRequest
    ) throws(VerificationError) -> Range<Int> {
      if let value = value(field, &request), !value.isEmpty { return value }
      throw VerificationError(
        .malformedQueryAuthorization,
        "The query has parameters of a signature, but \(names.parameter(field).string) is "
          + "missing or empty.",
        fix: "Check for a URL that was truncated or unescaped in transit.")
    }
  }
}
