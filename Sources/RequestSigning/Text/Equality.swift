// SPDX-License-Identifier: Apache-2.0
// Comparisons by bytes, in constant time if a value may be secret.

internal import SecureHashing

extension SigV4.SigningError: Hashable {
  /// Returns whether the codes and messages are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.messageBytes == right.messageBytes
  }

  /// Hashes the code and message.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(messageBytes)
  }
}

extension SigV4.Header: Hashable {
  /// Returns whether the values are equal, and the names except for case.
  public static func == (left: Self, right: Self) -> Bool {
    left.isNamed(right.name) && ConstantTime.equal(left.value.utf8, right.value.utf8)
      && left.isEncodedAsUTF8 == right.isEncodedAsUTF8
  }

  /// Hashes the lowercase name and the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name.bytesInUTF8.map(ASCIIByte.lowercased))
    hasher.combine(value.bytesInUTF8)
  }
}

extension SigV4.Headers: Hashable {
  /// Returns whether the fields are equal, in the same order.
  public static func == (left: Self, right: Self) -> Bool { left.fields == right.fields }

  /// Hashes the fields.
  public func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}

extension SigV4.Query: Hashable {
  /// Returns whether the parameters are equal, in the order in which they're sent.
  public static func == (left: Self, right: Self) -> Bool {
    // A presigned URL's query contains a signature, and may contain a token.
    ConstantTime.equal(left.wire, right.wire)
  }

  /// Hashes the parameters.
  public func hash(into hasher: inout Hasher) { hasher.combine(wire) }
}

extension SigV4.Payload: Hashable {
  /// Returns whether two payloads are declared alike. `.empty` isn't equal to the `.digest` of no
  /// bytes, which a presigned URL treats as a payload that you set.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left.kind, right.kind) {
    case (.digestOfNothing, .digestOfNothing), (.unsigned, .unsigned): true
    case (.digest(let digest), .digest(let other)): digest == other
    case (.literal(let word), .literal(let other)): word.hasSameBytes(as: other)
    case (.digestOfNothing, _), (.unsigned, _), (.digest, _), (.literal, _): false
    }
  }

  /// Hashes the declaration of the payload.
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
  /// Returns whether the method, scheme, host, path, query, headers and payload are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.message.shape.hasSameText(
      left.message.memory.bytes.span, as: right.message.shape, right.message.memory.bytes.span)
      && left.pathKind == right.pathKind
      && left.headers == right.headers && left.payload == right.payload
  }

  /// Hashes the method, host, path and query.
  public func hash(into hasher: inout Hasher) {
    let shape = message.shape
    for range in [shape.method, shape.host, shape.givenPath, shape.query] {
      hasher.combine(bytes(range))
    }
  }
}

extension SigV4.Identity: Equatable {
  /// Returns whether the access key ID, token and expiration are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.accessKeyID.hasSameBytes(as: right.accessKeyID) && left.expiration == right.expiration
      && left.sessionTokenBytes == right.sessionTokenBytes
  }
}

extension SigV4.Credentials: Equatable {
  /// Returns whether the identities and secrets are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.identity == right.identity && left.fingerprint == right.fingerprint
  }
}

extension SigV4.CredentialScope: Hashable {
  /// Returns whether two scopes have the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.dayCharacters == right.dayCharacters
      && left.region.hasSameBytes(as: right.region)
      && left.service.hasSameBytes(as: right.service) && left.names == right.names
  }

  /// Hashes the day, region and service.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(dayCharacters)
    hasher.combine(region.bytesInUTF8)
    hasher.combine(service.bytesInUTF8)
  }
}
