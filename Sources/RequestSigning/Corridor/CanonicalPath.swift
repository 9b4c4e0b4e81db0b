// SPDX-License-Identifier: Apache-2.0
// From a path to what goes on the wire, and from that to the canonical path.

nonisolated extension SigV4 {
  /// SigV4, step 1: CanonicalUri, and the path on the wire that belongs to it.
  struct CanonicalPath {
    /// What is sent.
    let wire: [UInt8]

    /// What is signed.
    let bytes: [UInt8]

    init(_ path: Path, _ rule: Service.PathRule) throws(SigningError) {
      wire = Self.nonempty(try Self.wire(path, rule))
      let normalized = rule.normalizes ? Self.normalized(wire) : wire
      if rule.encodesTwice {
        bytes = PercentEncoding.encodePath(normalized)
      } else if path.kind == .received {
        bytes = PercentEncoding.reencodePath(normalized)
      } else {
        bytes = normalized
      }
    }

    static func wire(_ path: Path, _ rule: Service.PathRule) throws(SigningError) -> [UInt8] {
      switch path.kind {
      case .encoded:
        // Services that encode once decode what they receive: only one spelling can be right.
        return rule.encodesTwice ? path.bytes : PercentEncoding.reencodePath(path.bytes)
      case .raw:
        return PercentEncoding.encodePath(path.bytes)
      case .received:
        return path.bytes
      case .key:
        if rule.encodesTwice || rule.normalizes {
          throw SigningError(
            .keyOutsideObjectStorage,
            "the path was given as an object key, \(quoted(path.bytes)), but the service has no "
              + "objects: it encodes paths twice or drops segments of them, which would change the "
              + "key. Use the service .s3, or give the path as .raw or .encoded")
        }
        return [ASCII.slash] + PercentEncoding.encodePath(path.bytes)
      }
    }

    /// SigV4, step 1: an absent path is "/".
    static func nonempty(_ path: [UInt8]) -> [UInt8] {
      path.isEmpty ? [ASCII.slash] : path
    }

    /// RFC 3986, 5.2.4, and empty segments dropped; encoded dots are no dots.
    static func normalized(_ path: [UInt8]) -> [UInt8] {
      var segments: [ArraySlice<UInt8>] = []
      for segment in path.split(separator: ASCII.slash, omittingEmptySubsequences: true) {
        if segment.elementsEqual("..".utf8) {
          _ = segments.popLast()
        } else if !segment.elementsEqual(".".utf8) {
          segments.append(segment)
        }
      }
      var bytes: [UInt8] = []
      for segment in segments {
        bytes.append(ASCII.slash)
        bytes.append(contentsOf: segment)
      }
      if path.last == ASCII.slash || bytes.isEmpty { bytes.append(ASCII.slash) }
      return bytes
    }
  }
}
