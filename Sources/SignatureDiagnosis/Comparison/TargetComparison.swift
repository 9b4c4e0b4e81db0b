// SPDX-License-Identifier: Apache-2.0
// Compares canonical paths and queries, and finds the usual reason for a difference.

internal import RequestSigning

extension SigV4.Diagnosis {
  /// Compares the signed canonical path with the server's, which differs.
  struct PathComparison {
    let ours: [UInt8]
    let theirs: [UInt8]
    let redaction: Redaction

    func cause() -> Cause {
      if isEqual(ours, theirs) {
        let isNormalized = Self.normalized(theirs).elementsEqual(theirs)
        return isNormalized ? .pathNormalized : .pathNotNormalized
      }
      if isEncodedAgain(theirs, ours) { return .pathEncodedTwice }
      if isEncodedAgain(ours, theirs) { return .pathEncodedOnce }
      let (plainOurs, plainTheirs) = (ours.decodedTwice, theirs.decodedTwice)
      if isEqual(plainOurs, plainTheirs) { return .pathEncoding }
      if isEqual(plainOurs.withoutPlus, plainTheirs.withoutPlus) { return .pathPlus }
      if let prefix = prefix(of: ours, before: theirs) { return .pathPrefixRemoved(prefix) }
      if let prefix = prefix(of: theirs, before: ours) { return .pathPrefixAdded(prefix) }
      return .path(offset: Redaction.commonCount(ours[...], theirs[...]))
    }

    /// Whether two paths are the same except for empty and dot segments.
    private func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
      left == right || Self.normalized(left) == Self.normalized(right)
    }

    private static func normalized(_ path: [UInt8]) -> ContiguousArray<UInt8> {
      let path = path[...]
      return path.span.normalizedPath()
    }

    /// Whether `path` is `other` encoded again, and `other` already has escapes.
    private func isEncodedAgain(_ path: [UInt8], _ other: [UInt8]) -> Bool {
      other.contains(ASCIIByte.percent) && isEqual(path, URIEncoding.encode(other, as: .path))
    }

    /// The segments in front of a path in a longer one.
    private func prefix(of long: [UInt8], before short: [UInt8]) -> String? {
      if short == [ASCIIByte.slash] && long.dropFirst().firstIndex(of: ASCIIByte.slash) == nil {
        return redaction.name(long)
      }
      guard short.first == ASCIIByte.slash, short.count < long.count,
        long.suffix(short.count).elementsEqual(short)
      else { return nil }
      return redaction.name(long.dropLast(short.count))
    }
  }

  /// Compares the signed canonical query with the server's, which differs.
  struct QueryComparison {
    let ours: ArraySlice<UInt8>
    let theirs: ArraySlice<UInt8>
    let redaction: Redaction

    func cause() -> Cause {
      let (ours, theirs) = (Self.parameters(ours), Self.parameters(theirs))
      let onlyOurs = Self.surplus(of: ours, over: theirs)
      let onlyTheirs = Self.surplus(of: theirs, over: ours)
      guard let missing = onlyOurs.first else {
        guard let added = onlyTheirs.first else { return .queryOrder }
        return .queryParameterAdded(redaction.name(name(added)))
      }
      let spelling = Spelling(missing)
      for other in onlyTheirs {
        if let cause = spelling.cause(of: Spelling(other)) { return cause }
      }
      let subject = redaction.name(name(missing))
      if onlyTheirs.contains(where: { name($0) == name(missing) }) {
        return .queryParameterChanged(subject)
      }
      return .queryParameterMissing(subject)
    }

    private func name(_ parameter: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      parameter.prefix { $0 != ASCIIByte.equals }
    }

    private static func parameters(_ query: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
      query.split(separator: ASCIIByte.ampersand)
    }

    /// The elements of one list that are missing from another, counting repetitions.
    private static func surplus(
      of list: [ArraySlice<UInt8>], over other: [ArraySlice<UInt8>]
    ) -> [ArraySlice<UInt8>] {
      var counts: [ArraySlice<UInt8>: Int] = [:]
      for parameter in other { counts[parameter, default: 0] += 1 }
      return list.filter { parameter in
        guard let count = counts[parameter], count > 0 else { return true }
        counts[parameter] = count - 1
        return false
      }
    }
  }

  /// A query parameter, as it's encoded and decoded. A response can have many, so each is decoded
  /// once.
  private struct Spelling {
    let encoded: [UInt8]
    let decoded: [UInt8]
    let decodedTwice: [UInt8]

    init(_ parameter: ArraySlice<UInt8>) {
      encoded = Array(parameter)
      decoded = encoded.decoded
      decodedTwice = decoded.decoded
    }

    /// The reason that an equivalent parameter is encoded differently, or nil if it isn't
    /// equivalent.
    func cause(of other: Spelling) -> Cause? {
      if ASCIIByte.equalIgnoringCase(encoded, other.encoded), decoded == other.decoded {
        return .queryHexadecimalCase
      }
      if decodedTwice == other.decodedTwice { return .queryEncoding }
      if decodedTwice.count != other.decodedTwice.count { return nil }
      return decodedTwice.withoutPlus == other.decodedTwice.withoutPlus ? .queryPlus : nil
    }
  }
}

