// SPDX-License-Identifier: Apache-2.0
// The wildcards of a policy's resource.

internal import RequestSigning

extension CloudFrontPolicy {
  /// Source: Amazon CloudFront, Developer Guide, "Create a signed URL using a custom policy",
  /// Resource: '*' matches zero or more characters, '?' exactly one, anywhere in the string.
  enum Wildcards {
    static var anyCharacters: UInt8 { 0x2A }
    static var anyCharacter: UInt8 { ASCIIByte.questionMark }

    /// Returns whether a resource matches a whole URL. The time is at most proportional to the
    /// product of both lengths.
    static func match(_ resource: [UInt8], _ url: [UInt8]) -> Bool {
      var (position, urlPosition) = (0, 0)
      // The last '*', and the end of what it matches. Only the last one ever needs to match more.
      var retry: (position: Int, urlPosition: Int)?
      while urlPosition < url.count {
        if position < resource.count && resource[position] == anyCharacters {
          position += 1
          retry = (position, urlPosition)
        } else if position < resource.count
          && (resource[position] == anyCharacter || resource[position] == url[urlPosition])
        {
          position += 1
          urlPosition += 1
        } else if let last = retry {
          retry = (last.position, last.urlPosition + 1)
          (position, urlPosition) = (last.position, last.urlPosition + 1)
        } else {
          return false
        }
      }
      return resource[position...].allSatisfy { $0 == anyCharacters }
    }
  }
}
