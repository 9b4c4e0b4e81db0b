// SPDX-License-Identifier: Apache-2.0
// What is known to happen to some keys on their way, for whoever makes an object of one.

public import RequestSigning
internal import SigningSupport

extension SigV4.Bucket {
  /// Something that is known to happen to a key between here and the server. More may come.
  public struct KeyWarning: Hashable, Sendable, CustomStringConvertible {
    /// The name of the warning, as it is spelled here.
    public let name: String

    /// What may happen and what to do, for people.
    public let message: String

    /// The name and the message.
    public var description: String { name + ": " + message }

    /// Whether two warnings have the same name.
    public static func == (left: Self, right: Self) -> Bool {
      left.name.utf8.elementsEqual(right.name.utf8)
    }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) {
      for byte in name.utf8 { hasher.combine(byte) }
    }

    /// The key has a segment "." or "..", as in `photos/../a.jpg`.
    public static var dotSegments: Self {
      Self(
        name: "dotSegments",
        message: "URL types and proxies collapse '.' and '..' between slashes, and then another "
          + "object is meant and the signature does not match; give the object another key, or send "
          + "the URL byte for byte")
    }

    /// The key begins with '/' or has '//' inside.
    public static var emptySegments: Self {
      Self(
        name: "emptySegments",
        message: "some URL types and proxies merge slashes that follow each other, as do stores "
          + "that keep objects as files; give the object another key, or send the URL byte for byte"
      )
    }

    /// The key is longer than 1,024 bytes in UTF-8.
    public static var tooLong: Self {
      Self(
        name: "tooLong",
        message: "Amazon S3 and most stores refuse keys of more than 1,024 bytes; use a shorter key"
      )
    }

    static func all(_ path: SigV4.Path, _ key: [UInt8]) -> [Self] {
      let isMerged =
        key.first == ASCIIByte.slash
        || Swift.zip(key, key.dropFirst()).contains {
          $0 == ASCIIByte.slash && $1 == ASCIIByte.slash
        }
      return (path.hasDotSegments ? [dotSegments] : []) + (isMerged ? [emptySegments] : [])
        + (key.count > 1_024 ? [tooLong] : [])
    }
  }
}