extension [UInt8] {
  fileprivate var decoded: [UInt8] { URIEncoding.decode(self[...]) }

  /// The decoded bytes, whether they were encoded once or twice.
  fileprivate var decodedTwice: [UInt8] { decoded.decoded }

  /// The bytes with a space instead of each plus sign.
  fileprivate var withoutPlus: [UInt8] { map { $0 == ASCIIByte.plus ? ASCIIByte.space : $0 } }
}

extension SigV4.Diagnosis.Cause {
  static var pathEncodedTwice: Self {
    Self(
      .pathEncodedTwice,
      "The server encodes the path twice, but the signer encoded it once: a signed '%' is %25 "
        + "there.",
      fix:
        "Sign with the service's own name, .named(\"...\") or .standard(\"...\"), since only S3 "
        + "and compatible stores encode once. If the server is one of them, check for a proxy "
        + "that encodes the URL again.")
  }

  static var pathEncodedOnce: Self {
    Self(
      .pathEncodedOnce,
      "The signer encoded the path twice, but the server encodes it once: its '%' was signed as "
        + "%25.",
      fix:
        "Sign with .s3, or with a pathRule that encodes once. If the path was already encoded, "
        + "pass it as .encoded.")
  }

  static var pathEncoding: Self {
    Self(
      .pathEncoding, "The paths are equivalent but percent-encoded differently.",
      fix:
        "Send the signed URL unchanged. Something between the signer and the server decodes or "
        + "encodes it again, or the server encodes fewer characters than the specification "
        + "requires.")
  }

  static var pathPlus: Self {
    Self(
      .pathPlus, "One side reads a '+' in the path as a space.",
      fix:
        "Send a space as %20 and a plus sign as %2B. Pass the path as .key or .raw, and send the "
        + "signed URL unchanged.")
  }

  static var pathNormalized: Self {
    Self(
      .pathNormalized, "The received path lacks empty or dot segments of the signed path.",
      fix:
        "Check for a URL type or proxy that merges slashes or resolves '..'. If the service does "
        + "this itself, sign with its own name instead of .s3.")
  }

  static var pathNotNormalized: Self {
    Self(
      .pathNotNormalized, "The server keeps empty or dot segments that the signed path lacks.",
      fix: "Sign with .s3 for S3 and compatible stores, or with a pathRule that keeps them.")
  }

  static func pathPrefixRemoved(_ prefix: String) -> Self {
    Self(
      .pathPrefixRemoved, subject: prefix, "The path arrived without its first part, \(prefix).",
      fix:
        "Check for a reverse proxy or gateway that removes it. Sign the path that the server "
        + "sees, or configure the proxy to keep it.")
  }

  static func pathPrefixAdded(_ prefix: String) -> Self {
    Self(
      .pathPrefixAdded, subject: prefix, "The path arrived with \(prefix) in front of it.",
      fix:
        "Check for a reverse proxy, a gateway's base path or a bucket name that adds it. Sign the "
        + "path that the server sees.")
  }

  static func path(offset: Int) -> Self {
    Self(
      .path, "The path changed at byte \(offset).",
      fix: "Send the signed URL unchanged, and check for a proxy that rewrites it.")
  }
}

extension SigV4.Diagnosis.Cause {
  static func queryParameterMissing(_ name: String) -> Self {
    Self(
      .queryParameterMissing, subject: name,
      "The signed query parameter \(name) is missing from the received request.",
      fix:
        "Send the signed URL unchanged, and check for a client, proxy or cache that drops "
        + "parameters or merges repeated ones.")
  }

  static func queryParameterAdded(_ name: String) -> Self {
    Self(
      .queryParameterAdded, subject: name,
      "The query parameter \(name) arrived but wasn't signed.",
      fix:
        "Sign the URL with all its parameters, since you can't add any after signing. If the name "
        + "begins with X-Amz-, the request used a presigned URL: compare with that.")
  }

  static func queryParameterChanged(_ name: String) -> Self {
    Self(
      .queryParameterChanged, subject: name,
      "The query parameter \(name) arrived with a different value.",
      fix: "Send the signed URL unchanged, and check for a proxy that rewrites the parameter.")
  }

  static var queryOrder: Self {
    Self(
      .queryOrder, "The query parameters are in a different order.",
      fix:
        "Check which side doesn't sort by encoded bytes, names first, which is the canonical "
        + "order. Avoid repeated names and escapes in names, and report the bug to the server's "
        + "operator.")
  }

  static var queryPlus: Self {
    Self(
      .queryPlus, "One side reads a '+' in the query as a space.",
      fix:
        "Send a space as %20 and a plus sign as %2B. If a '+' in the URL is a plus sign, pass "
        + "plus: .literal, and send the signed URL unchanged.")
  }

  static var queryHexadecimalCase: Self {
    Self(
      .queryHexadecimalCase, "The query's escapes use a different letter case.",
      fix:
        "Send the signed URL unchanged. Its escapes are uppercase, so check for a proxy that "
        + "encodes it again.")
  }

  static var queryEncoding: Self {
    Self(
      .queryEncoding, "The queries are equivalent but percent-encoded differently.",
      fix:
        "Send the signed URL unchanged. Something between the signer and the server decodes or "
        + "encodes it again, or it was already encoded before signing.")
  }
}
