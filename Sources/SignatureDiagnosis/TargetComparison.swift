// SPDX-License-Identifier: Apache-2.0
// Two canonical paths or queries that differ, and what usually makes them so.

internal import RequestSigning
internal import SigningSupport

extension SigV4.Diagnosis {
  /// Our canonical path and the server's, which differ.
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

    /// Whether two paths are the same but for empty and dot segments.
    private func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
      left == right || Self.normalized(left) == Self.normalized(right)
    }

    private static func normalized(_ path: [UInt8]) -> ContiguousArray<UInt8> {
      let path = path[...]
      return path.span.normalizedPath()
    }

    /// Whether a path is another one that was encoded once more, and had escapes already.
    private func isEncodedAgain(_ path: [UInt8], _ other: [UInt8]) -> Bool {
      other.contains(ASCIIByte.percent) && isEqual(path, URIEncoding.encode(other, as: .path))
    }

    /// What stands before a path in a longer one: whole segments.
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

  /// Our canonical query and the server's, which differ.
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
      for other in onlyTheirs {
        if let cause = spellingCause(Array(missing), Array(other)) { return cause }
      }
      let subject = redaction.name(name(missing))
      if onlyTheirs.contains(where: { name($0) == name(missing) }) {
        return .queryParameterChanged(subject)
      }
      return .queryParameterMissing(subject)
    }

    /// Why two parameters that mean the same are written in two ways; nil when they mean others.
    private func spellingCause(_ ours: [UInt8], _ theirs: [UInt8]) -> Cause? {
      if ASCIIByte.equalIgnoringCase(ours, theirs), ours.decoded == theirs.decoded {
        return .queryHexadecimalCase
      }
      if ours.decodedTwice == theirs.decodedTwice { return .queryEncoding }
      let isPlus = ours.decodedTwice.withoutPlus == theirs.decodedTwice.withoutPlus
      return isPlus ? .queryPlus : nil
    }

    private func name(_ parameter: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      parameter.prefix { $0 != ASCIIByte.equals }
    }

    private static func parameters(_ query: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
      query.split(separator: ASCIIByte.ampersand)
    }

    /// What is in one list and not in another, as often as it is missing there.
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

}

extension [UInt8] {
  fileprivate var decoded: [UInt8] { URIEncoding.decode(self[...]) }

  /// The bytes that are meant, whether the text was encoded once or twice.
  fileprivate var decodedTwice: [UInt8] { decoded.decoded }

  /// The text with a space in place of each plus sign.
  fileprivate var withoutPlus: [UInt8] { map { $0 == ASCIIByte.plus ? ASCIIByte.space : $0 } }
}

extension SigV4.Diagnosis.Cause {
  static var pathEncodedTwice: Self {
    Self(
      .pathEncodedTwice,
      "the server encodes the path once more than we do: where we have a '%', it has %25",
      advice: "Sign for the service by its own name, .named(\"...\") or .standard(\"...\"), since "
        + "only S3 and compatible stores encode once; if the server is one of them, look for a proxy "
        + "that encodes the URL again")
  }

  static var pathEncodedOnce: Self {
    Self(
      .pathEncodedOnce,
      "we encode the path once more than the server does: where it has a '%', we have %25",
      advice:
        "Sign with .s3, or with another pathRule for a service that encodes once; when the path "
        + "was encoded before it was given, give it as .encoded")
  }

  static var pathEncoding: Self {
    Self(
      .pathEncoding, "the paths mean the same and are spelled with other escapes",
      advice:
        "Send exactly the URL that was signed: something between signer and server decodes or "
        + "encodes it again, or the server encodes fewer characters than the specification says")
  }

  static var pathPlus: Self {
    Self(
      .pathPlus, "one side reads a '+' in the path as a space",
      advice: "Send a space as %20 and a plus sign as %2B: give the path as .key or .raw, and send "
        + "exactly the URL that was signed")
  }

  static var pathNormalized: Self {
    Self(
      .pathNormalized, "the server's path lacks empty segments or dots that ours has",
      advice:
        "Look for a URL type or a proxy that merges slashes or resolves '..'; when the service "
        + "does so itself, sign by its own name and not as .s3")
  }

  static var pathNotNormalized: Self {
    Self(
      .pathNotNormalized, "the server keeps empty segments or dots of the path that we dropped",
      advice:
        "Sign with .s3 for S3 and compatible stores, or with another pathRule for a service that keeps "
        + "them")
  }

  static func pathPrefixRemoved(_ prefix: String) -> Self {
    Self(
      .pathPrefixRemoved, subject: prefix, "the path arrived without its first part, \(prefix)",
      advice: "Look for a reverse proxy or a gateway that strips it; sign the path that the server "
        + "sees, or let the proxy keep it")
  }

  static func pathPrefixAdded(_ prefix: String) -> Self {
    Self(
      .pathPrefixAdded, subject: prefix, "the path arrived with \(prefix) in front of it",
      advice: "Look for a reverse proxy, a gateway's base path or a bucket's name that is put "
        + "before it; sign the path that the server sees")
  }

  static func path(offset: Int) -> Self {
    Self(
      .path, "another path arrived; it differs from byte \(offset) on",
      advice: "Send exactly the URL that was signed, and look for a proxy that rewrites it")
  }
}

extension SigV4.Diagnosis.Cause {
  static func queryParameterMissing(_ name: String) -> Self {
    Self(
      .queryParameterMissing, subject: name,
      "the query parameter \(name) was signed and did not arrive",
      advice: "Send exactly the URL that was signed, and look for a client, proxy or cache that "
        + "drops parameters or joins repeated ones")
  }

  static func queryParameterAdded(_ name: String) -> Self {
    Self(
      .queryParameterAdded, subject: name, "the query parameter \(name) arrived and was not signed",
      advice:
        "Sign the URL with all its parameters: nothing can be added after it was signed. When "
        + "it begins with X-Amz-, the request came by a presigned URL: compare with that")
  }

  static func queryParameterChanged(_ name: String) -> Self {
    Self(
      .queryParameterChanged, subject: name,
      "the query parameter \(name) arrived with another value",
      advice:
        "Send exactly the URL that was signed, and look for something on the way that rewrites "
        + "the parameter")
  }

  static var queryOrder: Self {
    Self(
      .queryOrder, "the same query parameters stand in another order",
      advice: "The canonical order is that of the encoded bytes, names first: one side sorts in "
        + "another way, so avoid repeated names and escapes in names, and report it to the server")
  }

  static var queryPlus: Self {
    Self(
      .queryPlus, "one side reads a '+' in the query as a space",
      advice: "Send a space as %20 and a plus sign as %2B; when a '+' of the URL is meant as such, "
        + "say plus: .literal, and send exactly the URL that was signed")
  }

  static var queryHexadecimalCase: Self {
    Self(
      .queryHexadecimalCase, "the escapes of the query have digits of another case",
      advice: "Send exactly the URL that was signed, whose escapes are uppercase, and look for "
        + "something on the way that encodes it again")
  }

  static var queryEncoding: Self {
    Self(
      .queryEncoding, "the queries mean the same and are spelled with other escapes",
      advice:
        "Send exactly the URL that was signed: something between signer and server decodes or "
        + "encodes it again, or it was encoded before it was given to be encoded")
  }
}
