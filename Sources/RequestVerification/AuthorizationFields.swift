// SPDX-License-Identifier: Apache-2.0
// The two spellings of a signature: the Authorization header, and the parameters of a URL.

internal import DocumentSupport
internal import RequestSigning
internal import S3Signing
internal import SigningSupport

extension SigV4 {
  /// The parts of an Authorization header:
  /// `AWS4-HMAC-SHA256 Credential=..., SignedHeaders=..., Signature=...`, in any order.
  struct AuthorizationFields {
    private(set) var credential: ArraySlice<UInt8> = []
    private(set) var signedHeaders: ArraySlice<UInt8> = []
    private(set) var signature: ArraySlice<UInt8> = []

    init(_ value: ArraySlice<UInt8>) throws(VerificationError) {
      let algorithm = value.prefix { $0 != ASCIIByte.space }
      if !algorithm.elementsEqual(SignatureAlgorithm.hmacSHA256.name.utf8) {
        throw .unsupportedAlgorithm(algorithm)
      }
      for part in value[algorithm.endIndex...].split(separator: ASCIIByte.comma) {
        let field = part.drop { $0 == ASCIIByte.space }
        let name = field.prefix { $0 != ASCIIByte.equals }
        var text = field[name.endIndex...].dropFirst()
        while text.last == ASCIIByte.space { text.removeLast() }
        try take(text, named: name)
      }
      if credential.isEmpty || signedHeaders.isEmpty || signature.isEmpty {
        throw VerificationError(
          .malformedAuthorization,
          """
          the Authorization header lacks Credential, SignedHeaders or Signature; look for a client \
          or a proxy that cuts it
          """)
      }
    }

    private mutating func take(
      _ text: ArraySlice<UInt8>, named name: ArraySlice<UInt8>
    ) throws(VerificationError) {
      if name.elementsEqual("Credential".utf8), credential.isEmpty, !text.isEmpty {
        credential = text
      } else if name.elementsEqual("SignedHeaders".utf8), signedHeaders.isEmpty, !text.isEmpty {
        signedHeaders = text
      } else if name.elementsEqual("Signature".utf8), signature.isEmpty, !text.isEmpty {
        signature = text
      } else {
        throw VerificationError(
          .malformedAuthorization,
          """
          the Authorization header has a part \(shown(name)) that is unknown, empty or there \
          twice; write Credential, SignedHeaders and Signature, each once
          """)
      }
    }
  }

  /// The parameters of a signature in a query, each there at most once and in its own spelling.
  struct QueryFields {
    /// The parameters that belong to a signature.
    enum Name: Int, CaseIterable {
      case algorithm
      case credential
      case date
      case expires
      case signedHeaders
      case signature
      case securityToken
      case s3SessionToken

      var text: String {
        switch self {
        case .algorithm: "X-Amz-Algorithm"
        case .credential: "X-Amz-Credential"
        case .date: "X-Amz-Date"
        case .expires: "X-Amz-Expires"
        case .signedHeaders: "X-Amz-SignedHeaders"
        case .signature: "X-Amz-Signature"
        case .securityToken: "X-Amz-Security-Token"
        case .s3SessionToken: "X-Amz-S3session-Token"
        }
      }
    }

    private var values = [[UInt8]?](repeating: nil, count: Name.allCases.count)

    /// Nil when the query has no parameter of a signature.
    init?(_ query: Query) throws(VerificationError) {
      var isEmpty = true
      for parameter in query.sorted {
        let encodedName = query.bytes[parameter.name]
        // The longest of these names has 21 characters, and none of them is ever escaped.
        guard encodedName.count <= 21, let first = encodedName.first, first | 0x20 == 0x78,
          let name = Name.allCases.first(where: {
            ASCIIByte.equalIgnoringCase(encodedName, $0.text.utf8)
          })
        else { continue }
        isEmpty = false
        if values[name.rawValue] != nil || !encodedName.elementsEqual(name.text.utf8) {
          throw VerificationError(
            .repeatedField,
            """
            the parameter \(name.text) is there twice, or in another case, and others may read \
            another one of them; look for a client that adds it to a presigned URL
            """)
        }
        values[name.rawValue] = URIEncoding.decode(query.bytes[parameter.value])
      }
      if isEmpty { return nil }
      let algorithm = try required(.algorithm)
      if !algorithm.elementsEqual(SignatureAlgorithm.hmacSHA256.name.utf8) {
        throw .unsupportedAlgorithm(algorithm[...])
      }
    }

    subscript(name: Name) -> [UInt8]? { values[name.rawValue] }

    func required(_ name: Name) throws(VerificationError) -> [UInt8] {
      guard let value = self[name], !value.isEmpty else {
        throw VerificationError(
          .malformedQueryAuthorization,
          """
          the query has parameters of a signature, and \(name.text) is not among them or empty; \
          look for a URL that was cut, or unescaped on its way
          """)
      }
      return value
    }
  }
}
