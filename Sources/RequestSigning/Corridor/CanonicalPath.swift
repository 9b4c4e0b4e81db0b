// SPDX-License-Identifier: Apache-2.0
// From a path to what goes on the wire, and from that to the canonical path.

internal import SigningSupport

extension SigV4 {
  /// SigV4, step 1: CanonicalUri, and the path on the wire that belongs to it.
  package enum CanonicalPath {
    /// Refuses the key of an object where there are no objects.
    package static func check(_ path: Path, _ rule: Service.PathRule) throws(SigningError) {
      if path.kind == .key && (rule.encodesTwice || rule.normalizes) {
        throw SigningError(
          .keyOutsideObjectStorage,
          """
          the path was given as an object key, \(quoted: path.bytes), but the service has no \
          objects: it encodes paths twice or drops segments of them, which would change the key. \
          Use the service .s3, or give the path as .raw or .encoded
          """)
      }
    }

    /// What is sent. Services that encode once decode what they receive: only one spelling of a path
    /// can be right there.
    package static func wire(_ path: Path, _ rule: Service.PathRule) -> [UInt8] {
      rule.encodesTwice || path.kind == .received ? path.wire : path.encodedOnce
    }

    /// What is signed.
    static func write(_ path: Path, _ rule: Service.PathRule, to writer: inout ByteWriter) {
      switch rule {
      case .encodedOnce: writer.append(path.encodedOnce)
      case .encodedTwice: URIEncoding.writePath(path.wire, to: &writer)
      case .normalizedAndEncodedTwice:
        URIEncoding.writePath(normalized(path.wire), to: &writer)
      case .normalizedAndEncodedOnce:
        writer.append(URIEncoding.reencodePath(normalized(wire(path, rule))))
      }
    }

    /// RFC 3986, 5.2.4, and empty segments dropped; encoded dots are no dots.
    package static func normalized(_ path: [UInt8]) -> [UInt8] {
      if isNormal(path) { return path }
      var bytes: [UInt8] = []
      var rest = path[...]
      while !rest.isEmpty {
        let segment = rest[..<(rest.firstIndex(of: ASCIIByte.slash) ?? rest.endIndex)]
        rest = rest[segment.endIndex...].dropFirst()
        if segment.spells("..") {
          while let last = bytes.popLast(), last != ASCIIByte.slash {}
        } else if !segment.spells(".") && !segment.isEmpty {
          bytes.append(ASCIIByte.slash)
          bytes.append(contentsOf: segment)
        }
      }
      if path.last == ASCIIByte.slash || bytes.isEmpty { bytes.append(ASCIIByte.slash) }
      return bytes
    }

    /// Whether a path begins with '/' and no segment of it is empty or begins with a dot.
    static func isNormal(_ path: [UInt8]) -> Bool {
      var isAfterSlash = false
      for byte in path {
        if isAfterSlash && (byte == ASCIIByte.slash || byte == ASCIIByte.dot) { return false }
        isAfterSlash = byte == ASCIIByte.slash
      }
      return path.first == ASCIIByte.slash
    }
  }
}
