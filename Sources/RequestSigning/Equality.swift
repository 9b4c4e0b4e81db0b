// SPDX-License-Identifier: Apache-2.0
// Whether two values are the same: by their bytes, and in constant time where one may be secret.

internal import SecureHashing
internal import SigningSupport

extension SigV4.SigningError: Hashable {
  /// Whether code and message are the same.
  public static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.messageBytes == right.messageBytes
  }

  /// Hashes code and message.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(messageBytes)
  }
}

extension SigV4.Header: Hashable {
  /// Whether the values are the same, and the names but for their case.
  public static func == (left: Self, right: Self) -> Bool {
    left.isNamed(right.name) && ConstantTime.equal(left.value.utf8, right.value.utf8)
      && left.isEncodedAsUTF8 == right.isEncodedAsUTF8
  }

  /// Hashes the name in lowercase, and the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name.bytesInUTF8.map(ASCIIByte.lowercased))
    hasher.combine(value.bytesInUTF8)
  }
}

extension SigV4.Headers: Hashable {
  /// Whether the fields are the same, in the same order.
  public static func == (left: Self, right: Self) -> Bool { left.fields == right.fields }

  /// Hashes the fields.
  public func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}

extension SigV4.Query: Hashable {
  /// Whether the parameters are the same, in the same order on the wire.
  public static func == (left: Self, right: Self) -> Bool {
    // Of a presigned URL it holds a signature, and may hold a token.
    ConstantTime.equal(left.wire, right.wire)
  }

  /// Hashes the parameters.
  public func hash(into hasher: inout Hasher) { hasher.combine(wire) }
}

extension SigV4.Payload: Hashable {
  /// Whether the same is said of a body. `.empty` is not the `.digest` of no bytes: in a presigned URL the
  /// latter is one that was given.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left.kind, right.kind) {
    case (.digestOfNothing, .digestOfNothing), (.unsigned, .unsigned): true
    case (.digest(let digest), .digest(let other)): digest == other
    case (.literal(let word), .literal(let other)): word.hasSameBytes(as: other)
    case (.digestOfNothing, _), (.unsigned, _), (.digest, _), (.literal, _): false
    }
  }

  /// Hashes what is said of the body.
  public func hash(into hasher: inout Hasher) {
    switch kind {
    case .digestOfNothing: hasher.combine(0)
    case .unsigned: hasher.combine(1)
    case .digest(let digest): hasher.combine(digest)
    case .literal(let word): hasher.combine(word.bytesInUTF8)
    }
  }
}

extension SigV4.Request: Hashable {
  /// Whether method, scheme, host, path, query, headers and payload are the same.
  public static func == (left: Self, right: Self) -> Bool {
    left.message.hasSameText(as: right.message) && left.pathKind == right.pathKind
      && left.headers == right.headers && left.payload == right.payload
  }

  /// Hashes method, host, path and query.
  public func hash(into hasher: inout Hasher) {
    let shape = message.shape
    for range in [shape.method, shape.host, shape.givenPath, shape.query] {
      hasher.combine(bytes(range))
    }
  }
}

extension SigV4.Identity: Equatable {
  /// Whether access key ID, token and end are the same.
  public static func == (left: Self, right: Self) -> Bool {
    left.accessKeyID.hasSameBytes(as: right.accessKeyID) && left.expiration == right.expiration
      && left.sessionTokenBytes == right.sessionTokenBytes
  }
}

extension SigV4.Credentials: Equatable {
  /// Whether the identities are the same, and the secrets.
  public static func == (left: Self, right: Self) -> Bool {
    left.identity == right.identity && left.fingerprint == right.fingerprint
  }
}

extension SigV4.CredentialScope: Hashable {
  /// Whether two scopes have the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.dayCharacters == right.dayCharacters
      && left.region.hasSameBytes(as: right.region)
      && left.service.hasSameBytes(as: right.service)
  }

  /// Hashes day, region and service.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(dayCharacters)
    hasher.combine(region.bytesInUTF8)
    hasher.combine(service.bytesInUTF8)
  }
}
