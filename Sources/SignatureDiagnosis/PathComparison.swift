// SPDX-License-Identifier: Apache-2.0
// Two canonical paths that differ, and what usually makes them so.

internal import DocumentSupport
internal import RequestSigning
internal import SigningSupport

extension SigV4.Mismatch {
  /// Our canonical path and the server's, which differ.
  struct PathComparison {
    let ours: [UInt8]
    let theirs: [UInt8]
    let redaction: Redaction

    func cause() -> Cause {
      if isEqual(ours, theirs) {
        let isNormalized = SigV4.CanonicalPath.normalized(theirs) == theirs
        return isNormalized ? .pathNormalized : .pathNotNormalized
      }
      if hasEscapes(ours), isEqual(encoded(ours), theirs) { return .pathEncodedTwice }
      if hasEscapes(theirs), isEqual(ours, encoded(theirs)) { return .pathEncodedOnce }
      let (plainOurs, plainTheirs) = (decoded(ours), decoded(theirs))
      if isEqual(plainOurs, plainTheirs) { return .pathEncoding }
      if isEqual(spaced(plainOurs), spaced(plainTheirs)) { return .pathPlus }
      if let prefix = prefix(of: ours, before: theirs) { return .pathPrefixRemoved(prefix) }
      if let prefix = prefix(of: theirs, before: ours) { return .pathPrefixAdded(prefix) }
      return .path(offset: Redaction.commonCount(ours[...], theirs[...]))
    }

    /// Whether two paths are the same but for empty and dot segments.
    private func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
      left == right || SigV4.CanonicalPath.normalized(left) == SigV4.CanonicalPath.normalized(right)
    }

    /// Whether encoding a path once more would be seen.
    private func hasEscapes(_ path: [UInt8]) -> Bool { path.contains(ASCIIByte.percent) }

    private func encoded(_ path: [UInt8]) -> [UInt8] { URIEncoding.encodePath(path) }

    /// The bytes that are meant, whether the path was encoded once or twice.
    private func decoded(_ path: [UInt8]) -> [UInt8] {
      let once = URIEncoding.decode(path[...])
      return URIEncoding.decode(once[...])
    }

    private func spaced(_ path: [UInt8]) -> [UInt8] {
      path.map { $0 == ASCIIByte.plus ? ASCIIByte.space : $0 }
    }

    /// What stands before a path in a longer one: whole segments.
    private func prefix(of long: [UInt8], before short: [UInt8]) -> String? {
      if short == [ASCIIByte.slash] && long.dropFirst().firstIndex(of: ASCIIByte.slash) == nil {
        return redaction.name(long)
      }
      guard short.first == ASCIIByte.slash, short.count < long.count,
        long[(long.count &- short.count)...].elementsEqual(short)
      else { return nil }
      return redaction.name(long.dropLast(short.count))
    }
  }
}

extension SigV4.Mismatch.Cause {
  static var pathEncodedTwice: Self {
    Self(
      .pathEncodedTwice,
      "the server encodes the path once more than we do: where we have a '%', it has %25",
      advice: "Sign for the service by its own name, .named(\"...\") or .standard(\"...\"), since "
        + "only S3 and its like encode once; when the server is such a one, look for something on "
        + "the way that encodes the URL again")
  }

  static var pathEncodedOnce: Self {
    Self(
      .pathEncodedOnce,
      "we encode the path once more than the server does: where it has a '%', we have %25",
      advice: "Sign with .s3, or with .withPathRule for a service that encodes once; when the path "
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
      .pathPlus, "one side takes a '+' in the path for a space",
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
      advice: "Sign with .s3 for S3 and its like, or with .withPathRule for a service that keeps "
        + "them")
  }

  static func pathPrefixRemoved(_ prefix: String) -> Self {
    Self(
      .pathPrefixRemoved, subject: prefix, "the path lost its beginning \(prefix) on the way",
      advice: "Look for a reverse proxy or a gateway that strips it; sign the path that the server "
        + "sees, or let the proxy keep it")
  }

  static func pathPrefixAdded(_ prefix: String) -> Self {
    Self(
      .pathPrefixAdded, subject: prefix, "the path got the beginning \(prefix) on the way",
      advice: "Look for a reverse proxy, a gateway's base path or a bucket's name that is put "
        + "before it; sign the path that the server sees")
  }

  static func path(offset: Int) -> Self {
    Self(
      .path, "another path arrived; it differs from byte \(offset) on",
      advice: "Send exactly the URL that was signed, and look for a proxy that rewrites it")
  }
}
